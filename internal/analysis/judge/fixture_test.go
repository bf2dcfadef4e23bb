package judge

import (
	"fmt"
	"math"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"

	"plimsoll/internal/analysis/finding"
	"plimsoll/internal/record"
	"plimsoll/internal/record/note"
)

// change alters a hand-made trial.
type change func(*record.Trial)

func key(k, v string) change { return func(t *record.Trial) { t.Keys[k] = v } }

func void(why string) change { return func(t *record.Trial) { t.Void = why } }

func steal(p float64) change {
	return func(t *record.Trial) { t.Ledger = &record.Ledger{StealPct: &p} }
}

func planned(p string) change { return func(t *record.Trial) { t.Plan = p } }

func cellNo(i int) change { return func(t *record.Trial) { t.Cell = i } }

func done(n int64) change {
	return func(t *record.Trial) { t.Generator = &record.LoadUse{Done: n} }
}

func measured(name, unit string, better record.Better, value float64) change {
	return func(t *record.Trial) {
		v := record.Value{Metric: record.Metric{Name: name, Unit: unit, Better: better}, Value: value}
		if at := slices.IndexFunc(t.Values, func(o record.Value) bool { return o.Name == name }); at >= 0 {
			t.Values[at] = v
			return
		}
		t.Values = append(t.Values, v)
	}
}

// as makes the primary metric another one, of the same value.
func as(name string, better record.Better) change {
	return func(t *record.Trial) { t.Values[0].Name, t.Values[0].Better = name, better }
}

// trial is one trial of workload "aes" of plan "p1".
func trial(machine string, replicate int, throughput float64, changes ...change) record.Trial {
	t := record.Trial{
		Keys: map[string]string{
			record.KeyMachine: machine, record.KeyMachineID: "id-" + machine,
			record.KeyWorkload: "aes", record.KeyLoad: "all cpus", "aes.size": "16KiB",
		},
		Slot: record.Slot{Plan: "p1", Replicate: replicate},
	}
	measured(record.Throughput, "B/s", record.Higher, throughput)(&t)
	for _, c := range changes {
		c(&t)
	}
	t.ID = fmt.Sprintf("%s-%s-c%d-r%d", t.Plan, machine, t.Cell, replicate)
	return t
}

// session is n pairs of sides m1 and m2, whose ratio is 1+effect. Both share a drift
// of several times the noise sd of one side.
func session(n int, effect, sd float64, changes ...change) []record.Trial {
	r := rand.New(rand.NewPCG(42, uint64(n)))
	var out []record.Trial
	for i := range n {
		drift := 1e9 * math.Exp(.1*r.NormFloat64())
		a := drift * math.Exp(sd*r.NormFloat64())
		b := drift * (1 + effect) * math.Exp(sd*r.NormFloat64())
		out = append(out, trial("m1", i, a, append(changes, cellNo(0))...), trial("m2", i, b, append(changes, cellNo(1))...))
	}
	return out
}

// alter applies changes to the trials that a test picks.
func alter(trials []record.Trial, pick func(record.Trial) bool, changes ...change) []record.Trial {
	for i := range trials {
		if pick(trials[i]) {
			for _, c := range changes {
				c(&trials[i])
			}
		}
	}
	return trials
}

func on(machine string) func(record.Trial) bool {
	return func(t record.Trial) bool { return t.Keys[record.KeyMachine] == machine }
}

func plans(alter func(*record.Plan)) []record.PlanLine {
	p := record.Plan{Alpha: .05, Margin: .02, Claim: "machine"}
	if alter != nil {
		alter(&p)
	}
	return []record.PlanLine{{Hash: "p1", Plan: p}}
}

// only is the single comparison of a single pair.
func only(t *testing.T, c finding.Compared, err error) finding.Comparison {
	t.Helper()
	if err != nil || len(c.Pairs) != 1 || len(c.Pairs[0].Verdicts) != 1 {
		t.Fatalf("want one comparison, got %+v, %v", c, err)
	}
	return c.Pairs[0].Verdicts[0]
}

func flagged[T string | note.Note](flags []T, text string) bool {
	return slices.ContainsFunc(flags, func(f T) bool { return strings.Contains(fmt.Sprint(f), text) })
}
