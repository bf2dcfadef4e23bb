package stat

import (
	"math"
	"slices"
	"testing"
)

// seconds is how many windows of 1 s the runs below have.
const seconds = 300

// shape is the throughput profile of a run, relative to its end.
type shape struct {
	name string
	at   func(second int) float64
}

func from(second int, before, after float64) func(int) float64 {
	return func(t int) float64 {
		if t < second {
			return before
		}
		return after
	}
}

func warmingUp(tau float64) func(int) float64 {
	return func(t int) float64 { return 1 - .30*math.Exp(-float64(t)/tau) }
}

// run is a shape with noise, in parts.
func (s shape) run(noise []float64) []float64 {
	x := make([]float64, len(noise))
	for i, e := range noise {
		x[i] = s.at(i) * (1 + e)
	}
	return x
}

func scaled(x []float64, by float64) []float64 {
	out := slices.Clone(x)
	for i := range out {
		out[i] *= by
	}
	return out
}

// TestSteadyGolden holds values of method-sim/s3.py (segcut, with noise from the quieter
// half: only of the one throttled at the end it gives another start, 0) and of scipy's
// regression of the batches that are kept.
func TestSteadyGolden(t *testing.T) {
	noise := scaled(smoothed(chaotic(seconds), .5), .03)
	for _, c := range []struct {
		shape
		start           int
		mean, change, p float64
		drifts          bool
	}{
		{shape{"level", from(0, 1, 1)}, 0, 1.00479931309814, -0.001286597423502655, 0.3610421451542223, false},
		{shape{"15 s of warm-up", warmingUp(15)}, 66, 1.0045884111234484, -0.0005229431086607742, 0.687530770454653, false},
		{shape{"a step", from(60, .8, 1)}, 60, 1.004754259441741, -0.0013415010453977272, 0.28724544466547647, false},
		{shape{"60 s of warm-up", warmingUp(60)}, 172, 0.9976115050832893, 0.014083564633037601, 0.00022884380970645036,
			true},
		{shape{"throttled half-way", from(150, 1, .95)}, 150, 0.9543230319316609, -0.00030605790208128574, 0.8654714830626411,
			false},
		{shape{"throttled at the end", from(240, 1, .95)}, 240, 0.9541439699676032, -0.001702610851781056, 0.6305206221234869,
			false},
		{shape{"5% down", func(t int) float64 { return 1 - .05*float64(t)/seconds }}, 198, 0.9627572832492499,
			-0.01667737105389125, 6.383592306997408e-05, true},
	} {
		x := c.run(noise)
		s, ok := SteadyFrom(x)
		d, known := driftOf(x[s.Start:])
		if !ok || !known || s.Start != c.start || d.Holds() != c.drifts || s.Holds() != (c.start < 240) {
			t.Errorf("%s: %+v, %+v, want start %d", c.name, s, d, c.start)
		}
		near(t, c.name+": kept", s.Kept, 1-float64(c.start)/seconds, 1e-12)
		near(t, c.name+": mean", Mean(x[s.Start:]), c.mean, 1e-9)
		near(t, c.name+": change", d.Change, c.change, 1e-9)
		near(t, c.name+": p", d.P, c.p, 1e-9)
	}
}

func TestSteadyEdges(t *testing.T) {
	level, noise := slices.Repeat([]float64{7}, 60), scaled(chaotic(60), .01)
	if _, ok := SteadyFrom(level[:29]); ok {
		t.Error("29 windows were segmented")
	}
	if s, ok := SteadyFrom(level); !ok || s.Start != 0 || !s.Holds() {
		t.Errorf("all the same: %+v", s)
	}
	if s, ok := SteadyFrom(make([]float64, 40)); !ok || s.Start != 0 {
		t.Errorf("nothing done: %+v", s)
	}
	// 15 windows are a quarter of 60, and not of 61.
	for n, holds := range map[int]bool{60: true, 61: false} {
		x := shape{at: from(n-15, 1, 3)}.run(scaled(chaotic(n), .01))
		if s, _ := SteadyFrom(x); s.Start != n-15 || s.Holds() != holds {
			t.Errorf("the last 15 of %d windows: %+v", n, s)
		}
	}
	// A step of 0.9% counts as steady, one of 1.2% does not.
	for after, start := range map[float64]int{1.009: 0, 1.012: 30} {
		if s, _ := SteadyFrom(shape{at: from(30, 1, after)}.run(scaled(noise, .05))); s.Start != start {
			t.Errorf("a step to %v: %+v, want %d", after, s, start)
		}
	}
}

