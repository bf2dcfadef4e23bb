package session

import (
	"bytes"
	"encoding/json"
	"strconv"

	"plimsoll/internal/record"
)

// importLine decodes the line of an imported trial as a Writer formats it: no field but those that every import has, in
// their order. Imports are read by the million, and have nothing else; ok is false for any other line, which is decoded
// as JSON. What repeats from one trial to the next is decoded once.
func (s *scan) importLine(line []byte) (t record.Trial, ok bool) {
	c := cursor{rest: line, ok: true}
	c.skip(opening + kindTrial + `","id":`)
	id := c.text()
	c.skip(`,"keys":`)
	t.Keys = s.keysIn(&c)
	c.skip(`,"plan":`)
	t.Plan = s.wordIn(c.text())
	c.skip(`,"cell":`)
	t.Cell = c.integer()
	c.skip(`,"group":`)
	t.Group = c.integer()
	c.skip(`,"replicate":`)
	t.Replicate = c.integer()
	if c.optional(`,"pair":`) {
		pair := c.integer()
		t.Pair = &pair
	}
	c.skip(`,"position":0,"load":`)
	t.Load = s.loadIn(&c)
	c.skip(`,"start":"","mono_ns":0,"warmup_s":0,"duration_s":0,"values":[`)
	t.Values = s.valuesIn(&c)
	c.skip(`]`)
	if _, sealed := sealIn(c.rest); !c.ok || !sealed {
		return record.Trial{}, false
	}
	t.ID = string(id)
	return t, true
}

// keysIn returns the keys of a trial: one map for all trials of a segment that have the same, which nobody changes but
// for all of them.
func (s *scan) keysIn(c *cursor) map[string]string {
	raw := c.object()
	if keys, ok := s.keys[string(raw)]; ok || !c.ok {
		return keys
	}
	var keys map[string]string
	if json.Unmarshal(raw, &keys) != nil {
		c.ok = false
		return nil
	}
	keys = s.own(keys)
	s.keys[string(raw)] = keys
	return keys
}

func (s *scan) loadIn(c *cursor) record.LoadPoint {
	raw := c.object()
	if load, ok := s.loads[string(raw)]; ok || !c.ok {
		return load
	}
	var load record.LoadPoint
	if json.Unmarshal(raw, &load) != nil {
		c.ok = false
	}
	s.loads[string(raw)] = load
	return load
}

// valuesIn returns the values up to the end of their list.
func (s *scan) valuesIn(c *cursor) []record.Value {
	const number = `,"value":`
	out := make([]record.Value, 0, bytes.Count(c.rest, []byte(number)))
	for c.ok {
		at := bytes.Index(c.rest, []byte(number))
		if at < 0 {
			c.ok = false
			break
		}
		out = append(out, record.Value{Metric: s.metricIn(c, c.rest[:at])})
		c.rest = c.rest[at:]
		c.skip(number)
		out[len(out)-1].Value = c.number()
		c.skip(`}`)
		if !c.optional(`,`) {
			break
		}
	}
	return out
}

// metricIn decodes the beginning of a value, up to its number.
func (s *scan) metricIn(c *cursor, raw []byte) record.Metric {
	if m, ok := s.metrics[string(raw)]; ok {
		return m
	}
	var m record.Metric
	inner := cursor{rest: raw, ok: true}
	inner.skip(`{"name":`)
	m.Name = s.wordIn(inner.text())
	inner.skip(`,"unit":`)
	m.Unit = s.wordIn(inner.text())
	if inner.optional(`,"better":`) {
		m.Better = record.Better(s.wordIn(inner.text()))
	}
	if c.ok = inner.ok && len(inner.rest) == 0; c.ok {
		s.metrics[string(raw)] = m
	}
	return m
}

func (s *scan) wordIn(text []byte) string {
	if old, ok := s.words[string(text)]; ok {
		return old
	}
	return s.word(string(text))
}

// cursor reads a line from its beginning; ok is false from the first thing on that a Writer would have written otherwise.
type cursor struct {
	rest []byte
	ok   bool
}

// skip requires a text.
func (c *cursor) skip(text string) { c.ok = c.ok && c.optional(text) }

// optional skips a text if it is next.
func (c *cursor) optional(text string) bool {
	if !c.ok || len(c.rest) < len(text) || string(c.rest[:len(text)]) != text {
		return false
	}
	c.rest = c.rest[len(text):]
	return true
}

// text reads a string of printable ASCII without escapes.
func (c *cursor) text() []byte {
	c.skip(`"`)
	for i, b := range c.rest {
		switch {
		case b == '"' && c.ok:
			text := c.rest[:i]
			c.rest = c.rest[i+1:]
			return text
		case b < ' ' || b > '~' || b == '\\':
			c.ok = false
			return nil
		}
	}
	c.ok = false
	return nil
}

// object reads an object without further ones inside, as it stands.
func (c *cursor) object() []byte {
	if !c.ok || len(c.rest) == 0 || c.rest[0] != '{' {
		c.ok = false
		return nil
	}
	quoted := false
	for i, b := range c.rest {
		switch {
		case b == '"':
			quoted = !quoted
		case b == '\\' || b > '~' || b == '{' && i > 0 && !quoted:
			c.ok = false
			return nil
		case b == '}' && !quoted:
			raw := c.rest[:i+1]
			c.rest = c.rest[i+1:]
			return raw
		}
	}
	c.ok = false
	return nil
}

// integer reads a whole number from 0.
func (c *cursor) integer() int {
	n := 0
	for n < len(c.rest) && '0' <= c.rest[n] && c.rest[n] <= '9' {
		n++
	}
	v, err := strconv.Atoi(string(c.rest[:n]))
	if err != nil || c.rest[0] == '0' && n > 1 {
		c.ok = false
		return 0
	}
	c.rest = c.rest[n:]
	return v
}

// number reads a number as JSON writes it.
func (c *cursor) number() float64 {
	n := bytes.IndexByte(c.rest, '}')
	if n < 0 || !json.Valid(c.rest[:n]) {
		c.ok = false
		return 0
	}
	v, err := strconv.ParseFloat(string(c.rest[:n]), 64)
	if err != nil {
		c.ok = false
		return 0
	}
	c.rest = c.rest[n:]
	return v
}
