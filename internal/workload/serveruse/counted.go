// Package serveruse measures what each of several servers takes of the machine that they share: CPU time, disk, and the
// traffic with clients and with each other.
package serveruse

import "plimsoll/internal/machine/host/sockets"

// The counters of a server.
const (
	cpu        = iota // ns
	read              // bytes, of disks
	written           // bytes, to disks, as the kernel charges processes
	received          // bytes, from clients
	sent              // bytes, to clients
	replicated        // bytes, to other servers
	fetched           // bytes, from other servers; needs Server.Others
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

// add takes the counters of a process, and the traffic at the server's ports so far. Nothing is recorded while there is
// no process: one that is started again is known only when it listens, and what its start took is spread over the gap.
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

// sampled returns one counter.
func (r *recorded) sampled(counter int) Sampled {
	return Sampled{N: len(r.at), At: func(i int) int64 { return r.at[i] },
		Count: func(i int) int64 { return r.counts[i][counter] }}
}

// traffic adds up what the connections of each local port have carried, those that are gone included up to when they
// were last seen.
type traffic struct {
	seen  map[uint64]sockets.Conn // also those of earlier lists: one may lack a connection that is there
	ports map[door]sockets.Conn   // sums
}

// door is where connections are added up: at a server's port, and those with other servers apart if they share it.
type door struct {
	port  uint16
	peers bool
}

func (t *traffic) add(all []sockets.Conn, servers ...Server) {
	if t.seen == nil {
		t.seen, t.ports = map[uint64]sockets.Conn{}, map[door]sockets.Conn{}
	}
	for _, c := range all {
		at := doorOf(c, servers)
		sum := t.ports[at]
		last := t.seen[c.ID]
		sum.Received += c.Received - min(last.Received, c.Received)
		sum.Acked += c.Acked - min(last.Acked, c.Acked)
		t.ports[at] = sum
		t.seen[c.ID] = c
	}
}

// of returns what was received and sent at a server's ports.
func (t *traffic) of(b Server) (c counts) {
	clients, peers := t.ports[door{port: b.Clients}], t.ports[door{port: b.Peers}]
	if len(b.Others) > 0 {
		peers = t.ports[door{port: b.Clients, peers: true}]
	}
	c[received], c[sent], c[replicated] = int64(clients.Received), int64(clients.Acked), int64(peers.Acked)
	c[fetched] = int64(peers.Received)
	return c
}

// doorOf returns where a connection counts. Whichever of two servers has opened it, it is one of them with the other.
func doorOf(c sockets.Conn, servers []Server) door {
	for _, v := range servers {
		for _, other := range v.Others {
			if c.Remote == other || c.Port == v.Clients && c.Remote.Addr() == other.Addr() {
				return door{port: v.Clients, peers: true}
			}
		}
	}
	return door{port: c.Port}
}
