package embedded

import (
	"bytes"
	"context"
	"fmt"
	"io"
	"net/http"
	"net/http/httptest"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"plimsoll/internal/base/simtest"
)

// TestCapacity demands that a server which is never idle does not answer more
// than its servers can, by far more than chance allows, nor next to nothing.
func TestCapacity(t *testing.T) {
	simtest.Long(t)
	for _, o := range []options{
		{body: 1, service: 4 * time.Millisecond, servers: 2, seed: 11},
		{body: 1, service: 6 * time.Millisecond, servers: 2, yield: .5, seed: 12},
	} {
		t.Run(fmt.Sprintf("yield %g", o.yield), func(t *testing.T) { carriesNoMore(t, o) })
	}
}

func carriesNoMore(t *testing.T, o options) {
	t.Logf("seed %d", o.seed)
	h, leave, err := o.handler()
	if err != nil {
		t.Fatal(err)
	}
	defer leave()
	s := httptest.NewServer(h)
	defer s.Close()
	const clients, length = 16, time.Second
	ctx, cancel := context.WithTimeout(t.Context(), length)
	defer cancel()
	var answered atomic.Int64
	var all sync.WaitGroup
	begin := time.Now()
	for range clients {
		all.Go(func() {
			for fetch(ctx, s.URL) {
				answered.Add(1)
			}
		})
	}
	all.Wait()
	capacity := float64(o.servers) * (1 + o.yield) / o.service.Seconds() * time.Since(begin).Seconds()
	// The number that is served in a time varies like a Poisson number: 5 standard
	// deviations of 500 are 112.
	if got := float64(answered.Load()); got > capacity+112 || got == 0 {
		t.Errorf("%g requests were answered where %g can be", got, capacity)
	}
	t.Logf("%d requests were answered where %.0f can be", answered.Load(), capacity)
}

func fetch(ctx context.Context, url string) bool {
	req, err := http.NewRequestWithContext(ctx, http.MethodGet, url+"/", nil)
	if err != nil {
		return false
	}
	r, err := http.DefaultClient.Do(req)
	if err != nil {
		return false
	}
	defer r.Body.Close()
	_, err = io.Copy(io.Discard, r.Body)
	return err == nil && r.StatusCode == http.StatusOK
}

// TestTimersRing: no wait may be shorter than requested, or latencies would show that no queue produces.
func TestTimersRing(t *testing.T) {
	var timers timers
	var all sync.WaitGroup
	for i := range 8 {
		all.Go(func() {
			for range 20 {
				want, from := time.Duration(i+1)*100*time.Microsecond, time.Now()
				if err := timers.sleep(want); err != nil {
					t.Error(err)
				}
				if got := time.Since(from); got < want {
					t.Errorf("a wait of %v took %v", want, got)
				}
			}
		})
	}
	all.Wait()
}

func TestMainRefuses(t *testing.T) {
	for _, args := range [][]string{{"-listen", "nowhere"}, {"-servers", "0"}, {"-service", "-1s"}, {"-body", "-1"},
		{"-yield", "1.1"}, {"-yield", "NaN"}, {"-hold", "breath"}, {"-no-such"}} {
		var stderr bytes.Buffer
		if code := Main(args, &stderr); code != 1 || !strings.Contains(stderr.String(), "plimsoll serve-http: ") {
			t.Errorf("%v: exit code %d, %q", args, code, stderr.String())
		}
	}
}
