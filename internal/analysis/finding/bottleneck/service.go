package bottleneck

import (
	"fmt"
	"slices"
	"strings"

	"plimsoll/internal/analysis/trialset"
	"plimsoll/internal/machine/catalog"
	"plimsoll/internal/record"
	"plimsoll/internal/record/figure"
)

// The bottlenecks of a service whose threads were watched.
const (
	Pool   = "pool"   // all connections to its database
	Thread = "thread" // one thread has a CPU to itself and no more
	Waits  = "waits"  // requests wait for none of the resources
	// PoolOrLock is the only connection to its database, or a lock that a request takes before it needs one. A runtime's
	// own locks can't be seen. In both cases the service makes no second connection.
	PoolOrLock = "pool or lock"
)

// ServiceEvidence is what the requests to a service wait for: means over runs. All but shares are numbers of
// requests, threads or connections, on average over the window.
type ServiceEvidence struct {
	InFlight float64 `json:"in_flight"` // requests
	OnCPU    float64 `json:"on_cpu"`    // CPUs in use by the service and the programs behind it
	Runnable float64 `json:"runnable"`  // threads of the service that wait for a CPU
	Threads  float64 `json:"threads"`
	Futex    float64 `json:"futex"` // threads that sleep for a lock or for work
	Mutex    float64 `json:"mutex"` // of those: for a mutex that another one holds
	Disk     float64 `json:"disk"`  // threads that sleep as for a disk
	// share of one CPU of the thread that used most, 0 to 1, and its name
	Busiest   float64 `json:"busiest"`
	BusiestIs string  `json:"busiest_is,omitempty"`
	// connections to PostgreSQL: nil if it has none on its host
	Connections *record.Connections `json:"connections,omitempty"`

	cpus float64 // of the machine
}

func serviceOf(t record.Trial) *ServiceEvidence {
	s, u, g := t.Service, t.CPU, t.Generator
	if s == nil || u == nil || u.WindowS <= 0 || g == nil || s.Looks == 0 {
		return nil
	}
	return &ServiceEvidence{InFlight: g.InFlight, OnCPU: u.Work / u.WindowS, Runnable: s.RunDelayS / u.WindowS,
		Threads: s.Threads, Futex: s.Futex, Mutex: s.Mutex, Disk: s.Disk, Busiest: s.BusiestS / u.WindowS,
		BusiestIs: s.Busiest, Connections: s.Connections, cpus: float64(trialset.Usable(*u))}
}

// meanService returns the means over trials; nil if one of them does not know.
func meanService(all []Evidence) *ServiceEvidence {
	out, c, connected := &ServiceEvidence{}, record.Connections{}, 0
	n := float64(len(all))
	for _, e := range all {
		s := e.Service
		if s == nil {
			return nil
		}
		for _, f := range []struct {
			to   *float64
			from float64
		}{{&out.InFlight, s.InFlight}, {&out.OnCPU, s.OnCPU}, {&out.Runnable, s.Runnable}, {&out.Threads, s.Threads},
			{&out.Futex, s.Futex}, {&out.Mutex, s.Mutex}, {&out.Disk, s.Disk}, {&out.Busiest, s.Busiest}, {&out.cpus, s.cpus}} {
			*f.to += f.from / n
		}
		out.BusiestIs = s.BusiestIs
		if from := s.Connections; from != nil {
			connected++
			c.All, c.Active, c.Open = c.All+from.All/n, c.Active+from.Active/n, c.Open+from.Open/n
			c.Locked, c.Full = c.Locked+from.Locked/n, c.Full+from.Full/n
		}
	}
	if connected == len(all) {
		out.Connections = &c
	}
	return out
}

// WaitOf returns the bottleneck of trials of a service that isn't a resource of the machine; nil if there is none.
func WaitOf(trials []record.Trial, typeOf func(machine string) catalog.Type) *Bottleneck {
	if len(trials) == 0 || trials[0].Service == nil {
		return nil
	}
	b := bottleneckOf(trials, DisksMeasured(trials), networksMeasured(trials), typeOf, "")
	if !slices.Contains([]string{Locks, Pool, PoolOrLock, Thread, Waits}, b.What) {
		return nil
	}
	return b
}

// fullThread is the share of a CPU from which a thread has no more to give.
const fullThread = .9

// serviceRules returns the rules for what the requests to a service wait for beside resources. They rest on threads and
// connections: where other programs crowd the CPUs, both are held longer for that alone.
func serviceRules() []rule {
	of := func(holds func(s *ServiceEvidence) bool) func(Evidence) bool {
		return func(e Evidence) bool {
			return e.Service != nil && !e.serverFull() && !e.generatorFull() && !e.Open && holds(e.Service)
		}
	}
	connections := func(e Evidence) string { return e.Service.connectionsText() }
	return []rule{
		{Locks, of((*ServiceEvidence).databaseLocked), connections},
		{Pool, of(func(s *ServiceEvidence) bool { return s.poolFull() && !s.oneAtATime() }), connections},
		{PoolOrLock, of((*ServiceEvidence).oneAtATime), connections},
		{Locks, of((*ServiceEvidence).mutexHeld), func(e Evidence) string {
			return fmt.Sprintf("%s of the service's %s threads wait for a mutex that another one holds, while %s are in flight",
				few(e.Service.Mutex), few(e.Service.Threads), requests(e.Service.InFlight))
		}},
		{Thread, of((*ServiceEvidence).threadFull), func(e Evidence) string {
			return fmt.Sprintf("the service's busiest thread (%s) has %s of a CPU, and more than one it cannot use",
				e.Service.BusiestIs, Pct(e.Service.Busiest))
		}},
	}
}

