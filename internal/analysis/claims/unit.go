package claims

import (
	"fmt"
	"strings"
)

// unitPrefixes are the multiples of bytes and bits, longer ones first.
func unitPrefixes() []struct {
	text   string
	factor float64
} {
	return []struct {
		text   string
		factor float64
	}{
		{"Ki", 1 << 10}, {"Mi", 1 << 20}, {"Gi", 1 << 30}, {"Ti", 1 << 40}, {"Pi", 1 << 50}, {"Ei", 1 << 60},
		{"k", 1e3}, {"K", 1e3}, {"M", 1e6}, {"G", 1e9}, {"T", 1e12}, {"P", 1e15}, {"E", 1e18}, {"", 1},
	}
}

// sized returns the factor of a unit of time or data to its base unit, and that; ok is false for any other.
func sized(unit string) (factor float64, base string, ok bool) {
	times := map[string]float64{"ns": 1e-9, "us": 1e-6, "µs": 1e-6, "ms": 1e-3, "s": 1, "min": 60, "h": 3600}
	if factor, ok = times[unit]; ok {
		return factor, "s", true
	}
	amount, per, rate := strings.Cut(unit, "/")
	for _, p := range unitPrefixes() {
		base := map[string]float64{p.text + "B": 1, p.text + "bit": 1. / 8}
		of, ok := base[amount]
		switch {
		case !ok:
		case rate:
			return p.factor * of, "B/" + per, true
		default:
			return p.factor * of, "B", true
		}
	}
	return 0, "", false
}

// converted returns a figure in another unit, and as it is if a unit is neither of time nor of data.
func converted(v float64, from, to string) (float64, error) {
	factor, base, ok := sized(from)
	other, otherBase, otherOK := sized(to)
	switch {
	case !ok || !otherOK || factor == other && base == otherBase:
		return v, nil
	case base != otherBase:
		return 0, fmt.Errorf("is in %s, and not in %s\nhint: write the unit of the formula's figure", from, to)
	}
	return v * (factor / other), nil
}
