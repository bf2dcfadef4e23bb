package record

import (
	"fmt"
	"math"
	"slices"
	"strconv"
	"strings"
)

// Canonical validates a value given as text and returns its canonical form, so that "16384" and "16KiB" are the same
// parameter. The error states the permitted values.
func (p Param) Canonical(text string) (string, error) {
	if p.Tunes && text == AsFound {
		return text, nil
	}
	out, num, err := p.parse(text)
	if err != nil {
		return "", err
	}
	if p.Min != p.Max && (num < p.Min || num > p.Max) {
		return "", fmt.Errorf("%s is outside %s to %s", text, p.format(p.Min), p.format(p.Max))
	}
	return out, nil
}

// Number returns a canonical value in the kind's base unit: bytes, seconds, 1 for true; 0 for text.
func (p Param) Number(canonical string) float64 {
	_, num, _ := p.parse(canonical)
	return num
}

func (p Param) parse(text string) (canonical string, num float64, err error) {
	switch p.Kind {
	case CPUs:
		if text == AllCPUs {
			return text, p.Min, nil
		}
		fallthrough
	case Int:
		n, err := strconv.ParseInt(text, 10, 64)
		if err != nil {
			return "", 0, fmt.Errorf("%q is not a whole number", text)
		}
		return strconv.FormatInt(n, 10), float64(n), nil
	case Float:
		f, err := strconv.ParseFloat(text, 64)
		if err != nil || math.IsNaN(f) || math.IsInf(f, 0) {
			return "", 0, fmt.Errorf("%q is not a number", text)
		}
		if f == 0 {
			f = 0 // drops the sign
		}
		return p.format(f), f, nil
	case Size:
		n, err := ParseSize(text)
		return FormatSize(n), float64(n), err
	case Duration:
		s, err := ParseDuration(text)
		return p.format(s), s, err
	case Bool:
		b, err := strconv.ParseBool(text)
		if err != nil {
			return "", 0, fmt.Errorf("%q is neither true nor false", text)
		}
		if b {
			num = 1
		}
		return strconv.FormatBool(b), num, nil
	case Enum:
		if !slices.Contains(p.Choices, text) {
			return "", 0, fmt.Errorf("%q is not one of %s", text, strings.Join(p.Choices, ", "))
		}
	}
	return text, 0, nil
}

// format formats a number in the kind's base unit.
func (p Param) format(f float64) string {
	switch p.Kind {
	case Size:
		return FormatSize(int64(f))
	case Int, CPUs:
		return strconv.FormatFloat(f, 'f', -1, 64)
	case Duration:
		return FormatDuration(f)
	}
	return strconv.FormatFloat(f, 'g', -1, 64)
}
