package agent

import (
	"plimsoll/internal/host"
)

// networkMeter reads the target's network counters over the measured window.
type networkMeter struct {
	trial         *trial
	reads         bool
	before, after []host.NetworkCounters
	broken        error
}

// newNetworkMeter returns a meter that reads nothing if several sides share the window, or if this host only generates
// the load.
func newNetworkMeter(t *trial) *networkMeter {
	return &networkMeter{trial: t, reads: len(t.sides) == 1 && t.target == ""}
}

func (m *networkMeter) begin() { m.before = m.read() }
func (m *networkMeter) end()   { m.after = m.read() }

func (m *networkMeter) read() []host.NetworkCounters {
	if !m.reads {
		return nil
	}
	c, err := host.ReadNetwork(m.trial.agent.Root)
	if err != nil && !host.NotHere(err) {
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
	if use, ok := host.NetworkBetween(m.trial.agent.Root, m.before, m.after); ok {
		sides[0].trial.Network = &use
	}
}
