package pgscript

import (
	"fmt"
	"strconv"
	"strings"
)

// Statement is one SQL command of a script.
type Statement struct {
	Script string // its name
	Line   int    // where it begins
	Number int    // among its script's, from 0
	Text   string // with $1, $2 and so on in the place of variables
	Word   string // its first word, in lower case

	literals  []string // the text around the variables
	variables []int    // in their order; one that stands twice is there twice
	keeps     keeps
	prefix    string
	names     *Program
}

// keeps is what a statement keeps of the rows that it returns.
type keeps uint8

const (
	keepsNothing keeps = iota
	keepsOne           // the columns of its only row: \gset
	keepsLast          // of its last row, if there is one: \aset
)

// maxVariables is as many as PostgreSQL's protocol can take of them in a statement.
const maxVariables = 1<<16 - 1

func (c *compiler) sql(r raw) error {
	if len(r.pieces) == 1 && strings.Trim(r.pieces[0].text, "; \t\r\n\f\v") == "" && r.pieces[0].variable == "" {
		return nil
	}
	s := &Statement{Script: c.script.Name, Line: r.line, Number: len(c.script.Statements), names: c.Program}
	var text, literal strings.Builder
	for _, p := range r.pieces {
		literal.WriteString(p.text)
		text.WriteString(p.text)
		if p.variable == "" {
			continue
		}
		at, kept, err := c.replaced(p)
		if err != nil {
			return err
		}
		if kept {
			literal.WriteString(":" + p.variable)
			text.WriteString(":" + p.variable)
			continue
		}
		s.literals = append(s.literals, literal.String())
		literal.Reset()
		s.variables = append(s.variables, at)
		text.WriteString("$" + strconv.Itoa(len(s.variables)))
	}
	s.literals = append(s.literals, literal.String())
	if len(s.variables) > maxVariables {
		return fmt.Errorf("%d variables in one statement, and the protocol takes %d", len(s.variables), maxVariables)
	}
	s.Text = text.String()
	s.Word = firstWord(s.Text)
	c.last = s
	c.script.Statements = append(c.script.Statements, s)
	c.add(step{does: doesSQL, statement: s})
	return nil
}

// replaced says which variable a piece ends in, or that what looks like one stays as it stands.
func (c *compiler) replaced(p piece) (at int, kept bool, err error) {
	at, err = c.find(p.variable)
	switch {
	case p.place == inCommand:
		return at, false, err
	case err != nil || p.place == inComment && !c.simple:
		return 0, true, nil
	case !c.simple:
		return 0, false, fmt.Errorf(":%s stands between quotes, where only the simple protocol can put its value\nhint: leave out the quotes, "+
			"or protocol=simple", p.variable)
	}
	return at, false, nil
}

// firstWord is a statement's, in lower case; "" where it begins with none.
func firstWord(text string) string {
	text = strings.TrimLeft(text, "( \t\r\n")
	for strings.HasPrefix(text, "/*") {
		text = strings.TrimLeft(text[commentIn(text):], "( \t\r\n")
	}
	text = strings.ToLower(text)
	return text[:len(text)-len(strings.TrimLeft(text, "abcdefghijklmnopqrstuvwxyz"))]
}

// Params is how many values go beside the text.
func (s *Statement) Params() int { return len(s.variables) }

// AppendParam appends the text of value i; null says that it has none.
func (s *Statement) AppendParam(dst []byte, st *State, i int) (text []byte, null bool) {
	return st.variables[s.variables[i]].appendTo(dst)
}

// AppendText appends the statement with the values in their places, as the simple protocol needs it. What may have been a
// variable and has no value stands as it was written.
func (s *Statement) AppendText(dst []byte, st *State) []byte {
	for i, l := range s.literals {
		dst = append(dst, l...)
		if i == len(s.variables) {
			return dst
		}
		v := &st.variables[s.variables[i]]
		if !v.known {
			dst = append(append(dst, ':'), s.names.names[s.variables[i]]...)
			continue
		}
		text, isNull := v.appendTo(dst)
		if dst = text; isNull {
			dst = append(dst, "NULL"...)
		}
	}
	return dst
}

// Keeps says whether the statement's rows become variables, and then whether there must be just one.
func (s *Statement) Keeps() (rows, one bool) { return s.keeps != keepsNothing, s.keeps == keepsOne }

// Keep makes a column of a row a variable, where a script uses it; nil is null. Its name is the column's behind the prefix.
// The error is that of a column that cannot be a variable's name.
func (s *Statement) Keep(st *State, column, text []byte) error {
	name := make([]byte, 0, longestName)
	name = append(append(name, s.prefix...), column...)
	if at, ok := s.names.byName[string(name)]; ok {
		st.setText(at, text)
		return nil
	}
	if n := nameIn(name); n == 0 || n < len(name) {
		return fmt.Errorf("the column %.40q cannot be a variable\nhint: name it, as in: SELECT count(*) AS n", string(name))
	}
	return nil
}

// longestName is longer than PostgreSQL's names of columns are, with room for a prefix.
const longestName = 128
