package claims

import (
	"fmt"
	"math"
	"strings"
)

// Verdict is whether a claim holds.
type Verdict string

// The verdicts, from best to worst, and Info for a claim without a stated figure.
const (
	Holds   Verdict = "holds"   // within the stated bound
	Exact   Verdict = "exact"   // equal to the stated figure beyond its last digit
	Rounded Verdict = "rounded" // rounds to the stated figure
	Loose   Verdict = "loose"   // does not round to it, but is less than a factor of two off
	Wrong   Verdict = "wrong"   // correct in another unit, base or sign, or off by a factor of two
	Info    Verdict = "info"    // no figure is stated
)

// fine is the maximum relative error of an exact figure: facts have about as many digits.
const fine = 1e-4

// judge compares the computed figure with the stated one, which may be nil. If that is wrong, why is the reason.
func judge(s *Stated, computed float64, unit, formula string) (v Verdict, why string) {
	switch {
	case s == nil:
		return Info, ""
	case s.Bound != "":
		return s.bounded(computed)
	case s.is(computed) && math.Abs(computed-s.Value) <= fine*math.Abs(s.Value):
		return Exact, ""
	case s.is(computed):
		return Rounded, ""
	}
	for _, reason := range []string{otherUnit(*s, computed, unit), otherBase(*s, computed, unit, formula),
		otherSize(*s, computed)} {
		if reason != "" {
			return Wrong, reason
		}
	}
	return Loose, ""
}

// otherBase detects a change relative to the wrong side: 20% cheaper is 25% dearer for the other side, and 20%
// dearer is 16.7% cheaper. Only a formula that ends in ...-1)*100, an increase, or begins with (1-... , a decrease,
// tells which.
func otherBase(s Stated, computed float64, unit, formula string) string {
	if unit != "%" {
		return ""
	}
	ratio := 0.0 // of the side that is told of to the other
	switch inner, ok := strings.CutSuffix(strings.ReplaceAll(formula, " ", ""), ")*100"); {
	case !ok || !strings.HasPrefix(inner, "(") || !balanced(inner[1:]):
		return ""
	case strings.HasPrefix(inner, "(1-"):
		ratio = 1 - computed/100
	case strings.HasSuffix(inner, "-1"):
		ratio = 1 + computed/100
	}
	if ratio <= 0 {
		return ""
	}
	for _, other := range []float64{100 * (1/ratio - 1), 100 * (1 - 1/ratio)} {
		if s.is(other) && math.Abs(math.Abs(other)-math.Abs(computed)) > s.step {
			return fmt.Sprintf("%s%% is the same change relative to the other side", s.Text)
		}
	}
	return ""
}

// balanced reports whether each parenthesis is opened before it is closed, and closed.
func balanced(text string) bool {
	open := 0
	for _, c := range text {
		switch c {
		case '(':
			open++
		case ')':
			open--
		}
		if open < 0 {
			return false
		}
	}
	return open == 0
}

// farOff is the factor from which a figure is wrong: one of two sockets, cores or sides was counted.
const farOff = 2

// farFromZero is how many units of the last digit of a stated 0 make another size: measurements of no difference differ
// by some.
const farFromZero = 10

// fewDigits is half the last digit of a stated figure, relative to it, from which a factor of two cannot be told from
// rounding.
const fewDigits = .05

// otherSize detects figures that are off by a factor of two or more, to the digits of the stated one: what is twice as
// large rounds to it when halved, and is the same mistake as a little more. A stated 0 is of the size of its last
// digit.
func otherSize(s Stated, computed float64) string {
	stated, got := math.Abs(s.Value), math.Abs(computed)
	slack := -s.step / 2
	if s.step/2 > fewDigits*stated {
		slack = s.step / 2
	}
	switch {
	case stated == 0 && got > farFromZero*s.step:
		return "the stated figure is " + s.bare
	case stated == 0:
		return ""
	case computed == 0:
		return "it is 0"
	case s.Value < 0 != (computed < 0):
		return "its sign is opposite"
	case got > farOff*(stated+slack):
		return fmt.Sprintf("it is %s times the stated figure", factorText(got/stated))
	case farOff*got < stated-slack:
		return fmt.Sprintf("the stated figure is %s times it", factorText(stated/got))
	}
	return ""
}

// factorText formats common factors without exponents.
func factorText(factor float64) string {
	if factor >= 100 && factor < 1e6 {
		return fmt.Sprintf("%.0f", factor)
	}
	return fmt.Sprintf("%.3g", factor)
}

// otherUnit detects figures in powers of 1000 with a unit of powers of 1024, or the reverse: 594 MB/s called 594 MiB/s.
func otherUnit(s Stated, computed float64, unit string) string {
	if twin, times := twinOf(unit); twin != "" && s.isRather(computed*times, computed) {
		return fmt.Sprintf("%s is the figure in %s", s.Text, twin)
	}
	return ""
}

// twinOf returns the unit of bytes or bits that one is mistaken for, and how many of it make one; "" if there is none.
func twinOf(unit string) (twin string, times float64) {
	for i, binary := range []string{"K", "M", "G", "T", "P", "E"} {
		decimal, ratio := strings.ToLower(binary), math.Pow(1.024, float64(i+1))
		if i > 0 {
			decimal = binary
		}
		if rest, ok := strings.CutPrefix(unit, binary+"i"); ok && isData(rest) {
			return decimal + rest, ratio
		}
		if rest, ok := strings.CutPrefix(unit, decimal); ok && isData(rest) {
			return binary + "i" + rest, 1 / ratio
		}
	}
	return "", 0
}

func isData(rest string) bool {
	amount, _, _ := strings.Cut(rest, "/")
	return amount == "B" || amount == "bit"
}
