package agent

import (
	"math"
	"strings"
	"time"

	"golang.org/x/sys/unix"

	"plimsoll/internal/machine/host/cputime"
	"plimsoll/internal/machine/host/procs"
	"plimsoll/internal/machine/host/waits"
	"plimsoll/internal/record"
)

// serviceMeter samples where the threads of a service sleep, and what the PostgreSQL behind it does for its clients.
type serviceMeter struct {
	side    *side
	threads *waits.Sampler
	begun   bool
	stop    chan struct{} // nil unless connections are looked at
	stopped chan struct{}
	sum     record.Connections
	looks   int
	cost    float64
}

// newServiceMeter returns nil unless the only side of a trial loads a service of the user's on this host.
func newServiceMeter(t *trial) *serviceMeter {
	s := t.sides[0]
	if len(t.sides) > 1 || s.remote || s.spec.Behind == nil || !s.mayHaveBehind() {
		return nil
	}
	return &serviceMeter{side: s, threads: waits.NewSampler(s.root, s.pids, nil).Sparing()}
}

func (m *serviceMeter) begin() {
	if m == nil {
		return
	}
	m.begun = true
	m.threads.Start()
	if strings.Contains(m.side.trial.Keys[record.KeyServerBehind], "postgres") {
		m.stop, m.stopped = make(chan struct{}), make(chan struct{})
		go m.watch()
	}
}

// The looks at connections: so often, and with a new list of processes each time so many have passed.
const (
	looksAtConnections = 200 * time.Millisecond
	listsConnections   = 10
)

func (m *serviceMeter) watch() {
	defer close(m.stopped)
	var pids []int
	var ports map[uint16]bool
	tick := time.NewTicker(looksAtConnections)
	defer tick.Stop()
	for {
		select {
		case <-m.stop:
			return
		case <-tick.C:
		}
		cputime.OnThread(func() {
			began, _ := cputime.ClockSeconds(unix.CLOCK_THREAD_CPUTIME_ID)
			if m.looks%listsConnections == 0 {
				pids, ports = m.side.behindPids(), procs.ClientPorts(m.side.root, m.side.pids())
			}
			m.look(pids, ports)
			ended, _ := cputime.ClockSeconds(unix.CLOCK_THREAD_CPUTIME_ID)
			m.cost += ended - began
		})
	}
}

// look counts the backends of the service's connections by TCP; if there is none, all of those by UNIX sockets, which
// have no number.
func (m *serviceMeter) look(pids []int, ports map[uint16]bool) {
	var n, local [procs.BackendWaitsLock + 1]float64
	matched := false
	for _, pid := range pids {
		does, port := procs.BackendOf(m.side.root, pid)
		switch {
		case port == 0:
			local[does]++
		case ports[port]:
			n[does]++
			matched = true
		}
	}
	if !matched {
		n = local
	}
	m.looks++
	all := n[procs.BackendIdle] + n[procs.BackendActive] + n[procs.BackendOpen] + n[procs.BackendWaitsLock]
	m.sum.All += all
	m.sum.Active += n[procs.BackendActive]
	m.sum.Open += n[procs.BackendOpen]
	m.sum.Locked += n[procs.BackendWaitsLock]
	if all > 0 && n[procs.BackendIdle] == 0 {
		m.sum.Full++
	}
}

// end may be called again.
func (m *serviceMeter) end() {
	if m == nil || !m.begun || m.side.trial.Service != nil {
		return
	}
	seen := m.threads.Stop()
	out := record.Service{Looks: seen.Looks, Threads: seen.Threads, Disk: seen.Disk, How: seen.How,
		RunDelayS: seen.RunDelayS, Busiest: seen.Busiest, BusiestS: seen.BusiestS, CostS: seen.CostS}
	for _, s := range seen.Stacks {
		share := float64(s.N) / float64(max(seen.Looks, 1))
		for i, f := range s.Frames {
			if i == 0 && f.Function == record.ContendedMutex {
				out.Mutex += share
			}
			if strings.HasPrefix(f.Function, "futex") && f.Function != record.ContendedMutex {
				out.Futex += share
				break
			}
		}
	}
	if m.stop != nil {
		close(m.stop)
		<-m.stopped
		out.CostS += m.cost
		if n := float64(m.looks); n > 0 && m.sum.All > 0 {
			out.Connections = &record.Connections{All: m.sum.All / n, Active: m.sum.Active / n, Open: m.sum.Open / n,
				Locked: m.sum.Locked / n, Full: m.sum.Full / n}
		}
	}
	for _, v := range []*float64{&out.Threads, &out.Futex, &out.Mutex, &out.Disk, &out.RunDelayS, &out.BusiestS,
		&out.CostS} {
		*v = short(*v)
	}
	if c := out.Connections; c != nil {
		*c = record.Connections{All: short(c.All), Active: short(c.Active), Open: short(c.Open), Locked: short(c.Locked),
			Full: short(c.Full)}
	}
	m.side.trial.Service = &out
}

// short rounds a mean over some looks to thousandths: a trial's line is to stay short.
func short(v float64) float64 { return math.Round(1000*v) / 1000 }
