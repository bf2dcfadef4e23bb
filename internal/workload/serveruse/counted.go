// Package serveruse measures what each of several servers takes of the machine that they share: CPU time, disk, and the
// traffic with clients and with each other.
package serveruse

import (
	"math"
	"slices"

	"plimsoll/internal/host/sockets"
)

// The counters of a server.
const (
	cpu        = iota // ns
	read              // bytes, of disks
	written           // bytes, to disks, as the kernel charges processes
	received          // bytes, from clients
	sent              // bytes, to clients
	replicated        // bytes, to other servers that fetch from it
	counters
)

// counts are the counters at an instant.
type counts [counters]int64

// recorded holds a server's counters over time. One that is started again goes on where it was.
type recorded struct {
	at     []int64 // CLOCK_MONOTONIC, ns
	counts []counts
	pid    int
	before counts // of earlier processes
}

// add takes the counters of a process, and the traffic at the server's ports so far. Nothing is recorded while there is no
// process: one that is started again is known only when it listens, and what its start took is spread over the gap.
func (r *recorded) add(at int64, pid int, own counts) {
	if pid == 0 {
		return
	}
	if n := len(r.counts); n > 0 && pid != r.pid {
		r.before = r.counts[n-1]
	}
	r.pid = pid
	for _, i := range []int{cpu, read, written} {
		own[i] += r.before[i]
	}
	r.at, r.counts = append(r.at, at), append(r.counts, own)
}

// value returns a counter at an instant, interpolated between two samples.
func (r *recorded) value(counter int, at int64) float64 {
	i, _ := slices.BinarySearch(r.at, at)
	switch {
	case len(r.at) == 0:
		return 0
	case i == 0:
		return float64(r.counts[0][counter])
	case i == len(r.at):
		return float64(r.counts[i-1][counter])
	}
	from, to := float64(r.counts[i-1][counter]), float64(r.counts[i][counter])
	return from + (to-from)*float64(at-r.at[i-1])/float64(r.at[i]-r.at[i-1])
}

// rise returns a counter's increase between two instants.
func (r *recorded) rise(counter int, from, to int64) float64 {
	return max(0, r.value(counter, to)-r.value(counter, from))
}

// steps returns a counter's increase in each of n steps. What is rounded off goes to the next.
func (r *recorded) steps(counter int, start, step int64, n int) []int64 {
	out := make([]int64, n)
	before := math.Round(r.value(counter, start))
	for i := range out {
		now := math.Round(r.value(counter, start+int64(i+1)*step))
		out[i], before = int64(max(0, now-before)), now
	}
	return out
}

// traffic adds up what the connections of each local port have carried, those that are gone included up to when they
// were last seen.
type traffic struct {
	seen  map[uint64]sockets.Conn // also those of earlier lists: one may lack a connection that is there
	ports map[uint16]sockets.Conn // sums
}

func (t *traffic) add(all []sockets.Conn) {
	if t.seen == nil {
		t.seen, t.ports = map[uint64]sockets.Conn{}, map[uint16]sockets.Conn{}
	}
	for _, c := range all {
		sum := t.ports[c.Port]
		last := t.seen[c.ID]
		sum.Received += c.Received - min(last.Received, c.Received)
		sum.Acked += c.Acked - min(last.Acked, c.Acked)
		t.ports[c.Port] = sum
		t.seen[c.ID] = c
	}
}

// of returns what was received and sent at a server's ports.
func (t *traffic) of(b Server) (c counts) {
	clients, peers := t.ports[b.Clients], t.ports[b.Peers]
	c[received], c[sent], c[replicated] = int64(clients.Received), int64(clients.Acked), int64(peers.Acked)
	return c
}
