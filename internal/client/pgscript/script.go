package pgscript

import (
	"errors"
	"fmt"
	"strings"

	"plimsoll/internal/base/nearest"
)

// Script is run by a client from its beginning to its end: a transaction, as pgbench counts.
type Script struct {
	Name       string
	Weight     int
	Statements []*Statement // in textual order
	steps      []step
}

// The meta commands.
const (
	metaSet   = `\set`
	metaSleep = `\sleep`
	metaIf    = `\if`
	metaElif  = `\elif`
	metaElse  = `\else`
	metaEndif = `\endif`
	metaGset  = `\gset`
	metaAset  = `\aset`
	metaStart = `\startpipeline`
	metaEnd   = `\endpipeline`

	metaShell    = `\shell`
	metaSetshell = `\setshell`
)

func metas() []string {
	return []string{metaSet, metaSleep, metaIf, metaElif, metaElse, metaEndif, metaGset, metaAset, metaStart, metaEnd}
}

// step is a compiled step of a script.
type step struct {
	does      does
	line      int
	statement *Statement
	e         expr // value to set, or condition of a branch
	at        int  // index of the variable to set
	to        int  // target of a jump; of a branch if e does not hold
	sleep     sleep
}

type does uint8

const (
	doesSQL does = iota
	doesSet
	doesSleep
	doesBranch
	doesJump
	doesStart
	doesEnd
)

// compiler compiles one script.
type compiler struct {
	*Program
	script   *Script
	open     []condition // unterminated \if
	line     int
	pipeline bool
	last     *Statement // statement to which \gset would apply; nil: none
}

// condition is an unfinished \if.
type condition struct {
	line   int
	branch int   // step of the latest condition; −1 after \else
	jumps  []int // steps that jump to its end
}

func (p *Program) compile(s Source, commands []raw) (*Script, error) {
	c := &compiler{Program: p, script: &Script{Name: s.Name, Weight: s.Weight}}
	for _, r := range commands {
		c.line = r.line
		if err := c.command(r); err != nil {
			return nil, &Error{s.Name, r.line, err}
		}
	}
	switch {
	case len(c.open) > 0:
		return nil, &Error{s.Name, c.open[0].line, fmt.Errorf("%s without %s", metaIf, metaEndif)}
	case c.pipeline:
		return nil, &Error{s.Name, c.line, fmt.Errorf("%s without %s", metaStart, metaEnd)}
	case len(c.script.steps) == 0:
		return nil, &Error{s.Name, 1, errors.New("the script is empty")}
	}
	return c.script, nil
}

func (c *compiler) command(r raw) error {
	if r.meta == "" {
		return c.sql(r)
	}
	before := c.last
	c.last = nil
	switch r.meta {
	case metaSet:
		return c.set(r)
	case metaSleep:
		return c.sleep(r)
	case metaIf, metaElif, metaElse, metaEndif:
		if err := c.conditional(r); err != nil {
			return fmt.Errorf("%s: %w", r.meta, err)
		}
		return nil
	case metaGset, metaAset:
		return c.store(r, before)
	case metaStart, metaEnd:
		return c.pipelined(r)
	case metaShell, metaSetshell:
		return fmt.Errorf("%s is refused: scripts start no processes here\nhint: a value can come from %s, or from "+
			"the server by %s", r.meta, metaSet, metaGset)
	}
	near := nearest.Of(r.meta, metas())
	if near == "" {
		near = strings.Join(metas(), " ")
	}
	return fmt.Errorf("unknown command %.40s\nhint: available: %s", r.meta, near)
}

func (c *compiler) add(s step) int {
	s.line = c.line
	c.script.steps = append(c.script.steps, s)
	return len(c.script.steps) - 1
}

func (c *compiler) set(r raw) error {
	name, text := cutWord(r.rest)
	e, err := parseExpr(text, c.find)
	if err != nil {
		return fmt.Errorf("%s %s: %w", metaSet, name, err)
	}
	c.add(step{does: doesSet, e: e, at: c.declare(name)})
	return nil
}

func (c *compiler) conditional(r raw) error {
	if r.meta == metaIf {
		e, err := parseExpr(r.rest, c.find)
		if err == nil {
			c.open = append(c.open, condition{line: r.line, branch: c.add(step{does: doesBranch, e: e})})
		}
		return err
	}
	if len(c.open) == 0 {
		return fmt.Errorf("no preceding %s", metaIf)
	}
	at := &c.open[len(c.open)-1]
	if at.branch < 0 && r.meta != metaEndif {
		return fmt.Errorf("it follows %s", metaElse)
	}
	if r.meta != metaElif && r.rest != "" {
		return fmt.Errorf("unexpected text: %.40q", r.rest)
	}
	if r.meta != metaEndif {
		at.jumps = append(at.jumps, c.add(step{does: doesJump}))
	}
	if at.branch >= 0 {
		c.script.steps[at.branch].to = len(c.script.steps)
	}
	switch r.meta {
	case metaElif:
		e, err := parseExpr(r.rest, c.find)
		at.branch = c.add(step{does: doesBranch, e: e})
		return err
	case metaElse:
		at.branch = -1
		return nil
	}
	for _, j := range at.jumps {
		c.script.steps[j].to = len(c.script.steps)
	}
	c.open = c.open[:len(c.open)-1]
	return nil
}

// store makes the last statement keep its result.
func (c *compiler) store(r raw, s *Statement) error {
	switch {
	case s == nil || s.keeps != keepsNothing:
		return fmt.Errorf("%s must follow an SQL command", r.meta)
	case c.pipeline:
		return fmt.Errorf("%s is not allowed in a pipeline", r.meta)
	case strings.ContainsAny(r.rest, " \t"):
		return fmt.Errorf("%s takes one prefix, not %.40q", r.meta, r.rest)
	}
	s.keeps, s.prefix = keepsOne, r.rest
	if r.meta == metaAset {
		s.keeps = keepsLast
	}
	return nil
}

func (c *compiler) pipelined(r raw) error {
	start := r.meta == metaStart
	switch {
	case r.rest != "":
		return fmt.Errorf("%s: unexpected text: %.40q", r.meta, r.rest)
	case start && c.simple:
		return fmt.Errorf("%s: the simple protocol has no pipelines\nhint: protocol=prepared or extended", r.meta)
	case start == c.pipeline && start:
		return fmt.Errorf("%s: the previous pipeline has no %s", r.meta, metaEnd)
	case start == c.pipeline:
		return fmt.Errorf("%s: no preceding %s", r.meta, metaStart)
	}
	c.pipeline = start
	if start {
		c.add(step{does: doesStart})
	} else {
		c.add(step{does: doesEnd})
	}
	return nil
}
