package heap

import (
	"runtime"
	"runtime/debug"
	"testing"
	"time"
)

func TestAtLeast(t *testing.T) {
	for _, c := range []struct{ limit, used, want int64 }{
		{900 << 20, 0, 900 << 20}, {900 << 20, 600 << 20, 900 << 20}, {900 << 20, 1000 << 20, 1264 << 20},
	} {
		if got := atLeast(c.limit, c.used); got != c.want {
			t.Errorf("%d of %d in use: %d, want %d", c.used, c.limit, got, c.want)
		}
	}
}

// TestFollowsTheData: each cycle sets the limit anew, up and down.
func TestFollowsTheData(t *testing.T) {
	defer debug.SetMemoryLimit(debug.SetMemoryLimit(-1))
	const limit = 128 << 20
	Limit(limit)
	soon := func(what string, ok func(limit int64) bool) {
		t.Helper()
		for range 100 {
			runtime.GC()
			time.Sleep(time.Millisecond)
			if ok(debug.SetMemoryLimit(-1)) {
				return
			}
		}
		t.Errorf("%s: %d", what, debug.SetMemoryLimit(-1))
	}
	data := make([]byte, 200<<20)
	soon("200 MiB in use", func(l int64) bool { return l >= 240<<20+overhead && l < 280<<20+overhead })
	runtime.KeepAlive(data) // from here on it is garbage
	soon("little in use", func(l int64) bool { return l == limit })
}
