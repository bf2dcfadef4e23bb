package serveruse

import (
	"errors"
	"net/netip"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"sync"
	"time"

	"github.com/prometheus/procfs"

	"plimsoll/internal/base/list"
	"plimsoll/internal/machine/host/cputime"
	"plimsoll/internal/machine/host/hostfs"
	"plimsoll/internal/machine/host/sockets"
	"plimsoll/internal/record"
	"plimsoll/internal/workload"
)

// Server is what is read of one.
type Server struct {
	Name           string // such as "broker.3": it begins the names of series, and, with _ for the dot, of values
	PID            int    // of its first process, whose children are its own; 0: it is not running
	Clients, Peers uint16 // the ports at which it listens; 0: their traffic is not counted
	// Others are where the other servers of its cluster listen, on other hosts, if they reach this one at Clients too;
	// none: they do so at Peers.
	Others []netip.AddrPort
}

// userHZ is the number of ticks in a second, on every architecture that Linux has.
const userHZ = 100

// every is the interval of samples. What a connection carries between the last one and its end is not seen.
const every = 200 * time.Millisecond

// Meter samples servers until End.
type Meter struct {
	servers func() []Server
	all     map[string]*recorded
	carried traffic
	proc    procfs.FS
	unread  error // the first failure to read sockets
	stop    chan struct{}
	done    chan struct{}
	once    sync.Once
}

// Begin starts to sample; servers is called for each sample.
func Begin(servers func() []Server) *Meter {
	m := &Meter{servers: servers, all: map[string]*recorded{}, stop: make(chan struct{}), done: make(chan struct{})}
	m.proc, m.unread = procfs.NewFS(hostfs.System().Proc)
	go m.run()
	return m
}

func (m *Meter) run() {
	defer close(m.done)
	tick := time.NewTicker(every)
	defer tick.Stop()
	for {
		m.sample()
		select {
		case <-tick.C:
		case <-m.stop:
			m.sample()
			return
		}
	}
}

func (m *Meter) sample() {
	all := m.servers()
	conns, err := sockets.Connections(portsOf(all)...)
	if to := portsOfOthers(all); err == nil && len(to) > 0 {
		var opened []sockets.Conn
		opened, err = sockets.ConnectionsTo(to...)
		conns = append(conns, list.Filter(opened, func(c sockets.Conn) bool { return doorOf(c, all).peers })...)
	}
	if err != nil && m.unread == nil {
		m.unread = err
	}
	m.carried.add(conns, all...)
	for _, v := range all {
		at, err := cputime.Monotonic()
		if err != nil {
			return
		}
		own, alive := m.carried.of(v), v.PID
		if alive != 0 && processes(m.proc, v.PID, &own) != nil {
			alive = 0
		}
		r := m.all[v.Name]
		if r == nil {
			r = &recorded{}
			m.all[v.Name] = r
		}
		r.add(at, alive, own)
	}
}

func (v Server) listens() bool { return v.Clients > 0 }

// portsOf returns the ports whose traffic is counted.
func portsOf(all []Server) []uint16 {
	var out []uint16
	for _, v := range all {
		out = append(out, v.Clients, v.Peers)
	}
	return slices.DeleteFunc(out, func(port uint16) bool { return port == 0 })
}

// portsOfOthers returns the ports of the other servers of clusters, each once.
func portsOfOthers(all []Server) []uint16 {
	var out []uint16
	for _, v := range all {
		for _, other := range v.Others {
			out = append(out, other.Port())
		}
	}
	slices.Sort(out)
	return slices.Compact(out)
}

// processes adds up the counters of a process, of the children that it has waited for, and of those that it has.
func processes(fs procfs.FS, pid int, c *counts) error {
	children, err := os.ReadFile(filepath.Join(hostfs.System().Proc, strconv.Itoa(pid), "task", strconv.Itoa(pid),
		"children"))
	if err != nil && !errors.Is(err, os.ErrNotExist) { // a kernel without such lists
		return err
	}
	if err := process(fs, pid, c); err != nil {
		return err
	}
	for _, text := range strings.Fields(string(children)) {
		child, err := strconv.Atoi(text)
		if err == nil {
			_ = process(fs, child, c) // one that has ended meanwhile is its parent's
		}
	}
	return nil
}

func process(fs procfs.FS, pid int, c *counts) error {
	p, err := fs.Proc(pid)
	if err != nil {
		return err
	}
	stat, err := p.Stat()
	if err != nil {
		return err
	}
	io, err := p.IO()
	if err != nil {
		return err
	}
	c[cpu] += int64(float64(int(stat.UTime+stat.STime)+stat.CUTime+stat.CSTime) / userHZ * 1e9)
	c[read] += int64(io.ReadBytes)
	c[written] += int64(io.WriteBytes)
	return nil
}

// End takes the last sample. It may be called more than once, and by a nil Meter.
func (m *Meter) End() {
	if m == nil {
		return
	}
	m.once.Do(func() { close(m.stop) })
	<-m.done
}

// quantity is a counter as it is recorded.
type quantity struct {
	counter    int
	name       string
	unit, step string  // of a rate, and of what a step adds up to
	scale      float64 // of a rate
	network    bool
	// shared is whether it is of servers whose others reach them at their clients' port, and unshared of the rest.
	shared, unshared bool
}

// of reports whether a quantity is one of a server.
func (q quantity) of(v Server) bool {
	if len(v.Others) > 0 {
		return q.shared
	}
	return q.unshared
}

func quantities() []quantity {
	return []quantity{
		{cpu, "cpu", "%", "ns", 100 * 1e-9, false, true, true},
		{read, "disk_read", "B/s", "B", 1, false, true, true},
		{written, "disk_written", "B/s", "B", 1, false, true, true},
		{received, "received", "B/s", "B", 1, true, true, true},
		{sent, "sent", "B/s", "B", 1, true, true, true},
		{replicated, "replicated", "B/s", "B", 1, true, false, true},
		{fetched, "peers_received", "B/s", "B", 1, true, true, false},
		{replicated, "peers_sent", "B/s", "B", 1, true, true, false},
	}
}

// Values returns each server's use of the machine between two instants, after End.
func (m *Meter) Values(from, to int64) []record.Value {
	var out []record.Value
	m.each(func(name string, r *recorded, q quantity) {
		rate := q.scale * r.sampled(q.counter).Rise(from, to) / (float64(to-from) * 1e-9)
		metric := record.Metric{Name: strings.ReplaceAll(name, ".", "_") + "_" + q.name, Unit: q.unit, Better: record.Neutral}
		out = append(out, record.Value{Metric: metric, Value: rate})
	})
	return out
}

// Tracks returns the series of n steps, after End.
func (m *Meter) Tracks(start, step int64, n int) []workload.Track {
	var out []workload.Track
	m.each(func(name string, r *recorded, q quantity) {
		out = append(out, workload.Track{Name: name + "." + q.name, Unit: q.step, StepNs: step,
			Values: r.sampled(q.counter).Steps(start, step, n)})
	})
	return out
}

// each calls a function for the quantities of all servers that were read.
func (m *Meter) each(do func(name string, r *recorded, q quantity)) {
	for _, v := range m.servers() {
		if r := m.all[v.Name]; r != nil && len(r.at) > 1 {
			for _, q := range quantities() {
				if q.of(v) && (!q.network || m.unread == nil && v.listens()) {
					do(v.Name, r, q)
				}
			}
		}
	}
}

// Doubts returns what was not measured.
func (m *Meter) Doubts() []string {
	if m == nil || m.unread == nil {
		return nil
	}
	return []string{"the servers' traffic was not measured: " + m.unread.Error()}
}
