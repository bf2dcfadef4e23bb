package plan

import "plimsoll/internal/usage"

func usagef(format string, args ...any) error { return usage.Errorf(format, args...) }
