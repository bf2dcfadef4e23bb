package pgscript

import (
	"fmt"
	"strconv"
	"strings"
)

// Statement is one SQL command of a script.
type Statement struct {
	Script string // its name
	Line   int    // of its beginning
	Number int    // index in its script
	Text   string // with $1, $2 and so on for variables
	Word   string // its first word, in lower case

	literals  []string // the text around the variables
	variables []int    // in order, with repetitions
	keeps     keeps
	prefix    string
	names     *Program
}

// keeps selects the returned rows that a statement keeps.
type keeps uint8

const (
	keepsNothing keeps = iota
	keepsOne           // the columns of its only row: \gset
	keepsLast          // those of its last row, if there is one: \aset
)

// maxVariables is the limit of PostgreSQL's protocol for one statement.
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
		return fmt.Errorf("%d variables in one statement exceed the protocol's limit of %d",
			len(s.variables), maxVariables)
	}
	s.Text = text.String()
	s.Word = firstWord(s.Text)
	c.last = s
	c.script.Statements = append(c.script.Statements, s)
	c.add(step{does: doesSQL, statement: s})
	return nil
}

// replaced returns the variable at the end of a piece; kept is set if the text stays as it is.
func (c *compiler) replaced(p piece) (at int, kept bool, err error) {
	at, err = c.find(p.variable)
	switch {
	case p.place == inCommand:
		return at, false, err
	case err != nil || p.place == inComment && !c.simple:
		return 0, true, nil
	case !c.simple:
		return 0, false, fmt.Errorf(":%s is in quotes, in which only the simple protocol can insert its "+
			"value\nhint: leave out the quotes, or protocol=simple", p.variable)
	}
	return at, false, nil
}

// firstWord returns a statement's first word, in lower case; "" if there is none.
func firstWord(text string) string {
	text = strings.TrimLeft(text, "( \t\r\n")
	for strings.HasPrefix(text, "/*") {
		text = strings.TrimLeft(text[commentIn(text):], "( \t\r\n")
	}
	text = strings.ToLower(text)
	return text[:len(text)-len(strings.TrimLeft(text, "abcdefghijklmnopqrstuvwxyz"))]
}

// Params returns the number of values to send with the text.
func (s *Statement) Params() int { return len(s.variables) }

// AppendParam appends the text of value i; null reports that it is null.
func (s *Statement) AppendParam(dst []byte, st *State, i int) (text []byte, null bool) {
	return st.variables[s.variables[i]].appendTo(dst)
}

// AppendText appends the statement with the values inserted, for the simple protocol. An apparent variable without a
// value stays as written.
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

// Keeps reports whether the statement's rows become variables, and whether there must be exactly one.
func (s *Statement) Keeps() (rows, one bool) { return s.keeps != keepsNothing, s.keeps == keepsOne }

// Keep sets a variable to a column of a row, if a script uses it; nil is null. Its name is the column's with the
// prefix. It returns an error if the column's name cannot be a variable's.
func (s *Statement) Keep(st *State, column, text []byte) error {
	name := make([]byte, 0, longestName)
	name = append(append(name, s.prefix...), column...)
	if at, ok := s.names.byName[string(name)]; ok {
		st.setText(at, text)
		return nil
	}
	if n := nameIn(name); n == 0 || n < len(name) {
		return fmt.Errorf("the column %.40q cannot be a variable\nhint: name it, as in: SELECT count(*) AS n",
			string(name))
	}
	return nil
}

// longestName exceeds PostgreSQL's column names, with room for a prefix.
const longestName = 128
