package run

import (
	"strings"

	"plimsoll/internal/base/list"
	"plimsoll/internal/record"
)

// withUse has the disk and the network of the cluster's trial be those of the host that used its own most, since the
// others do with less. Packets over allowances are those of all hosts.
func (c *concert) withUse() {
	t := &c.target
	var exceeded record.NetworkUse
	note := func(u *record.NetworkUse) {
		if u != nil {
			for counter, packets := range u.Exceeded {
				exceeded.Exceed(counter, packets)
			}
		}
	}
	note(t.Network)
	for _, m := range c.others {
		host := m.trial.Keys[record.KeyMachine]
		if d := m.trial.Disk; d != nil && (t.Disk == nil || d.BusyPct > t.Disk.BusyPct) {
			own := *d
			own.Host, t.Disk = host, &own
			c.series = append(list.Filter(c.series, func(s record.Series) bool { return !ofDisk(s.Name) }), m.disk...)
		}
		if u := m.trial.Network; u != nil && (t.Network == nil || moved(u) > moved(t.Network)) {
			own := *u
			own.Host, t.Network = host, &own
		}
		note(m.trial.Network)
	}
	if t.Network != nil {
		own := *t.Network
		own.Exceeded, t.Network = exceeded.Exceeded, &own
	}
}

// ofDisk reports whether a series is of the timeline of a host's disk.
func ofDisk(name string) bool { return strings.HasPrefix(name, record.DiskSeries("", "")) }

// moved returns how much an interface moved in its busier direction: of its speed, if it states one.
func moved(u *record.NetworkUse) float64 {
	bytes := float64(max(u.ReceivedBytes, u.SentBytes))
	if u.Mbit > 0 {
		return bytes / float64(u.Mbit)
	}
	return bytes
}

// disturbed returns the ledger of two hosts together: their counts and the CPU time that others had add up as their
// CPUs do, and every other figure is that of the host which had more of it.
func disturbed(a, b *record.Ledger) *record.Ledger {
	if a == nil || b == nil {
		return a
	}
	out := *withGaps(a, b)
	for _, f := range []struct {
		to, of **float64
		adds   bool
	}{
		{&out.StealPct, &b.StealPct, false}, {&out.RunDelayPct, &b.RunDelayPct, false}, {&out.PSICPUPct, &b.PSICPUPct, false},
		{&out.PSIIOPct, &b.PSIIOPct, false}, {&out.PSIMemoryPct, &b.PSIMemoryPct, false},
		{&out.ThrottledS, &b.ThrottledS, false},
		{&out.LoadAvg1, &b.LoadAvg1, false}, {&out.IdlePct, &b.IdlePct, false},
		{&out.ForeignCPU, &b.ForeignCPU, true}, {&out.InterruptCPU, &b.InterruptCPU, true},
		{&out.SwapPages, &b.SwapPages, true}, {&out.ThermalEvents, &b.ThermalEvents, true},
	} {
		switch was, other := *f.to, *f.of; {
		case other == nil:
		case was == nil:
			*f.to = other
		case f.adds:
			sum := *was + *other
			*f.to = &sum
		case *other > *was:
			*f.to = other
		}
	}
	out.CostS += b.CostS
	return &out
}
