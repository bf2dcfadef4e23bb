package record

import (
	"math"
	"strings"
)

// StackSum adds up samples, so that each stack of each thread stands once, in the order in which they came first.
type StackSum struct {
	Stacks []Stack
	at     map[string]int
}

// Add adds n samples of a stack.
func (s *StackSum) Add(k Stack, n int64) {
	if s.at == nil {
		s.at = map[string]int{}
	}
	key := k.key()
	i, ok := s.at[key]
	if !ok {
		i = len(s.Stacks)
		s.at[key] = i
		s.Stacks = append(s.Stacks, Stack{Frames: k.Frames, Thread: k.Thread})
	}
	s.Stacks[i].N += n
}

// key is the same for the same frames of the same thread alone: names hold neither byte.
func (s Stack) key() string {
	var b strings.Builder
	b.WriteString(s.Thread)
	for _, f := range s.Frames {
		b.WriteString("\x00" + f.Function + "\x01" + f.Module)
	}
	return b.String()
}

// InPeriod is how many samples of another period, ns, stand for as much time as n of one, rounded, and once at least.
func InPeriod(n, period, other int64) int64 {
	if period == other || other <= 0 {
		return n
	}
	return max(1, (n*period+other/2)/other)
}

// MergeProfiles adds up profiles, whose clock is the first one's. A sample counts as often as the time that it stands for holds the smallest
// period, rounded and once at least: by the hardware's cycles each trial has a period of its own. The period of the sum is such that
// all samples stand for as much time as before.
func MergeProfiles(all []Profile) Profile {
	var out Profile
	least, total := int64(math.MaxInt64), 0.0
	for _, p := range all {
		least = min(least, max(p.PeriodNs, 1))
		total += float64(p.Samples()) * float64(p.PeriodNs)
	}
	var sum StackSum
	for _, p := range all {
		for _, s := range p.Stacks {
			sum.Add(s, InPeriod(s.N, p.PeriodNs, least))
		}
	}
	out.Stacks = sum.Stacks
	if n := out.Samples(); n > 0 {
		out.Clock, out.PeriodNs = all[0].Clock, int64(math.Round(total/float64(n)))
	}
	return out
}
