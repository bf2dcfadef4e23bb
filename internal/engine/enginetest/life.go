package enginetest

import (
	"context"
	"errors"
	"net"
	"slices"
	"strconv"
	"sync"
	"syscall"
	"testing"

	"golang.org/x/sys/unix"

	"plimsoll/internal/engine"
	"plimsoll/internal/machine/host/topology"
)

// twoAtOnce starts two instances, which must neither share a port nor interfere; it stops one repeatedly and
// concurrently, and kills the other.
func twoAtOnce(t *testing.T, x exam) {
	a := x.start(t, t.Context(), x.settings(t))
	b := x.start(t, t.Context(), x.settings(t))
	if a.Addrs()[0] == b.Addrs()[0] {
		t.Fatalf("both listen on %s", a.Addrs()[0])
	}
	x.answers(t, a)
	x.answers(t, b)
	var all sync.WaitGroup
	for range 3 {
		all.Go(func() {
			if err := a.Stop(context.Background()); err != nil {
				t.Errorf("Stop: %v", err)
			}
		})
	}
	all.Wait()
	if err := a.Wait(); err != nil {
		t.Errorf("Wait after Stop: %v, want nil", err)
	}
	demandSilent(t, a.Addrs())
	x.answers(t, b)
	killed(t, x, b)
}

// placed starts an instance on a port, which is taken at first, on one CPU, through Enter, and for as long as a
// context.
func placed(t *testing.T, x exam) {
	allowed, err := topology.Allowed()
	if err != nil {
		t.Fatal(err)
	}
	s := x.settings(t)
	s.CPUs = allowed[len(allowed)-1:]
	s.Port = portTaken(t, x)
	var pids []int
	s.Enter = func(attr *syscall.SysProcAttr, start func() (int, error)) error {
		if attr == nil {
			t.Error("Enter was given no attributes")
		}
		pid, err := start()
		pids = append(pids, pid)
		return err
	}
	ctx, cancel := context.WithCancel(t.Context())
	defer cancel()
	i := x.start(t, ctx, s)
	x.answers(t, i)
	if _, port, err := net.SplitHostPort(i.Addrs()[0]); err != nil || port != strconv.Itoa(s.Port) {
		t.Errorf("it listens on %s, want port %d", i.Addrs()[0], s.Port)
	}
	if !slices.Equal(slices.Sorted(slices.Values(pids)), slices.Sorted(slices.Values(i.Roots()))) {
		t.Errorf("processes %v were started through Enter, Roots are %v", pids, i.Roots())
	}
	keepsToCPU(t, i, s.CPUs[0])
	again, err := topology.Allowed()
	if err != nil || !slices.Equal(allowed, again) {
		t.Errorf("after the start this process may use CPUs %v, %v, before %v", again, err, allowed)
	}
	cancel()
	if err := i.Wait(); err != nil {
		t.Errorf("Wait after the context's end: %v, want nil", err)
	}
	demandSilent(t, i.Addrs())
}

// keepsToCPU checks that no thread of an instance that has worked may run on another CPU.
func keepsToCPU(t *testing.T, i engine.Instance, cpu int) {
	t.Helper()
	threads := 0
	for _, p := range family(t, i) {
		for _, tid := range threadsOf(t, p) {
			var set unix.CPUSet
			if err := unix.SchedGetaffinity(tid, &set); err != nil {
				continue // it has ended since
			}
			threads++
			if set.Count() != 1 || !set.IsSet(cpu) {
				t.Errorf("thread %d of process %d may run on %d CPUs, want CPU %d only", tid, p, set.Count(), cpu)
			}
		}
	}
	if threads == 0 {
		t.Error("no thread of the server was found")
	}
}

func refusedByEnter(t *testing.T, x exam) {
	refused(t, x, func(func() (int, error)) {})
	refused(t, x, func(start func() (int, error)) { _, _ = start() })
}

// refused checks that a start fails, and leaves nothing, if Enter fails before or after it has started the process.
func refused(t *testing.T, x exam, before func(start func() (int, error))) {
	refusal := errors.New("refused by the test")
	s := x.settings(t)
	s.Enter = func(_ *syscall.SysProcAttr, start func() (int, error)) error {
		before(start)
		return refusal
	}
	if _, err := x.engine.Start(t.Context(), x.in, s); !errors.Is(err, refusal) {
		t.Errorf("Start gave %v, want the error of Enter", err)
	}
	demandChildless(t)
}

// portTaken checks that the error names a port in use, and returns the port, which is free then.
func portTaken(t *testing.T, x exam) int {
	t.Helper()
	l, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	defer l.Close()
	s := x.settings(t)
	s.Port = l.Addr().(*net.TCPAddr).Port
	i, err := x.engine.Start(t.Context(), x.in, s)
	if err == nil {
		_ = i.Stop(context.Background())
		t.Fatalf("it started on port %d, which is taken", s.Port)
	}
	demandError(t, err, l.Addr().String()[len("127.0.0.1:"):], "taken", "\nhint: ")
	demandChildless(t)
	return s.Port
}

func cancelledStart(t *testing.T, x exam) {
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	if _, err := x.engine.Start(ctx, x.in, x.settings(t)); err == nil {
		t.Error("Start succeeded with a context that has ended")
	}
	demandChildless(t)
}
