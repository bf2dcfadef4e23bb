package stat

import (
	"math"
	"math/rand/v2"
	"testing"
)

// TestLoadLine: without noise the line is the interpolation in logs between the two adjacent loads, whatever else was
// measured.
func TestLoadLine(t *testing.T) {
	power := func(loads ...float64) (latencies []float64) {
		for _, l := range loads {
			latencies = append(latencies, math.Pow(l/100, 3))
		}
		return latencies
	}
	queue := []float64{.5, .9, .93, .96, .99}
	var waits []float64
	for _, u := range queue {
		waits = append(waits, 1/(1-u))
	}
	f := math.Log(20/(1/.07)) / math.Log((1/.04)/(1/.07)) // 20 lies between .93 and .96
	for _, c := range []struct {
		name             string
		loads, latencies []float64
		limit, want      float64
		crossed          bool
		probes           int
	}{
		{"a power of load", []float64{50, 80, 130, 200}, power(50, 80, 130, 200), 2, 100 * math.Cbrt(2), true, 2},
		{"small steps of it", []float64{120, 122, 124, 126, 128, 130}, power(120, 122, 124, 126, 128, 130), 2,
			100 * math.Cbrt(2), true, 2},
		{"a bent curve", queue, waits, 20, .93 * math.Pow(.96/.93, f), true, 2},
		{"at a probe", []float64{1, 2, 4, 8}, []float64{1, 1, 2, 9}, 2, 4, true, 2},
		{"ends below", []float64{1, 2, 4}, []float64{1, 1.1, 1.9}, 2, 4, false, 1},
		{"ends at the line", []float64{1, 2, 4}, []float64{1, 1.1, 2}, 2, 4, false, 1},
		{"over and back", []float64{1, 2, 4, 8, 16}, []float64{1, 3, 1, 1, 4}, 2, 8 * math.Sqrt(2), true, 2},
		{"noise about the line", []float64{98, 99, 101, 102.03}, []float64{.98, 1.02, .98, 1.02}, 1, 0, true, 4},
	} {
		got, ok := LoadLine(c.loads, c.latencies, c.limit)
		if !ok || got.Crossed != c.crossed || got.Probes != c.probes {
			t.Errorf("%s: %+v, %v, want %d probes, crossed %v", c.name, got, ok, c.probes, c.crossed)
		}
		if c.want > 0 && math.Abs(got.Load/c.want-1) > 1e-12 {
			t.Errorf("%s: the line is at %v, want %v", c.name, got.Load, c.want)
		}
		if got.Load < c.loads[0] || got.Load > c.loads[len(c.loads)-1] {
			t.Errorf("%s: the line is at %v, outside of what was measured", c.name, got.Load)
		}
	}
	if got, ok := LoadLine([]float64{1, 2, 4}, []float64{3, 4, 5}, 2); ok {
		t.Errorf("no load is within the limit, and yet %+v", got)
	}
}

// TestLoadLineOfNoise: a straight line through noisy probes recovers their model.
func TestLoadLineOfNoise(t *testing.T) {
	const seed, sweeps, noise = 7, 400, .1
	r := rand.New(rand.NewPCG(seed, 0))
	var line, lastWithin []float64
	for range sweeps {
		var loads, latencies []float64
		last := 0.0
		for l := 60.0; l < 170; l *= 1.01 {
			loads = append(loads, l)
			latencies = append(latencies, math.Pow(l/100, 1.5)*math.Exp(noise*r.NormFloat64()))
			if latencies[len(latencies)-1] <= 1 {
				last = l
			}
		}
		got, ok := LoadLine(loads, latencies, 1)
		if !ok || !got.Crossed {
			t.Fatalf("seed %d: %+v, %v", seed, got, ok)
		}
		line, lastWithin = append(line, math.Log(got.Load/100)), append(lastWithin, math.Log(last/100))
	}
	if bias := Mean(line); math.Abs(bias) > .01 || SD(line) > .05 {
		t.Errorf("seed %d: the line is off by %v on average and scatters by %v", seed, bias, SD(line))
	}
	if Mean(lastWithin) < .05 {
		t.Errorf("seed %d: the highest load within the limit is off by %v only: the noise proves nothing", seed,
			Mean(lastWithin))
	}
}

func TestBetween(t *testing.T) {
	x, y := []float64{10, 30, 20, 90}, []float64{1, 3, 2, 9}
	for at, want := range map[float64]float64{10: 1, 20: 2, 30: 3, 55: 5.5, 90: 9} {
		if got, ok := Between(x, y, at); !ok || math.Abs(got-want) > 1e-12 {
			t.Errorf("at %v: %v, %v, want %v", at, got, ok, want)
		}
	}
	for _, at := range []float64{9, 91} {
		if got, ok := Between(x, y, at); ok || !math.IsNaN(got) {
			t.Errorf("at %v: %v, beyond what is known", at, got)
		}
	}
}

// TestFleet: the worked example, 9 machines.
func TestFleet(t *testing.T) {
	got, err := FleetFor(5e6, 736860, .85, 1)
	if err != nil || got.Machines != 9 || math.Abs(got.Share-.754) > 5e-4 || math.Abs(got.After-.848) > 5e-4 {
		t.Errorf("%+v, %v, want 9 machines at 75.4%%, at 84.8%% after a failure", got, err)
	}
	// Eight of nine are left: at 0.85 · 8/9 of the line each of nine, eight are at 0.85.
	if math.Abs(got.Alarm-.7556) > 5e-5 || got.Share > got.Alarm {
		t.Errorf("the alarm is at %v, the share %v", got.Alarm, got.Share)
	}
	if got, err := FleetFor(85, 100, .85, 0); err != nil || got.Machines != 1 || got.Share != .85 || got.After != .85 ||
		got.Alarm != .85 {
		t.Errorf("a demand that fills one machine: %+v, %v", got, err)
	}
	if got, err := FleetFor(57, 100, .57, 0); err != nil || got.Machines != 1 {
		t.Errorf("a demand that fills one machine but for rounding: %+v, %v", got, err)
	}
	for _, bad := range [][3]float64{{0, 1, .85}, {1, 0, .85}, {1, 1, 0}, {1, 1, 1.1}, {math.NaN(), 1, .85},
		{1e30, 1, .85}} {
		if got, err := FleetFor(bad[0], bad[1], bad[2], 1); err == nil {
			t.Errorf("%v gives %+v", bad, got)
		}
	}
	if got, err := FleetFor(1, 1, .85, -1); err == nil {
		t.Errorf("-1 failures give %+v", got)
	}
}
