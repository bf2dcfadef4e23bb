package judge

import (
	"fmt"
	"strings"
	"testing"

	"plimsoll/internal/analysis/finding"
	"plimsoll/internal/analysis/finding/bottleneck"
	"plimsoll/internal/analysis/finding/compare"
	"plimsoll/internal/record"
)

// TestAKilledBrokerHasATimeline without a database that is watched.
func TestAKilledBrokerHasATimeline(t *testing.T) {
	killed := trial("m1", 0, 1000, func(t *record.Trial) {
		t.Keys[record.KeyWorkload], t.DurationS, t.MonoNs = "pgbench", 60, 1e12
	}, measured(record.FaultInSync, "s", record.Lower, 9))
	o := finding.Readers{
		Events: []record.Event{event(killed, 30.9, record.EventBrokerKilled, "broker 2")},
		Windows: func(record.Trial, func(record.Series) bool) (map[string][]int64, error) {
			return seconds60(map[int]int64{31: 100, 32: 0, 33: 200}, nil), nil
		},
	}
	line := bottleneck.KindTimeline.Of(shownOf([]record.Trial{killed}, o))
	if line == nil || line.Killed != 1 || line.Unwatched || len(line.Dips) != 1 || len(line.Dips[0].Beside) != 1 ||
		line.Dips[0].Beside[0].What != bottleneck.BesideBroker {
		t.Errorf("%+v", line)
	}
	whole := trial("m1", 0, 1000, func(t *record.Trial) { t.Keys[record.KeyWorkload] = "pgbench" })
	if line := bottleneck.KindTimeline.Of(shownOf([]record.Trial{whole}, o)); line != nil {
		t.Errorf("of a run without a fault: %+v", line)
	}
}

// TestFaultsAreCosted: of two runs one did not recover from the addition of a broker before its end, and the kill came
// too early to know what was usual.
func TestFaultsAreCosted(t *testing.T) {
	run := func(replicate int, recovery float64) record.Trial {
		return trial("m1", replicate, 1000, func(t *record.Trial) {
			t.Keys[record.KeyWorkload], t.DurationS, t.MonoNs = "pgbench", 60, 1e12
		}, measured(record.FaultInSync, "s", record.Lower, 9), measured(record.AddRecovery, "s", record.Lower, recovery),
			measured(record.AddLost, "s", record.Lower, 4),
			measured(record.AddOutage, "s", record.Lower, 1), measured(record.AddReassigned, "s", record.Lower, 7),
			measured(record.AddMoved, "B", record.Neutral, 5e6))
	}
	trials := []record.Trial{run(0, 10), run(1, 19.6)}
	var events []record.Event
	for _, one := range trials {
		events = append(events, event(one, 1, record.EventBrokerKilled, "broker 3"),
			event(one, 10, record.EventBrokerInSync, "broker 3"),
			event(one, 40.4, record.EventBrokerAdded, "broker 4"), event(one, 47.4, record.EventBrokerReassigned, "broker 4"))
	}
	o := finding.Readers{Events: events,
		Windows: func(record.Trial, func(record.Series) bool) (map[string][]int64, error) {
			return seconds60(map[int]int64{41: 0, 42: 0}, nil), nil
		}}
	line := bottleneck.KindTimeline.Of(shownOf(trials, o))
	if line == nil || len(line.Faults) != 2 {
		t.Fatalf("%+v", line)
	}
	killed, added := line.Faults[0], line.Faults[1]
	if killed.What != bottleneck.BesideBroker || killed.Detail != "broker 3" || killed.N != 2 || killed.Recovery != nil ||
		killed.Whole != 9 {
		t.Errorf("%+v", killed)
	}
	if added.Detail != "broker 4" || *added.Recovery != 14.8 || added.Never != 1 || *added.Lost != 4 || added.Whole != 7 ||
		*added.Moved != 5e6 {
		t.Errorf("%+v", added)
	}
	if len(line.Dips) == 0 || line.Dips[0].Beside[0].What != bottleneck.BesideAdded {
		t.Errorf("%+v", line.Dips)
	}
}

// TestAComparisonNamesTheFaults of either side: one had a broker killed in all of its runs, of which one did not
// recover within its window.
func TestAComparisonNamesTheFaults(t *testing.T) {
	run := func(machine string, replicate int, values ...change) record.Trial {
		return trial(machine, replicate, 1000, append(values, func(t *record.Trial) {
			t.Keys[record.KeyWorkload], t.DurationS, t.MonoNs = "pgbench", 60, 1e12
		})...)
	}
	var trials []record.Trial
	var events []record.Event
	for i, recovery := range []float64{5, 7, 30} {
		killed := run("m2", i, measured(record.FaultInSync, "s", record.Lower, 9),
			measured(record.FaultRecovery, "s", record.Lower, recovery),
			measured(record.FaultLost, "s", record.Lower, 4), measured(record.FaultOutage, "s", record.Lower, 2))
		trials = append(trials, run("m1", i), killed)
		events = append(events, event(killed, 30, record.EventBrokerKilled, "broker 3"))
	}
	in := finding.NewInput(trials, nil, plans(nil))
	in.Read.Events = events
	in.Read.Windows = func(record.Trial, func(record.Series) bool) (map[string][]int64, error) {
		return seconds60(map[int]int64{31: 0, 32: 0}, nil), nil
	}
	got, err := CompareIn(in, compare.Question{})
	if err != nil {
		t.Fatal(err)
	}
	f := bottleneck.KindFaults.All(got.Pairs[0])
	if len(f) != 1 || f[0].Side != "b" || len(f[0].Faults) != 1 || f[0].Faults[0].Detail != "broker 3" ||
		f[0].Faults[0].Never != 1 || *f[0].Faults[0].Recovery != 7 {
		t.Fatalf("%+v", f)
	}
	var said []string
	for _, a := range Analyzers() {
		if a.Kind == string(bottleneck.KindFaults) {
			for _, b := range a.Says(compare.View("", got.Pairs[0], 0)) {
				said = append(said, fmt.Sprint(b))
			}
		}
	}
	if text := strings.Join(said, "\n"); !strings.Contains(text,
		"m2: broker 3 was killed: throughput recovered after at least 7") ||
		!strings.Contains(text, "in 1 of 3 runs not within the window") {
		t.Error(text)
	}
}
