package stat

import (
	"math"
	"testing"
)

func ruleOf(t *testing.T, boundary func(float64, int) (Boundary, error), alpha float64) Rule {
	t.Helper()
	b, err := boundary(alpha, UsualPairs)
	if err != nil {
		t.Fatal(err)
	}
	return Rule{Opts: OptsFor(b), Margin: math.Log(1.02)}
}

// alternating are n values that alternate around mean, with the given distance.
func alternating(n int, mean, off float64) []float64 {
	d := make([]float64, n)
	for i := range d {
		d[i] = mean + off*float64(1-2*(i%2))
	}
	return d
}

func TestDecideAtLooks(t *testing.T) {
	full := ruleOf(t, Repeated, .05)
	early := ruleOf(t, Early, .05)
	quick := early
	quick.Quick = true
	fixed := Rule{Opts: OptsFor(Fixed(.05)), Margin: full.Margin}
	for _, c := range []struct {
		name    string
		rule    Rule
		d       []float64
		verdict Verdict
		n, next int
	}{
		{"before the first look", full, alternating(4, .05, .01), GoOn, 0, 5},
		{"before the first early look", early, alternating(2, .05, .01), GoOn, 0, 3},
		{"clear at the first look", full, alternating(5, .05, .01), Different, 5, 0},
		{"clear at the first early look", early, alternating(3, .10, .01), Different, 3, 0},
		{"what comes after the decision changes nothing", full, append(alternating(5, .05, .01), -9, -9, -9), Different, 5,
			0},
		{"between two looks", full, alternating(9, .01, .05), GoOn, 8, 10},
		{"at the last look", full, alternating(30, .01, .05), Undecided, 30, 0},
		{"beyond the last look", full, alternating(33, .01, .05), Undecided, 30, 0},
		{"alike", full, alternating(30, 0, .004), Equivalent, 5, 0},
		{"alike, quick", quick, alternating(30, 0, .004), Undecided, 30, 0},
		{"a little more, and all within the margin", full, alternating(30, .010, .001), Equivalent, 6, 0},
		{"the same, quick", quick, alternating(30, .010, .001), Different, 6, 0},
		{"fixed, one look", fixed, alternating(9, .05, .01), Different, 9, 0},
		{"fixed, undecided", fixed, alternating(9, .01, .05), Undecided, 9, 0},
		{"fixed, nothing measured", fixed, nil, Undecided, 0, 0},
	} {
		got := c.rule.Decide(c.d)
		if got.Verdict != c.verdict || got.N != c.n || got.Next != c.next {
			t.Errorf("%s: %s at %d, next %d, want %s at %d, next %d: %+v", c.name, got.Verdict, got.N, got.Next, c.verdict, c.n,
				c.next, got.Ratio.Hull)
		}
		decided := got.Verdict == Different || got.Verdict == Equivalent
		if more := got.Needed > got.N; more == (decided || got.N < 2) {
			t.Errorf("%s: %s at %d pairs, %d needed", c.name, got.Verdict, got.N, got.Needed)
		}
	}
}

// TestDecideValues: a value without a logarithm makes an analysis one by ranks, in which all pairs count, and no
// earlier one. Ranks are not read below eight pairs, and no session is futile by them.
func TestDecideValues(t *testing.T) {
	full := ruleOf(t, Repeated, .05)
	full.Boundary.Futile = FutileBelow
	quick := full
	quick.Quick = true
	of := func(n int, value func(i int) float64) []float64 {
		out := make([]float64, n)
		for i := range out {
			out[i] = value(i)
		}
		return out
	}
	all := func(v float64) func(int) float64 { return func(int) float64 { return v } }
	odd := func(i int) float64 { return float64(i % 2) }
	for _, c := range []struct {
		name    string
		rule    Rule
		a, b    []float64
		verdict Verdict
		n, next int
		ranks   bool
	}{
		{"nothing appears", full, of(30, all(0)), of(30, all(0)), Equivalent, 10, 0, true},
		{"nothing appears, quick", quick, of(30, all(0)), of(30, all(0)), Undecided, 30, 0, true},
		{"3 appear each time", full, of(30, all(0)), of(30, all(3)), Different, 10, 0, true},
		{"3 appear each time, of seven pairs", full, of(7, all(0)), of(7, all(3)), GoOn, 7, 8, true},
		{"to and fro", full, of(30, odd), of(30, func(i int) float64 { return 1 - odd(i) }), Undecided, 30, 0, true},
		{"to and fro, of 22", full, of(22, odd), of(22, func(i int) float64 { return 1 - odd(i) }), GoOn, 22, 26, true},
		{"a zero after the decision", full, of(6, func(i int) float64 { return 100 + odd(i) }),
			[]float64{200, 201, 200, 201, 200, 0}, Different, 5, 0, false},
		{"no pair", full, nil, nil, GoOn, 0, 5, false},
	} {
		got := c.rule.DecideValues(c.a, c.b)
		if got.Verdict != c.verdict || got.N != c.n || got.Next != c.next || (got.Ranked != nil) != c.ranks ||
			got.Futile != nil {
			t.Errorf("%s: %s at %d, next %d, by ranks: %t, want %s at %d, next %d", c.name, got.Verdict, got.N, got.Next,
				got.Ranked != nil, c.verdict, c.n, c.next)
		}
		if c.ranks && c.rule.Lean(got, nil) != 0 {
			t.Errorf("%s: ranks are corrected for the stop by a ratio that there is not", c.name)
		}
	}
}

// TestDecideGolden takes the golden session through its looks.
func TestDecideGolden(t *testing.T) {
	d := []float64{.051, .043, .060, .038, .055, .047, .049, .058}
	got := ruleOf(t, Repeated, .05).Decide(d)
	m, s := Mean(d[:5]), SD(d[:5])
	if got.Verdict != Different || got.N != 5 {
		t.Fatalf("%s at %d, want DIFFERENT at 5", got.Verdict, got.N)
	}
	near(t, "lo", got.Ratio.Hull.Lo, m-4.631*s/math.Sqrt(5), 1e-5)
	near(t, "hi", got.Ratio.Hull.Hi, m+4.631*s/math.Sqrt(5), 1e-5)
}

func TestNeeded(t *testing.T) {
	for _, c := range []struct {
		name       string
		mean, half float64
		n, want    int
	}{
		{"twice the margin takes four times the pairs", 0, .04, 10, 40},
		{"at least one more", 0, .0201, 10, 11},
		{"narrow enough and across the margin", .02, .01, 10, 11},
		{"between no difference and the margin", .01, .015, 10, 23},
		{"not known", 0, math.Inf(1), 1, 0},
	} {
		r := LogRatio{Mean: c.mean, Hull: Interval{c.mean - c.half, c.mean + c.half}, N: c.n}
		if got := Needed(r, .02); got != c.want {
			t.Errorf("%s: %d, want %d", c.name, got, c.want)
		}
	}
}
