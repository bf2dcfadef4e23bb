package selftest

import (
	"fmt"
	"math"
	"math/rand/v2"

	"plimsoll/internal/analysis/finding"
	"plimsoll/internal/analysis/finding/crossover"
	"plimsoll/internal/analysis/judge"
	"plimsoll/internal/plan"
	"plimsoll/internal/record"
)

const (
	mostClients   = 64 // at the last place; the first has one client
	crossingPairs = 5
	heldGate      = .95
	toldGate      = .80
	falselyGate   = .05
)

// curves are two machines over numbers of clients: a is linear, and b, which is faster with one client, saturates.
type curves struct {
	serial  float64 // share of b's work that clients cannot do at once (Amdahl)
	cross   float64 // clients at which both handle as much
	meet    bool    // from there on they handle as much, and do not cross
	swapped bool    // a and b change places
}

// logRatio returns ln of b's throughput over a's.
func (c curves) logRatio(x float64) float64 {
	if c.meet && x >= c.cross {
		return 0
	}
	log := math.Log((1 + c.serial*(c.cross-1)) / (1 + c.serial*(x-1)))
	if c.swapped {
		return -log
	}
	return log
}

// drawnCurves returns curves that cross between two numbers of clients.
func drawnCurves(r *rand.Rand, from, to float64) curves {
	return curves{serial: .01 * math.Pow(20, r.Float64()), cross: from * math.Pow(to/from, r.Float64()),
		swapped: r.IntN(2) == 0}
}

// crossed is what a session says of its curves' crossing.
type crossed struct {
	told int // brackets
	held int // of these, those with the true crossing
}

// crossings returns gates for the brackets of crossings along a load: whether they hold the true one, how often it is
// told, and how often one is told where the curves do not cross. The worst such curves are those that meet: at all
// loads beyond, either machine may be ahead by chance.
func (t tests) crossings() ([]Gate, error) {
	var out []Gate
	for _, places := range []int{2, 4, 8} {
		for _, percent := range []float64{1, 4} {
			gates, err := t.crossingsAt(places, percent)
			if err != nil {
				return nil, err
			}
			out = append(out, gates...)
		}
	}
	return out, nil
}

func (t tests) crossingsAt(places int, percent float64) ([]Gate, error) {
	sd, title := percent/100, fmt.Sprintf("%d loads, noise %g%%", places, percent)
	inside, err := t.crossed("crossing, "+title, places, sd, func(r *rand.Rand) curves {
		return drawnCurves(r, 1, mostClients)
	})
	if err != nil {
		return nil, err
	}
	brackets, held := 0, 0
	for _, c := range inside {
		brackets, held = brackets+c.told, held+c.held
	}
	told := func(c crossed) bool { return c.told > 0 }
	out := []Gate{shareGate("crossing, "+title+": bracket holds it", held, max(brackets, 1), AtLeast, heldGate)}
	if percent == 1 {
		out = append(out, shareGate("crossing, "+title+": told", number(inside, told), len(inside), AtLeast, toldGate))
	}
	for _, none := range []struct {
		name string
		draw func(*rand.Rand) curves
	}{
		{"crossing beyond ", beyond}, {"no crossing, but one ceiling, ", meeting},
	} {
		got, err := t.crossed(none.name+title, places, sd, none.draw)
		if err != nil {
			return nil, err
		}
		out = append(out, shareGate(none.name+title+": one told", number(got, told), len(got), AtMost, falselyGate))
	}
	return out, nil
}

// beyond returns curves that cross below the first load or above the last.
func beyond(r *rand.Rand) curves {
	const factor = 8
	if r.IntN(2) == 0 {
		return drawnCurves(r, 1./factor, 1)
	}
	return drawnCurves(r, mostClients, factor*mostClients)
}

// meeting returns curves that differ with one client alone, and are one from two clients on.
func meeting(r *rand.Rand) curves {
	return curves{serial: .5, cross: 2, meet: true, swapped: r.IntN(2) == 0}
}

// crossed lets the judge find the crossings of simulated sessions.
func (t tests) crossed(name string, places int, sd float64, draw func(*rand.Rand) curves) ([]crossed, error) {
	return many(t, name, func(r *rand.Rand) (crossed, error) {
		truth := draw(r)
		all, err := t.in.crossingsOf(truth, places, sd, r)
		out := crossed{told: len(all)}
		for _, c := range all {
			if c.Lo <= truth.cross && truth.cross <= c.Hi {
				out.held++
			}
		}
		return out, err
	})
}

// crossingsOf returns the crossings that are found in a session of two machines at some numbers of clients.
func (in Instrument) crossingsOf(truth curves, places int, sd float64, r *rand.Rand) ([]crossover.Crossing, error) {
	p := planOf(crossingPairs, r.Uint64())
	p.Cells = nil
	for place := range places {
		level := math.Round(math.Pow(mostClients, float64(place)/float64(places-1)))
		for _, host := range p.Hosts {
			p.Cells = append(p.Cells, record.Cell{Workload: "simulated", Host: host, Group: place,
				Load: record.LoadPoint{Kind: record.Closed, Level: level, Unit: record.ParamClients}})
		}
	}
	hash, n := plan.Hash(p), normal(sd)
	var trials []record.Trial
	for replicate := range crossingPairs {
		for i, cell := range p.Cells {
			o := record.Order{Slot: record.Slot{Plan: hash, Group: cell.Group, Replicate: replicate}, DurationS: p.DurationS,
				Sides: []record.Side{{Cell: i, Workload: cell.Workload, Load: cell.Load}}}
			side := i % len(p.Hosts)
			log := n(r, 1)[side][0]
			if side == 1 {
				log += truth.logRatio(cell.Load.Level)
			}
			trial := trialOf(o, 0, []record.Value{throughput(1e3 * cell.Load.Level * math.Exp(log))})
			trial.Start = started(len(trials))
			trials = append(trials, trial)
		}
	}
	c, err := in.Compare(trials, machineLines(), []record.PlanLine{{Hash: hash, Plan: p}}, judge.Options{Baseline: sideA})
	if err != nil {
		return nil, fmt.Errorf("judging a simulated session: %w", err)
	}
	if len(c.Pairs) != 1 {
		return nil, fmt.Errorf("judging a simulated session: %d pairs of machines, one was simulated", len(c.Pairs))
	}
	return in.Crossings(c.Pairs[0]), nil
}

// toldCrossings returns the crossings of throughput that a comparison tells.
func toldCrossings(p finding.Pair) []crossover.Crossing { return crossover.KindCrossing.All(p) }
