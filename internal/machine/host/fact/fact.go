// Package fact lists the facts about a machine. An entry has the key of a fact, how it is read, how it reads in a
// terminal and on a page, which of its values are compared between machines, and when it is a reason for a warning:
// Describe, `plimsoll machine`, reports, comparisons and docs/machine.md all take it from here. The package is pure: it
// reads an fs.FS.
package fact

import (
	"io/fs"
	"strings"

	"plimsoll/internal/record"
)

// Fact is one entry.
type Fact struct {
	Key   string // its place in the JSON of a machine, or its key in record.Machine.Facts
	Group Group
	Lead  string // stands before its text; the key, if empty
	Doc   string // for docs/machine.md
	Warns string // for docs/machine.md: when there is a warning; "" if there never is

	// Read reads the fact from a tree with the folders proc, sys and etc. It is nil if Describe knows the fact otherwise.
	// An error that the file is not there stays unsaid: not every kernel, and hardly a virtual machine, has all of them.
	Read func(fs.FS, *record.Machine) error
	// Text returns how the fact reads, or "" if it is not known. A fact of several lines has Lines instead.
	Text  func(record.Machine, Quantity) string
	Lines func(record.Machine, Quantity) []Line
	// Compare returns the values that are listed if they differ between two machines, by the keys they are listed under;
	// "" if not known.
	Compare func(record.Machine) map[string]string
	// Advise returns warnings that the machine is less fit to measure on.
	Advise func(record.Machine) []Advice
}

// Quantity writes a number with its unit.
type Quantity func(v float64, unit string) string

// Line is a line of a fact.
type Line struct{ Lead, Text string }

// Group is a block of facts in a listing.
type Group int

// The groups, in the order of listings.
const (
	Processor Group = iota // the CPU
	Place                  // the rest of the machine, and whose it is
	Setting                // things that an administrator can change
	State                  // of the moment
	groups
)

// Groups returns the facts that are known, a block for each group that has any.
func Groups(m record.Machine, q Quantity) [][]Line {
	var out [][]Line
	for g := range groups {
		var block []Line
		for _, f := range All() {
			if f.Group == g {
				block = append(block, f.lines(m, q)...)
			}
		}
		if len(block) > 0 {
			out = append(out, block)
		}
	}
	return out
}

func (f Fact) lines(m record.Machine, q Quantity) []Line {
	if f.Lines != nil {
		return f.Lines(m, q)
	}
	if f.Text == nil {
		return nil
	}
	if text := f.Text(m, q); text != "" {
		return []Line{{f.lead(), text}}
	}
	return nil
}

func (f Fact) lead() string {
	if f.Lead != "" {
		return f.Lead
	}
	return f.Key
}

// Compared returns the values of a machine that may explain a difference, by key. A value that is not known is not
// among them.
func Compared(m record.Machine) map[string]string {
	out := map[string]string{}
	for _, f := range All() {
		if f.Compare == nil {
			continue
		}
		for key, text := range f.Compare(m) {
			if text != "" {
				out[key] = text
			}
		}
	}
	return out
}

// of returns a comparison of one value, under one key.
func of(key string, text func(record.Machine) string) func(record.Machine) map[string]string {
	return func(m record.Machine) map[string]string { return map[string]string{key: text(m)} }
}

// text returns a Text that needs no units.
func text(of func(record.Machine) string) func(record.Machine, Quantity) string {
	return func(m record.Machine, _ Quantity) string { return of(m) }
}

// Value declares a fact that needs no field of its own: its value lies in record.Machine.Facts, and all else follows.
type Value struct {
	Key   string
	Group Group
	Doc   string
	Read  func(fs.FS) (record.Fact, error)
	// Moving keeps a value that differs from one moment to the next out of comparisons.
	Moving bool
	// Warns and Advise are as in Fact.
	Warns  string
	Advise func(record.Machine) []Advice
}

// Fact returns the entry of a value.
func (v Value) Fact() Fact {
	f := Fact{Key: v.Key, Group: v.Group, Lead: strings.ReplaceAll(v.Key, "_", " "), Doc: v.Doc, Warns: v.Warns,
		Advise: v.Advise}
	f.Read = func(fsys fs.FS, m *record.Machine) error {
		value, err := v.Read(fsys)
		if err == nil && value != (record.Fact{}) {
			if m.Facts == nil {
				m.Facts = map[string]record.Fact{}
			}
			m.Facts[v.Key] = value
		}
		return err
	}
	f.Text = func(m record.Machine, q Quantity) string { return valueText(m.Facts[v.Key], q) }
	if !v.Moving {
		f.Compare = of(v.Key, func(m record.Machine) string { return valueText(m.Facts[v.Key], exactly) })
	}
	return f
}

func valueText(v record.Fact, q Quantity) string {
	number := ""
	if v.Number != 0 || v.Unit != "" {
		number = q(v.Number, v.Unit)
	}
	return joined(number, v.Text)
}

// All lists the facts, in the order in which they are read and, within a group, listed.
func All() []Fact {
	return []Fact{
		id(), hostName(), cpu(), shape(), sockets(), nodes(), caches(), usable(), features(),
		memory(), system(), cloud(), hypervisor(), emulated(), cgroup(), disks(), nics(), power(),
		governor(), smt(), hugePages(), swap(), clockSource(), mitigations(),
		irqAffinity(), diskMerges(), swappiness(), aioLimit(),
		state(), cpuClock(), software(),
	}
}
