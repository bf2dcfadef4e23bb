package storage

import (
	"math"
	"math/rand/v2"
	"strings"
	"testing"
)

// disk10 is a timeline of 0.1 s steps whose I/Os and bytes of each second are of.
func disk10(seconds int, of func(second int) (ios, bytes float64)) diskTimeline {
	var t diskTimeline
	for i := range seconds * 10 {
		ios, bytes := of(i / 10)
		t.lengths = append(t.lengths, .1)
		t.writes, t.writeBytes = append(t.writes, ios/10), append(t.writeBytes, bytes/10)
		t.reads, t.readBytes = append(t.reads, 0), append(t.readBytes, 0)
	}
	t.count()
	return t
}

// TestIOsWithBytes: I/Os of one size go with the bytes, small flushes among few large writes do not, and of a level
// load or a short one nothing is said.
func TestIOsWithBytes(t *testing.T) {
	const seed = 11
	t.Logf("seed %d", seed)
	r := rand.New(rand.NewPCG(seed, 0))
	ofOneSize := func(int) (float64, float64) { n := 1000 + 500*r.Float64(); return n, n * 65536 }
	flushes := func(int) (float64, float64) { return 1000 + 500*r.Float64(), 1e8 * (1 + r.Float64()) }
	level := func(int) (float64, float64) { return 1000, 65536e3 }
	several := func(of func(int) (float64, float64)) []diskTimeline {
		var out []diskTimeline
		for range 6 {
			out = append(out, disk10(40, of))
		}
		return out
	}
	for name, c := range map[string]struct {
		lines []diskTimeline
		want  string
	}{
		"one size": {several(ofOneSize), "rise and fall together, so that"},
		"flushes":  {several(flushes), "do not rise and fall together"},
		"level":    {several(level), ""},
		"short":    {[]diskTimeline{disk10(5, ofOneSize)}, ""},
	} {
		got := iosWithBytes(c.lines)
		if (got == nil) != (c.want == "") || got != nil && !strings.Contains(got.text(), c.want) {
			t.Errorf("%s: %+v, want %q", name, got, c.want)
		}
	}
	got := iosWithBytes(several(ofOneSize))
	if got.Windows != 240 || got.Correlation.Lo == nil || *got.Correlation.Lo < .99 {
		t.Errorf("%+v", got)
	}
	if r := correlation([]float64{1, 2, 3, 4}, []float64{2, 1, 4, 3}); math.Abs(r-.6) > 1e-12 {
		t.Errorf("correlation %g, want 0.6", r)
	}
}