func (s *ServiceEvidence) databaseLocked() bool {
	return s.Connections != nil && s.Connections.Locked >= halfOfTime*s.Connections.All
}

// queued reports whether more requests than connections were in flight, and no lock of the database is why.
func (s *ServiceEvidence) queued() bool {
	return s.Connections != nil && !s.databaseLocked() && s.InFlight >= s.Connections.All+1
}

// poolFull: at most of the looks no connection was free, and more requests than connections were in flight.
func (s *ServiceEvidence) poolFull() bool { return s.queued() && s.Connections.Full >= halfOfTime }

// oneAtATime reports whether the service has one connection, and more requests wait. The connection is in use most of
// the time, or one request at a time would use as much CPU time.
func (s *ServiceEvidence) oneAtATime() bool {
	return s.queued() && s.Connections.All < 1.5 && (s.poolFull() || s.asOne(s.OnCPU))
}

// asOne reports whether so many CPUs of several are one request's at a time.
func (s *ServiceEvidence) asOne(cpus float64) bool {
	return s.cpus > 1 && cpus >= fullThread && cpus <= 2-fullThread
}

// held reports whether most connections are idle in a transaction, and not for want of a CPU of the service.
func (s *ServiceEvidence) held() bool {
	return s.poolFull() && s.Connections.Open >= halfOfTime*s.Connections.All && s.Runnable < halfOfTime*s.Connections.Open
}

func (s *ServiceEvidence) mutexHeld() bool { return s.InFlight > 0 && s.Mutex >= halfOfTime*s.InFlight }

func (s *ServiceEvidence) threadFull() bool { return s.Busiest >= fullThread && s.cpus > 1 }

// waiting is the share of a request's time in which it neither uses a CPU nor waits for one or for a disk.
func (s *ServiceEvidence) waiting() float64 {
	if s.InFlight <= 0 {
		return 0
	}
	return max(0, 1-(s.OnCPU+s.Runnable+s.Disk)/s.InFlight)
}

// connectionsText states what the connections to the database do, those that do nothing left out.
func (s *ServiceEvidence) connectionsText() string {
	c := s.Connections
	var does []string
	for _, d := range []struct {
		n    float64
		text string
	}{{c.Open, "idle in a transaction"}, {c.Locked, "waiting for a lock of another transaction"}, {c.Active, "at work"}} {
		if d.n >= leastOften {
			does = append(does, few(d.n)+" "+d.text)
		}
	}
	if len(does) == 0 {
		does = []string{"none in use"}
	}
	text := fmt.Sprintf("of %s connections to PostgreSQL %s", few(c.All), strings.Join(does, ", "))
	switch {
	case s.oneAtATime():
		text = fmt.Sprintf("the only connection to PostgreSQL is in use %s of the time, while %s are in flight: they wait "+
			"for it, or for a lock that lets one through", Pct(c.Full), requests(s.InFlight))
	case s.poolFull():
		text += fmt.Sprintf("; none is free %s of the time, while %s are in flight: whoever needs one waits", Pct(c.Full),
			requests(s.InFlight))
	}
	return text
}

// leastOften is the least mean number of connections that is stated.
const leastOften = .05

// waitsText states what is known of requests that wait for no resource.
func (s *ServiceEvidence) waitsText() string {
	parts := []string{fmt.Sprintf("%s are in flight, and %s of their time they wait for no CPU and no disk of this host: "+
		"for a lock, a pool, a timer or another service", requests(s.InFlight), Pct(s.waiting()))}
	if s.asOne(s.OnCPU + s.Runnable) {
		parts = append(parts, fmt.Sprintf("%s CPUs are in use, as if one request were worked on at a time",
			figure.Fixed(s.OnCPU, 1)))
	}
	if s.Futex >= 1 {
		parts = append(parts, fmt.Sprintf("%s of the service's %s threads sleep in a futex, for a lock or for work",
			few(s.Futex), few(s.Threads)))
	}
	if s.Connections != nil {
		parts = append(parts, s.connectionsText())
	}
	return strings.Join(parts, "; ")
}

// few writes a mean number of things: whole from 10 on.
func few(n float64) string {
	if n >= 9.95 {
		return figure.Fixed(n, 0)
	}
	return strings.TrimSuffix(figure.Fixed(n, 1), ".0")
}

func requests(n float64) string {
	if few(n) == "1" {
		return "1 request"
	}
	return few(n) + " requests"
}
