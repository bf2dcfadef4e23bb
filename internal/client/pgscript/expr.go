package pgscript

import "fmt"

// expr is an expression.
type expr interface {
	eval(*State) (value, error)
}

type constant struct{ v value }

func (c constant) eval(*State) (value, error) { return c.v, nil }

// reference is a reference to a variable.
type reference struct {
	name string
	at   int
}

func (r reference) eval(st *State) (value, error) {
	v := &st.variables[r.at]
	if !v.known {
		return value{}, fmt.Errorf("the variable :%s has no value yet", r.name)
	}
	if v.texts {
		got, err := parseValue(string(v.text))
		if err != nil {
			return got, fmt.Errorf("the variable :%s: %w", r.name, err)
		}
		v.texts, v.value = false, got
	}
	return v.value, nil
}

// call is a function or an operator that evaluates all of its arguments.
type call struct {
	name string
	args []expr
	run  func(st *State, args []value) (value, error)
	// nulls is set if it accepts null; otherwise null arguments yield null.
	nulls bool
}

func (c *call) eval(st *State) (value, error) {
	base := len(st.stack)
	defer func() { st.stack = st.stack[:base] }()
	hasNull := false
	for _, a := range c.args {
		v, err := a.eval(st)
		if err != nil {
			return v, err
		}
		hasNull = hasNull || v.kind == null
		st.stack = append(st.stack, v)
	}
	if hasNull && !c.nulls {
		return value{}, nil
	}
	out, err := c.run(st, st.stack[base:])
	if err != nil {
		err = fmt.Errorf("%s: %w", c.name, err)
	}
	return out, err
}

// both is AND or OR: the second operand is evaluated only if the first does not decide.
type both struct {
	a, b    expr
	decides bool // the value of a that decides: false for AND, true for OR
}

func (x both) eval(st *State) (value, error) {
	a, err := x.a.eval(st)
	if err != nil || a.kind == null {
		return a, err
	}
	t, err := a.truth()
	if err != nil {
		return value{}, err
	}
	if t == x.decides {
		return boolOf(t), nil
	}
	b, err := x.b.eval(st)
	if err != nil || b.kind == null {
		return b, err
	}
	t, err = b.truth()
	return boolOf(t), err
}

// choice is CASE: the value of the first condition that holds.
type choice struct {
	when, then []expr
	otherwise  expr // nil: null
}

func (c choice) eval(st *State) (value, error) {
	for i, w := range c.when {
		v, err := w.eval(st)
		if err != nil {
			return v, err
		}
		if v.holds() {
			return c.then[i].eval(st)
		}
	}
	if c.otherwise == nil {
		return value{}, nil
	}
	return c.otherwise.eval(st)
}
