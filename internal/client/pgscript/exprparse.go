package pgscript

import (
	"errors"
	"fmt"
	"math"
	"strconv"

	"plimsoll/internal/base/nearest"
)

// The precedence of operators, from the lowest. Those of one level associate to the left.
const (
	levelOr = iota + 1
	levelAnd
	levelNot
	levelIs
	levelCompare
	levelBits
	levelSum
	levelProduct
	levelSign
)

// maxDepth bounds the nesting of expressions, so that recursion cannot exhaust the stack.
const maxDepth = 200

// parser parses one expression.
type parser struct {
	tokens []token
	at     int
	depth  int
	lookup func(name string) (int, error) // finds a variable
}

// parseExpr parses an expression; lookup resolves its variables.
func parseExpr(text string, lookup func(string) (int, error)) (expr, error) {
	ts, err := tokens(text)
	if err != nil {
		return nil, err
	}
	if len(ts) == 0 {
		return nil, errors.New("an expression is missing")
	}
	p := &parser{tokens: ts, lookup: lookup}
	e, err := p.parse(levelOr)
	if err != nil {
		return nil, err
	}
	if t := p.peek(); t.kind != tokenEnd {
		return nil, fmt.Errorf("unexpected %s after the expression", t)
	}
	return e, nil
}

func (p *parser) peek() token {
	if p.at < len(p.tokens) {
		return p.tokens[p.at]
	}
	return token{}
}

func (p *parser) next() token {
	t := p.peek()
	p.at++
	return t
}

// took consumes the next token if it is that sign or word.
func (p *parser) took(text string) bool {
	if t := p.peek(); (t.kind == tokenSign || t.kind == tokenWord) && t.text == text {
		p.at++
		return true
	}
	return false
}

func (p *parser) need(text string) error {
	if !p.took(text) {
		return fmt.Errorf("expected %q, not %s", text, p.peek())
	}
	return nil
}

// levelOf returns the precedence of a token as a binary operator; 0 if it is none.
func levelOf(t token) int {
	if t.kind != tokenSign && t.kind != tokenWord {
		return 0
	}
	switch t.text {
	case "or":
		return levelOr
	case "and":
		return levelAnd
	case "is", "isnull", "notnull":
		return levelIs
	case "<", ">", "=", "<=", ">=", "<>", "!=":
		return levelCompare
	case "|", "#", "&", "<<", ">>":
		return levelBits
	case "+", "-":
		return levelSum
	case "*", "/", "%":
		return levelProduct
	}
	return 0
}

// parse parses an expression of operators with at least this precedence.
func (p *parser) parse(least int) (expr, error) {
	if p.depth++; p.depth > maxDepth {
		return nil, fmt.Errorf("the expression is nested more than %d levels deep", maxDepth)
	}
	defer func() { p.depth-- }()
	left, err := p.operand()
	if err != nil {
		return nil, err
	}
	alone := 0 // level of a non-associative operator
	for {
		t := p.peek()
		level := levelOf(t)
		if level == 0 || level < least {
			return left, nil
		}
		if level == alone {
			return nil, fmt.Errorf("%s follows another comparison\nhint: use parentheses", t)
		}
		p.at++
		if level == levelCompare {
			alone = level
		}
		if left, err = p.joined(left, t, level); err != nil {
			return nil, err
		}
	}
}

// joined combines left with the operator and its right operand.
func (p *parser) joined(left expr, t token, level int) (expr, error) {
	if level == levelIs {
		return p.is(left, t.text)
	}
	right, err := p.parse(level + 1)
	if err != nil {
		return nil, err
	}
	switch t.text {
	case "or":
		return both{left, right, true}, nil
	case "and":
		return both{left, right, false}, nil
	}
	return &call{name: t.text, args: []expr{left, right}, run: binary(t.text)}, nil
}

// is parses the rest of IS, ISNULL or NOTNULL.
func (p *parser) is(left expr, word string) (expr, error) {
	not := word == "notnull"
	what := "null"
	if word == "is" {
		not = p.took("not")
		t := p.next()
		if t.kind != tokenWord || t.text != "null" && t.text != "true" && t.text != "false" {
			return nil, fmt.Errorf("expected NULL, TRUE or FALSE after IS, not %s", t)
		}
		what = t.text
	}
	return &call{name: "is", args: []expr{left}, nulls: true, run: func(_ *State, args []value) (value, error) {
		v := args[0]
		same := v.kind == null && what == "null" || v.kind == boolean && what != "null" && (v.i != 0) == (what == "true")
		return boolOf(same != not), nil
	}}, nil
}

