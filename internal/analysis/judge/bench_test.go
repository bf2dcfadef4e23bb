package judge

import (
	"fmt"
	"math"
	"math/rand/v2"
	"testing"

	"plimsoll/internal/analysis/trialset"
	"plimsoll/internal/record"
)

// BenchmarkCompareManySessions compares the 100,000 trials of 10,000 sessions of five pairs.
func BenchmarkCompareManySessions(b *testing.B) {
	const sessions, pairs = 10_000, 5
	r := rand.New(rand.NewPCG(1, 0))
	var trials []record.Trial
	var lines []record.PlanLine
	for s := range sessions {
		hash := fmt.Sprintf("%016x", s)
		lines = append(lines,
			record.PlanLine{Hash: hash, Plan: record.Plan{Alpha: .05, Margin: .02, Claim: trialset.ClaimMachine}})
		for i := range pairs {
			drift := 1e9 * math.Exp(.1*r.NormFloat64())
			for side, machine := range []string{"m1", "m2"} {
				v := drift * math.Exp(.01*float64(side)+.02*r.NormFloat64())
				trials = append(trials, trial(machine, i, v, planned(hash), cellNo(side),
					measured(record.LatencyP50, "s", record.Lower, 1/v)))
			}
		}
	}
	b.ResetTimer()
	for b.Loop() {
		got, err := Compare(trials, nil, lines, Options{})
		if err != nil || got.Pairs[0].Verdicts[0].N != sessions*pairs {
			b.Fatalf("%+v, %v", got, err)
		}
	}
}
