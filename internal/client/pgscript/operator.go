package pgscript

import (
	"errors"
	"math"
)

var errDivision = errors.New("division by zero")

// binary returns the implementation of a binary operator that evaluates both operands.
func binary(sign string) func(*State, []value) (value, error) {
	switch sign {
	case "+":
		return arithmetic(add, func(a, b float64) float64 { return a + b })
	case "-":
		return arithmetic(subtract, func(a, b float64) float64 { return a - b })
	case "*":
		return arithmetic(multiply, func(a, b float64) float64 { return a * b })
	case "/":
		return arithmetic(divide, func(a, b float64) float64 { return a / b })
	case "%":
		return integers(remainder)
	case "&":
		return integers(func(a, b int64) (int64, error) { return a & b, nil })
	case "|":
		return integers(func(a, b int64) (int64, error) { return a | b, nil })
	case "#":
		return integers(func(a, b int64) (int64, error) { return a ^ b, nil })
	case "<<":
		return integers(func(a, b int64) (int64, error) { return a << (uint64(b) & 63), nil })
	case ">>":
		return integers(func(a, b int64) (int64, error) { return a >> (uint64(b) & 63), nil })
	case "=":
		return comparison(func(c int) bool { return c == 0 })
	case "<>", "!=":
		return comparison(func(c int) bool { return c != 0 })
	case "<":
		return comparison(func(c int) bool { return c == -1 })
	case "<=":
		return comparison(func(c int) bool { return c == -1 || c == 0 })
	case ">":
		return comparison(func(c int) bool { return c == 1 })
	case ">=":
		return comparison(func(c int) bool { return c == 1 || c == 0 })
	}
	return nil
}

// arithmetic returns an operator on whole numbers, unless one operand is a double.
func arithmetic(whole func(a, b int64) (int64, error), float func(a, b float64) float64) func(*State, []value) (value,
	error) {
	return func(_ *State, args []value) (value, error) {
		if args[0].kind == double || args[1].kind == double {
			a, b, err := floats(args)
			return doubleOf(float(a, b)), err
		}
		a, b, err := wholes(args)
		if err != nil {
			return value{}, err
		}
		out, err := whole(a, b)
		return intOf(out), err
	}
}

func integers(run func(a, b int64) (int64, error)) func(*State, []value) (value, error) {
	return func(_ *State, args []value) (value, error) {
		a, b, err := wholes(args)
		if err != nil {
			return value{}, err
		}
		out, err := run(a, b)
		return intOf(out), err
	}
}

// unordered is the result of comparing with NaN.
const unordered = 2

func comparison(says func(c int) bool) func(*State, []value) (value, error) {
	return func(_ *State, args []value) (value, error) {
		c, err := compare(args)
		return boolOf(says(c)), err
	}
}

func compare(args []value) (int, error) {
	if args[0].kind == double || args[1].kind == double {
		a, b, err := floats(args)
		switch {
		case a < b:
			return -1, err
		case a > b:
			return 1, err
		case a == b:
			return 0, err
		}
		return unordered, err
	}
	a, b, err := wholes(args)
	switch {
	case a < b:
		return -1, err
	case a > b:
		return 1, err
	}
	return 0, err
}

func wholes(args []value) (a, b int64, err error) {
	if a, err = args[0].whole(); err != nil {
		return 0, 0, err
	}
	b, err = args[1].whole()
	return a, b, err
}

func floats(args []value) (a, b float64, err error) {
	if a, err = args[0].float(); err != nil {
		return 0, 0, err
	}
	b, err = args[1].float()
	return a, b, err
}

func add(a, b int64) (int64, error) {
	c := a + b
	if (a^c)&(b^c) < 0 {
		return 0, errOverflow
	}
	return c, nil
}

func subtract(a, b int64) (int64, error) {
	c := a - b
	if (a^b)&(a^c) < 0 {
		return 0, errOverflow
	}
	return c, nil
}

func multiply(a, b int64) (int64, error) {
	if a == 0 || b == 0 {
		return 0, nil
	}
	c := a * b
	if c/b != a || a == -1 && b == math.MinInt64 || b == -1 && a == math.MinInt64 {
		return 0, errOverflow
	}
	return c, nil
}

func divide(a, b int64) (int64, error) {
	switch {
	case b == 0:
		return 0, errDivision
	case b == -1 && a == math.MinInt64:
		return 0, errOverflow
	}
	return a / b, nil
}

func remainder(a, b int64) (int64, error) {
	if b == 0 {
		return 0, errDivision
	}
	return a % b, nil
}
