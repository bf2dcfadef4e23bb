package claims

import (
	"errors"
	"fmt"
	"math"
	"slices"
	"strings"
)

// function is a function of formulas over any number of arguments, each of which is a figure or a curve.
type function struct {
	name   string
	usage  string
	least  int // figures
	curves int // exact number of arguments, all of them curves; 0: any
	of     func(args []curve) (float64, error)
}

func functions() []function {
	plain := func(of func([]float64) float64) func([]curve) (float64, error) {
		return func(args []curve) (float64, error) { return of(ys(args)), nil }
	}
	return []function{
		{name: "min", usage: "min(A, B, ...)", least: 1, of: plain(slices.Min[[]float64])},
		{name: "max", usage: "max(A, B, ...)", least: 1, of: plain(slices.Max[[]float64])},
		{name: "mean", usage: "mean(A, B, ...)", least: 1, of: plain(mean)},
		{name: "share", usage: "share(FROM, TO, A, B, ...)", least: 3, of: plain(share)},
		{name: "lowest", usage: "lowest(CURVE)", curves: 1,
			of: func(args []curve) (float64, error) { return args[0].lowest(), nil }},
		{name: "crossing", usage: "crossing(CURVE, CURVE)", curves: 2,
			of: func(args []curve) (float64, error) { return crossing(args[0], args[1]) }},
	}
}

func mean(args []float64) float64 {
	sum := 0.0
	for _, v := range args {
		sum += v
	}
	return sum / float64(len(args))
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

// lowest returns the place of a curve's least figure, the first one of several.
func (c curve) lowest() float64 {
	least := c[0]
	for _, p := range c {
		if p.y < least.y {
			least = p
		}
	}
	return least.x
}

// crossing returns where a falls below b and stays there: between the last place that both have at which a is over b,
// and the next one, by straight lines.
func crossing(a, b curve) (float64, error) {
	var at, over []float64
	for _, p := range a {
		if i := slices.IndexFunc(b, func(q point) bool { return q.x == p.x }); i >= 0 {
			at, over = append(at, p.x), append(over, p.y-b[i].y)
		}
	}
	last := -1
	for i, d := range over {
		if d > 0 {
			last = i
		}
	}
	switch {
	case len(at) == 0:
		return 0, errors.New("the curves have no place in common")
	case last < 0:
		return 0, errors.New("the first curve is nowhere over the second")
	case last == len(at)-1:
		return 0, errors.New("the first curve is over the second at the last place that both have")
	}
	return at[last] + (at[last+1]-at[last])*over[last]/(over[last]-over[last+1]), nil
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
		var usages []string
		for _, f := range functions() {
			usages = append(usages, f.usage)
		}
		return 0, e.fault(start, fmt.Sprintf("unknown function %q", shortened(name)),
			"the functions are "+strings.Join(usages, ", ")+"; a fact stands in braces")
	}
	if e.peek() != '(' {
		return 0, e.unexpected("( after " + name)
	}
	args, err := e.arguments()
	if err != nil {
		return 0, err
	}
	f := functions()[at]
	switch {
	case f.curves > 0 && (len(args) != f.curves || slices.ContainsFunc(args, func(c curve) bool { return len(c) < 2 })):
		return 0, e.fault(start, f.usage+" takes figures along an axis",
			"such as {throughput machine=m5d.8xlarge load=*}")
	case len(ys(args)) < f.least:
		return 0, e.fault(start, fmt.Sprintf("%s takes %d numbers or more", f.name, f.least), "")
	}
	v, err := f.of(args)
	if err == nil && (math.IsNaN(v) || math.IsInf(v, 0)) {
		err = fmt.Errorf("%s of these is not a finite number", f.name)
	}
	if err != nil {
		return 0, e.fault(start, err.Error(), "")
	}
	return v, nil
}

// arguments parses a list in parentheses.
func (e *evaluator) arguments() ([]curve, error) {
	open := e.at
	var out []curve
	for {
		e.at++
		c, err := e.argument()
		if err != nil {
			return nil, err
		}
		out = append(out, c)
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

// argument parses a name that stands alone, which may be a curve, or a formula.
func (e *evaluator) argument() (curve, error) {
	if e.peek() == '{' {
		start := e.at
		c, err := e.named()
		if err != nil {
			return nil, err
		}
		if next := e.peek(); next == ',' || next == ')' {
			return c, nil
		}
		e.at = start
	}
	v, err := e.deeper(e.sum)
	return curve{{y: v}}, err
}
