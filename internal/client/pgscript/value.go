package pgscript

import (
	"errors"
	"fmt"
	"math"
	"strconv"
	"strings"
)

// kind is the type of a value.
type kind uint8

const (
	null kind = iota
	boolean
	integer
	double
)

// value is the result of an expression.
type value struct {
	kind kind
	i    int64 // of an integer; of a boolean 0 or 1
	f    float64
}

func intOf(i int64) value      { return value{kind: integer, i: i} }
func doubleOf(f float64) value { return value{kind: double, f: f} }

func boolOf(b bool) value {
	if b {
		return value{kind: boolean, i: 1}
	}
	return value{kind: boolean}
}

// The errors of operands of the wrong type.
var (
	errNotBoolean = errors.New("a boolean is required here")
	errNotNumber  = errors.New("a number is required here, not a boolean")
	errOverflow   = errors.New("the whole number is out of range")
)

// whole returns the value as a whole number; fractions are rounded, halves to even.
func (v value) whole() (int64, error) {
	switch v.kind {
	case integer:
		return v.i, nil
	case double:
		r := math.RoundToEven(v.f)
		// The largest whole number is no double, but the next one is.
		if !(r >= math.MinInt64 && r < math.MaxInt64) {
			return 0, fmt.Errorf("%g: %w", v.f, errOverflow)
		}
		return int64(r), nil
	}
	return 0, errNotNumber
}

func (v value) float() (float64, error) {
	switch v.kind {
	case integer:
		return float64(v.i), nil
	case double:
		return v.f, nil
	}
	return 0, errNotNumber
}

func (v value) truth() (bool, error) {
	if v.kind != boolean {
		return false, errNotBoolean
	}
	return v.i != 0, nil
}

// holds reports whether the value is true as a condition: numbers other than 0 are, null is not.
func (v value) holds() bool {
	switch v.kind {
	case boolean, integer:
		return v.i != 0
	case double:
		return v.f != 0
	}
	return false
}

// digits is the number of decimal digits of a double that survive a round trip.
const digits = 15

// appendTo appends the value's text.
func (v value) appendTo(dst []byte) []byte {
	switch v.kind {
	case boolean:
		return strconv.AppendBool(dst, v.i != 0)
	case integer:
		return strconv.AppendInt(dst, v.i, 10)
	case double:
		switch {
		case math.IsInf(v.f, 1):
			return append(dst, "inf"...) // as C prints it, while Go has +Inf
		case math.IsInf(v.f, -1):
			return append(dst, "-inf"...)
		case math.IsNaN(v.f):
			return append(dst, "nan"...)
		}
		return strconv.AppendFloat(dst, v.f, 'g', digits, 64)
	}
	return append(dst, "NULL"...)
}

// parseValue parses text from a server, for an expression, as pgbench does: prefixes of true, false, yes and no are
// booleans, and C's hexadecimal numbers are doubles.
func parseValue(text string) (value, error) {
	text = strings.TrimSpace(text)
	if i, err := strconv.ParseInt(text, 10, 64); err == nil {
		return intOf(i), nil
	}
	word := strings.ToLower(text)
	begins := func(whole string) bool { return word != "" && strings.HasPrefix(whole, word) }
	switch {
	case word == "null":
		return value{}, nil
	case begins("true"), begins("yes"), word == "on":
		return boolOf(true), nil
	case begins("false"), begins("no"), word == "off", word == "of":
		return boolOf(false), nil
	case strings.HasPrefix(strings.TrimLeft(word, "+-"), "0x") && !strings.Contains(word, "p"):
		word += "p0" // Go requires an exponent
	}
	if f, err := strconv.ParseFloat(word, 64); err == nil {
		return doubleOf(f), nil
	}
	return value{}, fmt.Errorf("%.40q is neither a number nor a boolean", text)
}
