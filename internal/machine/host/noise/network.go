package noise

import (
	"bytes"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"strconv"

	"plimsoll/internal/machine/host/hostfs"
	"plimsoll/internal/record"
)

// loopback is the interface by which processes of one machine reach each other.
const loopback = "lo"

// Counters are what an interface moved since it was made.
type Counters struct {
	Name           string
	Received, Sent Moved
	Exceeded       map[string]uint64 // packets queued or dropped over an allowance, by counter; nil without such counters
}

// Moved is what an interface moved in one direction. A packet is what the interface and the kernel handed to each
// other: with segmentation offloaded one of up to 64 KiB goes over the wire as many.
type Moved struct{ Bytes, Packets uint64 }

// since returns what was moved after an earlier reading, and false if a counter went back.
func (m Moved) since(then Moved) (bytes, packets int64, ok bool) {
	if m.Bytes < then.Bytes || m.Packets < then.Packets {
		return 0, 0, false
	}
	return int64(m.Bytes - then.Bytes), int64(m.Packets - then.Packets), true
}

// ReadNetwork reads the counters of all interfaces of this network namespace. The error is
// hostfs.NotHere if the kernel has no network.
func ReadNetwork(root hostfs.Root, stats NICStats) ([]Counters, error) {
	path := root.ProcPath("net/dev")
	b, err := os.ReadFile(path)
	if err != nil {
		return nil, err
	}
	out, err := parseNetDev(b)
	if err != nil {
		return nil, fmt.Errorf("%s: %w", path, err)
	}
	for i := range out {
		if out[i].Exceeded, err = allowances(root, out[i].Name, stats); err != nil {
			return nil, fmt.Errorf("statistics of interface %s: %w", out[i].Name, err)
		}
	}
	return out, nil
}

// netDevFields are the counters of a line of /proc/net/dev (proc_pid_net(5)): eight received, eight sent, bytes and
// packets the first two of either.
const netDevFields = 16

var errNetDev = errors.New("a line is not an interface and its counters")

// parseNetDev reads /proc/net/dev below its two lines of headings.
func parseNetDev(b []byte) ([]Counters, error) {
	var out []Counters
	for i, line := range bytes.Split(bytes.TrimRight(b, "\n"), []byte{'\n'}) {
		if i < 2 {
			continue
		}
		// A name may hold a colon, as aliases' do; a counter does not.
		at := bytes.LastIndexByte(line, ':')
		fields := bytes.Fields(line[at+1:])
		if at < 0 || len(fields) < netDevFields {
			return nil, errNetDev
		}
		received, err := movedIn(fields)
		if err != nil {
			return nil, errNetDev
		}
		sent, err := movedIn(fields[netDevFields/2:])
		if err != nil {
			return nil, errNetDev
		}
		out = append(out, Counters{Name: string(bytes.TrimSpace(line[:at])), Received: received, Sent: sent})
	}
	return out, nil
}

// movedIn reads the first two counters of a direction.
func movedIn(fields [][]byte) (m Moved, err error) {
	if m.Bytes, err = strconv.ParseUint(string(fields[0]), 10, 64); err == nil {
		m.Packets, err = strconv.ParseUint(string(fields[1]), 10, 64)
	}
	return m, err
}

// NetworkBetween returns the traffic between two readings: by the loopback, and by the other
// interface that moved most in one direction. It returns false if there was none. An interface that
// was not there before, or whose counters went back, is left out.
func NetworkBetween(root hostfs.Root, before, after []Counters) (record.NetworkUse, bool) {
	var u record.NetworkUse
	was := map[string]Counters{}
	for _, c := range before {
		was[c.Name] = c
	}
	for _, now := range after {
		then, ok := was[now.Name]
		received, receivedPackets, up := now.Received.since(then.Received)
		sent, sentPackets, sends := now.Sent.since(then.Sent)
		if !ok || !up || !sends {
			continue
		}
		for counter, n := range now.Exceeded {
			if before, ok := then.Exceeded[counter]; ok && n > before {
				u.Exceed(counter, int64(n-before))
			}
		}
		if now.Name == loopback {
			u.LoopbackBytes, u.LoopbackPackets = sent, sentPackets
			continue
		}
		if max(received, sent) > max(u.ReceivedBytes, u.SentBytes) {
			u.Interface, u.ReceivedBytes, u.SentBytes = now.Name, received, sent
			u.ReceivedPackets, u.SentPackets = receivedPackets, sentPackets
		}
	}
	if u.Interface != "" {
		// Virtual ones say -1 or make something up, and one that is down fails with EINVAL.
		if _, err := os.Stat(root.SysPath("class/net", filepath.Base(u.Interface), "device")); err != nil {
			return u, true
		}
		if mbit, err := hostfs.ReadNumber(root.SysPath("class/net", filepath.Base(u.Interface), "speed")); err == nil &&
			mbit > 0 {
			u.Mbit = mbit
		}
	}
	return u, u.Interface != "" || u.LoopbackBytes > 0 || len(u.Exceeded) > 0
}
