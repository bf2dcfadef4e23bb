package agent

import (
	"context"
	"fmt"
	"time"

	"plimsoll/internal/base/usage"
	"plimsoll/internal/client/load"
	"plimsoll/internal/machine/host/power"
	"plimsoll/internal/machine/host/pulse"
	"plimsoll/internal/record"
)

// energyMeter reads the target's energy meters: at rest before anything of the run was started, and over the measured
// window, or in the turns of several sides.
type energyMeter struct {
	sampler    *power.Sampler
	turns      bool
	idle, used []power.Used
}

// meterIdle opens the meters and measures the power at rest. A batch of short runs of several sides reads no meter,
// since their energy cannot be distinguished. Neither does a host that only generates the load.
func (t *trial) meterIdle(ctx context.Context) error {
	sides := len(t.order.Sides)
	if sides > 1 && len(t.order.Turns) > 0 || len(t.servers) > 0 {
		return nil
	}
	sampler, err := power.New(ctx, t.agent.Root, t.order.Energy)
	if err != nil {
		return err
	}
	t.energy = &energyMeter{sampler: sampler, turns: sides > 1}
	if sides > 1 {
		sampler.TakeTurns(sides)
	}
	if !sampler.Any() {
		return nil
	}
	beats := pulse.Start(pulse.Beat)
	defer beats.Stop()
	sampler.Start(beats)
	select {
	case <-time.After(sampler.Settles()):
	case <-ctx.Done():
	}
	t.energy.idle = sampler.Stop()
	return nil
}

// preflightEnergy returns an error if a command of the user's cannot be read here.
func (a Agent) preflightEnergy(ctx context.Context, command string) error {
	sampler, err := power.New(ctx, a.Root, command)
	if err != nil {
		return usage.Wrap(err)
	}
	sampler.Close()
	return nil
}

// takeTurns has each side's measured turns metered, if several sides alternate.
func (m *energyMeter) takeTurns(gen *load.Generator) {
	if m != nil && m.turns && m.sampler.Any() {
		gen.OnTurn(m.sampler.Turn)
	}
}

func (m *energyMeter) begin(beats *pulse.Pulse) {
	if m != nil && !m.turns && m.sampler.Any() {
		m.sampler.Start(beats)
	}
}

// end takes the last readings. It may be called more than once.
func (m *energyMeter) end() {
	if m == nil {
		return
	}
	if used := m.sampler.Stop(); used != nil {
		m.used = used
	}
}

func (m *energyMeter) close() {
	if m != nil {
		m.sampler.Close()
	}
}

// programs returns the CPU seconds of the programs that read meters, which are children of this process.
func (m *energyMeter) programs() float64 {
	if m == nil {
		return 0
	}
	_, programs := m.sampler.CostS()
	return programs
}

func (m *energyMeter) runsPrograms() bool { return m != nil && m.sampler.Programs() }

// share gives each side its energy, unless its work was done on another machine. Lanes that are stuck may take turns
// still.
func (m *energyMeter) share(sides []*side, stuck bool) {
	if m == nil || stuck || !m.sampler.Any() {
		return
	}
	cost, _ := m.sampler.CostS()
	for i, s := range sides {
		used := m.used
		if m.turns {
			used = m.sampler.Turns(i)
		}
		if len(used) > 0 && !s.external() && !s.away {
			s.takeEnergy(used, m.idle, cost/float64(len(sides)))
		}
	}
}

// takeEnergy records what each part of the machine used for the side, and at rest.
func (s *side) takeEnergy(used, idles []power.Used, costS float64) {
	use := record.EnergyUse{CostS: costS}
	for i, u := range used {
		if u.Err != nil {
			s.doubt(fmt.Sprintf("the energy of %s is unknown: %v", u.Name, u.Err))
			continue
		}
		of := record.EnergyOf{Name: u.Name, Scope: u.Scope, Source: u.Source, Joules: u.Joules, Seconds: u.Seconds}
		if idle := idles[i]; idle.Err == nil {
			of.IdleWatts, of.IdleS = idle.Joules/idle.Seconds, idle.Seconds
		} else {
			s.doubt(fmt.Sprintf("the power of %s at rest is unknown: %v", u.Name, idle.Err))
		}
		use.Parts = append(use.Parts, of)
	}
	if len(use.Parts) == 0 {
		return
	}
	s.trial.Energy = &use
	if t, ok := use.Total(); ok && t.Active() <= 0 {
		s.doubt(fmt.Sprintf("%s drew no more power under load (%.3g W) than at rest (%.3g W): the work per joule is unknown",
			t.Scope, t.Watts, t.IdleWatts))
	}
}

// perJoule returns the work per joule of a side that has a throughput, or whose load ends by itself.
func (s *side) perJoule(r load.Result) []record.Value {
	rate, ok := s.trial.Value(record.Throughput)
	if !ok && s.trial.Load.Kind == record.Once && r.Seconds > 0 {
		rate = record.Value{Metric: record.Metric{Unit: "op/s"}, Value: float64(r.Ops) / r.Seconds}
	}
	return s.trial.Energy.PerJoule(rate)
}
