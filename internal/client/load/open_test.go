package load

import (
	"testing"
	"time"
)

// serve drives one lane on made-up times as a single server that needs 0.1 ms
// for a request and answers nothing from freeze to thaw. It ends at end.
func serve(l *Lane, freeze, thaw, end int64) {
	for now := testZero; now < end; {
		l.Full() // the answer before this was awaited
		at, ok := l.Due(now)
		if !ok {
			next, more := l.Next(now)
			if !more {
				return
			}
			now = next
			continue
		}
		sent := now
		now += 100_000
		if now > freeze && now <= thaw {
			now = thaw + 100_000
		}
		if now < end {
			l.done(at, sent, now, 1, 0)
		}
	}
}

// A server frozen for 5 s of 10 s at 1000/s: a closed client would see one slow
// request. 5000 requests wait, and drain at 0.9 ms a millisecond: 5555 are late,
// by 5 s falling evenly to nothing.
func TestFreezeIsSeenInFull(t *testing.T) {
	g := mustNew(t, Config{Load: openLoad(Uniform, 1000), Lanes: 1, Warmup: time.Second, Duration: 10 * time.Second})
	g.Start(testZero)
	warm := testZero + 1e9
	serve(g.Lane(0), warm+2e9, warm+7e9, Never)
	r := g.Result()
	if r.Offered != 10_000 || r.Ops != 10_000 || r.Outstanding != 0 || r.Latency.TotalCount() != 10_000 {
		t.Errorf("offered %d, done %d, outstanding %d, latencies %d; want 10000, 10000, 0, 10000", r.Offered, r.Ops,
			r.Outstanding, r.Latency.TotalCount())
	}
	for _, c := range []struct{ q, want, tolerance float64 }{
		{25, 100e3, 0.002}, {50, 0.9e6 * 555, 0.01}, {75, 0.9e6 * 3055, 0.002}, {99, 0.9e6 * 5455, 0.002}, {100, 5e9, 0.002},
	} {
		near(t, "percentile", float64(r.Latency.ValueAtQuantile(c.q)), c.want, c.tolerance)
	}
	near(t, "send lag p75", float64(r.SendLag.ValueAtQuantile(75)), 0.9e6*3055, 0.002)
	if late := r.Late.Max(); late > 200_000 {
		t.Errorf("the generator was late by %d ns, though all waited for the server", late)
	}
	if r.BacklogStart > 1 || r.BacklogEnd > 1 {
		t.Errorf("backlog %d to %d, want none", r.BacklogStart, r.BacklogEnd)
	}
	near(t, "operations/s", r.OpsPerSecond, 1000, 1e-9)
}

// The oracle of coordinated omission (wrk issue 99), exactly: a server frozen for 5 s of 10 s, that answers at once
// before and after, and so many clients that all that is due is sent. Half of the requests wait, by 0 to 5 s evenly.
func TestFreezeOfHalfTheTime(t *testing.T) {
	g := mustNew(t, Config{Load: openLoad(Uniform, 1000), Lanes: 1, Duration: 10 * time.Second})
	g.Start(testZero)
	l := g.Lane(0)
	freeze, thaw := testZero+int64(2500*time.Millisecond), testZero+int64(7500*time.Millisecond)
	var waiting []int64
	for now := testZero; ; {
		if now >= thaw {
			for _, at := range waiting {
				l.done(at, at, thaw, 1, 0)
			}
			waiting = waiting[:0]
		}
		for at, ok := l.Due(now); ok; at, ok = l.Due(now) {
			if waiting = append(waiting, at); now < freeze || now >= thaw {
				l.done(at, at, now, 1, 0)
				waiting = waiting[:len(waiting)-1]
			}
		}
		next, more := l.Next(now)
		if !more {
			break
		}
		now = next
	}
	r := g.Result()
	if r.Offered != 10_000 || r.Ops != 10_000 || r.Outstanding != 0 {
		t.Errorf("offered %d, done %d, outstanding %d", r.Offered, r.Ops, r.Outstanding)
	}
	for q, want := range map[float64]float64{75: 2.5e9, 90: 4.0e9, 99: 4.9e9} {
		near(t, "percentile", float64(r.Latency.ValueAtQuantile(q)), want, 0.002)
	}
	if p50 := r.Latency.ValueAtQuantile(49.9); p50 > 1e6 {
		t.Errorf("p49.9 is %d ns: half of the requests did not wait", p50)
	}
}

