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
// window.
type energyMeter struct {
	sampler    *power.Sampler
	idle, used []power.Used
}

// meterIdle opens the meters and measures the power at rest. There is no meter for several sides that share the window,
// whose energy cannot be distinguished, and none for a cluster, of which this would be one host's. A host that only
// generates the load reads none either.
func (t *trial) meterIdle(ctx context.Context) error {
	if len(t.order.Sides) != 1 || len(t.servers) > 0 || len(t.order.Cluster) > 0 {
		return nil
	}
	sampler, err := power.New(ctx, t.agent.Root, t.order.Energy)
	if err != nil {
		return err
	}
	t.energy = &energyMeter{sampler: sampler}
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

func (m *energyMeter) begin(beats *pulse.Pulse) {
	if m != nil && m.sampler.Any() {
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

// share gives a side the energy, unless its work was done on another machine.
func (m *energyMeter) share(s *side) {
	if m == nil || len(m.used) == 0 || s.external() || s.away {
		return
	}
	use := record.EnergyUse{}
	use.CostS, _ = m.sampler.CostS()
	for i, u := range m.used {
		if u.Err != nil {
			s.doubt(fmt.Sprintf("the energy of %s is unknown: %v", u.Name, u.Err))
			continue
		}
		of := record.EnergyOf{Name: u.Name, Scope: u.Scope, Source: u.Source, Joules: u.Joules, Seconds: u.Seconds}
		if idle := m.idle[i]; idle.Err == nil {
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
