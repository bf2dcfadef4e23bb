package claims

import (
	"fmt"
	"strconv"
	"strings"
	"unicode/utf8"
)

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
