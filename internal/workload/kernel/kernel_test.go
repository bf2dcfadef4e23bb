package kernel

import (
	"context"
	"errors"
	"io"
	"os"
	"regexp"
	"strings"
	"testing"
	"time"
	"unsafe"

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
	for _, sizes := range [][]int{{1}, {1, 1}, {4096, 4112, 3}, {65553, 1 << 20}} {
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

func TestMapTooMuch(t *testing.T) {
	if _, err := Map(1 << 60); err == nil || !strings.Contains(err.Error(), "\nhint: ") {
		t.Errorf("got %v", err)
	}
}

// The kernel itself says where a mapping's pages go.
func TestPolicy(t *testing.T) {
	if _, err := os.Stat("/proc/self/numa_maps"); err != nil || os.Getenv("PLIMSOLL_EMULATED") != "" {
		t.Skip("this kernel does not say where pages are")
	}
	for want, policy := range map[string]Policy{"bind:0": OnNode(0), "interleave:0": Interleaved([]int{0}), "default": {}} {
		m, err := MapOn(policy, 1<<20)
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
		if _, err := MapOn(OnNode(node), 4096); err == nil {
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

func TestCheckMemory(t *testing.T) {
	decl := record.Workload{Params: []record.Param{CPUs()}}
	m := record.Machine{Memory: 1000, CPU: record.CPU{Allowed: []int{0, 1, 2, 3}}}
	limited := m
	limited.Cgroup.MemoryLimit = 100
	for _, c := range []struct {
		cpus string
		m    record.Machine
		need int64
		fits bool
	}{
		{"1", m, 1000, true}, {"1", m, 1001, false}, {"all", m, 250, true}, {"all", m, 251, false},
		{"1", limited, 101, false}, {"all", record.Machine{}, 1 << 50, true},
	} {
		err := CheckMemory("x", "size", c.need, workload.NewParams(decl, record.Params{"cpus": c.cpus}), c.m)
		if (err == nil) != c.fits {
			t.Errorf("%+v: %v", c, err)
		}
		if err != nil && !strings.Contains(err.Error(), "\nhint: use a smaller x.size or fewer x.cpus") {
			t.Errorf("no hint in %v", err)
		}
	}
}

type work struct{ ran, freed int }

func (w *work) Run(n int) error { w.ran += n; time.Sleep(time.Millisecond); return nil }
func (w *work) Verify() error   { return errors.New("wrong") }
func (w *work) Free() error     { w.freed++; return nil }

func TestDriver(t *testing.T) {
	w := &work{}
	d := NewDriver(Kernel{Name: "x", Bytes: 1, Batch: 1e-6, Make: func(int) (Work, error) { return w, nil }})
	if _, err := d.Lane(3); err != nil || w.ran == 0 {
		t.Fatalf("%v, %d operations to measure the batch", err, w.ran)
	}
	if _, err := d.Lane(3); err == nil || !strings.Contains(err.Error(), "x: lane 3 was made before") || w.freed != 1 {
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
	d := NewDriver(Kernel{Name: "x", Make: func(int) (Work, error) { return nil, io.ErrUnexpectedEOF }})
	if _, err := d.Lane(0); !errors.Is(err, io.ErrUnexpectedEOF) || err.Error() != "x: lane 0: unexpected EOF" {
		t.Errorf("got %v", err)
	}
}
