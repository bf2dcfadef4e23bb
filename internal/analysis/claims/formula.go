package claims

import (
	"fmt"
	"math"
	"strconv"
	"strings"
	"unicode/utf8"

	"plimsoll/internal/base/usage"
)

// maxDepth bounds the nesting of a formula: far deeper than anyone writes, but safe for the stack.
const maxDepth = 200

// formulaError is an error at one position of a formula.
type formulaError struct {
	column     int // in the formula, in characters from 1
	text, hint string
}

func (e formulaError) Error() string { return fmt.Sprintf("formula, column %d: %s", e.column, e.text) }

// evaluator evaluates a formula while parsing it. By precedence from the lowest: + and -, * and /, signs, **
// (right-associative), and numbers, {names} and parentheses.
type evaluator struct {
	text  string
	at    int
	depth int
	value func(name string) (curve, error)
}

// evaluate computes a formula; value resolves its names. The result is finite. The error is a formulaError.
func evaluate(text string, value func(name string) (curve, error)) (float64, error) {
	e := &evaluator{text: text, value: value}
	v, err := e.sum()
	if err == nil && e.at < len(e.text) {
		err = e.unexpected("an operator (+ - * / **)")
	}
	return v, err
}

func (e *evaluator) sum() (float64, error) { return e.chain(e.product, "+", "-") }

func (e *evaluator) product() (float64, error) { return e.chain(e.signed, "*", "/") }

// chain parses operands joined by left-associative operators of equal precedence.
func (e *evaluator) chain(operand func() (float64, error), operators ...string) (float64, error) {
	left, err := operand()
	for err == nil {
		op := e.operator(operators...)
		if op == "" {
			return left, nil
		}
		at := e.at - len(op)
		var right float64
		if right, err = operand(); err == nil {
			left, err = e.apply(at, op, left, right)
		}
	}
	return 0, err
}

// signed parses an operand with its signs; as in mathematics, -2**2 is -(2**2).
func (e *evaluator) signed() (float64, error) {
	switch e.operator("-", "+") {
	case "-":
		v, err := e.deeper(e.signed)
		return -v, err
	case "+":
		return e.deeper(e.signed)
	}
	return e.power()
}

func (e *evaluator) power() (float64, error) {
	base, err := e.operand()
	if err != nil || e.operator("**") == "" {
		return base, err
	}
	at := e.at - len("**")
	exponent, err := e.deeper(e.signed)
	if err != nil {
		return 0, err
	}
	return e.apply(at, "**", base, exponent)
}

func (e *evaluator) operand() (float64, error) {
	switch c := e.peek(); {
	case c == '(':
		return e.group()
	case c == '{':
		return e.name()
	case c >= '0' && c <= '9' || c == '.':
		return e.number()
	case c >= 'a' && c <= 'z':
		return e.call()
	}
	return 0, e.unexpected("a number, a {fact}, a parenthesis or a function (min, max, mean, share, lowest, crossing)")
}

func (e *evaluator) group() (float64, error) {
	open := e.at
	e.at++
	v, err := e.deeper(e.sum)
	if err != nil {
		return 0, err
	}
	if e.peek() != ')' {
		if e.at == len(e.text) {
			return 0, e.fault(open, "this parenthesis is not closed", "")
		}
		return 0, e.unexpected("an operator (+ - * / **) or )")
	}
	e.at++
	return v, nil
}

func (e *evaluator) name() (float64, error) {
	open := e.at
	c, err := e.named()
	switch {
	case err != nil:
		return 0, err
	case len(c) > 1:
		return 0, e.fault(open, fmt.Sprintf("%d figures where one is expected", len(c)),
			"give them to a function, such as min or mean")
	}
	return c[0].y, nil
}

// named resolves a name in braces: a figure, or several along an axis, at least one.
func (e *evaluator) named() (curve, error) {
	open := e.at
	length := strings.IndexAny(e.text[open+1:], "{}")
	if length < 0 || e.text[open+1+length] == '{' {
		return nil, e.fault(open, "this brace is not closed", "")
	}
	e.at = open + length + 2
	v, err := e.value(strings.TrimSpace(e.text[open+1 : open+1+length]))
	if err != nil {
		text, hint := usage.Parts(err)
		return nil, e.fault(open, text, hint)
	}
	return v, nil
}

// apply computes one operation; at is the position of its operator.
func (e *evaluator) apply(at int, op string, a, b float64) (float64, error) {
	var v float64
	switch op {
	case "+":
		v = a + b
	case "-":
		v = a - b
	case "*":
		v = a * b
	case "/":
		if b == 0 {
			return 0, e.fault(at, "division by zero", "")
		}
		v = a / b
	case "**":
		v = math.Pow(a, b)
	}
	if math.IsNaN(v) || math.IsInf(v, 0) {
		return 0, e.fault(at, fmt.Sprintf("%g %s %g is not a finite number", a, op, b), "")
	}
	return v, nil
}

func (e *evaluator) deeper(read func() (float64, error)) (float64, error) {
	if e.depth == maxDepth {
		return 0, e.fault(e.at, fmt.Sprintf("nested deeper than %d", maxDepth), "")
	}
	e.depth++
	defer func() { e.depth-- }()
	return read()
}

func (e *evaluator) number() (float64, error) {
	start := e.at
	e.digits()
	if e.at < len(e.text) && e.text[e.at] == '.' {
		e.at++
		e.digits()
	}
	if rest := e.text[e.at:]; rest != "" && (rest[0] == 'e' || rest[0] == 'E') {
		mantissa := e.at
		e.at++
		if e.at < len(e.text) && (e.text[e.at] == '+' || e.text[e.at] == '-') {
			e.at++
		}
		if e.digits() == 0 {
			e.at = mantissa
		}
	}
	v, err := strconv.ParseFloat(e.text[start:e.at], 64)
	if err != nil {
		return 0, e.fault(start, fmt.Sprintf("%q is not a usable number", shortened(e.text[start:e.at])), "")
	}
	return v, nil
}

func (e *evaluator) digits() (read int) {
	for e.at < len(e.text) && e.text[e.at] >= '0' && e.text[e.at] <= '9' {
		e.at++
		read++
	}
	return read
}

// peek returns the next non-blank character; 0 at the end.
func (e *evaluator) peek() byte {
	e.at = len(e.text) - len(strings.TrimLeft(e.text[e.at:], " \t\r\n"))
	if e.at == len(e.text) {
		return 0
	}
	return e.text[e.at]
}

// operator consumes one of the operators; "" if there is none. A * is not the first half of a **.
func (e *evaluator) operator(any ...string) string {
	e.peek()
	for _, op := range any {
		rest, ok := strings.CutPrefix(e.text[e.at:], op)
		if ok && (op != "*" || !strings.HasPrefix(rest, "*")) {
			e.at += len(op)
			return op
		}
	}
	return ""
}

func (e *evaluator) unexpected(want string) error {
	e.peek()
	if e.at == len(e.text) {
		return e.fault(e.at, "ends where "+want+" is expected", "")
	}
	r, _ := utf8.DecodeRuneInString(e.text[e.at:])
	hint := ""
	switch r {
	case '^':
		hint = "write a power as **, such as 2**40"
	case '%':
		hint = "compute a percentage: ({a}/{b}-1)*100"
	case ',':
		hint = "numbers have no commas: 1000000 or 1e6"
	}
	return e.fault(e.at, fmt.Sprintf("%q where %s is expected", r, want), hint)
}

func (e *evaluator) fault(at int, text, hint string) error {
	return formulaError{utf8.RuneCountInString(e.text[:at]) + 1, text, hint}
}
