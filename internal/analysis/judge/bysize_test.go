package judge

import (
	"fmt"
	"maps"
	"math"
	"math/rand/v2"
	"slices"
	"testing"

	"plimsoll/internal/analysis/finding"
	"plimsoll/internal/analysis/finding/sweep"
	"plimsoll/internal/base/simtest"
	"plimsoll/internal/record"
)

// sizedTrials are a sweep of sizes, with a rate for each.
func sizedTrials(param string, rates map[string]float64, replicates int, sd float64, changes ...change) []record.Trial {
	r := rand.New(rand.NewPCG(23, uint64(len(rates))))
	var out []record.Trial
	cell := 0
	for _, size := range slices.Sorted(maps.Keys(rates)) {
		for i := range replicates {
			all := append([]change{key("aes."+param, size), cellNo(cell)}, changes...)
			out = append(out, trial("m1", i, rates[size]*math.Exp(sd*r.NormFloat64()), all...))
		}
		cell++
	}
	return out
}

func sweepsIn(s finding.Shown) []finding.Cell {
	var out []finding.Cell
	for _, c := range s.Workloads {
		if sweep.KindBySize.Of(c) != nil {
			out = append(out, c)
		}
	}
	return out
}

func TestBySize(t *testing.T) {
	falling := map[string]float64{"8KiB": 4e9, "1MB": 3e9, "5MB": 2e9, "25MB": 1e9}
	cells := sweepsIn(Show(sizedTrials("size", falling, 5, .004), nil, nil))
	if len(cells) != 1 || cells[0].Params["size"] != "25MB" || !cells[0].Primary {
		t.Fatalf("%+v", cells)
	}
	s := sweep.KindBySize.Of(cells[0])
	if s.Param != "size" || len(s.Points) != 4 {
		t.Fatalf("%+v", s)
	}
	for i, want := range []float64{8192, 1e6, 5e6, 25e6} {
		if s.Points[i].Size != want || s.Points[i].Lo == nil {
			t.Errorf("point %d: %+v, want %v B", i, s.Points[i], want)
		}
	}
	holds(t, "last over first", s.Last.Value, *s.Last.Lo, *s.Last.Hi, .25, .01)
	holds(t, "lowest over highest", s.Spread.Value, *s.Spread.Lo, *s.Spread.Hi, .25, .01)
	if math.Log(*s.Spread.Hi / *s.Spread.Lo) <= 0 || *s.Spread.Hi > .3 {
		t.Errorf("spread %v to %v", *s.Spread.Lo, *s.Spread.Hi)
	}
}

// TestFlatBySize: of a flat sweep, the interval of the lowest over the highest
// holds 1 nearly always, although the two were picked for their figures.
func TestFlatBySize(t *testing.T) {
	simtest.Long(t)
	sessions := simtest.Times(300, 150)
	missed := 0
	for seed := range sessions {
		r := rand.New(rand.NewPCG(29, uint64(seed)))
		var trials []record.Trial
		for size := range 6 {
			for i := range 3 {
				trials = append(trials, trial("m1", i, 1e9*math.Exp(.02*r.NormFloat64()),
					key("aes.size", fmt.Sprintf("%dKiB", size+1)), cellNo(size)))
			}
		}
		if s := sweep.KindBySize.Of(sweepsIn(Show(trials, nil, nil))[0]); *s.Spread.Hi < 1 {
			missed++
		}
	}
	t.Logf("%d of %d flat sweeps are called uneven", missed, sessions)
	if limit := sessions * 8 / 100; missed > limit {
		t.Errorf("seeds 29, 0 to %d: a flat sweep is called uneven in %d sessions, at most %d may be", sessions-1, missed,
			limit)
	}
}

func TestNoBySize(t *testing.T) {
	three := map[string]float64{"1KiB": 1e9, "2KiB": 1e9, "4KiB": 1e9}
	i := 0
	for name, trials := range map[string][]record.Trial{
		"two sizes":      sizedTrials("size", map[string]float64{"1KiB": 1e9, "2KiB": 1e9}, 3, .01),
		"a plain number": sizedTrials("bits", map[string]float64{"128": 1e9, "192": 1e9, "256": 1e9}, 3, .01),
		"words among them": sizedTrials("block",
			map[string]float64{"1KiB": 1e9, "2KiB": 1e9, "4KiB": 1e9, "auto": 1e9}, 3, .01),
		"not canonical":            sizedTrials("block", map[string]float64{"1024B": 1e9, "2KiB": 1e9, "4KiB": 1e9}, 3, .01),
		"latency":                  sizedTrials("size", three, 3, .01, as(record.LatencyP50, record.Lower)),
		"a size of its own choice": sizedTrials("size", map[string]float64{"0B": 1e9, "2KiB": 1e9, "4KiB": 1e9}, 3, .01),
		"each with another load": sizedTrials("size", three, 1, .01, func(t *record.Trial) {
			i++
			onCPUs(i)(t)
		}),
		"all void but two sizes": alter(sizedTrials("size", three, 3, .01),
			func(t record.Trial) bool { return t.Keys["aes.size"] == "1KiB" }, void("late")),
	} {
		if cells := sweepsIn(Show(trials, nil, nil)); len(cells) != 0 {
			t.Errorf("%s: %+v", name, sweep.KindBySize.Of(cells[0]))
		}
	}
}

func TestBySizeOfFewReplicates(t *testing.T) {
	cells := sweepsIn(
		Show(sizedTrials("size", map[string]float64{"1KiB": 1e9, "2KiB": 2e9, "4KiB": 4e9}, 2, .01,
			key(record.KeyRegime, record.RegimeCache)), nil, nil))
	if len(cells) != 1 {
		t.Fatalf("%d sweeps", len(cells))
	}
	s := sweep.KindBySize.Of(cells[0])
	if s.Last.Lo != nil || s.Spread.Hi != nil || s.Points[0].Lo != nil || math.Abs(s.Last.Value-4) > .2 ||
		s.Points[1].Regime != record.RegimeCache {
		t.Errorf("%+v", s)
	}
}

// TestBySizeOfTwoAxes: a grid has a sweep for each value of the other axis, and the corner
// that lies on two takes the longer one.
func TestBySizeOfTwoAxes(t *testing.T) {
	var trials []record.Trial
	cell := 0
	for _, size := range []string{"1KiB", "2KiB", "4KiB", "8KiB"} {
		for _, block := range []string{"16B", "32B", "64B"} {
			for i := range 3 {
				trials = append(trials, trial("m1", i, 1e9+float64(i), key("aes.size", size), key("aes.block", block),
					cellNo(cell)))
			}
			cell++
		}
	}
	found := map[string]int{}
	for _, c := range sweepsIn(Show(trials, nil, nil)) {
		found[sweep.KindBySize.Of(c).Param+fmt.Sprint(len(sweep.KindBySize.Of(c).Points))]++
	}
	if len(found) != 2 || found["size4"] != 3 || found["block3"] != 3 {
		t.Errorf("sweeps %v, want 3 of 4 sizes and 3 of 3 blocks", found)
	}
}
