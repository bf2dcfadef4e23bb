package pgload

import "strconv"

// Args are the values of a statement's parameters, in order. They can be refilled without allocating.
type Args struct {
	text []byte
	ends []int // end of each value in text; −1: null
	out  [][]byte
}

// Reset empties the arguments.
func (a *Args) Reset() *Args {
	a.text, a.ends = a.text[:0], a.ends[:0]
	return a
}

// Int appends a whole number.
func (a *Args) Int(v int64) *Args {
	a.text = strconv.AppendInt(a.text, v, 10)
	return a.end()
}

// Float appends a number in its shortest form.
func (a *Args) Float(v float64) *Args {
	a.text = strconv.AppendFloat(a.text, v, 'g', -1, 64)
	return a.end()
}

// Text appends a text.
func (a *Args) Text(v string) *Args {
	a.text = append(a.text, v...)
	return a.end()
}

// Bytes appends a value in text form.
func (a *Args) Bytes(v []byte) *Args {
	a.text = append(a.text, v...)
	return a.end()
}

// Null appends null.
func (a *Args) Null() *Args {
	a.ends = append(a.ends, -1)
	return a
}

func (a *Args) end() *Args {
	if a.text == nil {
		a.text = []byte{} // nil would be null
	}
	a.ends = append(a.ends, len(a.text))
	return a
}

// values returns the parameters for Bind; nil means none.
func (a *Args) values() [][]byte {
	if a == nil {
		return nil
	}
	a.out = a.out[:0]
	from := 0
	for _, end := range a.ends {
		if end < 0 {
			a.out = append(a.out, nil)
			continue
		}
		a.out = append(a.out, a.text[from:end:end])
		from = end
	}
	return a.out
}
