package load

import (
	"math"
	"math/rand/v2"
	"testing"
	"time"

	"plimsoll/internal/record"
)

// TestClientsThatWait: clients now and then wait for each other for much of the trial. Those that wake up at its end
// do something short in an even shorter time; rates of their own would overstate the trial's several times.
func TestClientsThatWait(t *testing.T) {
	const clients, trials = 64, 20
	const short, long, often = time.Millisecond, 1500 * time.Millisecond, .005
	want := clients / ((1-often)*short.Seconds() + often*long.Seconds())
	pooled, apart := 0.0, 0.0
	for trial := range trials {
		g := mustNew(t, Config{Load: record.LoadPoint{Kind: record.Closed, Level: clients, Unit: record.ParamClients},
			Lanes: clients, Warmup: time.Second, Duration: time.Second})
		g.Start(testZero)
		for i := range clients {
			r := rand.New(rand.NewPCG(uint64(trial), uint64(i)))
			l := g.Lane(i)
			l.begin(testZero)
			for at, ok := l.Take(); ok; at, ok = l.Take() {
				took := short
				if r.Float64() < often {
					took = long
				}
				l.last = at + int64(took)
				l.done(at, at, l.last, 1, 8)
			}
		}
		r := g.Result()
		pooled += r.OpsPerSecond / trials
		near(t, "bytes for each operation", r.BytesPerSecond/r.OpsPerSecond, 8, 1e-9)
		for _, l := range r.Lanes {
			apart += l.OpsPerSecond / trials
		}
	}
	if math.Abs(pooled/want-1) > .08 {
		t.Errorf("%.0f operations a second, want %.0f", pooled, want)
	}
	if apart < 1.2*want {
		t.Errorf("by rates of their own they do %.0f, so that this tests nothing", apart)
	}
}
