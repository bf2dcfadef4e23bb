package claims

import (
	"fmt"
	"slices"
	"strings"
)

// function is a function of formulas over any number of values.
type function struct {
	name  string
	least int // arguments
	of    func(args []float64) float64
}

func functions() []function {
	return []function{
		{"min", 1, func(args []float64) float64 { return slices.Min(args) }},
		{"max", 1, func(args []float64) float64 { return slices.Max(args) }},
		{"share", 3, share},
	}
}

// share returns the share, 0 to 1, of the values after the first two that lie between those.
func share(args []float64) float64 {
	within := 0
	for _, v := range args[2:] {
		if v >= args[0] && v <= args[1] {
			within++
		}
	}
	return float64(within) / float64(len(args)-2)
}

// call parses a function with its arguments.
func (e *evaluator) call() (float64, error) {
	start := e.at
	for e.at < len(e.text) && e.text[e.at] >= 'a' && e.text[e.at] <= 'z' {
		e.at++
	}
	name := e.text[start:e.at]
	at := slices.IndexFunc(functions(), func(f function) bool { return f.name == name })
	if at < 0 {
		return 0, e.fault(start, fmt.Sprintf("unknown function %q", shortened(name)),
			"the functions are min(A, B, ...), max(A, B, ...) and share(FROM, TO, A, B, ...); a fact stands in braces")
	}
	if e.peek() != '(' {
		return 0, e.unexpected("( after " + name)
	}
	args, err := e.arguments()
	if err != nil {
		return 0, err
	}
	if f := functions()[at]; len(args) < f.least {
		return 0, e.fault(start, fmt.Sprintf("%s takes %d numbers or more", f.name, f.least), "")
	}
	return functions()[at].of(args), nil
}

// arguments parses a list in parentheses.
func (e *evaluator) arguments() ([]float64, error) {
	open := e.at
	var out []float64
	for {
		e.at++
		v, err := e.deeper(e.sum)
		if err != nil {
			return nil, err
		}
		out = append(out, v)
		switch e.peek() {
		case ',':
		case ')':
			e.at++
			return out, nil
		case 0:
			return nil, e.fault(open, "this parenthesis is not closed", "")
		default:
			return nil, e.unexpected(strings.Join([]string{"an operator (+ - * / **)", "a comma", "or )"}, ", "))
		}
	}
}
