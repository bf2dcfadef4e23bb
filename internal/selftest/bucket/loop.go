package bucket

import (
	"math"
	"math/rand/v2"
	"slices"
)

// Loop is a closed loop of some operations in flight on a disk that ends up to Together of them at once, seen by a
// generator that may be without CPU.
type Loop struct {
	Disk
	Depth    int
	Together int     // operations that the device takes, works on and ends together, at most; 1: one after the other
	Latency  float64 // seconds from the end of an operation's service to its completion
	Absent   *Absent // nil: the generator always runs
}

// Absent are the times in which a generator has no CPU: it sees no completion, and sends nothing.
type Absent struct{ From, To []float64 } // rising, without overlap

// PeriodicAbsence has a generator run for a share of each period, as under a quota of CPU time.
func PeriodicAbsence(period, share, seconds float64) *Absent {
	var a Absent
	for t := 0.0; t < seconds; t += period {
		a.From, a.To = append(a.From, t+share*period), append(a.To, t+period)
	}
	return &a
}

// RandomAbsence has a generator lose its CPU at random.
func RandomAbsence(r *rand.Rand, gap, length, seconds float64) *Absent {
	var a Absent
	for t := gap * r.ExpFloat64(); t < seconds; t += gap * r.ExpFloat64() {
		to := t + length*r.ExpFloat64()
		a.From, a.To = append(a.From, t), append(a.To, to)
		t = to
	}
	return &a
}

// sees returns when a generator sees what ends at a time.
func (a *Absent) sees(at float64) float64 {
	if a == nil {
		return at
	}
	if i, _ := slices.BinarySearch(a.To, at); i < len(a.To) && at >= a.From[i] {
		return a.To[i]
	}
	return at
}

// unseen returns the share of each step in which the generator did not run.
func (a *Absent) unseen(steps int) []float64 {
	out := make([]float64, steps)
	if a == nil {
		return out
	}
	for i, from := range a.From {
		for s := int(from / Step); s < steps && float64(s)*Step < a.To[i]; s++ {
			out[s] += (math.Min(a.To[i], float64(s+1)*Step) - math.Max(from, float64(s)*Step)) / Step
		}
	}
	return out
}

// Run serves operations for some seconds, and returns what the generator saw and when it did not run.
func (l Loop) Run(r *rand.Rand, seconds float64) (run Run, unseen []float64) {
	n := int(seconds/Step + .5)
	run = Run{make([]float64, n), make([]float64, n)}
	type back struct {
		at float64
		n  int
	}
	// The device serves in turn, so that completions come in order.
	waiting, coming := l.Depth, []back(nil)
	now := 0.0
	for now < seconds {
		for len(coming) > 0 && (coming[0].at <= now || waiting == 0) {
			now = math.Max(now, coming[0].at)
			waiting += coming[0].n
			coming = coming[1:]
		}
		m := min(waiting, max(l.Together, 1))
		pace := 1.0
		if l.Gate != nil {
			now = l.Gate.Open(now, l.Size)
			pace = l.Gate.Pace(now)
		}
		took := 1.0
		if l.Noise > 0 {
			took += l.Noise * (r.ExpFloat64() - 1) / math.Sqrt(float64(m))
		}
		now += pace * float64(m) * l.Size / l.Rate * took
		waiting -= m
		seen := l.Absent.sees(now + l.Latency)
		if at := int(seen / Step); at < n {
			run.Bytes[at] += float64(m) * l.Size
			run.IOs[at] += float64(m)
		}
		coming = append(coming, back{seen, m})
	}
	return run, l.Absent.unseen(n)
}

// Free is one kind of disks that nothing throttles, with the load on it.
type Free struct {
	Name string
	Draw func(r *rand.Rand) (Loop, float64) // and its length in seconds
}

