package stat_test

import "example.org/small/internal/stat"

const _ = stat.Unused
