package storage

import (
	"plimsoll/internal/record"
	"strings"
	"testing"
)

func TestNewDiskTimelineRefuses(t *testing.T) {
	use := record.DiskUse{Device: "vda"}
	for _, q := range []struct {
		series map[string][]int64
		want   string
	}{
		{nil, "diskuse.step_ns is missing"},
		{map[string][]int64{"diskuse.step_ns": {1e8, 0}}, "a step of 0 ns"},
		{map[string][]int64{"diskuse.step_ns": {1e8}, "diskuse.vda.read_ios": {1, 2}},
			"read_ios has 2 values, its steps are 1"},
		{map[string][]int64{"diskuse.step_ns": {1e8}, "diskuse.vda.read_ios": {-1}}, "read_ios has a value of -1"},
	} {
		if _, err := newDiskTimeline(use, q.series); err == nil || !strings.Contains(err.Error(), q.want) {
			t.Errorf("%v: %v, want %q", q.series, err, q.want)
		}
	}
}