// FreeKinds returns the kinds, each over blocks of 4 KiB to 8 MiB and 1 to 512 in flight.
func FreeKinds() []Free {
	gap := func(l *Loop, seconds, length func() float64) {
		l.Gate = &Pauses{Gap: seconds, Length: length}
	}
	return []Free{
		{"plain", loop},
		{"ends together", func(r *rand.Rand) (Loop, float64) {
			l, s := loop(r)
			l.Together = l.part(r)
			return l, s
		}},
		{"ends together, in step", func(r *rand.Rand) (Loop, float64) {
			l, s := loop(r)
			l.Together, l.Noise = l.part(r), 0
			return l, s
		}},
		{"equal latency", func(r *rand.Rand) (Loop, float64) {
			l, s := loop(r)
			l.Latency = between(r, 1e-3, .2)
			l.Rate = math.Max(l.Rate, 3*float64(l.Depth)*l.Size/l.Latency) // it waits, and does not work
			return l, s
		}},
		{"cache flushes", func(r *rand.Rand) (Loop, float64) {
			l, s := loop(r)
			every, flush := between(r, .05, 1), between(r, .01, .3)
			gap(&l, func() float64 { return every * (.5 + r.Float64()) },
				func() float64 { return flush * (.5 + r.Float64()) })
			return l, s
		}},
		{"noisy host", func(r *rand.Rand) (Loop, float64) {
			l, s := loop(r)
			l.Together = 1 + r.IntN(l.Depth)
			every, most := between(r, .05, 1), between(r, .005, .1)
			gap(&l, func() float64 { return every * r.ExpFloat64() }, func() float64 { return most * r.ExpFloat64() })
			return l, s
		}},
		{"generator under a CPU quota", func(r *rand.Rand) (Loop, float64) {
			l, s := loop(r)
			l.Absent = PeriodicAbsence(between(r, .02, .2), .2+.6*r.Float64(), s)
			return l, s
		}},
		{"starved generator", func(r *rand.Rand) (Loop, float64) {
			l, s := loop(r)
			l.Together = 1 + r.IntN(l.Depth)
			l.Absent = RandomAbsence(r, between(r, .01, .2), between(r, .003, .1), s)
			return l, s
		}},
	}
}

// part draws how many of the operations in flight end together: all, or as many as the device's queue holds.
func (l Loop) part(r *rand.Rand) int {
	if r.IntN(2) == 0 {
		return l.Depth
	}
	return 1 + r.IntN(l.Depth)
}

// loop draws a plain disk and its load: at most 300,000 operations, and at least 60 bins' worth.
func loop(r *rand.Rand) (Loop, float64) {
	l := Loop{Together: 1, Depth: int(between(r, 1, 513))}
	l.Size = float64(int(4<<10) << r.IntN(12))
	l.Rate = between(r, 100e6, 4e9)
	l.Noise = .3 + .7*r.Float64()
	seconds := 10.0
	if least := 500 * l.Size / l.Rate; seconds < least {
		seconds = least
	}
	if most := 300e3 * l.Size / l.Rate; seconds > most {
		seconds = math.Max(most, 2)
		l.Rate = math.Min(l.Rate, 300e3*l.Size/seconds)
	}
	return l, seconds
}

// Deep is a quota that is met by more bytes in flight than it lets pass in a period, on a disk that is otherwise plain.
type Deep struct {
	Name         string
	fewest, most float64 // operations that a period lets pass
	busy         float64 // of a period, at most, in which data flow
	latency      float64 // of a period, at most, from the end of an operation's service to its completion
}

// DeepKinds returns quotas of many operations a period, and of so few that a bin of eight holds a large part of them.
func DeepKinds() []Deep {
	return []Deep{
		{"quota of fewer bytes than are in flight", 40, 400, .5, 0},
		{"quota of few large operations", 10, 40, .15, .05},
	}
}

// Draw returns the load, the truth, and the disk with another number of operations in flight.
func (d Deep) Draw(r *rand.Rand) (l Loop, truth Truth, with func(depth int, seconds float64) Run) {
	t := Truth{Class: "quantum", Period: between(r, .02, .3), Burst: between(r, 500e6, 3e9)}
	t.Rate = t.Burst * between(r, .03, d.busy)
	t.Amount = t.Rate * t.Period
	t.Seconds = math.Max(5, 30*t.Period)
	l.Size, l.Rate, l.Noise, l.Together = t.Amount/between(r, d.fewest, d.most), t.Burst, .3, 1
	l.Depth = int(t.Amount / l.Size * between(r, .7, 8))
	l.Latency = d.latency * t.Period * r.Float64()
	return l, t, func(depth int, seconds float64) Run {
		at := l
		at.Depth, at.Gate = depth, NewRenewed(r, t.Period, t.Amount, .01)
		run, _ := at.Run(r, seconds)
		return run
	}
}
