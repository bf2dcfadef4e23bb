package selftest

import (
	"fmt"
	"math"

	"plimsoll/internal/plan"
	"plimsoll/internal/record"
)

// The names of the simulated machines, and of their hosts.
const (
	sideA = "a"
	sideB = "b"
)

// machines are two machines that alternate in one session.
type machines struct {
	own   [2][]float64 // ln of each one's throughput, by replicate
	drift []float64    // common to both, by trial; nil: none
	ran   int          // trials so far
}

// value returns the measurement of a side of an order, and advances time.
func (m *machines) value(o record.Order, side int) []record.Value {
	log := m.own[o.Sides[side].Cell][o.Replicate]
	if m.drift != nil {
		log += m.drift[m.ran]
	}
	m.ran++
	return []record.Value{throughput(1e9 * math.Exp(log))}
}

func trialOf(o record.Order, side int, values []record.Value) record.Trial {
	s := o.Sides[side]
	host := sideA
	if s.Cell%2 == 1 {
		host = sideB
	}
	return record.Trial{
		ID: o.SlotOf(side).ID(), Slot: o.SlotOf(side), Load: s.Load, DurationS: o.DurationS, Values: values,
		Keys: map[string]string{record.KeyMachine: host, record.KeyMachineID: host, record.KeyWorkload: s.Workload,
			record.KeyLoad: s.Load.Key()},
	}
}

func throughput(v float64) record.Value {
	return record.Value{Metric: record.Metric{Name: record.Throughput, Unit: "op/s", Better: record.Higher}, Value: v}
}

// planOf returns a session of n replicates of one workload on both machines, whose order is drawn from the seed.
func planOf(n int, seed uint64) record.Plan {
	p := record.Plan{
		Name: "selftest", Session: "simulated", Seed: seed, Claim: plan.ClaimMachine, Margin: margin, Alpha: alpha,
		Replicates: n, DurationS: plan.DefaultDurationS, Hosts: []string{sideA, sideB},
	}
	for _, host := range p.Hosts {
		p.Cells = append(p.Cells, record.Cell{Workload: "simulated", Host: host,
			Load: record.LoadPoint{Kind: record.Closed, Level: 1, Unit: "cpus"}})
	}
	return p
}

func machineLines() []record.Machine {
	return []record.Machine{{Name: sideA, ID: sideA}, {Name: sideB, ID: sideB}}
}

// follow carries out the instrument's orders until it is done, or until ended returns true; measure returns the values
// of each side of an order.
func (in Instrument) follow(p record.Plan, measure func(record.Order, int) []record.Value,
	ended func([]record.Trial) bool) ([]record.Trial, error) {
	var done []record.Trial
	for range 2*p.Replicates*len(p.Cells) + 1 {
		if ended(done) {
			return done, nil
		}
		o, more := in.Next(p, done)
		if !more {
			return done, nil
		}
		for side := range o.Sides {
			trial := trialOf(o, side, measure(o, side))
			trial.Start = started(len(done))
			done = append(done, trial)
		}
	}
	return nil, fmt.Errorf("a simulated session of %d replicates did not end after %d trials", p.Replicates, len(done))
}

// started returns the start of the nth trial of a session: one a minute.
func started(n int) string {
	const hour = 60
	return fmt.Sprintf("2026-01-01T%02d:%02d:00Z", n/hour, n%hour)
}

func neverEnds([]record.Trial) bool { return false }
