package topology

import (
	"fmt"
	"os/exec"
	"runtime"
	"slices"
	"strings"
	"testing"

	"plimsoll/internal/base/simtest"
	"plimsoll/internal/machine/host/hostfs"
)

func TestCoresFirst(t *testing.T) {
	siblings := func(of ...string) hostfs.Root {
		files := map[string]string{}
		for cpu, s := range of {
			files[fmt.Sprintf("cpu/cpu%d/topology/thread_siblings_list", cpu)] = s + "\n"
		}
		return placed(t, files)
	}
	adjacent := siblings("0-1", "0-1", "2-3", "2-3", "4-5", "4-5")
	apart := siblings("0,3", "1,4", "2,5", "0,3", "1,4", "2,5")
	for _, c := range []struct {
		name string
		root hostfs.Root
		cpus []int
		want []int
	}{
		{"siblings side by side", adjacent, []int{0, 1, 2, 3, 4, 5}, []int{0, 2, 4, 1, 3, 5}},
		{"siblings apart", apart, []int{0, 1, 2, 3, 4, 5}, []int{0, 1, 2, 3, 4, 5}},
		{"one thread a core", siblings("0", "1", "2"), []int{0, 1, 2}, []int{0, 1, 2}},
		{"only what may be used", adjacent, []int{1, 2, 3}, []int{1, 2, 3}},
		{"a core with one thread to use", adjacent, []int{0, 1, 3, 4}, []int{0, 3, 4, 1}},
		{"four threads a core", siblings("0-3", "0-3", "0-3", "0-3", "4-7", "4-7", "4-7", "4-7"),
			[]int{0, 1, 2, 3, 4, 5, 6, 7}, []int{0, 4, 1, 5, 2, 6, 3, 7}},
		{"not readable", hostfs.Root{Sys: t.TempDir()}, []int{0, 1, 2}, []int{0, 1, 2}},
		{"none", adjacent, nil, nil},
	} {
		given := slices.Clone(c.cpus)
		if got := CoresFirst(c.root, c.cpus); !slices.Equal(got, c.want) {
			t.Errorf("%s: %v, want %v", c.name, got, c.want)
		}
		if !slices.Equal(c.cpus, given) {
			t.Errorf("%s: the CPUs given became %v", c.name, c.cpus)
		}
	}
}

func TestPin(t *testing.T) {
	simtest.Forks(t)
	cpus, err := Allowed()
	if err != nil || len(cpus) == 0 {
		t.Fatal(cpus, err)
	}
	runtime.LockOSThread() // and never unlocked: the thread ends with the test
	for _, cpu := range cpus {
		if err := Pin(cpu); err != nil {
			t.Fatal(err)
		}
		out, err := exec.Command("sh", "-c", "grep Cpus_allowed_list /proc/self/status").Output()
		if want := fmt.Sprintf("Cpus_allowed_list:\t%d\n", cpu); err != nil || string(out) != want {
			t.Errorf("child of a thread on cpu %d: %q, %v", cpu, out, err)
		}
		if now, err := Allowed(); err != nil || !slices.Equal(now, cpus) {
			t.Errorf("allowed %v, %v with a thread on cpu %d; want %v", now, err, cpu, cpus)
		}
	}
	if err := Pin(maxCPUs - 1); err == nil || !strings.Contains(err.Error(), "\nhint: ") {
		t.Errorf("a CPU that is not there: %v", err)
	}
	for _, bad := range []int{-1, maxCPUs} {
		if Pin(bad) == nil {
			t.Errorf("cpu %d must fail", bad)
		}
	}
}

// TestPinAll moves every thread, also those that come later, and back.
func TestPinAll(t *testing.T) {
	cpus, err := Allowed()
	if err != nil || len(cpus) == 0 {
		t.Fatal(cpus, err)
	}
	last := cpus[len(cpus)-1:]
	if err := PinAll(last); err != nil {
		t.Fatal(err)
	}
	defer func() {
		if err := PinAll(cpus); err != nil {
			t.Error(err)
		}
	}()
	ready, done := make(chan struct{}), make(chan struct{})
	defer close(done)
	for range 3 {
		go func() {
			runtime.LockOSThread()
			ready <- struct{}{}
			<-done
		}()
	}
	for range 3 {
		<-ready
	}
	if now, err := Allowed(); err != nil || !slices.Equal(now, last) {
		t.Errorf("all threads together may use CPUs %v, %v, want %v", now, err, last)
	}
	if PinAll([]int{-1}) == nil {
		t.Error("cpu -1 must fail")
	}
}
