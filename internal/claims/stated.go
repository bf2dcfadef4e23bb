package claims

import (
	"encoding/json"
	"fmt"
	"math"
	"regexp"
	"strconv"
	"strings"
)

// Stated is a figure as it was written: its digits say how precise it is.
// Its JSON form is the number.
type Stated struct {
	Text     string
	Value    float64
	step     float64 // what its last digit counts
	decimals int
	exponent string // as written: "e9"; "" for none
}

// The most that a figure may be long, and its exponent large.
const (
	maxDigits   = 40
	maxExponent = 300
)

// numberSyntax is how a figure of a table must be written.
const numberSyntax = `^([+-]?(?:\d+\.?(\d*)|\.(\d+)))([eE][+-]?\d+)?$`

// parseStated reads a figure such as "57", "1.70" or "3e-10".
func parseStated(text string) (Stated, error) {
	m := regexp.MustCompile(numberSyntax).FindStringSubmatch(text)
	if m == nil || len(text) > maxDigits {
		return Stated{}, fmt.Errorf("%q is not a number", shortened(text))
	}
	s := Stated{Text: text, decimals: len(m[2] + m[3]), exponent: strings.ToLower(m[4])}
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

// slack is what arithmetic on binary fractions may add to a figure, of itself.
const slack = 1e-9

// is reports whether v rounds to what is stated; a half may go either way.
func (s Stated) is(v float64) bool {
	return math.Abs(v-s.Value) <= s.step/2+slack*math.Abs(v)
}

// difference is by how many percent of what is stated v is off; nil where that is
// nothing, 0, or so small that no number tells.
func (s *Stated) difference(v float64) *float64 {
	if s == nil || s.Value == 0 {
		return nil
	}
	percent := (v/s.Value - 1) * 100
	if math.IsInf(percent, 0) {
		return nil
	}
	return &percent
}

// isRather reports whether another figure than the computed one rounds to what is
// stated, and what is stated has the digits to tell the two apart.
func (s Stated) isRather(other, computed float64) bool {
	return s.is(other) && math.Abs(other-computed) > s.step
}

// Like writes v as the figure is written, with one digit more.
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