// The server freezes in the middle and never recovers: one request is in flight, at most one is claimed, and the
// others are unclaimed.
func TestOutstandingCountsAtItsAge(t *testing.T) {
	g := mustNew(t, Config{Load: openLoad(Uniform, 1000), Lanes: 2, Duration: 10 * time.Second})
	g.Start(testZero)
	end := testZero + int64(10e9)
	g.Lane(1).Due(testZero)
	g.Lane(1).Next(testZero) // has an arrival pending and dies
	serve(g.Lane(0), testZero+5e9, Never-200_000, end)
	r := g.Result()
	if r.Offered != 10_000 || r.Ops+r.Outstanding != 10_000 || r.Latency.TotalCount() != 10_000 {
		t.Errorf("offered %d, done %d, outstanding %d, latencies %d", r.Offered, r.Ops, r.Outstanding, r.Latency.TotalCount())
	}
	if r.Outstanding < 5000 || r.Outstanding > 5002 || r.BacklogEnd != r.Outstanding || r.BacklogStart > 1 {
		t.Errorf("outstanding %d, backlog %d to %d; want 5000 or so, 0 to the same", r.Outstanding, r.BacklogStart,
			r.BacklogEnd)
	}
	near(t, "p75", float64(r.Latency.ValueAtQuantile(75)), 2.5e9, 0.01)
	near(t, "p99", float64(r.Latency.ValueAtQuantile(99)), 4.9e9, 0.01)
}

// TestUnansweredInAnOpenLoop: an operation without an answer is told from those that nobody began, and one from before
// the window from those of the window.
func TestUnansweredInAnOpenLoop(t *testing.T) {
	g := mustNew(t, Config{Load: openLoad(Uniform, 1000), Lanes: 1, Warmup: time.Second, Duration: time.Second})
	g.Start(testZero)
	l := g.Lane(0)
	var never []int64
	for now := testZero; now < testZero+int64(1990e6); now += 1e6 { // the last 10 ms find nobody who begins them
		for {
			intended, ok := l.Due(now)
			if !ok {
				break
			}
			if at := (intended - testZero) / 1e6; at == 500 || at == 1500 || at == 1600 {
				never = append(never, intended)
				continue
			}
			l.DoneAt(intended, now, now, 1, 0)
		}
	}
	for _, intended := range never {
		l.Unanswered(intended)
	}
	l.Leave()
	r := g.Result()
	if len(never) != 3 || r.Stale != 1 || r.Unanswered != 2 || r.Outstanding < 11 || r.Outstanding > 13 ||
		r.Ops+r.Outstanding != r.Offered || len(r.Errors) > 0 {
		t.Errorf("%d never ended: %d stale, %d unanswered, %d outstanding and %d done of %d, errors %v", len(never), r.Stale,
			r.Unanswered, r.Outstanding, r.Ops, r.Offered, r.Errors)
	}
}

// TestStaleOfAHungServer: what was due before the window and never ended counts, whether or not a client had begun it.
func TestStaleOfAHungServer(t *testing.T) {
	g := mustNew(t, Config{Load: openLoad(Uniform, 1000), Lanes: 1, Warmup: time.Second, Duration: time.Second})
	g.Start(testZero)
	l := g.Lane(0)
	intended, ok := l.Due(testZero + 1e6)
	if !ok {
		t.Fatal("nothing is due")
	}
	l.Unanswered(intended)
	l.Leave()
	if r := g.Result(); r.Stale != 1000 || r.Unanswered != 0 || r.Outstanding != r.Offered || r.Offered != 1000 {
		t.Errorf("%d stale, %d unanswered, %d outstanding of %d", r.Stale, r.Unanswered, r.Outstanding, r.Offered)
	}
}

