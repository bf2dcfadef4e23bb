package selftest

import (
	"fmt"
	"math"
	"math/rand/v2"
	"time"

	"plimsoll/internal/analysis/trialset"
	"plimsoll/internal/client/load"
	"plimsoll/internal/record"
	"plimsoll/internal/selftest/clients"
)

// maxBias bounds the mean error of a closed loop's throughput, as a share of the truth.
const maxBias = .005

// maxLanes bounds the lanes of a simulated run: each has histograms of its own.
const maxLanes = 16

// looped is a simulated closed loop as it was measured.
type looped struct {
	bias     float64 // of the throughput, a share of the truth
	balanced bool    // Little's law agrees
	starved  bool    // the clients without an answer were counted right
}

// throughputs returns gates for closed loops before servers of known behaviour: the bias of their throughput, and for
// how many runs Little's law or the number of clients without an answer is wrong. Half of the runs of up to maxLanes
// clients have a lane for each, the others one event loop for all.
func (t tests) throughputs() ([]Gate, error) {
	var out []Gate
	unbalanced, miscounted, all := 0, 0, 0
	for _, b := range clients.Behaviours() {
		name := "closed loop, " + b.Name
		runs, err := many(t, name, func(r *rand.Rand) (looped, error) {
			run := b.Draw(r, b.Window)
			got, err := t.in.Throughput(loopOf(run, b.Window, len(run.Clients) <= maxLanes && r.IntN(2) == 0), operationsOf(run))
			kept := trialset.Kept{LoadUse: record.LoadUse{InFlight: got.InFlight, Accounted: got.Accounted(),
				Crossing: got.Crossing}}
			return looped{got.OpsPerSecond/run.Throughput - 1, kept.Balanced(), int(got.Starved) == run.Starved}, err
		})
		if err != nil {
			return nil, fmt.Errorf("%s: %w", name, err)
		}
		bias := make([]float64, len(runs))
		for i, r := range runs {
			bias[i] = r.bias
		}
		out = append(out, errorGate(name+": bias of the throughput", bias, maxBias))
		unbalanced += number(runs, func(r looped) bool { return !r.balanced })
		miscounted += number(runs, func(r looped) bool { return !r.starved })
		all += len(runs)
	}
	return append(out,
		shareGate("closed loops: Little's law disagrees", unbalanced, all, AtMost, .001),
		shareGate("closed loops: clients without an answer miscounted", miscounted, all, AtMost, .001)), nil
}

// loopOf returns the load of a simulated run.
func loopOf(run clients.Run, w clients.Window, apart bool) load.Config {
	n := len(run.Clients)
	c := load.Config{Load: record.LoadPoint{Kind: record.Closed, Level: float64(n), Unit: record.ParamClients}, Lanes: 1,
		Warmup: time.Duration(nanoseconds(w.From)), Duration: time.Duration(nanoseconds(w.To - w.From))}
	if apart {
		c.Lanes = n
	}
	return c
}

func operationsOf(run clients.Run) [][]load.Operation {
	out := make([][]load.Operation, len(run.Clients))
	for i, ops := range run.Clients {
		out[i] = make([]load.Operation, len(ops))
		for j, op := range ops {
			out[i][j] = load.Operation{Start: nanoseconds(op.Start), End: load.Never, Failed: op.Failed}
			if !math.IsInf(op.End, 1) {
				out[i][j].End = nanoseconds(op.End)
			}
		}
	}
	return out
}

func nanoseconds(s float64) int64 { return int64(math.Round(s * 1e9)) }
