package claims

import (
	"encoding/json"
	"fmt"
	"math"
	"regexp"
	"strconv"
	"strings"
)

// Stated is a figure as written: its digits imply its precision. Its JSON form is the number. With a bound it is the
// bound's, and Most the upper one of a range.
type Stated struct {
	Text     string
	Value    float64
	Bound    string  // one of bound*; "" for a figure
	Most     *Stated // nil unless Bound is boundBetween
	bare     string  // number as written
	step     float64 // value of one unit of its last digit
	decimals int
	exponent string // as written: "e9"; "" for none
}

// Limits on the length of a figure and on its exponent.
const (
	maxDigits   = 40
	maxExponent = 300
)

// numberSyntax is the syntax of a figure in a table.
const numberSyntax = `^([+-]?(?:\d+\.?(\d*)|\.(\d+)))([eE][+-]?\d+)?$`

// parseStated parses a figure or a bound.
func parseStated(text string) (Stated, error) {
	if s, ok, err := parseBound(text); ok {
		return s, err
	}
	return parseFigure(text)
}

// parseFigure parses a figure such as "57", "1.70" or "3e-10".
func parseFigure(text string) (Stated, error) {
	m := regexp.MustCompile(numberSyntax).FindStringSubmatch(text)
	if m == nil || len(text) > maxDigits {
		return Stated{}, fmt.Errorf("%q is not a number", shortened(text))
	}
	s := Stated{Text: text, bare: text, decimals: len(m[2] + m[3]), exponent: strings.ToLower(m[4])}
	exponent := 0
	if s.exponent != "" {
		var err error
		if exponent, err = strconv.Atoi(s.exponent[1:]); err != nil || exponent < -maxExponent || exponent > maxExponent {
			return Stated{}, fmt.Errorf("the exponent of %s is not between -%d and %d", text, maxExponent, maxExponent)
		}
	}
	var err error
	if s.Value, err = strconv.ParseFloat(text, 64); err != nil {
		return Stated{}, fmt.Errorf("%s is too large to be a number", text)
	}
	s.step = math.Pow10(exponent - s.decimals)
	return s, nil
}

// MarshalJSON implements json.Marshaler.
func (s Stated) MarshalJSON() ([]byte, error) { return json.Marshal(s.Value) }

// slack is the relative error that binary floating point may introduce.
const slack = 1e-9

// slackOfZero is the error that it may introduce in a difference of nothing.
const slackOfZero = 1e-12

// equals reports whether v is the stated figure but for the error of binary floating point.
func (s Stated) equals(v float64) bool {
	if s.Value == 0 {
		return math.Abs(v) <= slackOfZero
	}
	return math.Abs(v-s.Value) <= slack*math.Abs(s.Value)
}

// is reports whether v rounds to the stated figure; a half may round either way.
func (s Stated) is(v float64) bool {
	return math.Abs(v-s.Value) <= s.step/2+slack*math.Abs(v)
}

// difference returns by how many percent v deviates from the stated figure; nil if that is missing, 0, or too small.
func (s *Stated) difference(v float64) *float64 {
	if s == nil || s.Value == 0 || s.Bound != "" {
		return nil
	}
	percent := (v/s.Value - 1) * 100
	if math.IsInf(percent, 0) {
		return nil
	}
	return &percent
}

// isRather reports whether another figure rather than the computed one rounds to the stated one, and the stated one has
// enough digits to tell the two apart.
func (s Stated) isRather(other, computed float64) bool {
	return s.is(other) && math.Abs(other-computed) > s.step
}

// Like formats v like the figure, with one digit more.
func (s Stated) Like(v float64) string {
	power := 0
	if s.exponent != "" {
		power, _ = strconv.Atoi(s.exponent[1:])
	}
	mantissa := v / math.Pow10(power)
	if math.Abs(mantissa) >= 1e15 {
		return strconv.FormatFloat(v, 'g', 6, 64)
	}
	text := strconv.FormatFloat(mantissa, 'f', s.decimals+1, 64)
	if strings.Trim(text, "-0.") == "" {
		text = strings.TrimPrefix(text, "-")
	}
	return text + s.exponent
}

// shortened keeps a cell of a broken table from filling the screen.
func shortened(text string) string {
	const most = 60
	if r := []rune(text); len(r) > most {
		return string(r[:most]) + "..."
	}
	return text
}