func TestOverloadShowsAsBacklog(t *testing.T) {
	g := mustNew(t, Config{Load: openLoad(Poisson, 20_000), Lanes: 1, Seed: 3, Warmup: time.Second,
		Duration: 4 * time.Second})
	g.Start(testZero)
	serve(g.Lane(0), Never, Never, Never) // can do 10000/s
	r := g.Result()
	near(t, "backlog at the start", float64(r.BacklogStart), 10_000, 0.03)
	near(t, "backlog at the end", float64(r.BacklogEnd), 50_000, 0.03)
	near(t, "offered", float64(r.Offered), 80_000, 0.02)
	if r.Ops+r.Outstanding != r.Offered {
		t.Errorf("done %d and outstanding %d are not the %d offered", r.Ops, r.Outstanding, r.Offered)
	}
}

// Real lanes that sleep and spin, one of which freezes: every request that was
// due is accounted for once, and the freeze is in the latencies.
func TestOpenTakeInRealTime(t *testing.T) {
	const freeze = 100 * time.Millisecond
	for _, pacing := range []Pacing{Sleep, Spin} {
		g := mustNew(t, Config{Load: openLoad(Poisson, 2000), Lanes: 2, Seed: 11, Warmup: 20 * time.Millisecond,
			Duration: 400 * time.Millisecond, Pacing: pacing})
		run(t, []*Generator{g}, func(_, lane int, l *Lane) {
			frozen := lane != 0
			for at, ok := l.Take(); ok; at, ok = l.Take() {
				sent := l.Now()
				if sent < at {
					t.Errorf("request was given %d ns before it was due", at-sent)
				}
				if !frozen && sent > l.warm+int64(freeze) {
					frozen = true
					time.Sleep(freeze)
				}
				l.Done(at, sent, 1, 1)
			}
		})
		start, end := g.Window()
		want, s := int64(0), g.arrivals.schedule
		for at := s.First(); g.zero.Load()+at < end; at = s.Next(at) {
			if g.zero.Load()+at >= start {
				want++
			}
		}
		r := g.Result()
		if r.Offered != want || r.Ops+r.Outstanding != want || r.Latency.TotalCount() != want ||
			r.SendLag.TotalCount() != r.Ops {
			t.Errorf("the schedule has %d requests; offered %d, done %d, outstanding %d", want, r.Offered, r.Ops, r.Outstanding)
		}
		if r.Latency.Max() < int64(freeze) {
			t.Errorf("highest latency %d ns, but a lane froze for %v", r.Latency.Max(), freeze)
		}
	}
}

// TestLateness: what a lane could have begun and did not is its own lateness, for one that waits for each answer as for
// one with many in flight; what it could not begin before an answer came is not.
func TestLateness(t *testing.T) {
	for name, c := range map[string]struct {
		full bool
		want float64 // ns
	}{"a free lane that looked late": {false, 50e6}, "a lane that was full": {true, 0}} {
		g := mustNew(t, Config{Load: openLoad(Uniform, 1000), Lanes: 1, Duration: time.Second})
		g.Start(testZero)
		l := g.Lane(0)
		l.Due(testZero)
		for now := testZero; now < testZero+9e8; now += 1e6 {
			if now == testZero+1e8 {
				if c.full {
					l.Full()
				}
				now += 50e6
			}
			for at, ok := l.Due(now); ok; at, ok = l.Due(now) {
				l.done(at, now, now+1000, 1, 0)
			}
		}
		r := g.Result()
		near(t, name+": lateness", float64(r.Late.Max()), c.want, .03)
		near(t, name+": send lag", float64(r.SendLag.Max()), 50e6, .03)
	}
	g := mustNew(t, Config{Load: openLoad(Uniform, 1000), Lanes: 1, Duration: 200 * time.Millisecond})
	run(t, []*Generator{g}, func(_, _ int, l *Lane) {
		for at, ok := l.Take(); ok; at, ok = l.Take() {
			time.Sleep(3 * time.Millisecond)
			l.Done(at, at, 1, 0)
		}
	})
	if r := g.Result(); r.Late.TotalCount() == 0 || r.Late.ValueAtQuantile(50) > r.Latency.ValueAtQuantile(50)/4 {
		t.Errorf("a lane that is behind because each answer takes 3 ms was late by %d ns itself",
			r.Late.ValueAtQuantile(50))
	}
}

