package pgscript

import (
	"errors"
	"fmt"
	"slices"
	"strings"

	"plimsoll/internal/base/nearest"
)

// Source is the text of a script.
type Source struct {
	Name   string // for errors, such as the file's name
	Weight int    // relative frequency
	Text   string
}

// Program is the scripts that a client runs, with the variables that they share. It is immutable.
type Program struct {
	Scripts  []*Script
	names    []string
	byName   map[string]int
	prefixes []string // of variables set by \gset and \aset
	total    int64    // of the weights
	simple   bool
}

// placeDefaultSeed is the index of that variable in every program.
const placeDefaultSeed = 3

// Parse parses scripts; simple is set if values are inserted into the text of the SQL, instead of sent separately.
// The error of a script is an *Error.
func Parse(sources []Source, simple bool) (*Program, error) {
	p := &Program{byName: map[string]int{}, simple: simple}
	for _, name := range automatic() {
		p.declare(name)
	}
	var all [][]raw
	for _, s := range sources {
		commands, err := p.read(s)
		if err != nil {
			return nil, err
		}
		all = append(all, commands)
	}
	for i, s := range sources {
		script, err := p.compile(s, all[i])
		if err != nil {
			return nil, err
		}
		p.Scripts = append(p.Scripts, script)
		p.total += int64(s.Weight)
	}
	if p.total <= 0 {
		return nil, errors.New("no script has a weight over 0")
	}
	return p, nil
}

// Choose draws the next script of a client.
func (p *Program) Choose(st *State) int {
	if len(p.Scripts) == 1 {
		return 0
	}
	n := st.Below(p.total)
	for i, s := range p.Scripts {
		if n -= int64(s.Weight); n < 0 {
			return i
		}
	}
	return len(p.Scripts) - 1
}

func (p *Program) declare(name string) int {
	if i, ok := p.byName[name]; ok {
		return i
	}
	p.byName[name] = len(p.names)
	p.names = append(p.names, name)
	return len(p.names) - 1
}

// read splits a script and declares the variables that it sets, since other scripts may use them.
func (p *Program) read(s Source) ([]raw, error) {
	if at := strings.IndexByte(s.Text, 0); at >= 0 {
		return nil, &Error{s.Name, 1 + strings.Count(s.Text[:at], "\n"), errors.New("a NUL byte, which SQL cannot contain")}
	}
	r := &reader{text: s.Text, line: 1}
	var out []raw
	for {
		c, ok := r.next()
		if !ok {
			return out, nil
		}
		out = append(out, c)
		switch c.meta {
		case metaSet:
			name, _ := cutWord(c.rest)
			if nameIn(name) == 0 || nameIn(name) != len(name) {
				return nil, &Error{s.Name, c.line, fmt.Errorf("%s: %.40q is not a variable name\nhint: letters, "+
					"digits and underscores, not starting with a digit",
					metaSet, name)}
			}
			p.declare(name)
		case metaGset, metaAset:
			p.prefixes = append(p.prefixes, c.rest)
		}
	}
}

// find returns the index of a variable that some script sets.
func (p *Program) find(name string) (int, error) {
	if i, ok := p.byName[name]; ok {
		return i, nil
	}
	if slices.ContainsFunc(p.prefixes, func(prefix string) bool { return strings.HasPrefix(name, prefix) }) {
		return p.declare(name), nil
	}
	hint := `\set gives one its value`
	if near := nearest.Of(name, p.names); near != "" {
		hint = "did you mean :" + near + "?"
	}
	return 0, fmt.Errorf("no variable :%.40s is set\nhint: %s", name, hint)
}

// cutWord splits off the first word.
func cutWord(text string) (word, rest string) {
	text = strings.TrimSpace(text)
	end := strings.IndexAny(text, " \t\r\n\f\v")
	if end < 0 {
		return text, ""
	}
	return text[:end], strings.TrimSpace(text[end:])
}
