package agent

import (
	"plimsoll/internal/host/hostfs"
	"plimsoll/internal/host/noise"
)

// networkMeter reads the target's network counters over the measured window.
type networkMeter struct {
	trial         *trial
	reads         bool
	before, after []noise.Counters
	broken        error
}

// newNetworkMeter returns a meter that reads nothing if several sides share the window, or if this host only generates
// the load.
func newNetworkMeter(t *trial) *networkMeter {
	return &networkMeter{trial: t, reads: len(t.sides) == 1 && t.target == ""}
}

func (m *networkMeter) begin() { m.before = m.read() }
func (m *networkMeter) end()   { m.after = m.read() }

func (m *networkMeter) read() []noise.Counters {
	if !m.reads {
		return nil
	}
	c, err := noise.ReadNetwork(m.trial.agent.Root)
	if err != nil && !hostfs.NotHere(err) {
		m.broken = err
	}
	return c
}

// share records the network's use, if any.
func (m *networkMeter) share(sides []*side) {
	if !m.reads {
		return
	}
	if m.broken != nil {
		sides[0].doubt("the network's counters could not be read: " + m.broken.Error())
		return
	}
	if use, ok := noise.NetworkBetween(m.trial.agent.Root, m.before, m.after); ok {
		sides[0].trial.Network = &use
	}
}
