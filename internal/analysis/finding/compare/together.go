package compare

import (
	"plimsoll/internal/analysis/finding"
	"plimsoll/internal/analysis/finding/axis"
	"plimsoll/internal/analysis/finding/integrity"
	"plimsoll/internal/analysis/trialset"
	"plimsoll/internal/record"
	"plimsoll/internal/record/note"
	"slices"
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
	return note.New("sessions-apart-in-time", labelA, from, labelB, to, boots)
}