func TestDoneOfNothingTakenIsAnError(t *testing.T) {
	g := mustNew(t, Config{Load: openLoad(Uniform, 1000), Lanes: 1, Duration: time.Second})
	g.Start(testZero)
	l := g.Lane(0)
	at, ok := l.Due(testZero + 1e7)
	if !ok {
		t.Fatal("nothing due after 10 ms at 1000/s")
	}
	l.done(at, at, testZero+1e7, 1, 0)
	l.done(at, at, testZero+1e7, 1, 0)
	if r := g.Result(); r.Ops != 1 || r.Errors[Other] != 1 {
		t.Errorf("operations %d, errors %v; want 1 and 1 other", r.Ops, r.Errors)
	}
}

// TestDoneOfNothing: what ended as no operation was neither done nor left undone.
func TestDoneOfNothing(t *testing.T) {
	g := mustNew(t, Config{Load: openLoad(Uniform, 1000), Lanes: 1, Warmup: time.Second, Duration: time.Second})
	g.Start(testZero)
	l, n := g.Lane(0), int64(0)
	for now := testZero; ; now += 500_000 {
		if at, ok := l.Due(now); ok {
			n++
			l.done(at, now, now+100, min(1, n%50), 0)
		} else if _, more := l.Next(now); !more {
			break
		}
	}
	if r := g.Result(); r.Ops != 980 || r.Offered != 980 || r.Outstanding != 0 || r.BacklogEnd > 1 ||
		r.Latency.TotalCount() != 980 {
		t.Errorf("done %d of %d, outstanding %d, backlog %d, latencies %d; want 980 of 980, 0, 0, 980", r.Ops, r.Offered,
			r.Outstanding, r.BacklogEnd, r.Latency.TotalCount())
	}
}

func TestSpinControl(t *testing.T) {
	h, err := SpinControl(50*time.Millisecond, 10_000, 5)
	if err != nil {
		t.Fatal(err)
	}
	want, s := int64(0), mustSchedule(t, Poisson, 10_000, 5)
	for at := s.First(); at < 50e6; at = s.Next(at) {
		want++
	}
	if h.TotalCount() != want {
		t.Errorf("%d latenesses of %d arrivals", h.TotalCount(), want)
	}
	if _, err := SpinControl(0, 10_000, 5); err == nil {
		t.Error("no error for no duration")
	}
	if _, err := SpinControl(time.Second, 0, 5); err == nil {
		t.Error("no error for no rate")
	}
}

// TestLead: spinning takes a tenth of the CPUs at most, and as long as a timer is late where that is less.
func TestLead(t *testing.T) {
	for _, c := range []struct {
		rate float64
		cpus int
		want int64
	}{
		{1, 1, 60_000}, {1_000, 1, 60_000}, {10_000, 1, 10_000}, {10_000, 4, 40_000}, {10_000, 64, 60_000}, {1e7, 2, 20},
	} {
		if got := leadOf(c.rate, c.cpus); got != c.want {
			t.Errorf("%g/s on %d CPUs: %d ns, want %d", c.rate, c.cpus, got, c.want)
		}
	}
}
