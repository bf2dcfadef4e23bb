package judge

import (
	"testing"

	"plimsoll/internal/record"
)

func TestWhatIsNotComparedIsNamed(t *testing.T) {
	second := func(t record.Trial) bool { return on("m2")(t) && t.Replicate == 2 }
	for name, c := range map[string]struct {
		trials []record.Trial
		want   string
	}{
		"units of the sides": {alter(session(4, 0, .01), on("m2"),
			measured(record.Throughput, "op/s", record.Higher, 5)), "m1 reports throughput in B/s, but m2 in op/s"},
		"units of one side": {alter(session(4, 0, .01), second, measured(record.Throughput, "op/s", record.Higher, 5)),
			"m2 reports throughput in B/s and in op/s"},
		"directions of the sides": {alter(session(4, 0, .01), on("m2"), as(record.Throughput, record.Lower)),
			"m1 treats higher throughput as better, but m2 treats lower as better"},
		"directions of one side": {alter(session(4, 0, .01), second, as(record.Throughput, record.Lower)),
			"m2 reports throughput in B/s (better: higher) and in B/s (better: lower)"},
		"only one side": {alter(session(4, 0, .01), on("m1"), measured("size", "B", record.Neutral, 5)),
			"only m1 reports size"},
		"only the other": {alter(session(4, 0, .01), on("m2"), measured("size", "B", record.Neutral, 5)),
			"only m2 reports size"},
	} {
		got, err := Compare(c.trials, nil, plans(nil), Options{})
		if err != nil {
			t.Fatal(err)
		}
		if p := got.Pairs[0]; len(p.Warnings) != 1 || !flagged(p.Warnings,
			"no comparison was made, because "+c.want+": aes at all cpus") {
			t.Errorf("%s: %q, want %q", name, p.Warnings, c.want)
		}
	}
	got, err := Compare(session(4, 0, .01), nil, plans(nil), Options{})
	if only(t, got, err); len(got.Pairs[0].Warnings) > 0 {
		t.Errorf("%q", got.Pairs[0].Warnings)
	}
}

// TestFloorDecides: where the floor changes the verdict it says so, and else not.
func TestFloorDecides(t *testing.T) {
	for name, c := range map[string]struct {
		effect, sd float64
		flag       string
	}{
		"1% without any noise":  {.01, 1e-6, "would be EQUIVALENT"},
		"2% without any noise":  {.021, 1e-6, ""},
		"noise above the floor": {.01, .01, ""},
	} {
		got, err := Compare(session(3, c.effect, c.sd), nil, plans(nil), Options{})
		v := only(t, got, err)
		if has := flagged(v.Flags, "the assumed minimum"); has != (c.flag != "") || has && !flagged(v.Flags, c.flag) {
			t.Errorf("%s: %s, %q", name, v.Verdict, v.Flags)
		}
	}
}

func TestRepeatedReplicates(t *testing.T) {
	trials := session(4, 0, .01)
	again := trials[0]
	again.ID += "~2"
	got, err := Compare(append(trials, again), nil, plans(nil), Options{})
	if v := only(t, got, err); v.N != 4 || !flagged(v.Flags, "run 1 of the baseline occurs 2 times") {
		t.Errorf("%+v", v)
	}
}
