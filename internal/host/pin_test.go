package host

import (
	"fmt"
	"os/exec"
	"runtime"
	"slices"
	"strings"
	"testing"
)

func TestPin(t *testing.T) {
	cpus, err := AllowedCPUs()
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
		if now, err := AllowedCPUs(); err != nil || !slices.Equal(now, cpus) {
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
	cpus, err := AllowedCPUs()
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
	if now, err := AllowedCPUs(); err != nil || !slices.Equal(now, last) {
		t.Errorf("all threads together may use CPUs %v, %v, want %v", now, err, last)
	}
	if PinAll([]int{-1}) == nil {
		t.Error("cpu -1 must fail")
	}
}
