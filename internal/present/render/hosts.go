package render

import (
	"bytes"
	"cmp"
	"fmt"
	"io"
	"slices"
	"strings"

	"plimsoll/internal/analysis/finding"
	"plimsoll/internal/machine/hostlist"
	"plimsoll/internal/present/media/term"
	"plimsoll/internal/record/block"
	"plimsoll/internal/record/figure"
)

// comment precedes what is no host in a list of hosts.
const comment = "# "

// Hosts writes a list of hosts as `run --hosts` reads it, and below it, as comments, what was found there and notes.
// The error is the writer's.
func Hosts(w io.Writer, style term.Style, hosts []hostlist.Host, checked []hostlist.Checked, notes []string) error {
	var said bytes.Buffer
	style.Width -= len(comment)
	p := term.NewPrinter(&said, style)
	if len(checked) > 0 {
		p.Table(0, hostsTable(checked))
	}
	for _, n := range notes {
		p.Notes(0, finding.Caveat("note", block.Dim, n))
	}
	text := hostlist.Format(hosts)
	for line := range strings.Lines(said.String()) {
		text += strings.TrimRight(comment+line, " \n") + "\n"
	}
	if _, err := io.WriteString(w, text); err != nil {
		return fmt.Errorf("writing the list of hosts: %w", err)
	}
	return nil
}

// hostsTable has a row for each host: what it answered, or why it did not.
func hostsTable(checked []hostlist.Checked) block.Table {
	paths := pathsOf(checked)
	columns := []block.Column{
		{Name: "host"}, {Name: "type"}, {Name: "$/h", Right: true}, {Name: "plimsoll"}, {Name: "arch"}, {Name: "sudo"},
		{Name: "perf"}, {Name: "clock", Right: true},
	}
	for _, path := range paths {
		columns = append(columns, block.Column{Name: path})
	}
	t := block.NewTable(append(columns, block.Column{Name: "problem"})...)
	t.Keys, t.Spare = 1, []string{"arch", "$/h"}
	for _, c := range checked {
		row := []block.Cell{{Text: c.Name, Tone: block.Strong}, {Text: c.Type}, priceCell(c.PerHour)}
		if c.Reached {
			row = append(row, plimsollThere(c), block.Cell{Text: c.Arch}, yesNo(c.Sudo), yesNo(c.Perf), clockCell(c))
		} else {
			row = append(row, block.Cell{Text: "not reached", Tone: block.Bad}, block.Cell{}, block.Cell{}, block.Cell{},
				block.Cell{})
		}
		for i := range paths {
			row = append(row, volumeCell(c.Paths, i))
		}
		t.Rows = append(t.Rows, append(row, problemCell(c)))
	}
	return withoutEmpty(t)
}

// withoutEmpty leaves out columns in which no host has anything.
func withoutEmpty(t block.Table) block.Table {
	for i := len(t.Columns) - 1; i >= 0; i-- {
		if slices.ContainsFunc(t.Rows, func(r []block.Cell) bool { return r[i].Text != "" }) {
			continue
		}
		t.Columns = slices.Delete(t.Columns, i, i+1)
		for r := range t.Rows {
			t.Rows[r] = slices.Delete(t.Rows[r], i, i+1)
		}
	}
	return t
}

// pathsOf returns the directories that the hosts that answered were asked about.
func pathsOf(checked []hostlist.Checked) []string {
	for _, c := range checked {
		if c.Reached {
			var out []string
			for _, v := range c.Paths {
				out = append(out, v.Path)
			}
			return out
		}
	}
	return nil
}

func priceCell(perHour *float64) block.Cell {
	if perHour == nil {
		return block.Cell{}
	}
	return block.Cell{Text: figure.Exact(*perHour)}
}

func problemCell(c hostlist.Checked) block.Cell {
	if !c.Usable() {
		return block.Cell{Text: figure.Joined(append(slices.Clone(c.Problems), c.Cause)...), Tone: block.Bad}
	}
	return block.Cell{Text: figure.Joined(c.Problems...), Tone: block.Warn}
}

func plimsollThere(c hostlist.Checked) block.Cell {
	if c.Carried {
		return block.Cell{Text: "carried"}
	}
	if c.Plimsoll == "" {
		return block.Cell{Text: "not there", Tone: block.Bad}
	}
	return block.Cell{Text: cmp.Or(c.Version, notKnown)}
}

func yesNo(text string) block.Cell {
	c := block.Cell{Text: cmp.Or(text, notKnown)}
	if text == "no" || text == "missing" {
		c.Tone = block.Warn
	}
	return c
}

func clockCell(c hostlist.Checked) block.Cell {
	if c.Clock == 0 {
		return block.Cell{Text: notKnown}
	}
	return block.Cell{Text: hostlist.Offset(c.ClockOffset) + " ±" + figure.Quantity(c.ClockError, "s")}
}

func volumeCell(all []hostlist.Volume, i int) block.Cell {
	if i >= len(all) {
		return block.Cell{}
	}
	v := all[i]
	if v.Problem == "missing" {
		return block.Cell{Text: v.Problem, Tone: block.Bad}
	}
	where := cmp.Or(v.FS, notKnown)
	switch {
	case v.RAID != "":
		where += fmt.Sprintf(" on %s of %s", v.RAID, figure.Count(len(v.Disks), "disk"))
	case len(v.Disks) > 0:
		where += " on " + strings.Join(v.Disks, " and ")
	}
	return block.Cell{Text: figure.Joined(where, freeOf(v), reflinks(v.Reflink), v.Problem)}
}

func reflinks(answer string) string {
	switch answer {
	case "yes":
		return "reflinks"
	case "no":
		return "no reflinks"
	}
	return ""
}

// freeOf returns a volume's free space; "" if the host does not say its size.
func freeOf(v hostlist.Volume) string {
	if v.Total == 0 {
		return ""
	}
	return figure.Quantity(float64(v.Free), "B") + " free"
}
