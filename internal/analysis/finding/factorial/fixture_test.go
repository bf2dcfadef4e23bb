package factorial_test

import (
	"fmt"
	"slices"
	"strings"

	"plimsoll/internal/record"
	"plimsoll/internal/record/note"
)

// change alters a hand-made trial.
type change func(*record.Trial)

func key(k, v string) change { return func(t *record.Trial) { t.Keys[k] = v } }

func void(why string) change { return func(t *record.Trial) { t.Void = why } }

func cellNo(i int) change { return func(t *record.Trial) { t.Cell = i } }

func steal(p float64) change {
	return func(t *record.Trial) { t.Ledger = &record.Ledger{StealPct: &p} }
}

func measured(name, unit string, better record.Better, value float64) change {
	return func(t *record.Trial) {
		t.Values = append(t.Values, record.Value{Metric: record.Metric{Name: name, Unit: unit, Better: better}, Value: value})
	}
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

// alter changes the trials that pick says.
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

func plans(alter func(*record.Plan)) []record.PlanLine {
	p := record.Plan{Alpha: .05, Margin: .02, Claim: "machine"}
	if alter != nil {
		alter(&p)
	}
	return []record.PlanLine{{Hash: "p1", Plan: p}}
}

func flagged[T string | note.Note](flags []T, text string) bool {
	return slices.ContainsFunc(flags, func(f T) bool { return strings.Contains(fmt.Sprint(f), text) })
}
