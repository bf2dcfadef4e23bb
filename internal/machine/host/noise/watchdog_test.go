package noise

import (
	"regexp"
	"testing"
	"time"

	"golang.org/x/sys/unix"

	"plimsoll/internal/machine/host/cputime"
	"plimsoll/internal/machine/host/hostfs"
	"plimsoll/internal/machine/host/hosttest"
	"plimsoll/internal/machine/host/pulse"
)

func FuzzSchedstat(f *testing.F) {
	hosttest.Seed(f, []string{"/proc/self/schedstat"}, "1 2 3", "0 18446744073709551615 0")
	kernels := regexp.MustCompile(`^\d+ \d+ \d+\n?$`)
	f.Fuzz(func(t *testing.T, b []byte) {
		waited := runDelay(b)
		if s, err := hostfs.ParseSchedstat(b); err == nil && kernels.Match(b) && s != float64(waited)/1e9 {
			t.Errorf("%q: %g, and the watchdog reads %d ns", b, s, waited)
		}
		if s, err := hostfs.ParseSchedstat(b); s < 0 || err != nil && s != 0 {
			t.Errorf("%v s, %v", s, err)
		}
	})
}

// TestWatchdogNotes: what of the time between two readings is a gap.
func TestWatchdogNotes(t *testing.T) {
	for name, c := range map[string]struct {
		passed, cpu, delay, running, want float64
	}{
		"on time":                             {.025, .025, 0, 1, 0},
		"a late timer":                        {.064, 0, 0, 1, 0},
		"stopped":                             {.110, .010, 0, 1, .110},
		"stopped, with many threads":          {.110, .160, 0, 16, .110},
		"the CPU was another program's":       {.300, .001, .290, 1, 0},
		"stopped on a busy machine":           {.500, .005, .100, 1, .400},
		"this thread was late, others ran":    {.300, .300, 0, 1, 0},
		"others ran for a part of it":         {.300, .120, 0, 1, .215},
		"a delay counted in the reading next": {.010, 0, .300, 1, 0},
		"another thread had Go's processor":   {.255, .016, .220, 1, 0},
	} {
		w := Watchdog{running: c.running, gaps: make([]Gap, 0, maxGaps)}
		w.note(watched{at: int64(c.passed * 1e9), cpu: c.cpu, delay: c.delay})
		got := 0.0
		for _, g := range w.gaps {
			got += g.Seconds
		}
		if got < c.want-1e-6 || got > c.want+1e-6 {
			t.Errorf("%s: a gap of %g s, want %g", name, got, c.want)
		}
	}
}

// TestWatchdogKeepsTheSum: beyond what it has room for the last gap takes the others' time.
func TestWatchdogKeepsTheSum(t *testing.T) {
	w := Watchdog{running: 1, gaps: make([]Gap, 0, maxGaps)}
	for i := range maxGaps + 10 {
		w.last = watched{at: int64(i) * 1e8}
		w.note(watched{at: int64(i+1) * 1e8})
	}
	sum := 0.0
	for _, g := range w.gaps {
		sum += g.Seconds
	}
	if n := float64(maxGaps + 10); len(w.gaps) != maxGaps || sum < .0999*n || sum > .1001*n ||
		w.gaps[maxGaps-1].To != int64(n)*1e8 {
		t.Errorf("%d gaps of %g s", len(w.gaps), sum)
	}
}

// TestWatchdogStatesItsCost: all that the pulse's thread used meanwhile, and not what it had used before.
func TestWatchdogStatesItsCost(t *testing.T) {
	if waited := runDelay([]byte("1234 56 78\n")); waited != 56 {
		t.Errorf("%d", waited)
	}
	p := pulse.Start(pulse.Beat)
	busy := func(d time.Duration) {
		done := make(chan struct{})
		remove := p.Every(pulse.Beat, func() {
			select {
			case <-done:
				return
			default:
			}
			burn(d)
			close(done)
		})
		<-done
		remove()
	}
	busy(400 * time.Millisecond)
	w := Watch(p, hostfs.System(), 1)
	defer w.Stop()
	busy(100 * time.Millisecond)
	w.Stop()
	if s := w.CPUSeconds(); s < .09 || s > .3 {
		t.Errorf("it states %g s, and 0.1 s were used", s)
	}
}

// burn uses so much CPU time of the calling thread.
func burn(d time.Duration) {
	for used, _ := cputime.ClockSeconds(unix.CLOCK_THREAD_CPUTIME_ID); ; {
		if now, _ := cputime.ClockSeconds(unix.CLOCK_THREAD_CPUTIME_ID); now-used > d.Seconds() {
			return
		}
	}
}

// TestWatchdogAllocatesNothing at a beat, and stops.
func TestWatchdogAllocatesNothing(t *testing.T) {
	w := awake(t)
	if n := testing.AllocsPerRun(100, w.beat); n != 0 {
		t.Errorf("%g allocations a beat", n)
	}
}

// awake is a watchdog of a pulse that does not beat any more.
func awake(t testing.TB) *Watchdog {
	t.Helper()
	p := pulse.Start(pulse.Beat)
	w := Watch(p, hostfs.System(), 2)
	time.Sleep(3 * pulse.Beat)
	p.Stop()
	t.Cleanup(func() { w.Stop() })
	return w
}

func BenchmarkWatchdog(b *testing.B) {
	w := awake(b)
	for b.Loop() {
		w.beat()
	}
}
