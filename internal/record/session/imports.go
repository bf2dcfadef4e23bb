package session

import (
	"fmt"
	"maps"
	"slices"
	"strings"

	"plimsoll/internal/record"
)

// dropRepeated leaves out the runs of a file that an earlier plan imported too: they are one measurement. An import
// into the same session is refused, so these are several sessions.
func (r *reader) dropRepeated() {
	of, plans := map[string]string{}, map[string][]string{} // the digest of each plan's file, and the plans of each
	for _, p := range r.log.Plans {
		if from := p.Plan.Imported; from != nil && from.SHA256 != "" {
			digest := from.Format + " " + from.SHA256
			of[p.Hash], plans[digest] = digest, append(plans[digest], p.Hash)
		}
	}
	maps.DeleteFunc(of, func(_, digest string) bool { return len(plans[digest]) < 2 })
	if len(of) == 0 {
		return
	}
	first, dropped := map[string]string{}, map[string]int{} // plans by run, numbers of runs by plan
	r.log.Trials = slices.DeleteFunc(r.log.Trials, func(t record.Trial) bool {
		digest, ok := of[t.Plan]
		if !ok {
			return false
		}
		run := digest + " " + runOf(&t)
		if had, ok := first[run]; ok && had != t.Plan {
			dropped[t.Plan]++
			return true
		}
		first[run] = t.Plan
		return false
	})
	for _, p := range r.log.Plans {
		if n := dropped[p.Hash]; n > 0 {
			r.log.Problems = append(r.log.Problems, Problem{File: r.plans[p.Hash], Reason: fmt.Sprintf("%d runs of %s were "+
				"imported in %s too: they count once", n, p.Plan.Imported.File, r.plans[plans[of[p.Hash]][0]])})
		}
	}
}

// runOf identifies a run of a file. An import with another machine, label or load makes another run. One by another
// version of Plimsoll does not.
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