func (p *parser) operand() (expr, error) {
	t := p.next()
	switch t.kind {
	case tokenInteger:
		i, err := strconv.ParseInt(t.text, 10, 64)
		if err != nil {
			return nil, fmt.Errorf("%s: %w", t, errOverflow)
		}
		return constant{intOf(i)}, nil
	case tokenDouble:
		f, err := strconv.ParseFloat(t.text, 64)
		if err != nil {
			return nil, fmt.Errorf("%s is too large", t)
		}
		return constant{doubleOf(f)}, nil
	case tokenVariable:
		at, err := p.lookup(t.text)
		return reference{t.text, at}, err
	case tokenSign:
		return p.signed(t)
	case tokenWord:
		return p.word(t)
	}
	return nil, errors.New("the expression ends too early")
}

// signed parses an operand that begins with a sign or a bracket.
func (p *parser) signed(t token) (expr, error) {
	switch t.text {
	case "(":
		e, err := p.parse(levelOr)
		if err != nil {
			return nil, err
		}
		return e, p.need(")")
	case "+":
		return p.parse(levelSign)
	case "-":
		if n := p.peek(); n.kind == tokenInteger && n.text == "9223372036854775808" {
			p.at++ // a number only with its sign
			return constant{intOf(math.MinInt64)}, nil
		}
		e, err := p.parse(levelSign)
		return &call{name: "-", args: []expr{constant{intOf(0)}, e}, run: binary("-")}, err
	case "~":
		e, err := p.parse(levelSum)
		return &call{name: "~", args: []expr{e, constant{intOf(-1)}}, run: binary("#")}, err
	}
	return nil, fmt.Errorf("unexpected %s", t)
}

// word parses an operand that begins with a word.
func (p *parser) word(t token) (expr, error) {
	switch t.text {
	case "null":
		return constant{}, nil
	case "true", "false":
		return constant{boolOf(t.text == "true")}, nil
	case "not":
		e, err := p.parse(levelNot)
		return &call{name: "not", args: []expr{e}, run: func(_ *State, args []value) (value, error) {
			b, err := args[0].truth()
			return boolOf(!b), err
		}}, err
	case "case":
		return p.choice()
	}
	f, ok := functions()[t.text]
	if !ok || p.peek() != (token{tokenSign, "("}) {
		return nil, unknownWord(t, ok)
	}
	p.at++
	args, err := p.arguments()
	if err != nil {
		return nil, err
	}
	if len(args) < f.least || len(args) > f.most {
		return nil, fmt.Errorf("%s takes %s, not %d", t.text, argumentsText(f), len(args))
	}
	return &call{name: t.text, args: args, run: f.run}, nil
}

func unknownWord(t token, function bool) error {
	if function {
		return fmt.Errorf("%s is a function without arguments", t.text)
	}
	hint := ""
	if near := nearest.Of(t.text, functionNames()); near != "" {
		hint = fmt.Sprintf("\nhint: did you mean %s? A variable is written :%s", near, t.text)
	}
	return fmt.Errorf("unknown function %s%s", t, hint)
}

func argumentsText(f function) string {
	switch {
	case f.least == f.most && f.least == 1:
		return "1 argument"
	case f.least == f.most:
		return fmt.Sprintf("%d arguments", f.least)
	}
	return fmt.Sprintf("%d to %d arguments", f.least, f.most)
}

func (p *parser) arguments() ([]expr, error) {
	if p.took(")") {
		return nil, nil
	}
	var out []expr
	for {
		e, err := p.parse(levelOr)
		if err != nil {
			return nil, err
		}
		out = append(out, e)
		if p.took(")") {
			return out, nil
		}
		if err := p.need(","); err != nil {
			return nil, err
		}
	}
}

// choice parses CASE WHEN … THEN … ELSE … END.
func (p *parser) choice() (expr, error) {
	var c choice
	for p.took("when") {
		w, err := p.parse(levelOr)
		if err != nil {
			return nil, err
		}
		if err := p.need("then"); err != nil {
			return nil, err
		}
		then, err := p.parse(levelOr)
		if err != nil {
			return nil, err
		}
		c.when, c.then = append(c.when, w), append(c.then, then)
	}
	if len(c.when) == 0 {
		return nil, p.need("when")
	}
	if p.took("else") {
		var err error
		if c.otherwise, err = p.parse(levelOr); err != nil {
			return nil, err
		}
	}
	return c, p.need("end")
}
