package answers

import (
	"testing"

	"plimsoll/internal/analysis/finding"
	"plimsoll/internal/record"
	"plimsoll/internal/record/note"
)

// TestAnAnswerOwnsUpToOtherWork: the first lines of a comparison of pages with redirects object to it.
func TestAnAnswerOwnsUpToOtherWork(t *testing.T) {
	pair := finding.Pair{Found: KindUnlike.New(&Unlike{Workload: "http", Load: "4 clients",
		A: map[string]float64{"200": 1}, B: map[string]float64{"302": .75, "200": .25}})}
	got := unlikeObjections(finding.Compared{Pairs: []finding.Pair{pair}}).Against
	const want = "The sides do different work: status 200 (25%), 302 (75%) against 200"
	if len(got) != 1 || got[0].Text != want || got[0].Place != "http, 4 clients" || got[0].Gravity != note.Decisive {
		t.Errorf("%+v, want %q", got, want)
	}
}

func answered(statuses map[string]int64) []record.Trial {
	return []record.Trial{{Generator: &record.LoadUse{Statuses: statuses}}}
}

// TestStatuses: redirects alone are told from answers, and sides that answer differently from those of a few errors.
func TestStatuses(t *testing.T) {
	for _, tc := range []struct {
		statuses map[string]int64
		want     string
	}{
		{map[string]int64{"302": 100}, "302"}, {map[string]int64{"301": 50, "307": 50}, "301, 307"},
		{map[string]int64{"302": 999, "500": 1}, "302"}, {map[string]int64{"302": 98, "200": 2}, ""},
		{map[string]int64{"304": 100}, ""}, {map[string]int64{"200": 100}, ""}, {nil, ""},
	} {
		if got := Redirects(answered(tc.statuses)); got != tc.want {
			t.Errorf("%v: %q, want %q", tc.statuses, got, tc.want)
		}
	}
	for _, tc := range []struct {
		a, b map[string]int64
		want bool
	}{
		{map[string]int64{"200": 10}, map[string]int64{"302": 10}, true},
		{map[string]int64{"200": 50, "404": 50}, map[string]int64{"200": 90, "404": 10}, true},
		{map[string]int64{"200": 95, "404": 5}, map[string]int64{"200": 90, "404": 10}, false},
		{map[string]int64{"200": 10}, map[string]int64{"200": 20000}, false},
	} {
		if got := differ(sharesOf(answered(tc.a)), sharesOf(answered(tc.b))); got != tc.want {
			t.Errorf("%v, %v: %t", tc.a, tc.b, got)
		}
	}
}
