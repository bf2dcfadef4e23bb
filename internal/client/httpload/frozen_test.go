package httpload

import (
	"net/http"
	"net/http/httptest"
	"sync/atomic"
	"testing"
	"time"

	"plimsoll/internal/base/simtest"
)

// TestFrozenServer is Gil Tene's test of coordinated omission (wrk issue 99) on a real server: one that stands still
// for 5 of 10 s at a constant rate delays half of all requests, by 0 to 5 s evenly. The recorder's own test has it
// exactly; here no request can be quicker than the time for which the server stood still, and a busy machine only adds
// to it. By day it is 1 of 2 s.
func TestFrozenServer(t *testing.T) {
	simtest.Long(t)
	t.Parallel()
	whole := 2 * time.Second
	if simtest.Night() {
		whole = 10 * time.Second
	}
	frozen := make(chan struct{})
	var still atomic.Bool
	s := httptest.NewServer(http.HandlerFunc(func(http.ResponseWriter, *http.Request) {
		if still.Load() {
			<-frozen
		}
	}))
	defer s.Close()
	var from, to time.Time
	time.AfterFunc(whole/4, func() { still.Store(true); from = time.Now() })
	time.AfterFunc(whole*3/4, func() { to = time.Now(); still.Store(false); close(frozen) })
	began := time.Now()
	got := ask(t, Config{URLs: []string{s.URL}, Timeout: 20 * time.Second}, rate(200), 16, whole)
	if got.err != nil || errorsOf(got.Result) > 0 {
		t.Fatalf("errors %v, %v", got.Errors, got.err)
	}
	length, all := to.Sub(from).Seconds(), time.Since(began).Seconds()
	for q, share := range map[float64]float64{75: .25, 90: .1, 99: .01} { // of the whole, the time above each
		want := length - share*whole.Seconds()
		if v := float64(got.Latency.ValueAtQuantile(q)) * 1e-9; v < .98*want || v > all {
			t.Errorf("p%.0f is %.3f s, want %.3f or more, of %.3f", q, v, want, all)
		}
	}
	if n := got.Ops + got.Outstanding; n != got.Offered || n < int64(199*whole.Seconds()) {
		t.Errorf("%d done, %d outstanding, %d offered", got.Ops, got.Outstanding, got.Offered)
	}
}

// TestFrozenToTheEnd: requests without an answer count with their age.
func TestFrozenToTheEnd(t *testing.T) {
	stop := make(chan struct{})
	s := httptest.NewServer(http.HandlerFunc(func(http.ResponseWriter, *http.Request) { <-stop }))
	defer s.Close()
	defer close(stop)
	began := time.Now()
	got := ask(t, Config{URLs: []string{s.URL}, Timeout: 1500 * time.Millisecond}, rate(100), 2, time.Second)
	all := time.Since(began).Seconds()
	if got.err != nil || got.Ops != 0 || got.Outstanding < 95 || got.Outstanding != got.Offered {
		t.Errorf("%d done, %d outstanding of %d, %v", got.Ops, got.Outstanding, got.Offered, got.err)
	}
	if p50 := float64(got.Latency.ValueAtQuantile(50)) * 1e-9; p50 < .4 || p50 > all {
		t.Errorf("their median age is %.2f s of %.2f", p50, all)
	}
}

// TestSlowerThanTheWindow: a server whose answers take longer than the window is not behind in an open loop.
func TestSlowerThanTheWindow(t *testing.T) {
	t.Parallel()
	s := httptest.NewServer(http.HandlerFunc(func(http.ResponseWriter, *http.Request) { time.Sleep(time.Second) }))
	defer s.Close()
	got := ask(t, Config{URLs: []string{s.URL}}, rate(50), 16, 200*time.Millisecond)
	if got.err != nil || got.Ops < 9 || !whole(got) || got.Outstanding > 1 || got.Unanswered > 0 {
		t.Errorf("%d done, %d outstanding and %d unanswered of %d, %v", got.Ops, got.Outstanding, got.Unanswered,
			got.Offered, got.err)
	}
}

// TestOpenWithoutAnswer: the requests that a server swallows are told from those that it answers.
func TestOpenWithoutAnswer(t *testing.T) {
	t.Parallel()
	stop := make(chan struct{})
	var n atomic.Int64
	s := httptest.NewServer(http.HandlerFunc(func(http.ResponseWriter, *http.Request) {
		if n.Add(1)%5 == 3 {
			<-stop
		}
	}))
	defer s.Close()
	defer close(stop)
	got := ask(t, Config{URLs: []string{s.URL}, Timeout: time.Second}, rate(100), 16, 200*time.Millisecond)
	if want := (n.Load() + 2) / 5; got.err != nil || got.Unanswered != want || errorsOf(got.Result) > 0 || !whole(got) {
		t.Errorf("%d done, %d unanswered of %d, want %d, errors %v, %v", got.Ops, got.Unanswered, got.Offered, want,
			got.Errors, got.err)
	}
}
