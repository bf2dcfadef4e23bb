package claims

import (
	"errors"
	"fmt"
	"math"
	"math/rand/v2"
	"strconv"
	"strings"
	"testing"
)

// names are what formulas of the tests may name.
func names(name string) (curve, error) {
	switch name {
	case "a":
		return curve{{y: 2}}, nil
	case "pg.rw.c4a-standard-8":
		return curve{{y: 34409}}, nil
	case "up":
		return curve{{1, 1}, {2, 2}, {3, 3}, {5, 9}}, nil
	case "down":
		return curve{{1, 4}, {2, 3}, {3, 2}, {4, 1}, {5, 1}}, nil
	}
	return nil, fmt.Errorf("unknown fact %q", name)
}

func TestEvaluate(t *testing.T) {
	for _, tc := range []struct {
		formula string
		want    float64
	}{
		{"1", 1}, {" 1.5e3 ", 1500}, {".5", 0.5}, {"2.", 2}, {"1E-2", 0.01},
		{"2+3*4", 14}, {"(2+3)*4", 20}, {"10-4-3", 3}, {"24/4/3", 2}, {"2*3**2", 18}, {"1-2+3", 2}, {"8/4*2", 4},
		{"2**3**2", 512}, {"2**-1", 0.5}, {"-2**2", -4}, {"(-2)**2", 4}, {"2**-2**2", 0.0625}, {"--3", 3}, {"+-3", -3},
		{"2*-3", -6}, {"2--3", 5},
		{"{a}", 2}, {"{ a }**{a}", 4}, {"{pg.rw.c4a-standard-8}/34409", 1},
		{"\t(\n1 )", 1}, {"1e9/2**40", 1e9 / (1 << 40)}, {"(-8)**3", -512}, {"0**0", 1},
		{"min(3, 2*{a}, 9)-1", 2}, {"max(1,-4)", 1}, {"share(15, 20, 15, 17, 20.1, 8)*100", 50}, {"2*max((3))", 6},
		{"mean({up})", 3.75}, {"max({up}, 10)-min({down},{up})", 9}, {"mean(1,{a},{a}+1)", 2}, {"lowest({down})", 4},
		{"crossing({down}, {up})", 2.5}, {"share(2, 3, {up}, {down})", 4. / 9}, {"max({up})/{a}", 4.5},
		{strings.Repeat("(", 199) + "7" + strings.Repeat(")", 199), 7},
	} {
		if got, err := evaluate(tc.formula, names); err != nil || got != tc.want {
			t.Errorf("%q: %v, %v; want %v", tc.formula, got, err, tc.want)
		}
	}
}

func TestEvaluateErrors(t *testing.T) {
	for _, tc := range []struct {
		formula string
		column  int
		want    string
	}{
		{"", 1, "ends where a number"}, {"1+", 3, "ends where"}, {"(1+2", 1, "parenthesis is not closed"},
		{"1+2)", 4, `')' where an operator`},
		{"1 2", 3, `'2' where an operator`}, {"1.2.3", 4, `'.' where an operator`}, {"2 * * 3", 5, `'*' where a number`},
		{"(1 2)", 4, `where an operator (+ - * / **) or )`},
		{"2^3", 2, `'^'`}, {"5%", 2, `'%'`}, {"1,000", 2, `','`}, {"0x10", 2, `'x'`}, {"1_0", 2, `'_'`}, {"2e", 2, `'e'`},
		{".", 1, "not a usable number"}, {"1e999", 1, "not a usable number"},
		{"a", 1, `unknown function "a"`}, {"min", 4, "where ( after min"}, {"min(1,", 7, "ends where a number"},
		{"max(1 2)", 7, "'2' where an operator"}, {"share(1,2)", 1, "share takes 3 numbers or more"},
		{"{up}", 1, "4 figures where one is expected"}, {"2*{up}", 3, "4 figures"}, {"max({up}*2)", 5, "4 figures"},
		{"lowest(1, 2)", 1, "takes figures along an axis"}, {"lowest({a})", 1, "along an axis"},
		{"1+crossing({up})", 3, "along an axis"}, {"crossing({up},{down})", 1, "over the second at the last place"},
		{"crossing({up},{up})", 1, "nowhere over the second"}, {"median(1)", 1, "unknown function"},
		{"min()", 5, "')' where a number"}, {"{a", 1, "brace is not closed"}, {"{a{b}}", 1, "brace is not closed"},
		{"1+{b}", 3, `unknown fact "b"`}, {"{}", 1, `unknown fact ""`},
		{"é+1", 1, `'é'`}, {"1/0", 2, "division by zero"}, {"1+(2/(1-1))", 5, "division by zero"},
		{"0**-1", 2, "not a finite number"}, {"(-8)**0.5", 5, "not a finite number"},
		{"1e308*10", 6, "not a finite number"}, {"1e308+1e308", 6, "not a finite number"}, {"1 − 2", 3, `'−'`},
		{strings.Repeat("(", 100_000), 202, "nested deeper"}, {strings.Repeat("-", 100_000) + "1", 202, "nested deeper"},
		{strings.Repeat("2**", 100_000) + "1", 604, "nested deeper"},
	} {
		_, err := evaluate(tc.formula, names)
		var fault formulaError
		if !errors.As(err, &fault) || fault.column != tc.column || !strings.Contains(fault.text, tc.want) {
			t.Errorf("%.20q: %v, want column %d: %s", tc.formula, err, tc.column, tc.want)
		}
	}
}

// tree is a random formula, with how it is written and what it gives.
func tree(r *rand.Rand, depth int) (text string, value float64) {
	blank := strings.Repeat(" ", r.IntN(2))
	if depth == 0 || r.IntN(5) == 0 {
		v := float64(1+r.IntN(99)) / 4
		return blank + strconv.FormatFloat(v, 'f', -1, 64), v
	}
	left, a := tree(r, depth-1)
	right, b := tree(r, depth-1)
	op := []string{"+", "-", "*", "/"}[r.IntN(4)]
	switch op {
	case "+":
		value = a + b
	case "-":
		value = a - b
	case "*":
		value = a * b
	case "/":
		value = a / b
	}
	return "(" + left + blank + op + right + ")" + blank, value
}

func TestRandomFormulas(t *testing.T) {
	seed := rand.Uint64()
	t.Logf("seed %d", seed)
	r := rand.New(rand.NewPCG(seed, 1))
	finite := 0
	for range 2000 {
		text, want := tree(r, 6)
		got, err := evaluate(text, names)
		switch {
		case math.IsNaN(want) || math.IsInf(want, 0):
			if err == nil {
				t.Errorf("%s gave %v", text, got)
			}
		case err == nil && got != want:
			t.Errorf("%s: %v, want %v", text, got, want)
		case err == nil:
			finite++
		}
	}
	if finite < 1000 {
		t.Errorf("only %d formulas had a value", finite)
	}
}
