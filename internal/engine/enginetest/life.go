package enginetest

import (
	"context"
	"errors"
	"net"
	"slices"
	"sync"
	"syscall"
	"testing"

	"golang.org/x/sys/unix"

	"plimsoll/internal/host/topology"
)

// twoAtOnce starts two instances, which must neither share a port nor interfere, and stops each repeatedly and
// concurrently.
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
}

// keepsToCPUs checks that no thread of the instance may run on other CPUs than its own, even once it has worked.
func keepsToCPUs(t *testing.T, x exam) {
	allowed, err := topology.Allowed()
	if err != nil {
		t.Fatal(err)
	}
	s := x.settings(t)
	s.CPUs = allowed[len(allowed)-1:]
	if len(allowed) == 1 {
		t.Log("this machine lets us use one CPU: any server keeps to it")
	}
	i := x.start(t, t.Context(), s)
	x.answers(t, i)
	threads := 0
	for _, p := range family(t, i) {
		for _, tid := range threadsOf(t, p) {
			var set unix.CPUSet
			if err := unix.SchedGetaffinity(tid, &set); err != nil {
				continue // it has ended since
			}
			threads++
			if set.Count() != 1 || !set.IsSet(s.CPUs[0]) {
				t.Errorf("thread %d of process %d may run on %d CPUs, want CPU %d only", tid, p, set.Count(), s.CPUs[0])
			}
		}
	}
	if threads == 0 {
		t.Error("no thread of the server was found")
	}
	again, err := topology.Allowed()
	if err != nil || !slices.Equal(allowed, again) {
		t.Errorf("after the start this process may use CPUs %v, %v, before %v", again, err, allowed)
	}
}

// entersAccount checks that the process is started through Enter, and with the given environment.
func entersAccount(t *testing.T, x exam) {
	s := x.settings(t)
	var pids []int
	s.Enter = func(attr *syscall.SysProcAttr, start func() (int, error)) error {
		if attr == nil {
			t.Error("Enter was given no attributes")
		}
		pid, err := start()
		pids = append(pids, pid)
		return err
	}
	i := x.start(t, t.Context(), s)
	if !slices.Equal(pids, i.Roots()) {
		t.Errorf("processes %v were started through Enter, Roots are %v", pids, i.Roots())
	}
	if err := i.Stop(t.Context()); err != nil {
		t.Error(err)
	}
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

// portTaken checks that the error names a port in use.
func portTaken(t *testing.T, x exam) {
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
	l.Close()
	x.answers(t, x.start(t, t.Context(), s))
}

func cancelledStart(t *testing.T, x exam) {
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	if _, err := x.engine.Start(ctx, x.in, x.settings(t)); err == nil {
		t.Error("Start succeeded with a context that has ended")
	}
	demandChildless(t)
}

// contextEnds checks that the end of the context ends the instance.
func contextEnds(t *testing.T, x exam) {
	ctx, cancel := context.WithCancel(t.Context())
	defer cancel()
	i := x.start(t, ctx, x.settings(t))
	x.answers(t, i)
	cancel()
	if err := i.Wait(); err != nil {
		t.Errorf("Wait after the context's end: %v, want nil", err)
	}
	demandSilent(t, i.Addrs())
}
