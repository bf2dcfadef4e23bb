package agent

import (
	"plimsoll/internal/machine/host/hostfs"
	"plimsoll/internal/machine/host/noise"
	"plimsoll/internal/record"
	"plimsoll/internal/workload"
)

// clockMeter samples the clocks of the CPUs that do the work, over the measured window.
type clockMeter struct {
	sampler *noise.ClockSampler // nil if there is nothing to sample
	began   bool
	clock   *record.Clock
	broken  error
}

// newClockMeter returns a meter that reads nothing if several sides share the window, if this host only generates the
// load, or if the machine has no clock to read.
func newClockMeter(t *trial) clockMeter {
	m := clockMeter{}
	if len(t.sides) != 1 || t.target != "" {
		return m
	}
	s, err := noise.NewClockSampler(t.agent.Root, t.workCPUs(t.sides[0]))
	if err == nil {
		m.sampler = s
	} else if !hostfs.NotHere(err) {
		m.broken = err
	}
	return m
}

// workCPUs returns the CPUs that the side's work may use.
func (t *trial) workCPUs(s *side) []int {
	switch {
	case len(s.sets.Work) > 0:
		return s.sets.Work
	case s.spec.Charge == workload.Lanes && len(s.cpus) > 0:
		return s.cpus
	}
	return t.machine.CPU.Allowed
}

func (m *clockMeter) begin() {
	if m.sampler != nil {
		m.sampler.Start()
		m.began = true
	}
}

// end stops sampling. It may be called more than once.
func (m *clockMeter) end() {
	if !m.began {
		return
	}
	m.began = false
	if clock, ok := m.sampler.Stop(); ok {
		m.clock = &clock
	}
}

// share records the clocks, if the window was long enough for a sample.
func (m *clockMeter) share(sides []*side) {
	sides[0].trial.Clock = m.clock
	if m.broken != nil {
		sides[0].doubt("the clock of the CPUs could not be read: " + m.broken.Error())
	}
}
