package integrity

import (
	"cmp"
	"maps"
	"slices"
	"time"

	"plimsoll/internal/analysis/trialset"
	"plimsoll/internal/record"
	"plimsoll/internal/record/note"
)

// oneGo is how long trials of two days may take that a midnight alone parts.
const oneGo = 12 * time.Hour

// Pooled returns notes if trials that are taken together were measured apart: in sessions, files, imports, days or
// boots of their own, or under labels of their own.
func Pooled(sides ...[]record.Trial) []note.Note {
	files, sessions, labels := map[string]bool{}, map[string]bool{}, map[string]bool{}
	imports, boots, days := map[string]bool{}, map[string]bool{}, map[string]bool{}
	first, last := time.Time{}, time.Time{}
	var before *record.Trial
	for _, trials := range sides {
		for i := range trials {
			t := &trials[i]
			if before == nil || before.Plan != t.Plan || !trialset.ShareKeys(before, t) {
				noteName(files, t.Keys[record.KeyFile])
				noteName(boots, t.Keys[record.KeyBoot])
				sessions[SessionID(t)] = true
				labels[cmp.Or(trialset.ParamsText(labelsOf(t.Keys)), "none")] = true
				if t.Keys[record.KeyImported] != "" {
					imports[t.Plan] = true
				}
			}
			before = t
			if at, err := record.ParseTime(t.Start); t.Start != "" && err == nil {
				days[at.UTC().Format(time.DateOnly)] = true
				first, last = earlier(first, at), later(last, at)
			}
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

// noteName adds a name to a set, unless it is empty.
func noteName(set map[string]bool, name string) {
	if name != "" {
		set[name] = true
	}
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

// When returns from when to when trials began, to the minute; "" if it is unknown.
func When(trials []record.Trial) string {
	sessions := SessionsOf(trials)
	if len(sessions) == 0 {
		return ""
	}
	first, latest := sessions[0].First, sessions[0].latest
	for _, s := range sessions {
		first, latest = min(first, s.First), max(latest, s.latest)
	}
	from, to := Clock(first), Clock(latest)
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
