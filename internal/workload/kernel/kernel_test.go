package kernel

import (
	"context"
	"errors"
	"io"
	"os"
	"regexp"
	"runtime/debug"
	"strings"
	"testing"
	"time"
	"unsafe"

	"plimsoll/internal/base/simtest"
	"plimsoll/internal/client/load"
	"plimsoll/internal/record"
	"plimsoll/internal/workload"
)

func TestCalibrate(t *testing.T) {
	for _, c := range []struct {
		op, batch time.Duration
		most      int
	}{
		{50 * time.Microsecond, 100 * time.Microsecond, 2},
		{200 * time.Microsecond, 100 * time.Microsecond, 1},
		{10 * time.Microsecond, time.Millisecond, 100},
	} {
		batch, err := Calibrate(func(n int) error {
			for end := time.Now().Add(time.Duration(n) * c.op); time.Now().Before(end); {
			}
			return nil
		}, c.batch)
		if err != nil {
			t.Fatal(err)
		}
		if batch < 1 || batch > c.most {
			t.Errorf("operations of %v or more: %d in %v, want 1 to %d", c.op, batch, c.batch, c.most)
		}
	}
}

func TestCalibrateReportsFailure(t *testing.T) {
	if _, err := Calibrate(func(int) error { return io.ErrUnexpectedEOF }, time.Millisecond); err != io.ErrUnexpectedEOF {
		t.Errorf("got %v", err)
	}
}

func TestMap(t *testing.T) {
	for _, sizes := range [][]int{{1}, {1, 1}, {4096, 4112, 3}, {65553, 1 << 20}, {3, hugePage, 3*hugePage + 5}} {
		m, err := Map(sizes...)
		if err != nil {
			t.Fatal(err)
		}
		for i, part := range m.Parts {
			if len(part) != sizes[i] || cap(part) != sizes[i] {
				t.Errorf("%v: part %d has %d (%d) bytes", sizes, i, len(part), cap(part))
			}
			if at := uintptr(unsafe.Pointer(&part[0])); at%4096 != 0 {
				t.Errorf("%v: part %d is at %x, not at a page's start", sizes, i, at)
			}
			part[len(part)-1] = 1
		}
		for range 2 {
			if err := m.Free(); err != nil {
				t.Error(err)
			}
		}
	}
}

// The kernel itself reports the advice that it was given.
func TestLargeBuffersAskForHugePages(t *testing.T) {
	if _, err := os.Stat("/sys/kernel/mm/transparent_hugepage/enabled"); err != nil || simtest.Emulated() {
		t.Skip("this kernel has no huge pages to give")
	}
	for size, want := range map[int]bool{hugePage / 2: false, hugePage: true, 5*hugePage + 1: true} {
		m, err := Map(size)
		if err != nil {
			t.Fatal(err)
		}
		if at := uintptr(unsafe.Pointer(&m.Parts[0][0])); want && at%hugePage != 0 {
			t.Errorf("%d bytes at %x, not at a huge page's start", size, at)
		}
		smaps, err := os.ReadFile("/proc/self/smaps")
		if err != nil {
			t.Fatal(err)
		}
		_, mapping, found := strings.Cut(string(smaps), "\n"+addressOf(m)+"-")
		flags := regexp.MustCompile(`VmFlags: .*`).FindString(mapping)
		if want && !(found && strings.Contains(flags, " hg")) {
			t.Errorf("%d bytes: found %v, %q, want the flag hg", size, found, flags)
		}
		if err := m.Free(); err != nil {
			t.Error(err)
		}
	}
}

func TestMapTooMuch(t *testing.T) {
	if _, err := Map(1 << 60); err == nil || !strings.Contains(err.Error(), "\nhint: ") {
		t.Errorf("got %v", err)
	}
}

// The kernel itself reports the placement of a mapping's pages.
func TestPolicy(t *testing.T) {
	if _, err := os.Stat("/proc/self/numa_maps"); err != nil || simtest.Emulated() {
		t.Skip("this kernel does not say where pages are")
	}
	for want, policy := range map[string]Policy{"bind:0": OnNode(0), "interleave:0": Interleaved([]int{0}),
		"default": {}} {
		m, err := MapOn(t.Context(), policy, 1<<20)
		if err != nil {
			t.Fatal(err)
		}
		maps, err := os.ReadFile("/proc/self/numa_maps")
		if err != nil {
			t.Fatal(err)
		}
		line := regexp.MustCompile(`(?m)^` + addressOf(m) + ` .*$`).FindString(string(maps))
		if !strings.Contains(line, " "+want+" ") && policy.nodes != nil {
			t.Errorf("want %s, the kernel says %q", want, line)
		}
		if err := m.Free(); err != nil {
			t.Error(err)
		}
	}
}

