package trialset

import (
	"slices"
	"testing"
)

// TestAscending: only loads of one sweep change places, and other cells between them stay.
func TestAscending(t *testing.T) {
	keys := func(texts ...string) (out []Key) {
		for _, text := range texts {
			out = append(out, Key{Workload: text[:1], Load: text[1:]})
		}
		return out
	}
	for _, tc := range [][2][]Key{
		{keys("w1 clients", "w16 clients", "w2 clients", "w4 clients"), keys("w1 clients", "w2 clients", "w4 clients",
			"w16 clients")},
		{keys("w16 clients", "v9 clients", "w1000/s", "w2 clients", "w200/s", "v8 clients"),
			keys("w2 clients", "v8 clients", "w200/s", "w16 clients", "w1000/s", "v9 clients")},
		{keys("w4 cpus", "w1 cpus", "w8 clients"), keys("w1 cpus", "w4 cpus", "w8 clients")},
		{keys("wall cpus", "w2 cpus", "wonce", "wload line", "w1 cpus", "w"), keys("wall cpus", "w1 cpus", "wonce",
			"wload line", "w2 cpus", "w")},
	} {
		if got := Ascending(tc[0]); !slices.Equal(got, tc[1]) {
			t.Errorf("%v: %v, want %v", tc[0], got, tc[1])
		}
	}
}
