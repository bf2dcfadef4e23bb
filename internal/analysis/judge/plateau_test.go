package judge

import (
	"fmt"
	"math"
	"math/rand/v2"
	"testing"

	"plimsoll/internal/analysis/finding/sweep"
	"plimsoll/internal/analysis/trialset"
	"plimsoll/internal/record"
	"plimsoll/internal/record/stat"
)

// deepTrials are a sweep of depth at each of some block sizes, on a device that does so many operations and moves so
// many bytes a second at most, and one operation of each depth in so many seconds.
func deepTrials(ops, bytes, each float64, blocks []string) []record.Trial {
	r := rand.New(rand.NewPCG(29, 0))
	var out []record.Trial
	cell := 0
	for _, block := range blocks {
		size, _ := record.ParseSize(block)
		for depth := 1; depth <= 64; depth *= 2 {
			for i := range 4 {
				v := math.Min(math.Min(ops, float64(depth)/each)*float64(size), bytes) * math.Exp(.004*r.NormFloat64())
				out = append(out, trial("m1", i, v, key("aes.block", block), key("aes.depth", fmt.Sprint(depth)), cellNo(cell)))
			}
			cell++
		}
	}
	return out
}

func plateauIn(t *testing.T, trials []record.Trial, param, block string) sweep.Plateau {
	t.Helper()
	for _, c := range Show(trials, nil, nil).Workloads {
		for _, p := range sweep.KindPlateau.All(c) {
			if p.Param == param && c.Params["block"] == block && (param != "depth" || c.Params["depth"] == "64") {
				return p
			}
		}
	}
	t.Fatalf("no plateau over %s at %s", param, block)
	return sweep.Plateau{}
}

// TestPlateau: 20,000 operations of 16 KiB and 1 ms each: 20 at once are enough.
func TestPlateau(t *testing.T) {
	trials := deepTrials(20000, 1e12, 1e-3, []string{"16KiB", "64KiB"})
	p := plateauIn(t, trials, "depth", "16KiB")
	if p.Shape != string(stat.LevelsOff) || p.At == nil || *p.At.Lo > 20 || *p.At.Hi < 20 || math.Abs(p.Slope-1) > .03 {
		t.Fatalf("%+v", p)
	}
	holds(t, "where it levels off", p.At.Value, *p.At.Lo, *p.At.Hi, 20, .5)
	holds(t, "from there on", p.Top.Value/16384, *p.Top.Lo/16384, *p.Top.Hi/16384, 20000, 100)
	if p.Lift == nil || p.Lift.Limit != sweep.LimitOperations || p.Lift.To != 65536 {
		t.Errorf("lift %+v", p.Lift)
	}
	if largest := plateauIn(t, trials, "depth", "64KiB"); largest.Lift != nil {
		t.Errorf("the largest block has a lift: %+v", largest.Lift)
	}
}

// TestPlateauOfBytes: where bytes bind, larger blocks bring nothing; and the sweep of blocks bends where the two limits
// meet.
func TestPlateauOfBytes(t *testing.T) {
	trials := deepTrials(1e6, 200e6, 1e-3, []string{"16KiB", "32KiB", "64KiB", "128KiB"})
	p := plateauIn(t, trials, "depth", "16KiB")
	if p.Lift == nil || p.Lift.Limit != sweep.LimitBytes {
		t.Errorf("lift %+v", p.Lift)
	}
	bend := plateauIn(t, trialset.Filter(trials, func(t *record.Trial) bool { return t.Keys["aes.depth"] == "4" }),
		"block", "128KiB")
	if bend.Shape != string(stat.LevelsOff) || *bend.At.Lo > 50e3 || *bend.At.Hi < 50e3 || bend.Unit != "B" ||
		bend.Lift != nil {
		t.Errorf("%+v %+v", bend, bend.At)
	}
}

// TestNoPlateau: three values, one trial of each, names instead of numbers.
func TestNoPlateau(t *testing.T) {
	one := trialset.Filter(deepTrials(20000, 1e12, 1e-3, []string{"16KiB"}),
		func(t *record.Trial) bool { return t.Replicate == 0 && t.Keys["aes.depth"] != "64" })
	few := trialset.Filter(deepTrials(20000, 1e12, 1e-3, []string{"16KiB"}),
		func(t *record.Trial) bool { return len(t.Keys["aes.depth"]) == 1 && t.Keys["aes.depth"] != "1" })
	for name, trials := range map[string][]record.Trial{"three values": few, "one trial each of few": one[:4]} {
		for _, c := range Show(trials, nil, nil).Workloads {
			if len(sweep.KindPlateau.All(c)) > 0 {
				t.Errorf("%s: %+v", name, sweep.KindPlateau.All(c))
			}
		}
	}
}
