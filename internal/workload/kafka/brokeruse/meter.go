package brokeruse

import (
	"fmt"
	"slices"
	"sync"
	"time"

	"github.com/prometheus/procfs"

	"plimsoll/internal/host/cputime"
	"plimsoll/internal/host/hostfs"
	"plimsoll/internal/host/sockets"
	"plimsoll/internal/record"
	"plimsoll/internal/workload"
)

// Broker is what is read of one.
type Broker struct {
	ID             int
	PID            int    // 0: it is not running
	Clients, Peers uint16 // the ports at which it listens
}

// every is the interval of samples. What a connection carries between the last one and its end is not seen.
const every = 200 * time.Millisecond

// Meter samples brokers until End.
type Meter struct {
	brokers func() []Broker
	all     map[int]*recorded
	carried traffic
	unread  error // the first failure to read sockets
	stop    chan struct{}
	done    chan struct{}
	once    sync.Once
}

// Begin starts to sample; brokers is called for each sample.
func Begin(brokers func() []Broker) *Meter {
	m := &Meter{brokers: brokers, all: map[int]*recorded{}, stop: make(chan struct{}), done: make(chan struct{})}
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
	conns, err := sockets.Connections()
	if err != nil && m.unread == nil {
		m.unread = err
	}
	m.carried.add(conns)
	for _, b := range m.brokers() {
		at, err := cputime.Monotonic()
		if err != nil {
			return
		}
		own, alive := m.carried.of(b), b.PID
		if alive != 0 && process(b.PID, &own) != nil {
			alive = 0
		}
		r := m.all[b.ID]
		if r == nil {
			r = &recorded{}
			m.all[b.ID] = r
		}
		r.add(at, alive, own)
	}
}

// process reads a process's counters.
func process(pid int, c *counts) error {
	fs, err := procfs.NewFS(hostfs.System().Proc)
	if err != nil {
		return err
	}
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
	c[cpu], c[read], c[written] = int64(stat.CPUTime()*1e9), int64(io.ReadBytes), int64(io.WriteBytes)
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
}

func quantities() []quantity {
	return []quantity{
		{cpu, "cpu", "%", "ns", 100 * 1e-9, false},
		{read, "disk_read", "B/s", "B", 1, false},
		{written, "disk_written", "B/s", "B", 1, false},
		{received, "received", "B/s", "B", 1, true},
		{sent, "sent", "B/s", "B", 1, true},
		{replicated, "replicated", "B/s", "B", 1, true},
	}
}

// Values returns each broker's use of the machine between two instants, after End.
func (m *Meter) Values(from, to int64) []record.Value {
	var out []record.Value
	m.each(func(id int, r *recorded, q quantity) {
		rate := q.scale * r.rise(q.counter, from, to) / (float64(to-from) * 1e-9)
		out = append(out, record.Value{Metric: record.Metric{Name: fmt.Sprintf("broker_%d_%s", id, q.name), Unit: q.unit, Better: record.Neutral}, Value: rate})
	})
	return out
}

// Tracks returns the series of n steps, after End.
func (m *Meter) Tracks(start, step int64, n int) []workload.Track {
	var out []workload.Track
	m.each(func(id int, r *recorded, q quantity) {
		out = append(out, workload.Track{Name: fmt.Sprintf("broker.%d.%s", id, q.name), Unit: q.step, StepNs: step, Values: r.steps(q.counter, start, step, n)})
	})
	return out
}

// each calls a function for the quantities of all brokers that were read.
func (m *Meter) each(do func(id int, r *recorded, q quantity)) {
	for _, b := range slices.SortedFunc(slices.Values(m.brokers()), byID) {
		if r := m.all[b.ID]; r != nil && len(r.at) > 1 {
			for _, q := range quantities() {
				if m.unread == nil || !q.network {
					do(b.ID, r, q)
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
	return []string{"the brokers' traffic was not measured: " + m.unread.Error()}
}
