package render

import (
	"io"
	"slices"
	"strings"

	"plimsoll/internal/host/fact"
	"plimsoll/internal/record"
)

// Machine writes a machine's fingerprint as an aligned list in groups, what could
// not be read and what to beware of last. The error is the writer's.
func Machine(w io.Writer, style Style, m record.Machine) error {
	p := newPrinter(w, style)
	p.line(p.style.paint(strong, clean(m.Name)))
	groups := machineGroups(m)
	width := 0
	for _, f := range slices.Concat(groups...) {
		width = max(width, displayWidth(clean(f.Lead)))
	}
	for i, group := range groups {
		if i > 0 {
			p.gap()
		}
		for _, f := range group {
			f.Ink = dim
			p.note(2, f, width)
		}
	}
	if last := machineNotes(m); len(last) > 0 {
		p.gap()
		p.notes(2, last)
	}
	return p.err
}

// summary says in one line what a machine is.
func summary(m record.Machine) string {
	var memory string
	if m.Memory > 0 {
		memory = Quantity(float64(m.Memory), "B")
	}
	parts := nonEmpty(m.CPU.Model, m.Arch, fact.CPUs(m.CPU), memory, m.OS, fact.Kernel(m))
	if m.Emulated != "" {
		parts = append(parts, "emulated by "+m.Emulated+": figures give no verdict")
	}
	return strings.Join(parts, ", ")
}

// machineFacts returns the facts about a machine that are known, as one list.
func machineFacts(m record.Machine) []note { return slices.Concat(machineGroups(m)...) }

// machineGroups returns the facts about a machine that are known, in the groups of the list of facts.
func machineGroups(m record.Machine) [][]note {
	var out [][]note
	for _, group := range fact.Groups(m, Quantity) {
		var notes []note
		for _, l := range group {
			notes = append(notes, note{Lead: l.Lead, Text: l.Text})
		}
		out = append(out, notes)
	}
	return out
}

// machineNotes are the doubts about a machine.
func machineNotes(m record.Machine) []note {
	var out []note
	if len(m.Unknown) > 0 {
		out = append(out, note{"unknown", warn, strings.Join(m.Unknown, ", ")})
	}
	return append(out, warningNotes(m.Warnings)...)
}

func bytesOrNone(n int64) string {
	if n <= 0 {
		return ""
	}
	return Quantity(float64(n), "B")
}