func addressOf(m *Memory) string {
	const digits = "0123456789abcdef"
	at, text := uintptr(unsafe.Pointer(&m.Parts[0][0])), ""
	for ; at > 0; at /= 16 {
		text = string(digits[at%16]) + text
	}
	return text
}

func TestPolicyOfNoNode(t *testing.T) {
	for _, node := range []int{-1, 5000} {
		if _, err := MapOn(t.Context(), OnNode(node), 4096); err == nil {
			t.Errorf("memory is placed on node %d", node)
		}
	}
}

func TestRandomTellsApart(t *testing.T) {
	seen := map[uint64]bool{}
	for _, seed := range []uint64{1, 2} {
		for lane := range 3 {
			for _, label := range []string{"a", "b"} {
				n := Random(seed, lane, label).Uint64()
				if seen[n] || n != Random(seed, lane, label).Uint64() {
					t.Errorf("seed %d, lane %d, %s: %x is another's, or not the same twice", seed, lane, label, n)
				}
				seen[n] = true
			}
		}
	}
}

type work struct{ ran, freed int }

func (w *work) Run(n int) error { w.ran += n; time.Sleep(time.Millisecond); return nil }
func (w *work) Verify() error   { return errors.New("wrong") }
func (w *work) Free() error     { w.freed++; return nil }

func newDriver(t *testing.T, k Kernel) *Driver {
	t.Helper()
	d, err := New(workload.Env{CPUs: []int{0}}, asked(record.Params{"batch": "10us"}), k)
	if err != nil {
		t.Fatal(err)
	}
	return d
}

func TestDriver(t *testing.T) {
	w := &work{}
	d := newDriver(t, Kernel{Name: "x", Bytes: 1, Make: func(context.Context, int) (Work, error) { return w, nil }})
	if _, err := d.Lane(3); err != nil || w.ran == 0 {
		t.Fatalf("%v, %d operations to measure the batch", err, w.ran)
	}
	if _, err := d.Lane(3); err == nil || !strings.Contains(err.Error(), "x: lane 3 exists already") || w.freed != 1 {
		t.Errorf("got %v, freed %d times", err, w.freed)
	}
	if err := d.Verify(context.Background()); err == nil || err.Error() != "x: lane 3: wrong" {
		t.Errorf("got %v", err)
	}
	for range 2 {
		if err := d.Close(); err != nil || w.freed != 2 {
			t.Errorf("%v, freed %d times", err, w.freed)
		}
	}
}

func TestDriverReportsWhatCannotBeMade(t *testing.T) {
	d := newDriver(t, Kernel{Name: "x",
		Make: func(context.Context, int) (Work, error) { return nil, io.ErrUnexpectedEOF }})
	if _, err := d.Lane(0); !errors.Is(err, io.ErrUnexpectedEOF) || err.Error() != "x: lane 0: unexpected EOF" {
		t.Errorf("got %v", err)
	}
}

func TestDriverStatesTrafficAndRegime(t *testing.T) {
	w := &work{}
	d := newDriver(t, Kernel{Name: "x", Bytes: 8, Set: 1, Traffic: 1.5, Keys: map[string]string{record.KeyPath: "plain"},
		Make: func(context.Context, int) (Work, error) { return w, nil }})
	got := d.Extra(load.Result{BytesPerSecond: 4e9})
	if len(got) != 1 || got[0].Name != record.MemoryTraffic || got[0].Unit != "B/s" || got[0].Value != 6e9 ||
		got[0].Better != record.Neutral {
		t.Errorf("got %+v", got)
	}
	want := Regime(1, 1, cachesHere([]int{0}))
	if k := d.Keys(); k[record.KeyRegime] != want || k[record.KeyPath] != "plain" {
		t.Errorf("keys %v, want regime %q and the path", k, want)
	}
}

// A child has its collector off; kernels that allocate turn it on again.
func TestCollectorBelongsToWhatAllocates(t *testing.T) {
	for _, collects := range []bool{false, true} {
		before := debug.SetGCPercent(-1)
		d := newDriver(t, Kernel{Name: "x", Collects: collects,
			Make: func(context.Context, int) (Work, error) { return &work{}, nil }})
		_, err := d.Lane(0)
		if got := debug.SetGCPercent(before); err != nil || (got == collector(1)) != collects || (got == -1) == collects {
			t.Errorf("collects %v: GOGC %d, %v", collects, got, err)
		}
	}
}
