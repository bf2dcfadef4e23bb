package figure

import (
	"math"
	"strconv"
	"strings"

	"plimsoll/internal/record"
)

// NoNumber replaces a value that is not a finite number.
const NoNumber = "n/a"

// Digits is the number of significant digits of a figure; fineDigits applies if an interval is so narrow that its ends
// would look alike.
const (
	Digits     = 3
	FineDigits = 4
)

// Quantity formats v, given in unit, with three significant digits and a suitable prefix:
//
//	B/s, B/$, B/J   powers of 1000: "5.81 GB/s"
//	B               IEC if the size is a whole number of KiB, else SI: "16 KiB", "25 MB"
//	s               "ns", "µs", "ms" and "s"
//	op/s, op/$ ...  powers of 1000 before the counted thing: "12.3k op/s"
//	%               one decimal: "12.3%"
//	anything else   as it is: "35.2 W"
//
// It returns "n/a" for NaN and infinities.
func Quantity(v float64, unit string) string {
	if !IsFinite(v) {
		return NoNumber
	}
	return ScaleFor(unit, v).Text(v, Digits)
}

// Percent formats a ratio as a change: 1.191 is "+19.1%". One that would read as a loss of everything is a factor:
// 4e-8 is "25.0 million times less".
func Percent(ratio float64) string {
	if !IsFinite(ratio) {
		return NoNumber
	}
	if nearlyNone(ratio) {
		return manyTimes(1/ratio) + " times less"
	}
	text := Fixed((ratio-1)*100, 1)
	if ratio > 1 && text != "0.0" {
		text = "+" + text
	}
	return text + "%"
}

// PercentSpan formats the ends of an interval of ratios as changes, with what they share once.
func PercentSpan(lo, hi float64) string {
	from, to := Percent(lo), Percent(hi)
	if nearlyNone(lo) && nearlyNone(hi) {
		from, to = to, from // the smaller factor first
	}
	if _, last, ok := strings.Cut(to, " "); ok {
		from = strings.TrimSuffix(from, " "+last)
	}
	return from + " to " + to
}

// nearlyNone reports whether a ratio over 0 is, to the digits of a percentage, a loss of everything.
func nearlyNone(ratio float64) bool { return ratio > 0 && Fixed((ratio-1)*100, 1) == "-100.0" }

// manyTimes formats a large factor.
func manyTimes(factor float64) string {
	for _, large := range []struct {
		from float64
		name string
	}{{1e12, "trillion"}, {1e9, "billion"}, {1e6, "million"}} {
		if factor >= large.from {
			return Fixed(factor/large.from, Decimals(factor/large.from, Digits)) + " " + large.name
		}
	}
	return Fixed(factor, 0)
}

// Scale is a unit with the prefix that a column of figures shares.
type Scale struct {
	Factor float64 // one of Unit, in the base unit
	Unit   string
}

type prefix struct {
	factor float64
	text   string
}

// ScaleFor chooses the prefix by the largest of the values.
func ScaleFor(unit string, values ...float64) Scale {
	top := 0.0
	for _, v := range values {
		if IsFinite(v) {
			top = max(top, math.Abs(v))
		}
	}
	prefixes, join := prefixesOf(unit, values)
	s := Scale{Factor: 1, Unit: unit}
	if top >= pastPrefixes {
		return s
	}
	for _, p := range prefixes {
		if RoundTo(top/p.factor, Digits) >= 1 || s.Factor == 1 && p.factor < 1 && top > 0 {
			s = Scale{Factor: p.factor, Unit: p.text + join + unit}
		}
	}
	return s
}

// pastPrefixes is the value from which on a figure has an exponent in place of a prefix.
const pastPrefixes = 1e18

// prefixesOf returns the prefixes that a unit takes, smallest first, and the text between prefix and unit.
func prefixesOf(unit string, values []float64) (list []prefix, join string) {
	thousands := []prefix{{1e3, "k"}, {1e6, "M"}, {1e9, "G"}, {1e12, "T"}, {1e15, "P"}}
	switch {
	case unit == "B" && binary(values):
		return []prefix{{1 << 10, "Ki"}, {1 << 20, "Mi"}, {1 << 30, "Gi"}, {1 << 40, "Ti"}}, ""
	case unit == "B" || strings.HasPrefix(unit, "B/"):
		return thousands, ""
	case unit == "s":
		return []prefix{{1e-9, "n"}, {1e-6, "µ"}, {1e-3, "m"}, {1, ""}}, ""
	case strings.HasPrefix(unit, "tps") || strings.HasPrefix(unit, "IOPS") ||
		strings.Contains(unit, "/") && !strings.HasPrefix(unit, "$"):
		return thousands, " "
	}
	return nil, ""
}

