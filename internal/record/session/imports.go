package session

import (
	"fmt"
	"maps"
	"slices"
	"strings"

	"plimsoll/internal/record"
)

// imports finds the runs of one imported file in several sessions, which are one measurement. An import into the same
// session is refused; sessions of their own only meet when they are read together.
type imports struct {
	of   map[string]string            // the digest of the imported file, by the hash of its plan
	by   map[string]int               // plans by digest
	runs map[string]map[string]string // of digests with several plans: the plan that a run was first read of
}

func newImports() imports {
	return imports{of: map[string]string{}, by: map[string]int{}, runs: map[string]map[string]string{}}
}

// plan notes an imported plan. Runs are told apart from the second plan of a file on, so that other sessions need no
// room for it.
func (i imports) plan(p record.PlanLine, read []record.Trial) {
	if p.Plan.Imported == nil || p.Plan.Imported.SHA256 == "" {
		return
	}
	digest := p.Plan.Imported.Format + " " + p.Plan.Imported.SHA256
	i.of[p.Hash] = digest
	if i.by[digest]++; i.by[digest] != 2 {
		return
	}
	i.runs[digest] = map[string]string{}
	for n := range read {
		if i.of[read[n].Plan] == digest {
			i.runs[digest][runOf(&read[n])] = read[n].Plan
		}
	}
}

// again reports whether a run was read of another plan of the same file.
func (i imports) again(t *record.Trial) bool {
	runs := i.runs[i.of[t.Plan]]
	if runs == nil {
		return false
	}
	run := runOf(t)
	plan, had := runs[run]
	if !had {
		runs[run] = t.Plan
	}
	return had && plan != t.Plan
}

// runOf identifies a run among those of its file: a machine, a label or a load that an import was given tells two
// apart, and the version that imported them does not.
func runOf(t *record.Trial) string {
	var b strings.Builder
	for _, key := range slices.Sorted(maps.Keys(t.Keys)) {
		switch key {
		case record.KeyFile, record.KeyMachineID, record.KeyVersion, record.KeyGo:
		default:
			fmt.Fprintf(&b, "%q=%q ", key, t.Keys[key])
		}
	}
	fmt.Fprintf(&b, "%v %d %d", t.Load, t.Replicate, t.Attempt)
	return b.String()
}
