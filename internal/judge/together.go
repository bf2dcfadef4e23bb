package judge

import (
	"cmp"
	"maps"
	"slices"
	"time"

	"plimsoll/internal/finding"
	"plimsoll/internal/finding/axis"
	"plimsoll/internal/note"
	"plimsoll/internal/record"
	"plimsoll/internal/trialset"
)

// oneGo is how long trials of two days may take that a midnight alone parts.
const oneGo = 12 * time.Hour

// pooled says what trials that are taken together were measured apart: in sessions, files, imports, days or boots of their own,
// or under labels of their own.
func pooled(trials []record.Trial) []note.Note {
	files, sessions, labels := map[string]bool{}, map[string]bool{}, map[string]bool{}
	imports, boots, days := map[string]bool{}, map[string]bool{}, map[string]bool{}
	first, last := time.Time{}, time.Time{}
	for i := range trials {
		t := &trials[i]
		if f := t.Keys[record.KeyFile]; f != "" {
			files[f] = true
		}
		sessions[sittingID(t)] = true
		labels[cmp.Or(trialset.ParamsText(labelsOf(t.Keys)), "none")] = true
		if t.Keys[record.KeyImported] != "" {
			imports[t.Plan] = true
		}
		if b := t.Keys[record.KeyBoot]; b != "" {
			boots[b] = true
		}
		if at, err := time.Parse(time.RFC3339Nano, t.Start); err == nil {
			days[at.UTC().Format(time.DateOnly)] = true
			first, last = earlier(first, at), later(last, at)
		}
	}
	var out []note.Note
	if len(files) > 1 {
		out = append(out, note.New("pooled-files", len(files), named(files)))
	}
	if n := len(sessions); n > max(1, len(files)) {
		out = append(out, note.New("pooled-sessions", n))
	}
	if len(labels) > 1 {
		out = append(out, note.New("pooled-labels", len(labels), named(labels)))
	}
	if len(imports) > 1 {
		out = append(out, note.New("pooled-imports", len(imports)))
	}
	if len(days) > 1 && last.Sub(first) >= oneGo {
		out = append(out, note.New("pooled-days", len(days), named(days)))
	}
	if len(boots) > 1 {
		out = append(out, note.New("pooled-boots", len(boots)))
	}
	return out
}

// named lists the first few of a set, sorted.
func named(set map[string]bool) string { return trialset.FirstFew(slices.Sorted(maps.Keys(set))) }

func earlier(a, b time.Time) time.Time {
	if a.IsZero() || b.Before(a) {
		return b
	}
	return a
}

func later(a, b time.Time) time.Time {
	if b.After(a) {
		return b
	}
	return a
}

// togetherIn says which sessions stand together on a side, and of sides that are sessions when these were.
func (j judgement) togetherIn(p finding.Pair, both []trialset.Matched) []note.Note {
	var out []note.Note
	var a, b []record.Trial
	for _, m := range both {
		a, b = append(a, trialset.Valid(m.A)...), append(b, trialset.Valid(m.B)...)
	}
	for _, side := range []struct {
		name   string
		trials []record.Trial
	}{{p.A, a}, {p.B, b}} {
		order, own := trialset.GroupBy(side.trials, func(t record.Trial) string { return t.Keys[record.KeyMachine] })
		for _, machine := range order {
			name := machine
			if !trialset.AcrossMachines(j.axis.By) {
				name = axis.Label(j.axis.By, side.name)
			}
			for _, n := range pooled(own[machine]) {
				out = note.With(out, note.New("pooled-side", name, n))
			}
		}
	}
	if axis.OfSessions(j.axis.By) {
		out = append(out, apartInTime(j.axis.By, p, a, b))
	}
	return out
}

// apartInTime says when the sessions of both sides ran, which is what no interval knows of.
func apartInTime(by string, p finding.Pair, a, b []record.Trial) note.Note {
	labelA, labelB := sideLabels(by, p.A, p.B)
	from, to := whenOf(a), whenOf(b)
	if from == "" || to == "" {
		return note.New("sessions-apart", labelA, labelB)
	}
	boots := ""
	if x, y := trialset.Common(a, record.KeyBoot), trialset.Common(b, record.KeyBoot); x != "" && y != "" && x != y {
		boots = ", after another boot"
	}
	return note.New("sessions-apart-in-time", labelA, from, labelB, to, boots)
}

// whenOf is from when to when trials began, to the minute; "" where it is not known.
func whenOf(trials []record.Trial) string {
	sessions := sittingsOf(trials)
	if len(sessions) == 0 {
		return ""
	}
	first, latest := sessions[0].first, sessions[0].latest
	for _, s := range sessions {
		first, latest = min(first, s.first), max(latest, s.latest)
	}
	from, to := clock(first), clock(latest)
	if from == "" || to == "" {
		return ""
	}
	const minute = len("2006-01-02 15:04")
	from, to = from[:minute], to[:minute]
	switch day := len("2006-01-02 "); {
	case from == to:
		return from
	case from[:day] == to[:day]:
		return from + " to " + to[day:]
	}
	return from + " to " + to
}
