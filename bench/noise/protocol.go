package main

import (
	"math"
	"math/rand/v2"
	"slices"

	"golang.org/x/perf/benchmath"

	"plimsoll/internal/record/stat"
)

// answer is what a protocol concludes about the second of two commands.
type answer string

const (
	slower    answer = "slower"
	faster    answer = "faster"
	same      answer = "same"
	undecided answer = "undecided"
)

// protocol measures a try until it has an answer.
type protocol struct {
	name   string
	decide func(*try) answer
}

// try is one use of a protocol, on blocks of a recording.
type try struct {
	r       recorded
	planted float64
	random  *rand.Rand
	seconds float64 // that protocols of fixed length have
	used    float64 // seconds
}

const (
	blockPairs = 20   // pairs that follow one another in the recording, and do so in a try
	overhead   = .002 // seconds of starting and recording a pair
	pilotPairs = 10   // of each arrangement
)

// protocolsOf returns the protocols. Those of fixed length have as much time as the first one took.
func protocolsOf(gate, budget float64) []protocol {
	out := []protocol{{"plimsoll, by a pilot", func(t *try) answer {
		arrangement, s := t.pilot()
		return t.sequential(arrangement, s, gate, budget, stat.MostPairs)
	}}}
	for _, arrangement := range []string{interleaved, atOnce} {
		for _, s := range signals() {
			out = append(out, protocol{"plimsoll, " + arrangement + ", " + s.name, func(t *try) answer {
				return t.sequential(arrangement, s, gate, budget, stat.MostPairs)
			}})
		}
	}
	return append(out,
		protocol{"plimsoll, 30 pairs, time", func(t *try) answer {
			return t.sequential(interleaved, signals()[0], gate, budget, stat.UsualPairs)
		}},
		protocol{"hyperfine, mean and SD", func(t *try) answer {
			a, b := t.sides()
			ratio := stat.Mean(b) / stat.Mean(a)
			off := ratio * math.Hypot(stat.SD(a)/stat.Mean(a), stat.SD(b)/stat.Mean(b))
			return believed(ratio, math.Abs(ratio-1) > off, gate)
		}},
		protocol{"benchstat, p < 0.05", func(t *try) answer {
			a, b := t.sides()
			limits := benchmath.DefaultThresholds
			c := benchmath.AssumeNothing.Compare(benchmath.NewSample(a, &limits), benchmath.NewSample(b, &limits))
			return believed(stat.Median(b)/stat.Median(a), c.P < c.Alpha, gate)
		}},
		protocol{"pairs of fixed number, Student's t", func(t *try) answer {
			d := t.logRatios(interleaved, signals()[0], func(n int) bool { return n >= 3 && t.used >= t.seconds })
			i := stat.TInterval(d, .05, 0)
			return believed(math.Exp(stat.Mean(d)), i.Lo > 0 || i.Hi < 0, gate)
		}})
}

// believed returns the answer of a reader who believes in a significant difference from the gate on.
func believed(ratio float64, significant bool, gate float64) answer {
	switch {
	case significant && ratio >= 1+gate:
		return slower
	case significant && ratio <= 1/(1+gate):
		return faster
	}
	return same
}

// pairs yields pairs of an arrangement, by blocks, the second command with the planted difference, and counts their
// time.
func (t *try) pairs(arrangement string, yield func(pair) bool) {
	all := t.r[arrangement]
	for {
		from := t.random.IntN(len(all) - blockPairs + 1)
		for _, p := range all[from : from+blockPairs] {
			if t.random.IntN(2) == 0 {
				p.a, p.b = p.b, p.a
			}
			p.b.time *= 1 + t.planted
			p.b.cpu *= 1 + t.planted
			t.used += lasted(arrangement, p) + overhead
			if !yield(p) {
				return
			}
		}
	}
}

// logRatios returns the log ratios of pairs until enough of them are measured.
func (t *try) logRatios(arrangement string, s signal, enough func(n int) bool) []float64 {
	var d []float64
	t.pairs(arrangement, func(p pair) bool {
		d = append(d, math.Log(s.of(p.b)/s.of(p.a)))
		return !enough(len(d))
	})
	return d
}

// pilot returns the arrangement and the signal with the least variance in a second.
func (t *try) pilot() (arrangement string, best signal) {
	least := math.Inf(1)
	for _, of := range []string{interleaved, atOnce} {
		var d [2][]float64
		before := t.used
		t.pairs(of, func(p pair) bool {
			for i, s := range signals() {
				d[i] = append(d[i], math.Log(s.of(p.b)/s.of(p.a)))
			}
			return len(d[0]) < pilotPairs
		})
		for i, s := range signals() {
			if v := spread(d[i]) * math.Sqrt(t.used-before); v < least {
				least, arrangement, best = v, of, s
			}
		}
	}
	return arrangement, best
}

// sequential decides by Plimsoll's rule: after so many pairs at most, and within the budget.
func (t *try) sequential(arrangement string, s signal, gate, budget float64, most int) answer {
	b, err := stat.Repeated(.05, most)
	if err != nil {
		panic(err) // most is a constant
	}
	b.Futile = stat.FutileBelow
	rule := stat.RuleFor(b, gate, false)
	var d []float64
	var seen stat.Interim
	t.pairs(arrangement, func(p pair) bool {
		d = append(d, math.Log(s.of(p.b)/s.of(p.a)))
		if slices.Contains(b.Looks, len(d)) {
			seen = rule.Decide(d)
		}
		return (seen.N == 0 || seen.Verdict == stat.GoOn) && len(d) < most && t.used < budget
	})
	if seen.Verdict != stat.Different && seen.Verdict != stat.Equivalent {
		return undecided
	}
	return believed(math.Exp(seen.Ratio.Mean), seen.Verdict == stat.Different, gate)
}

// sides returns the times of both commands from a stretch of the recording: the first one's runs, then the second's.
func (t *try) sides() (a, b []float64) {
	all := t.r[interleaved]
	at := t.random.IntN(2 * len(all))
	next := func() float64 {
		p := all[at/2%len(all)]
		at++
		if at%2 == 1 {
			return p.a.time
		}
		return p.b.time
	}
	const least = 10 // runs a side, as both tools ask for
	for len(a) < least || t.used < t.seconds/2 {
		a = append(a, next())
		t.used += a[len(a)-1] + overhead/2
	}
	for range a {
		b = append(b, next()*(1+t.planted))
		t.used += b[len(b)-1] + overhead/2
	}
	return a, b
}
