package storage

import (
	"bytes"
	"errors"
	"fmt"
)

// Counters are a block device's counters since boot (Linux Documentation/admin-guide/iostats.rst).
type Counters struct {
	Reads, ReadMerges, ReadSectors    uint64 // completed; requests that were joined to others before; of 512 B
	Writes, WriteMerges, WriteSectors uint64
	InFlight                          uint64 // now
	BusyMs                            uint64 // with anything in flight; the kernel counts modulo 2^32
	// Of all completed requests together, from queueing to completion, and of those in flight in each ms; likewise.
	RequestMs, QueueMs uint64
}

// The fields of a line of /proc/diskstats behind the device's name.
const (
	statReads = iota
	statReadMerges
	statReadSectors
	statReadMs
	statWrites
	statWriteMerges
	statWriteSectors
	statWriteMs
	statInFlight
	statBusyMs
	statQueueMs
	statFields // later kernels have more: discards and flushes
)

var errDiskstats = errors.New("a line is not major, minor, name and eleven counters")

// nextDisk reads the first line of /proc/diskstats and returns the rest. It allocates nothing: it
// runs ten times a second during a measurement. (The parser of prometheus/procfs makes a slice of
// structs of each reading.)
func nextDisk(b []byte) (name []byte, c Counters, rest []byte, err error) {
	line, rest, _ := bytes.Cut(b, []byte{'\n'})
	for range 2 {
		if _, line, err = nextNumber(line); err != nil {
			return nil, c, rest, err
		}
	}
	if name, line = nextWord(line); len(name) == 0 {
		return nil, c, rest, errDiskstats
	}
	var n [statFields]uint64
	for i := range n {
		if n[i], line, err = nextNumber(line); err != nil {
			return nil, Counters{}, rest, err
		}
	}
	return name, Counters{
		n[statReads], n[statReadMerges], n[statReadSectors], n[statWrites], n[statWriteMerges], n[statWriteSectors],
		n[statInFlight], n[statBusyMs], n[statReadMs] + n[statWriteMs], n[statQueueMs],
	}, rest, nil
}

func nextWord(b []byte) (word, rest []byte) {
	for len(b) > 0 && b[0] == ' ' {
		b = b[1:]
	}
	end := 0
	for end < len(b) && b[end] != ' ' && b[end] != '\n' {
		end++
	}
	return b[:end], b[end:]
}

func nextNumber(b []byte) (n uint64, rest []byte, err error) {
	word, rest := nextWord(b)
	if len(word) == 0 || len(word) > len("18446744073709551615") {
		return 0, rest, errDiskstats
	}
	for _, d := range word {
		if d < '0' || d > '9' {
			return 0, rest, errDiskstats
		}
		n = n*10 + uint64(d-'0')
	}
	return n, rest, nil
}

// cpuTicks are the first line of /proc/stat, in ticks since boot and over all CPUs.
type cpuTicks struct{ iowait, total uint64 }

var errCPULine = errors.New("its first line is not that of all CPUs")

// parseCPULine reads the first line of /proc/stat: user, nice, system, idle, iowait, irq, softirq and
// steal; guests' time is a part of user. It allocates nothing.
func parseCPULine(b []byte) (cpuTicks, error) {
	const iowait, fields = 4, 8
	word, rest := nextWord(b)
	if string(word) != "cpu" {
		return cpuTicks{}, errCPULine
	}
	var t cpuTicks
	for i := range fields {
		var n uint64
		var err error
		if n, rest, err = nextNumber(rest); err != nil {
			return cpuTicks{}, errCPULine
		}
		if i == iowait {
			t.iowait = n
		}
		t.total += n
	}
	return t, nil
}

// parseDiskstats reads the counters of the named devices; out has one place for each. A device that
// is no longer there keeps its counters.
func parseDiskstats(b []byte, names []string, out []Counters) error {
	for len(b) > 0 {
		name, c, rest, err := nextDisk(b)
		if err != nil {
			return fmt.Errorf("diskstats: %w", err)
		}
		for i, n := range names {
			if n == string(name) {
				out[i] = c
			}
		}
		b = rest
	}
	return nil
}
