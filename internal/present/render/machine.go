package render

import (
	"io"
	"slices"
	"strings"

	"plimsoll/internal/analysis/finding"
	"plimsoll/internal/machine/host/fact"
	"plimsoll/internal/present/media/term"
	"plimsoll/internal/record"
	"plimsoll/internal/record/block"
	"plimsoll/internal/record/figure"
)

// Machine writes a machine's fingerprint as an aligned list in groups, with unreadable facts and caveats last. The
// error is the writer's.
func Machine(w io.Writer, style term.Style, m record.Machine) error {
	p := term.NewPrinter(w, style)
	p.Line(p.Style.Paint(block.Strong, block.Clean(m.Name)))
	groups := machineGroups(m)
	width := 0
	for _, f := range slices.Concat(groups...) {
		width = max(width, block.DisplayWidth(block.Clean(f.Lead)))
	}
	for i, group := range groups {
		if i > 0 {
			p.Gap()
		}
		for _, f := range group {
			f.Tone = block.Dim
			p.Note(2, f, width)
		}
	}
	if last := append(noMeter(m), machineNotes(m)...); len(last) > 0 {
		p.Gap()
		p.Notes(2, last)
	}
	return p.Err
}

// notDescribed is the summary of a machine without a fingerprint.
const notDescribed = "not described in these files"

// summaryOf returns the line about a machine of a document.
func summaryOf(name string, s finding.Shown) string {
	if m, ok := s.Machines[name]; ok {
		return summary(m)
	}
	return notDescribed
}

// summary returns the line about a machine: its CPUs, memory and system.
func summary(m record.Machine) string {
	var memory string
	if m.Memory > 0 {
		memory = figure.Quantity(float64(m.Memory), "B")
	}
	parts := figure.NonEmpty(m.CPU.Model, m.Arch, fact.CPUs(m.CPU), memory, m.OS, fact.Kernel(m))
	if m.Emulated != "" {
		parts = append(parts, "emulated by "+m.Emulated+": figures give no verdict")
	}
	return strings.Join(parts, ", ")
}

// machineGroups returns the known facts about a machine, in the groups of the list of facts.
func machineGroups(m record.Machine) [][]block.Sentence {
	var out [][]block.Sentence
	for _, group := range fact.Groups(m, figure.Quantity) {
		var notes []block.Sentence
		for _, l := range group {
			notes = append(notes, block.Sentence{Lead: l.Lead, Text: l.Text})
		}
		out = append(out, notes)
	}
	return out
}

// noMeter returns the line about a machine whose energy cannot be measured.
func noMeter(m record.Machine) []block.Sentence {
	if len(m.Power) > 0 || m.CPU.Threads == 0 {
		return nil
	}
	return []block.Sentence{{Lead: "energy", Tone: block.Dim,
		Text: "no meter (RAPL, hwmon, IPMI): runs record no joules without --energy"}}
}

// machineNotes returns the notes on a machine.
func machineNotes(m record.Machine) []block.Sentence {
	var out []block.Sentence
	if len(m.Unknown) > 0 {
		out = append(out, block.Sentence{Lead: "unknown", Tone: block.Warn, Text: strings.Join(m.Unknown, ", ")})
	}
	return append(out, finding.Warnings(m.Warnings)...)
}

func bytesOrNone(n int64) string {
	if n <= 0 {
		return ""
	}
	return figure.Quantity(float64(n), "B")
}
