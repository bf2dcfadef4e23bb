package compare

import (
	"plimsoll/internal/analysis/finding"
	"plimsoll/internal/analysis/finding/axis"
	"plimsoll/internal/analysis/finding/integrity"
	"plimsoll/internal/analysis/trialset"
	"plimsoll/internal/record"
	"plimsoll/internal/record/note"
	"slices"
	"time"
)

// togetherIn notes the sessions pooled on a side and, if the sides are sessions, their times.
func togetherIn(p finding.Pair, both []trialset.Matched) []note.Note {
	var out []note.Note
	var a, b [][]record.Trial
	for _, m := range both {
		a, b = append(a, trialset.Valid(m.A)), append(b, trialset.Valid(m.B))
	}
	for _, side := range []struct {
		name   string
		trials [][]record.Trial
	}{{p.A, a}, {p.B, b}} {
		order, own := byMachine(side.trials)
		for _, machine := range order {
			name := machine
			if !trialset.AcrossMachines(p.By) {
				name = axis.Label(p.By, side.name)
			}
			for _, n := range integrity.Pooled(own[machine]...) {
				out = note.With(out, note.New("pooled-side", name, n))
			}
		}
	}
	if axis.OfSessions(p.By) {
		out = append(out, apartInTime(p.By, p, slices.Concat(a...), slices.Concat(b...)))
	}
	return out
}

// byMachine returns the trials of cells by machine.
func byMachine(cells [][]record.Trial) (order []string, own map[string][][]record.Trial) {
	own = map[string][][]record.Trial{}
	for _, trials := range cells {
		names, of := trialset.GroupByKeys(trials, func(t record.Trial) string { return t.Keys[record.KeyMachine] })
		for _, name := range names {
			if own[name] == nil {
				order = append(order, name)
			}
			own[name] = append(own[name], of[name])
		}
	}
	return order, own
}

// apartInTime notes the times of both sides' sessions, which no interval accounts for.
func apartInTime(by string, p finding.Pair, a, b []record.Trial) note.Note {
	labelA, labelB := axis.Labels(by, p.A, p.B)
	from, to := integrity.When(a), integrity.When(b)
	if from == "" || to == "" {
		return note.New("sessions-apart", labelA, labelB)
	}
	boots := ""
	if x, y := trialset.Common(a, record.KeyBoot), trialset.Common(b, record.KeyBoot); x != "" && y != "" && x != y {
		boots = ", after another boot"
	}
	if n := atOnce(a, b); n > 0 {
		return note.New("sessions-at-once", n, labelB, labelA)
	}
	return note.New("sessions-apart-in-time", labelA, from, labelB, to, boots)
}

// span is the time in which a trial was measured.
type span struct{ start, end time.Time }

// atOnce counts the trials of b in whose time one of a ran on the same machine.
func atOnce(a, b []record.Trial) (n int) {
	of := map[string][]span{} // of a, by machine, in the order of their starts; each end is the latest so far
	for i := range a {
		if s, ok := spanOf(&a[i]); ok {
			of[a[i].Keys[record.KeyMachineID]] = append(of[a[i].Keys[record.KeyMachineID]], s)
		}
	}
	for _, all := range of {
		slices.SortFunc(all, func(x, y span) int { return x.start.Compare(y.start) })
		for i := 1; i < len(all); i++ {
			if all[i].end.Before(all[i-1].end) {
				all[i].end = all[i-1].end
			}
		}
	}
	for i := range b {
		s, ok := spanOf(&b[i])
		all := of[b[i].Keys[record.KeyMachineID]]
		before, _ := slices.BinarySearchFunc(all, s.end, func(x span, end time.Time) int { return x.start.Compare(end) })
		if ok && before > 0 && all[before-1].end.After(s.start) {
			n++
		}
	}
	return n
}

// spanOf returns the time in which a trial was measured on a known machine; false if that is unknown.
func spanOf(t *record.Trial) (span, bool) {
	start, err := record.ParseTime(t.Start)
	return span{start, start.Add(time.Duration(t.DurationS * float64(time.Second)))},
		err == nil && t.DurationS > 0 && t.Keys[record.KeyMachineID] != ""
}