// TestDriftEdges: exactly level, exactly straight, and too short data.
func TestDriftEdges(t *testing.T) {
	if _, ok := driftOf(make([]float64, 9)); ok {
		t.Error("9 windows have 10 batches")
	}
	level, _ := driftOf(slices.Repeat([]float64{5}, 20))
	if level.Change != 0 || level.P != 1 || level.Holds() {
		t.Errorf("level: %+v", level)
	}
	line := make([]float64, 100)
	for i := range line {
		line[i] = 100 - float64(i)/10
	}
	if d, _ := driftOf(line); !d.Holds() || d.P > 1e-9 || math.Abs(d.Change+10/Mean(line)) > 1e-9 {
		t.Errorf("10 down over 100 windows: %+v", d)
	}
	for d, holds := range map[Drift]bool{
		{.0101, .0099}: true, {-.0101, .0099}: true, {.0099, .0001}: false, {.5, .0101}: false} {
		if d.Holds() != holds {
			t.Errorf("%+v", d)
		}
	}
}

// TestBiasOfWhatIsKept: 300 windows with noise of 3%, each repeating half of the one before. Biases are in %; within
// four standard errors of s3.py's table, and with noise from the quieter half of 3,000 runs of our own.
func TestBiasOfWhatIsKept(t *testing.T) {
	const oracle = 1500
	r, runs := seeded(t, 139), times(1500, 150)
	for _, c := range []struct {
		shape
		fixed, bias, rmse float64
		drifts, unsteady  float64
	}{
		{shape{"level", from(0, 1, 1)}, 0, 0, .34, .008, .002},
		{shape{"15 s of warm-up", warmingUp(15)}, -.04, -.19, .44, .023, 0},
		{shape{"a step of 20%", from(60, .8, 1)}, 0, 0, .34, .010, 0},
		{shape{"60 s of warm-up", warmingUp(60)}, -2.52, -.82, 1.01, .160, .003},
		{shape{"throttled by 5% half-way", from(150, 1, .95)}, 1.97, -.02, .43, .009, .001},
		{shape{"throttled by 5% at the end", from(240, 1, .95)}, 3.95, 0, .78, .015, .967},
		{shape{"throttled by 30% at the end", from(240, 1, .7)}, 32.15, -.01, .66, .021, 1},
		{shape{"5% down", func(t int) float64 { return 1 - .05*float64(t)/seconds }}, 2.10, 1.15, 1.45, .112, .053},
	} {
		kept, fixed := make([]float64, runs), make([]float64, runs)
		var drifts, unsteady float64
		for i := range runs {
			x, end := c.run(autoregressive(r, seconds, .5, .03)), c.at(seconds-1)
			s, _ := SteadyFrom(x)
			kept[i], fixed[i] = 100*(Mean(x[s.Start:])/end-1), 100*(Mean(x[60:])/end-1)
			d, _ := driftOf(x[s.Start:])
			drifts += share(d.Holds(), runs)
			unsteady += share(!s.Holds(), runs)
		}
		rmse := math.Sqrt(Mean(kept)*Mean(kept) + SD(kept)*SD(kept))
		t.Logf("%s: bias from 60 s on %+.2f%%, from the steady start %+.2f%%, rmse %.2f%%; drift %.3f, not steady %.3f",
			c.name, Mean(fixed), Mean(kept), rmse, drifts, unsteady)
		noise := 4 * math.Sqrt(1/float64(runs)+1./oracle)
		near(t, c.name+": from 60 s on", Mean(fixed), c.fixed, .01+noise*SD(fixed))
		near(t, c.name+": bias", Mean(kept), c.bias, .01+noise*SD(kept))
		near(t, c.name+": rmse", rmse, c.rmse, .01+noise*SD(kept))
		near(t, c.name+": drift", drifts, c.drifts, .005+slack(c.drifts, runs, oracle))
		near(t, c.name+": not steady", unsteady, c.unsteady, .005+slack(c.unsteady, runs, oracle))
	}
}
