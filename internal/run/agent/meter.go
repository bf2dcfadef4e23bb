package agent

import (
	"cmp"
	"errors"
	"fmt"
	"os"

	"plimsoll/internal/machine/host/account"
	"plimsoll/internal/machine/host/cputime"
	"plimsoll/internal/machine/host/hostfs"
	"plimsoll/internal/machine/host/noise"
	"plimsoll/internal/machine/host/pulse"
	"plimsoll/internal/record"
	"plimsoll/internal/run/agent/course"
	"plimsoll/internal/workload"
)

// meter reads CPU time by role and the noise ledger over the measured window.
type meter struct {
	trial   *trial
	probe   *noise.LedgerProbe
	load    course.Span // from the begin of the window to the end of the load; nothing if its length was not planned
	before  reading
	after   reading
	ledger  record.Ledger
	broken  error
	disks   *diskMeter
	network *networkMeter
	energy  *energyMeter // nil: there is none to read
	clocks  clockMeter
	others  othersMeter
	service *serviceMeter // nil: there is none to watch
	beats   *pulse.Pulse  // wakes all that watches the window
	dog     *noise.Watchdog

	profiling *profiling // its own CPU time is charged to nobody; nil if the trial is not profiled
}

// reading holds cumulative CPU seconds.
type reading struct {
	lanes   []float64 // by side
	started []float64 // of the processes that each side started, or found
	behind  []float64 // of what these are connected to
	machine float64   // busy time of the usable CPUs
	taken   course.Span
	failed  error
}

func newMeter(t *trial) *meter {
	m := &meter{trial: t, probe: noise.NewLedger(t.agent.Root), disks: newDiskMeter(t), network: newNetworkMeter(t),
		energy: t.energy, clocks: newClockMeter(t), others: othersMeter{trial: t}, service: newServiceMeter(t),
		beats: pulse.Start(pulse.Beat)}
	m.dog = t.watch(m.beats)
	m.probe.Within(t.machine.CPU.Allowed)
	var tids []int
	startsNone := true
	for _, s := range t.sides {
		tids = append(tids, s.threads()...)
		startsNone = startsNone && s.spec.Charge == workload.Lanes
	}
	m.probe.Watch(tids...)
	if startsNone && !t.order.Profiled && !t.energy.runsPrograms() {
		// Cheaper than the default, which searches all of /proc for children.
		m.probe.Ours(cputime.NewThreads())
	} else {
		m.probe.Ours(append(t.besides(), account.NewTree(t.agent.Root, os.Getpid()))...)
	}
	return m
}

func (m *meter) begin() {
	m.before = m.read() // first, since the ledger walks /proc, which takes long on a busy machine
	m.broken = m.probe.Start()
	m.disks.begin(m.beats)
	m.network.begin()
	m.clocks.begin()
	m.service.begin()
	m.energy.begin(m.beats)
}

func (m *meter) end() {
	m.energy.end()
	m.network.end()
	m.after = m.read()
	m.ledger = m.probe.Stop()
	m.disks.end() // last, because they wait for samples
	m.clocks.end()
	m.service.end()
}

// read takes a reading. One failure invalidates all of it: a partial reading would look like CPU time that was not
// used.
func (m *meter) read() reading {
	var r reading
	var err error
	r.taken.From, r.failed = cputime.Monotonic()
	processes, thread := m.profiling.used()
	processes += m.energy.programs()
	for _, s := range m.trial.sides {
		lanes, err := cputime.NewThreads(s.charged()...).CPUSeconds()
		r.failed = errors.Join(r.failed, err)
		if len(s.charged()) == 0 {
			lanes -= thread
		}
		r.lanes = append(r.lanes, lanes)
		started, behind, err := s.startedSeconds()
		if s.startedSource() == record.ChargedTree {
			started -= processes
		}
		r.failed = errors.Join(r.failed, err)
		r.started, r.behind = append(r.started, started), append(r.behind, behind)
	}
	r.machine, err = cputime.BusySeconds(m.trial.agent.Root, m.trial.machine.CPU.Allowed)
	r.failed = errors.Join(r.failed, err)
	r.taken.To, err = cputime.Monotonic()
	r.failed = errors.Join(r.failed, err)
	return r
}

// close stops what watches the window, which may not have ended.
func (m *meter) close() {
	m.energy.end()
	m.disks.end()
	m.clocks.end()
	m.service.end()
	m.dog.Stop()
}

// seconds returns for how long CPU time was used between the readings, or an error if it is not known.
func (m *meter) seconds() (float64, error) {
	if err := errors.Join(m.before.failed, m.after.failed); err != nil {
		return 0, fmt.Errorf("cpu time could not be read: %w", err)
	}
	return m.load.Metered(m.before.taken, m.after.taken)
}

// share gives each side its CPU use and its ledger, and the disks' and the network's use to a side that has the window
// to itself.
func (m *meter) share(sides []*side) {
	if m.after.lanes == nil {
		return
	}
	m.disks.share(sides)
	m.network.share(sides)
	m.clocks.share(sides)
	m.energy.share(sides, m.trial.stuck)
	for i, s := range sides {
		lanes := m.after.lanes[i] - m.before.lanes[i]
		started := m.after.started[i] - m.before.started[i]
		all, generators := len(m.trial.machine.CPU.Allowed), len(s.sets.Generator)
		use := record.CPUUse{Work: lanes, Machine: m.after.machine - m.before.machine,
			CPUs:          cmp.Or(max(len(s.cpus), len(s.sets.Work)), all),
			GeneratorCPUs: cmp.Or(generators, all), Split: generators > 0, Source: record.ChargedThreads}
		if s.spec.Charge == workload.Started {
			use.Behind = m.after.behind[i] - m.before.behind[i]
			use.Work, use.Generator, use.Source = started+use.Behind, lanes, s.startedSource()
		}
		seconds, err := m.seconds()
		use.WindowS = seconds / float64(len(sides)) // of the whole window sliced sides have equal shares
		if err == nil && use.Work <= 0 && m.load.To > 0 && s.gen != nil && use.Source != record.ChargedNone {
			err = errors.New("the CPU use is unknown: between its readings none was used, so that operations were done " +
				"before or after")
		}
		ledger := m.ledger
		ledger.CostS += m.dog.CPUSeconds()
		if err == nil && len(sides) == 1 && s.neverWaits() {
			ledger.IdlePct = course.LanesIdle(lanes, seconds, len(s.cpus), all, m.ledger)
		}
		s.trial.Ledger, s.trial.Others = &ledger, m.others.found
		if s.trial.CPU = &use; err != nil {
			s.trial.CPU = nil
			s.doubt(err.Error())
		}
		if m.broken != nil {
			s.doubt("part of the noise ledger could not be read: " + m.broken.Error())
		}
	}
}

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
	c, err := noise.ReadNetwork(m.trial.agent.Root, noise.Ethtool)
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
