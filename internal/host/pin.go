package host

import (
	"errors"
	"fmt"
	"runtime"

	"golang.org/x/sys/unix"
)

// maxCPUs is how many CPUs an affinity mask of unix.CPUSet holds.
const maxCPUs = 1024

// Pin keeps the calling thread on one CPU. The caller has locked its goroutine
// to the thread.
func Pin(cpu int) error { return PinTo([]int{cpu}) }

// PinTo keeps the calling thread, and the processes that it starts from then
// on, on the given CPUs. The caller has locked its goroutine to the thread.
func PinTo(cpus []int) error {
	set, err := setOf(cpus)
	if err != nil {
		return err
	}
	if err := unix.SchedSetaffinity(0, &set); err != nil {
		return fmt.Errorf("pin to cpus %v: %w\nhint: `plimsoll machine` lists the CPUs that may be used", cpus, err)
	}
	return nil
}

func setOf(cpus []int) (set unix.CPUSet, err error) {
	for _, cpu := range cpus {
		if cpu < 0 || cpu >= maxCPUs {
			return set, fmt.Errorf("pin to cpu %d: not within 0 to %d", cpu, maxCPUs-1)
		}
		set.Set(cpu)
	}
	return set, nil
}

// PinAll keeps all threads of this process, and those that they start from then on, on the given CPUs.
func PinAll(cpus []int) error {
	set, err := setOf(cpus)
	if err != nil {
		return err
	}
	// A thread may start another before it is reached: what comes later is of a thread that was.
	for done := map[int]bool{}; ; {
		tids, err := threads(System())
		if err != nil {
			return fmt.Errorf("pin all threads: %w", err)
		}
		news := 0
		for _, tid := range tids {
			if done[tid] {
				continue
			}
			if err := unix.SchedSetaffinity(tid, &set); err != nil && !errors.Is(err, unix.ESRCH) {
				return fmt.Errorf("pin thread %d to cpus %v: %w", tid, cpus, err)
			}
			done[tid] = true
			news++
		}
		if news == 0 {
			return nil
		}
	}
}

// AllowedCPUs lists the CPUs that this process may use, ascending: those of any
// of its threads, so that Pin does not change it. The runtime always has threads
// that nobody can pin.
func AllowedCPUs() ([]int, error) {
	tids, err := threads(System())
	if err != nil {
		tids = []int{0}
	}
	var sum unix.CPUSet
	for _, tid := range tids {
		var set unix.CPUSet
		err := unix.SchedGetaffinity(tid, &set)
		if err != nil && !errors.Is(err, unix.ESRCH) {
			return nil, fmt.Errorf("allowed cpus of thread %d: %w", tid, err)
		}
		for i := range set {
			sum[i] |= set[i]
		}
	}
	out := make([]int, 0, sum.Count())
	for cpu := range maxCPUs {
		if sum.IsSet(cpu) {
			out = append(out, cpu)
		}
	}
	return out, nil
}

// onThread runs f with its goroutine locked to a thread.
func onThread(f func()) {
	runtime.LockOSThread()
	defer runtime.UnlockOSThread()
	f()
}
