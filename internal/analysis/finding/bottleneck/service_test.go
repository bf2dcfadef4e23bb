package bottleneck

import (
	"strings"
	"testing"

	"plimsoll/internal/record"
)

// TestWhatRequestsWaitFor: of a service whose threads and connections were watched, on two CPUs of which it uses few.
func TestWhatRequestsWaitFor(t *testing.T) {
	idle, crowd, use, quiet, loopback := 30., 97., 25., 0., 1e6
	service := ServiceEvidence{InFlight: 16, OnCPU: .3, Runnable: .1, Threads: 8, cpus: 2}
	with := func(change func(*ServiceEvidence)) Evidence {
		s := service
		change(&s)
		return Evidence{CPU: &use, Machine: &idle, Together: true, serves: true, Service: &s,
			networkEvidence: networkEvidence{Network: &quiet, Loopback: &loopback}}
	}
	crowded := func(e Evidence) Evidence { e.Machine = &crowd; return e }
	for name, c := range map[string]struct {
		e    Evidence
		want string
		says []string
	}{
		"a pool that is held": {with(func(s *ServiceEvidence) {
			s.Connections = &record.Connections{All: 5, Open: 4.8, Active: .1, Full: .9}
		}), Pool, []string{"of 5 connections to PostgreSQL 4.8 idle in a transaction, 0.1 at work; none is free 90% of " +
			"the time, while 16 requests are in flight"}},
		"the same among others": {crowded(with(func(s *ServiceEvidence) {
			s.Connections = &record.Connections{All: 5, Open: 4.8, Active: .1, Full: .9}
		})), Pool, []string{"4.8 idle in a transaction", "other programs take the rest"}},
		"a pool at work among others": {crowded(with(func(s *ServiceEvidence) {
			s.Connections = &record.Connections{All: 5, Active: 5, Full: 1}
		})), Unknown, []string{"5 at work; none is free", "other programs take the rest"}},
		// As with a mutex about each request of a Go service, whose pool has room for more.
		"one connection": {with(func(s *ServiceEvidence) {
			s.Connections = &record.Connections{All: 1, Active: .6, Full: .62}
		}), PoolOrLock, []string{"the only connection to PostgreSQL is in use 62% of the time, while 16 requests are in",
			"or for a lock that lets one through"}},
		"one connection, less in use": {with(func(s *ServiceEvidence) {
			s.OnCPU, s.Connections = 1.01, &record.Connections{All: 1, Active: .44, Full: .44}
		}), PoolOrLock, []string{"in use 44% of the time"}},
		"one connection, hardly in use": {with(func(s *ServiceEvidence) {
			s.Connections = &record.Connections{All: 1, Active: .05, Full: .05}
		}), Waits, []string{"of 1 connections to PostgreSQL"}},
		"as many connections as requests": {with(func(s *ServiceEvidence) {
			s.Connections = &record.Connections{All: 16, Active: 16, Full: 1}
		}), Waits, []string{"16 requests are in flight, and 98% of their time they wait for no CPU and no disk of this " +
			"host: for a lock, a pool, a timer or another service", "of 16 connections to PostgreSQL 16 at work",
			"the CPUs, which server"}},
		"one at a time": {with(func(s *ServiceEvidence) { s.OnCPU, s.Futex, s.Runnable = .98, 5, .02 }), Waits,
			[]string{"1.0 CPUs are in use, as if one request were worked on at a time",
				"5 of the service's 8 threads sleep in a futex, for a lock or for work"}},
		"one at a time among others": {crowded(with(func(s *ServiceEvidence) { s.OnCPU, s.Runnable = .4, .6 })), Unknown,
			[]string{"as if one request were worked on at a time", "other programs take the rest"}},
		"work": {with(func(s *ServiceEvidence) { s.OnCPU, s.Runnable = 1.5, 10 }), Nothing,
			[]string{"none of these is saturated"}},
		"locks of the database": {with(func(s *ServiceEvidence) {
			s.Connections = &record.Connections{All: 16, Active: 1, Locked: 14, Full: .8}
		}), Locks, []string{"14 waiting for a lock of another transaction"}},
		"a mutex": {with(func(s *ServiceEvidence) { s.Futex, s.Mutex = 15, 14 }), Locks,
			[]string{"14 of the service's 8 threads wait for a mutex that another one holds, while 16 requests are in flight"}},
		"one thread": {with(func(s *ServiceEvidence) { s.OnCPU, s.Busiest, s.BusiestIs = 1, .97, "node" }), Thread,
			[]string{"the service's busiest thread (node) has 97% of a CPU"}},
		"the same on one CPU": {with(func(s *ServiceEvidence) { s.Busiest, s.cpus = .97, 1 }), Waits, nil},
	} {
		what, reasons := c.e.judge()
		all := strings.Join(reasons, "; ")
		if what != c.want {
			t.Errorf("%s: %s: %s, want %s", name, what, all, c.want)
		}
		for _, text := range c.says {
			if !strings.Contains(all, text) {
				t.Errorf("%s: %q does not have %q", name, all, text)
			}
		}
	}
}
