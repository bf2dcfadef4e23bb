package network

import (
	"slices"
	"time"

	"plimsoll/internal/client/netload"
	"plimsoll/internal/record"
	"plimsoll/internal/workload"
)

// The steps of a lane's timeline: the finest that fit its memory.
const (
	finest   = int64(time.Millisecond)
	mostBins = 1 << 17 // 3 MiB
)

// steps counts what a lane moved in each step of the window, by the ends of operations.
type steps struct {
	start, step int64
	bins        []bin
	looked      int64 // when the current operation was last sampled; 0: not yet
}

// bin is a step. The thread should have looked at its stream in it, and did not run, for so many ns: unseen.
type bin struct{ bytes, ops, unseen int64 }

// from begins the timeline with the window's start, which lasts for d.
func (s *steps) from(start int64, d time.Duration) {
	s.start, s.step = start, finest
	for int64(d)/s.step > mostBins {
		s.step *= 10
	}
	s.bins = make([]bin, int64(d)/s.step)
}

func (s *steps) add(now, ops, bytes int64) {
	if s.step == 0 || now < s.start {
		return
	}
	if i := (now - s.start) / s.step; i < int64(len(s.bins)) {
		s.bins[i].bytes += bytes
		s.bins[i].ops += ops
	}
}

// late is the lateness of a sample from which its thread has not run: others of this host had the CPUs.
const late = 2 * netload.Sampled

// sample counts bytes that moved before the end of an operation which waits.
func (s *steps) sample(now, bytes int64) {
	if due := s.looked + int64(netload.Sampled); s.looked > 0 && now-due > int64(late) {
		s.away(due, now)
	}
	s.looked = now
	s.add(now, 0, bytes)
}

// away counts a stretch in which the thread should have looked at its stream, and did not run.
func (s *steps) away(from, to int64) {
	for from = max(from-s.start, 0); from < to-s.start && from/s.step < int64(len(s.bins)); {
		next := min(to-s.start, (from/s.step+1)*s.step)
		s.bins[from/s.step].unseen += next - from
		from = next
	}
}

// end counts the end of an operation.
func (s *steps) end(now, ops, bytes int64) {
	s.looked = 0
	s.add(now, ops, bytes)
}

// tracks adds up the lanes' timelines, in bytes on the wire: shapers count those.
func tracks(lanes []*lane) []workload.Track {
	var first *steps
	for _, l := range lanes {
		if first == nil && len(l.steps.bins) > 0 {
			first = &l.steps
		}
	}
	if first == nil {
		return nil
	}
	bytes, ops, unseen := make([]int64, len(first.bins)), make([]int64, len(first.bins)), make([]int64, len(first.bins))
	for _, l := range lanes {
		for i, b := range l.steps.bins {
			bytes[i] += int64(float64(b.bytes) * max(l.wire, 1))
			ops[i] += b.ops
			unseen[i] += b.unseen / int64(len(lanes))
		}
	}
	out := []workload.Track{
		{Name: record.SeriesNetworkBytes, Unit: "B", StepNs: first.step, Values: bytes},
		{Name: record.SeriesNetworkOps, Unit: "op", StepNs: first.step, Values: ops},
	}
	if slices.Max(unseen) > 0 {
		out = append(out, workload.Track{Name: record.SeriesUnseen, Unit: "ns", StepNs: first.step, Values: unseen})
	}
	return out
}