// binary reports whether sizes are better expressed in powers of 1024.
func binary(values []float64) bool {
	for _, v := range values {
		if v == 0 || !IsFinite(v) {
			continue
		}
		if v != math.Trunc(v) || math.Abs(v) >= math.MaxInt64 {
			return false
		}
		if !strings.HasSuffix(record.FormatSize(int64(v)), "iB") {
			return false
		}
	}
	return len(values) > 0
}

// Text returns v in the unit of s with sig significant digits, or NoNumber if v is not finite.
func (s Scale) Text(v float64, sig int) string {
	if !IsFinite(v) {
		return NoNumber
	}
	return s.Joined(s.Number(v, sig))
}

// Joined returns a number, or a range, with the scale's unit: "12.3%", "28.6k requests/s", "35.2 W". Both ends of a
// range have a prefix that belongs to the number: "36.9k to 135.0k requests/s".
func (s Scale) Joined(number string) string {
	prefix := s.prefix()
	switch {
	case s.Unit == "%":
		return number + s.Unit
	case prefix != "":
		return strings.ReplaceAll(number, " to ", prefix+" to ") + s.Unit
	}
	return strings.TrimSuffix(number+" "+s.Unit, " ")
}

// prefix returns the prefix of the scale's unit that belongs to its numbers; "" without one.
func (s Scale) prefix() string {
	if prefix, _, prefixed := strings.Cut(s.Unit, " "); prefixed && s.Factor > 1 {
		return prefix
	}
	return ""
}

// Prefixed formats v with the scale's prefix, and without the unit: "28.6k".
func (s Scale) Prefixed(v float64, sig int) string { return s.Number(v, sig) + s.prefix() }

// Number formats v in the scale's unit, without the unit.
func (s Scale) Number(v float64, sig int) string {
	if !IsFinite(v) {
		return NoNumber
	}
	return s.NumberLike(v, v, sig)
}

// NumberLike formats v with as many decimals as like needs for sig digits, so that the ends of an interval are as
// precise as its estimate.
func (s Scale) NumberLike(v, like float64, sig int) string {
	v, like = v/s.Factor, like/s.Factor
	switch {
	// a metric, such as a share of errors, that is not nothing
	case s.Unit == "%" && s.Factor == 1 && like != 0 && math.Abs(like) < .1:
		return Fixed(v, Decimals(like, 2))
	case s.Unit == "%":
		return Fixed(v, 1)
	case s.whole(v) && v == like:
		return Fixed(v, 0)
	case math.Abs(v) >= 1e15 || v != 0 && math.Abs(v) < 1e-6:
		return strconv.FormatFloat(v, 'g', sig, 64)
	}
	return Fixed(v, Decimals(like, sig))
}

// whole reports whether v is a count or an exact size, which takes no decimals.
func (s Scale) whole(v float64) bool {
	counted := s.Unit == "" || strings.HasSuffix(s.Unit, "B")
	return v == 0 || counted && v == math.Trunc(v) && math.Abs(v) < 1e15
}

// Decimals returns how many decimals show v with sig significant digits.
func Decimals(v float64, sig int) int {
	v = math.Abs(RoundTo(v, sig))
	if v == 0 || !IsFinite(v) {
		return sig - 1
	}
	return max(0, sig-1-int(math.Floor(math.Log10(v))))
}

// RoundTo rounds v to sig significant digits.
func RoundTo(v float64, sig int) float64 {
	r, _ := strconv.ParseFloat(strconv.FormatFloat(v, 'e', sig-1, 64), 64)
	return r
}

// Fixed formats v with that many decimals and never a negative zero.
func Fixed(v float64, decimals int) string {
	text := strconv.FormatFloat(v, 'f', decimals, 64)
	if strings.Trim(text, "-0.") == "" {
		return strings.TrimPrefix(text, "-")
	}
	return text
}

// IsFinite reports whether v is neither NaN nor infinite.
func IsFinite(v float64) bool { return !math.IsNaN(v) && !math.IsInf(v, 0) }
