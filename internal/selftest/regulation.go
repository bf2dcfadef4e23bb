package selftest

import (
	"fmt"
	"math"
	"math/rand/v2"

	"plimsoll/internal/record/stat"
	"plimsoll/internal/selftest/bucket"
)

const (
	// regulatedRuns is the number of runs of each kind of disk per simulation of the certificate.
	regulatedRuns   = 0.25
	regulatedWithin = 0.01
	burstWithin     = 0.03
)

// regulated is the finding about a simulated disk, and the truth.
type regulated struct {
	found stat.Regulation
	truth bucket.Truth
}

// regulations returns gates for disks whose truth another package knows (docs/derivations.md#throttling).
func (t tests) regulations() ([]Gate, error) {
	few := t
	few.n = max(10, int(regulatedRuns*float64(t.n)))
	var out []Gate
	var within [2][]bool // for quantum and credit: whether the regulator's parameters were found to 1%
	var bursts []bool
	for _, kind := range bucket.Kinds() {
		runs, err := many(few, "token bucket, "+kind.Name, func(r *rand.Rand) (regulated, error) {
			disk, truth := kind.Draw(r)
			run := disk.Run(r, truth.Seconds)
			found, ok := t.in.Regulation(stat.Timeline{StepS: bucket.Step, Bytes: run.Bytes, IOs: run.IOs})
			if !ok {
				return regulated{}, fmt.Errorf("%s: a run of %.3g s is too short", kind.Name, truth.Seconds)
			}
			return regulated{found, truth}, nil
		})
		if err != nil {
			return nil, err
		}
		wrong := number(runs, func(g regulated) bool { return g.found.Class != g.truth.Class })
		out = append(out, shareGate("token bucket, "+kind.Name+": class wrong", wrong, len(runs), AtMost, .01))
		for _, g := range runs {
			switch {
			case g.truth.Class == stat.Quantum:
				within[0] = append(within[0], near(g.found.PeriodS, g.truth.Period) && near(g.found.QuantumBytes, g.truth.Amount) &&
					near(g.found.Rate, g.truth.Rate))
				if !g.found.AtLeast {
					bursts = append(bursts, math.Abs(g.found.BurstRate/g.truth.Burst-1) <= burstWithin)
				}
			case g.truth.Class == stat.Credit:
				within[1] = append(within[1], near(g.found.BucketBytes, g.truth.Amount) && near(g.found.Rate, g.truth.Rate))
			}
		}
	}
	is := func(b bool) bool { return b }
	unthrottled, err := few.unthrottled()
	if err != nil {
		return nil, err
	}
	out = append(out, unthrottled...)
	return append(out,
		shareGate("token bucket: period, quantum and rate within 1%", number(within[0], is), len(within[0]), AtLeast, .99),
		shareGate("token bucket: burst rate within 3%, bursts of 3 bins and more", number(bursts, is), len(bursts), AtLeast,
			.99),
		shareGate("token bucket: credit's bytes and rate within 1%", number(within[1], is), len(within[1]), AtLeast, .99),
	), nil
}

func near(found, truth float64) bool { return math.Abs(found/truth-1) <= regulatedWithin }

// throttledOf is the share of unthrottled disks that may be called throttled.
const throttledOf = .005

// unthrottled returns gates for loads on disks that nothing throttles, none of which may be called throttled, and for
// quotas of fewer bytes than are in flight, which a shallower load tells from operations that end together.
func (t tests) unthrottled() ([]Gate, error) {
	var out []Gate
	for _, kind := range bucket.FreeKinds() {
		name := "unthrottled disk, " + kind.Name
		runs, err := many(t, name, func(r *rand.Rand) (bool, error) {
			loop, seconds := kind.Draw(r)
			found, ok := t.toldApart(loop, seconds, func(depth int, seconds float64) (bucket.Run, []float64) {
				at := loop
				at.Depth = depth
				at.Together = min(at.Together, depth)
				return at.Run(r, seconds)
			})
			return ok && (found.Class == stat.Quantum || found.Class == stat.Credit), nil
		})
		if err != nil {
			return nil, err
		}
		wrong := number(runs, func(throttled bool) bool { return throttled })
		out = append(out, shareGate(name+": called throttled", wrong, len(runs), AtMost, throttledOf))
	}
	for _, kind := range bucket.DeepKinds() {
		runs, err := many(t, kind.Name, func(r *rand.Rand) (bool, error) {
			loop, truth, with := kind.Draw(r)
			found, ok := t.toldApart(loop, truth.Seconds, func(depth int, seconds float64) (bucket.Run, []float64) {
				return with(depth, seconds), nil
			})
			return ok && found.Class == stat.Quantum && near(found.PeriodS, truth.Period) && near(found.Rate, truth.Rate), nil
		})
		if err != nil {
			return nil, err
		}
		right := number(runs, func(told bool) bool { return told })
		out = append(out, shareGate(kind.Name+": found, within 1%", right, len(runs), AtLeast, .97))
	}
	return out, nil
}

// toldApart classifies a load, and has bursts of what is in flight followed by a shallower one, as an agent does.
func (t tests) toldApart(l bucket.Loop, seconds float64, run func(depth int, seconds float64) (bucket.Run, []float64)) (
	stat.Regulation, bool) {
	timeline := func(depth int, seconds float64, shallower bool) stat.Timeline {
		got, unseen := run(depth, seconds)
		return stat.Timeline{StepS: bucket.Step, Bytes: got.Bytes, IOs: got.IOs, InFlight: float64(depth) * l.Size,
			Unseen: unseen, Shallower: shallower}
	}
	found, ok := t.in.Regulation(timeline(l.Depth, seconds, false))
	if depth, length, more := found.Shallower(); ok && more {
		if shallow, ok := t.in.Regulation(timeline(depth, length, true)); ok {
			found = found.Confirmed(shallow)
		}
	}
	return found, ok
}
