package convert

import "strings"

// Base returns the base unit of a unit printed by tools, and the factor that converts to it: "MB/s" is 1e6 "B/s",
// "ns/op" is 1e-9 "s/op", "Gbit/s" is 1.25e8 "B/s". SI prefixes are powers of ten and IEC prefixes powers of two. An
// unknown or ambiguous unit (such as "KB" or "Mb") is its own base.
func Base(unit string) (base string, factor float64) {
	num, per, hasPer := strings.Cut(unit, "/")
	base, factor = num, 1
	for _, u := range units() {
		if u.text == num {
			base, factor = u.base, u.factor
		}
	}
	if per == "sec" {
		per = "s"
	}
	if hasPer {
		base += "/" + per
	}
	return base, factor
}

type unit struct {
	text, base string
	factor     float64
}

func units() []unit {
	return []unit{
		{"ns", "s", 1e-9}, {"us", "s", 1e-6}, {"µs", "s", 1e-6}, {"ms", "s", 1e-3}, {"sec", "s", 1}, {"min", "s", 60},
		{"kB", "B", 1e3}, {"MB", "B", 1e6}, {"GB", "B", 1e9}, {"TB", "B", 1e12},
		{"KiB", "B", 1 << 10}, {"MiB", "B", 1 << 20}, {"GiB", "B", 1 << 30}, {"TiB", "B", 1 << 40},
		{"bit", "B", 1. / 8}, {"kbit", "B", 1e3 / 8}, {"Mbit", "B", 1e6 / 8}, {"Gbit", "B", 1e9 / 8},
		{"kbits", "B", 1e3 / 8}, {"Kbits", "B", 1e3 / 8}, {"Mbits", "B", 1e6 / 8}, {"Gbits", "B", 1e9 / 8},
		{"ops", "op", 1},
	}
}
