package record

import (
	"fmt"
	"math"
	"math/big"
	"strconv"
	"strings"
	"time"
)

type unit struct {
	suffix string
	factor int64
}

// sizeUnits returns the units of size, longer suffixes first. Every prefix has one meaning: SI for powers of ten and
// IEC for powers of two.
func sizeUnits() []unit {
	return []unit{
		{"KiB", 1 << 10}, {"MiB", 1 << 20}, {"GiB", 1 << 30}, {"TiB", 1 << 40},
		{"kB", 1e3}, {"MB", 1e6}, {"GB", 1e9}, {"TB", 1e12},
		{"B", 1}, {"k", 1 << 10}, {"K", 1 << 10}, {"M", 1 << 20}, {"G", 1 << 30}, {"T", 1 << 40}, {"", 1},
	}
}

// ParseSize parses a number of bytes such as "16KiB", "25MB", "4k" or "4096". A bare k, M, G or T is a power of two, as
// fio, dd and PostgreSQL have it.
func ParseSize(s string) (int64, error) {
	for _, u := range sizeUnits() {
		text, ok := strings.CutSuffix(s, u.suffix)
		if !ok {
			continue
		}
		num, ok := decimal(strings.TrimSpace(text))
		if !ok {
			break
		}
		// Exact, because in floating point 1.001 MB is not a whole number of bytes.
		n := num.Mul(num, new(big.Rat).SetInt64(u.factor))
		if n.Sign() < 0 || !n.IsInt() || !n.Num().IsInt64() {
			return 0, fmt.Errorf("size %q is not a whole number of bytes in range", s)
		}
		return n.Num().Int64(), nil
	}
	return 0, fmt.Errorf("size %q is not a number with B, kB, KiB, MB, MiB, GB, GiB, TB or TiB, or k, M, G or T for "+
		"powers of two", s)
}

// decimal parses a decimal number, rejecting fractions (a/b), digit separators or other bases.
func decimal(s string) (*big.Rat, bool) {
	if strings.ContainsAny(s, "/_xXoObBpP") {
		return nil, false
	}
	return new(big.Rat).SetString(s)
}

// FormatSize formats n bytes so that ParseSize returns n again, in the unit that divides it and leaves the smallest
// number.
func FormatSize(n int64) string {
	best := unit{"B", 1}
	for _, u := range sizeUnits() {
		if n != 0 && n%u.factor == 0 && u.factor > best.factor {
			best = u
		}
	}
	return strconv.FormatInt(n/best.factor, 10) + best.suffix
}

// ParseDuration parses a time such as "30s", "1m30s" or "250ms", in seconds.
func ParseDuration(s string) (float64, error) {
	d, err := time.ParseDuration(s)
	if err != nil {
		return 0, fmt.Errorf("time %q is not a number with ns, us, ms, s, m or h", s)
	}
	return d.Seconds(), nil
}

// ParseTime parses a time of day as sessions contain it: of RFC 3339, with nanoseconds.
func ParseTime(s string) (time.Time, error) { return time.Parse(time.RFC3339Nano, s) }

// FormatTime formats a time of day for sessions, in UTC.
func FormatTime(t time.Time) string { return t.UTC().Format(time.RFC3339Nano) }

// FormatDuration formats seconds in the largest unit of s, ms, us and ns that leaves a number of 1 or more, for
// ParseDuration.
func FormatDuration(seconds float64) string {
	for _, u := range []unit{{"s", 1}, {"ms", 1e3}, {"us", 1e6}, {"ns", 1e9}} {
		if v := seconds * float64(u.factor); seconds == 0 || v >= 1 || u.suffix == "ns" {
			return strconv.FormatFloat(math.Round(v*1e9)/1e9, 'f', -1, 64) + u.suffix
		}
	}
	return ""
}

// The text forms of a rate that is not fixed: one to search for, and one that sweeps the whole range.
const (
	KeySearched = "load line"
	KeySwept    = "load sweep"
)

// LoadText returns a load's Key for display: "1 client" instead of "1 clients".
func LoadText(key string) string {
	if rest, ok := strings.CutPrefix(key, "1 "); ok {
		return "1 " + strings.TrimSuffix(rest, "s")
	}
	return key
}

// Key returns the text form of a load, as in a trial's keys.
func (l LoadPoint) Key() string {
	switch l.Kind {
	case Once:
		if l.Unit == "" {
			return "once"
		}
	case Open:
		switch {
		case l.Level == 0 && l.All:
			return KeySwept
		case l.Level == 0:
			return KeySearched
		}
		return strings.TrimSuffix(strconv.FormatFloat(l.Level, 'f', -1, 64)+"/s "+l.Arrivals, " ")
	}
	if l.All {
		return "all " + l.Unit
	}
	return strconv.FormatFloat(l.Level, 'f', -1, 64) + " " + l.Unit
}
