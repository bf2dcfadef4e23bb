package history

import (
	"fmt"
	"slices"
	"strings"

	"plimsoll/internal/analysis/explore"
	"plimsoll/internal/analysis/trialset"
	"plimsoll/internal/base/list"
	"plimsoll/internal/base/usage"
)

// LeftOut is a file that no history has, and why.
type LeftOut struct {
	File   string `json:"file"`
	Reason string `json:"reason"`
}

// usable returns the sessions that are whole, in the order of their names, the sessions of failed runs only, and the
// files that are left out, which these are among. A session that a run still writes, or that was cut short in a line,
// would be a night of other runs than those around it.
func usable(kept []explore.Kept) (used, failed []explore.Kept, left []LeftOut) {
	kept = slices.SortedFunc(slices.Values(kept), func(a, b explore.Kept) int {
		return strings.Compare(a.File.Name, b.File.Name)
	})
	left = []LeftOut{}
	seen := copies{}
	for _, k := range kept {
		why := unusable(k)
		if why == noValidRun {
			failed = append(failed, k)
		}
		if why == "" {
			why = seen.add(k)
		}
		if why != "" {
			left = append(left, LeftOut{k.File.Name, why})
			continue
		}
		used = append(used, k)
	}
	return used, failed, left
}

// noValidRun is why a session of failed runs isn't a night.
const noValidRun = "it has no valid run"

// unusable returns why a session is no night; "" if it is one.
func unusable(k explore.Kept) string {
	first, _, _ := strings.Cut(k.File.Problem, "\n")
	switch {
	case k.File.Problem != "":
		return first
	case k.File.Running:
		return "a run writes it"
	case k.File.Torn:
		return "its last line was cut short: plimsoll run --resume FILE continues it"
	case k.File.Bad > 0:
		lines := "a line of it"
		if k.File.Bad > 1 {
			lines = fmt.Sprintf("%d lines of it", k.File.Bad)
		}
		return lines + " could not be read: plimsoll show names them"
	case !slices.ContainsFunc(k.Summary.Machines, func(m explore.Machine) bool {
		return slices.ContainsFunc(m.Cells, func(c explore.Cell) bool { return c.N > 0 })
	}):
		if k.File.Cut {
			return "its import was cut short: import it again"
		}
		return noValidRun
	}
	return ""
}

// copies are the files of sessions by their identities.
type copies map[string]explore.File

// add returns why a session is the copy of an earlier one; "" if it is not. A copy has its plans and runs. So has the
// file that was imported twice within a few hours, though by other plans: the results of two nights may be the same
// bytes.
func (c copies) add(k explore.Kept) string {
	id := identityOf(k.Summary)
	if id == "" {
		return ""
	}
	first, copied := c[fmt.Sprintln(k.Summary.Plans, id)]
	if !copied && len(k.Summary.Imported) > 0 {
		first, copied = c[id]
		copied = copied && sameNight(first.Changed, k.File.Changed)
	}
	if copied {
		return "holds the runs of " + first.Name
	}
	c[id], c[fmt.Sprintln(k.Summary.Plans, id)] = k.File, k.File
	return ""
}

// identityOf returns what a session and its copy share: when its runs began, and their values. Imported runs may have
// no start, but their files have digests. It is "" without either.
func identityOf(s explore.Summary) string {
	var b strings.Builder
	fmt.Fprintln(&b, s.Imported)
	for _, m := range s.Machines {
		if m.Began == "" && len(s.Imported) == 0 {
			return ""
		}
		fmt.Fprintln(&b, m.Name, m.ID, m.Began, m.Runs)
		for _, c := range m.Cells {
			fmt.Fprintln(&b, c.ID, c.Runs)
		}
	}
	return b.String()
}

// Only returns the document with the histories whose machine, name or metric contains one of some texts; all of no
// text. The error is for a text that no history has.
func (d Document) Only(texts []string) (Document, error) {
	if len(texts) == 0 {
		return d, nil
	}
	used := map[string]bool{}
	chosen := func(names ...string) bool {
		for _, text := range texts {
			if slices.ContainsFunc(names, func(in string) bool { return strings.Contains(in, text) }) {
				used[text] = true
				return true
			}
		}
		return false
	}
	names := list.Map(d.Histories, func(h History) string { return h.ID })
	d.Histories = list.Filter(d.Histories, func(h History) bool { return chosen(h.ID, h.Title, h.Machine, h.Metric) })
	d.Failing = list.Filter(d.Failing, func(f Failing) bool { return chosen(f.ID, f.Title, f.Machine) })
	for _, text := range texts {
		if !used[text] {
			return d, usage.Errorf("--benchmark %s: no such benchmark, machine or metric\nhint: there are %s", text,
				trialset.FirstFew(names))
		}
	}
	d.Histories, d.Failing = append([]History{}, d.Histories...), append([]Failing{}, d.Failing...)
	return d, nil
}
