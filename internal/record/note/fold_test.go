package note

import (
	"slices"
	"testing"
)

// TestJoined: notes that differ in measured figures are one, those of other counts or names are not.
func TestJoined(t *testing.T) {
	a, b := New("replicates-vary", 12.), New("replicates-vary", 68.)
	if got := Joined([]Note{b, a}).Text(); a.Likeness() != b.Likeness() || got !=
		"results are noisy: run-to-run variation is 12 to 68%" {
		t.Errorf("%q", got)
	}
	if got := Joined([]Note{a, a}).Text(); got != a.Text() {
		t.Errorf("%q", got)
	}
	if x, y := New("outlier", 1, 7.), New("outlier", 2, 7.); x.Likeness() == y.Likeness() {
		t.Errorf("%q", x.Likeness())
	}
	if x, y := New("of-side", "baseline", a), New("of-side", "candidate", a); x.Likeness() == y.Likeness() {
		t.Errorf("%q", x.Likeness())
	}
}

func TestFold(t *testing.T) {
	for _, c := range []struct {
		notes []Note
		want  []string
	}{
		{nil, []string{}},
		{[]Note{New("emulated"), New("emulated"), FromRecord("warm-up too short")},
			[]string{"the CPUs were emulated: figures do not apply to real CPUs (2 times)", "warm-up too short"}},
		{
			[]Note{New("steady-late", 41.), New("drifts", -3.), New("steady-late", 7.), New("drifts", 1.5),
				New("steady-late", 19.)},
			[]string{"the run became steady only after 7 to 41 s: use a longer warm-up (3 times)",
				"the rate drifted by -3.0 to +1.5% from start to end (2 times)"},
		},
		{FromRecords([]string{"3 of 10 probes", "3 of 9 probes"}), []string{"3 of 9 to 10 probes (2 times)"}},
		{FromRecords([]string{"node-1 is far", "node-2 is far", "a NaN"}),
			[]string{"node-1 is far", "node-2 is far", "a NaN"}},
		{[]Note{New("steady-late", 7.1), New("steady-late", 6.9)},
			[]string{"the run became steady only after 7 s: use a longer warm-up (2 times)"}},
		{[]Note{New("line-below", 12346., 99.96, 1.), New("line-below", 98.76, 999.6, 1.)}, []string{"the limit is below " +
			"98.76 to 12350/s, where latency was 100 to 1000 ms instead of at most 1 ms (2 times)"}},
		{[]Note{New("of-side", "baseline", New("outlier", 3, 7.)), New("of-side", "candidate", New("outlier", 3, 7.))},
			[]string{
				"baseline: run 3 is an outlier: it differs from the others by +7%",
				"candidate: run 3 is an outlier: it differs from the others by +7%"}},
	} {
		if got := Fold(c.notes); !slices.Equal(got, c.want) {
			t.Errorf("%q: %q, want %q", c.notes, got, c.want)
		}
	}
}
