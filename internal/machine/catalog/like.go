package catalog

import (
	"strings"
	"unicode"
)

// Like returns the type that a machine is named after: "m6gd.8xlarge", "db-m6gd.8xlarge-2" and
// "m6gd.8xlarge.example.org" are like m6gd.8xlarge. A type's name without punctuation ("cx21") has to be the machine's
// whole name, because it could be anyone's.
func (c *Catalog) Like(machine string) (Type, bool) {
	var best Type
	machine = strings.ToLower(machine)
	for i := range c.types {
		t := &c.types[i]
		if n := len(t.Name); n <= len(machine) && n > len(best.Name) && named(machine, strings.ToLower(t.Name)) {
			best = *t
		}
	}
	return best, best.Name != ""
}

// TypeOf returns the name of the type that a machine is named after, else of the one that its firmware or a list of
// hosts states, which the catalogue need not have; "" if neither does.
func (c *Catalog) TypeOf(machine, stated string) string {
	for _, name := range []string{machine, stated} {
		if t, ok := c.Like(name); ok {
			return t.Name
		}
	}
	return stated
}

func named(machine, name string) bool {
	if machine == name {
		return true
	}
	if !strings.ContainsAny(name, ".-_") {
		return false
	}
	for from := 0; ; {
		at := strings.Index(machine[from:], name)
		if at < 0 {
			return false
		}
		at += from
		if edge(machine[:at], true) && edge(machine[at+len(name):], false) {
			return true
		}
		from = at + 1
	}
}

// edge reports whether a name may end where text begins or ends.
func edge(text string, atEnd bool) bool {
	if text == "" {
		return true
	}
	r := rune(text[0])
	if atEnd {
		r = rune(text[len(text)-1])
	}
	return !unicode.IsLetter(r) && !unicode.IsDigit(r)
}
