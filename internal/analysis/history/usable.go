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

// usable returns the sessions that are whole, in the order of their names, and the files that are left out. A session
// that a run still writes, or that was cut short in a line, would be a night of other runs than those around it.
func usable(kept []explore.Kept) ([]explore.Kept, []LeftOut) {
	kept = slices.SortedFunc(slices.Values(kept), func(a, b explore.Kept) int {
		return strings.Compare(a.File.Name, b.File.Name)
	})
	var used []explore.Kept
	left, seen := []LeftOut{}, map[string]string{}
	for _, k := range kept {
		why := unusable(k)
		if id := identityOf(k.Summary); why == "" && id != "" {
			if first := seen[id]; first != "" {
				why = "holds the runs of " + first
			} else {
				seen[id] = k.File.Name
			}
		}
		if why != "" {
			left = append(left, LeftOut{k.File.Name, why})
			continue
		}
		used = append(used, k)
	}
	return used, left
}

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
		return "it has no valid run"
	}
	return ""
}

// identityOf returns what only a copy of a session shares with it: when its runs began, and their values. Imported runs
// may have no start, but their files have digests. It is "" without either.
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
	names := list.Map(d.Histories, func(h History) string { return h.ID })
	d.Histories = list.Filter(d.Histories, func(h History) bool {
		for _, text := range texts {
			for _, in := range []string{h.ID, h.Title, h.Machine, h.Metric} {
				if strings.Contains(in, text) {
					used[text] = true
					return true
				}
			}
		}
		return false
	})
	for _, text := range texts {
		if !used[text] {
			return d, usage.Errorf("--benchmark %s: no such benchmark, machine or metric\nhint: there are %s", text,
				trialset.FirstFew(names))
		}
	}
	if d.Histories == nil {
		d.Histories = []History{}
	}
	return d, nil
}
