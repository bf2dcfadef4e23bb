package record

import (
	"fmt"
	"math"
	"strconv"
	"strings"
	"time"
)

type unit struct {
	suffix string
	factor float64
}

// sizeUnits: every prefix has one meaning, SI for powers of ten and IEC for
// powers of two. Longer suffixes stand first.
func sizeUnits() []unit {
	return []unit{
		{"KiB", 1 << 10}, {"MiB", 1 << 20}, {"GiB", 1 << 30}, {"TiB", 1 << 40},
		{"kB", 1e3}, {"MB", 1e6}, {"GB", 1e9}, {"TB", 1e12},
		{"B", 1}, {"", 1},
	}
}

// ParseSize reads a number of bytes such as "16KiB", "25MB" or "4096". A bare
// "K" or "M" is refused, because it does not say which factor is meant.
func ParseSize(s string) (int64, error) {
	for _, u := range sizeUnits() {
		num, ok := strings.CutSuffix(s, u.suffix)
		if !ok {
			continue
		}
		f, err := strconv.ParseFloat(strings.TrimSpace(num), 64)
		if err != nil || math.IsInf(f, 0) || math.IsNaN(f) {
			break
		}
		n := f * u.factor
		if n < 0 || n >= math.MaxInt64 || n != math.Trunc(n) {
			return 0, fmt.Errorf("size %q is not a whole number of bytes in range", s)
		}
		return int64(n), nil
	}
	return 0, fmt.Errorf("size %q is not a number with B, kB, KiB, MB, MiB, GB, GiB, TB or TiB", s)
}

// FormatSize writes n bytes so that ParseSize gives n again, in the unit that
// divides it and leaves the smallest number.
func FormatSize(n int64) string {
	best := unit{"B", 1}
	for _, u := range sizeUnits() {
		if n != 0 && n%int64(u.factor) == 0 && u.factor > best.factor {
			best = u
		}
	}
	return strconv.FormatInt(n/int64(best.factor), 10) + best.suffix
}

// ParseDuration reads a time such as "30s", "1m30s" or "250ms", in seconds.
func ParseDuration(s string) (float64, error) {
	d, err := time.ParseDuration(s)
	if err != nil {
		return 0, fmt.Errorf("time %q is not a number with ns, us, ms, s, m or h", s)
	}
	return d.Seconds(), nil
}

// Key is the text form of a load, as it stands in a trial's keys.
func (l LoadPoint) Key() string {
	switch l.Kind {
	case Once:
		return "once"
	case Open:
		return strconv.FormatFloat(l.Level, 'g', -1, 64) + "/s " + l.Arrivals
	}
	return strconv.FormatFloat(l.Level, 'g', -1, 64) + " " + l.Unit
}
