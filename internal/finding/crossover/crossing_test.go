package crossover

import (
	"fmt"
	"math"
	"plimsoll/internal/finding"
	"plimsoll/internal/record"
	"plimsoll/internal/stat"
	"plimsoll/internal/trialset"
	"testing"
)

// TestCrossingInterval: ln of the bounds on ln of the axis, and what lies between is on par.
func TestCrossingInterval(t *testing.T) {
	at := func(size, ratio, lo, hi float64, v trialset.Verdict, better string) point {
		c := finding.Comparison{Workload: "aes", Params: map[string]string{"size": fmt.Sprint(size)},
			Metric: record.Throughput, Per: finding.PerMachine,
			Ratio: ratio, Lo: &lo, Hi: &hi, Verdict: v, Better: better}
		return point{c: c, axes: []coordinate{{axis: "size", value: size}}}
	}
	e := math.Exp
	got := crossingsOf([]point{
		at(e(2), e(-.2), e(-.3), e(-.1), trialset.Different, "a"), at(e(0), e(.2), e(.1), e(.3), trialset.Different, "b"),
		at(e(1), 1, e(-.1), e(.1), trialset.Undecided, ""),
	})
	if len(got) != 1 {
		t.Fatalf("%+v", got)
	}
	// The lower bound is 0 halfway from 0 to 1, the upper one halfway from 1 to 2.
	for name, pair := range map[string][2]float64{"lo": {got[0].Lo, .5}, "at": {got[0].At, 1}, "hi": {got[0].Hi, 1.5}} {
		if math.Abs(math.Log(pair[0])-pair[1]) > 1e-12 {
			t.Errorf("ln of %s is %v, want %v", name, math.Log(pair[0]), pair[1])
		}
	}
}

// TestCrossingThatWavers: if undecided points go to and fro between the two sides,
// all of the way is on par.
func TestCrossingThatWavers(t *testing.T) {
	var row []point
	for i, mean := range []float64{-.2, .02, -.02, .2} {
		x, lo, hi := math.Exp(float64(i)), math.Exp(mean-.01), math.Exp(mean+.01)
		c := finding.Comparison{Ratio: math.Exp(mean), Lo: &lo, Hi: &hi, Verdict: trialset.Undecided}
		if i == 0 || i == 3 {
			c.Verdict, c.Better = trialset.Different, trialset.Winner(stat.LogRatio{Mean: mean}, record.Higher)
		}
		row = append(row, point{c: c, axes: []coordinate{{axis: "size", value: x}}})
	}
	got := crossingsOf(row)
	if len(got) != 1 {
		t.Fatalf("%+v", got)
	}
	// The upper bound is first 0 at 19/22, the lower one last at 2 + 3/22.
	if c := got[0]; math.Abs(math.Log(c.Lo)-19.0/22) > 1e-12 || math.Abs(math.Log(c.Hi)-2-3.0/22) > 1e-12 || c.At < c.Lo ||
		c.At > c.Hi {
		t.Errorf("ln of lo %v, at %v, hi %v", math.Log(c.Lo), math.Log(c.At), math.Log(c.Hi))
	}
}

func TestCrossingSentence(t *testing.T) {
	for _, c := range []struct {
		crossing Crossing
		want     string
	}{
		{
			Crossing{Workload: "aes", Metric: "throughput", Per: "dollar", Axis: "size", Unit: "B", At: 9000, Lo: 8192,
				Hi: 16000, FromBetter: "a", ToBetter: "b", Load: "1 cpus"},
			"A is better at low size, B at high: on par from 8.00 to 15.62 KiB, by estimate at 8.79 KiB; no one figure holds " +
				"for all of it: aes, 1 cpu, throughput per dollar",
		},
		{
			Crossing{Workload: "aes", Metric: "throughput", Per: "machine", Axis: "cpus", At: 2.5, Lo: 2.25, Hi: 3,
				FromBetter: "b", ToBetter: "a", Params: map[string]string{"size": "1KiB", "seed": "1"},
				Wording: finding.Wording{Minor: []string{"seed"}}},
			"B is better at low cpus, A at high: on par from 2.25 to 3.00, by estimate at 2.50; no one figure holds for all " +
				"of it: aes, size=1KiB, throughput",
		},
	} {
		if got := c.crossing.Text("A", "B"); got != c.want {
			t.Errorf("%s\nwant %s", got, c.want)
		}
	}
}
