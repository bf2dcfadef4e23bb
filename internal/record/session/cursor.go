package session

import (
	"bytes"
	"encoding/json"
	"unicode/utf8"
)

// cursor reads JSON from its beginning as a Writer formats it; ok is false from the first deviation on.
type cursor struct {
	rest []byte
	ok   bool
}

// skip requires a text.
func (c *cursor) skip(text string) { c.ok = c.ok && c.optional(text) }

// optional skips a text if it is next.
func (c *cursor) optional(text string) bool {
	if len(c.rest) < len(text) || string(c.rest[:len(text)]) != text || !c.ok {
		return false
	}
	c.rest = c.rest[len(text):]
	return true
}

// take consumes n bytes; none is a deviation.
func (c *cursor) take(n int) []byte {
	if c.ok = c.ok && n > 0; !c.ok {
		return nil
	}
	raw := c.rest[:n]
	c.rest = c.rest[n:]
	return raw
}

// text reads a string; what it returns is valid as long as the line.
func (c *cursor) text() []byte {
	raw := c.take(textEnd(c.rest))
	if !c.ok {
		return nil
	}
	if inner := raw[1 : len(raw)-1]; isPlain(inner) {
		return inner
	}
	var s string
	c.ok = json.Unmarshal(raw, &s) == nil
	return []byte(s)
}

// isPlain reports whether a string stands for itself.
func isPlain(inner []byte) bool {
	ascii := true
	for _, b := range inner {
		if b < ' ' || b == '\\' {
			return false
		}
		ascii = ascii && b < utf8.RuneSelf
	}
	return ascii || utf8.Valid(inner)
}

// textEnd returns the length of the string at the beginning, with its quotes; 0 if there is none.
func textEnd(b []byte) int {
	if len(b) == 0 || b[0] != '"' {
		return 0
	}
	for n := 1; ; n++ {
		i := bytes.IndexByte(b[n:], '"')
		if i < 0 {
			return 0
		}
		n += i
		back := n
		for b[back-1] == '\\' {
			back--
		}
		if (n-back)%2 == 0 {
			return n + 1
		}
	}
}

// object reads an object as it stands, without validating it.
func (c *cursor) object() []byte { return c.take(objectEnd(c.rest)) }

// objectEnd returns the length of the object at the beginning; 0 if there is none.
func objectEnd(b []byte) int {
	if len(b) == 0 || b[0] != '{' {
		return 0
	}
	for n, depth := 0, 0; n < len(b); n++ {
		switch b[n] {
		case '"':
			end := textEnd(b[n:])
			if end == 0 {
				return 0
			}
			n += end - 1
		case '{':
			depth++
		case '}':
			if depth--; depth == 0 {
				return n + 1
			}
		}
	}
	return 0
}

// number reads a number as it stands.
func (c *cursor) number() []byte { return c.take(numberEnd(c.rest)) }

// numberEnd returns the length of the JSON number at the beginning; 0 if there is none.
func numberEnd(b []byte) int {
	n := 0
	if n < len(b) && b[n] == '-' {
		n++
	}
	whole := digits(b[n:])
	if whole == 0 || whole > 1 && b[n] == '0' {
		return 0
	}
	n += whole
	if n < len(b) && b[n] == '.' {
		part := digits(b[n+1:])
		if part == 0 {
			return 0
		}
		n += 1 + part
	}
	if n == len(b) || b[n]|' ' != 'e' {
		return n
	}
	n++
	if n < len(b) && (b[n] == '+' || b[n] == '-') {
		n++
	}
	if power := digits(b[n:]); power > 0 {
		return n + power
	}
	return 0
}

// digits returns the number of digits at the beginning.
func digits(b []byte) int {
	n := 0
	for n < len(b) && '0' <= b[n] && b[n] <= '9' {
		n++
	}
	return n
}
