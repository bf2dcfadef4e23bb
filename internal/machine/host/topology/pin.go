package topology

import (
	"errors"
	"fmt"
	"slices"

	"golang.org/x/sys/unix"

	"plimsoll/internal/machine/host/hostfs"
	"plimsoll/internal/machine/host/kernfmt"
)

// CoresFirst orders CPUs so that each core's first thread comes before any core's second one: the
// first n CPUs are then n cores for as long as there are cores. Within that they keep their order.
// If the topology cannot be read the order stays as it is.
func CoresFirst(root hostfs.Root, cpus []int) []int {
	rank := map[int]int{} // how many siblings stand before a CPU
	for i, cpu := range cpus {
		siblings, err := hostfs.ReadParsed(
			root.SysPath(fmt.Sprintf("devices/system/cpu/cpu%d/topology/thread_siblings_list", cpu)), kernfmt.List)
		if err != nil {
			return cpus
		}
		for _, before := range cpus[:i] {
			if slices.Contains(siblings, before) {
				rank[cpu]++
			}
		}
	}
	out := slices.Clone(cpus)
	slices.SortStableFunc(out, func(a, b int) int { return rank[a] - rank[b] })
	return out
}

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
	// A thread may start another before it is reached: a later one was started by a thread that is on them.
	for done := map[int]bool{}; ; {
		tids, err := hostfs.Threads(hostfs.System())
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

// Allowed lists the CPUs that this process may use, ascending: those of any
// of its threads, so that Pin does not change it. The runtime always has threads
// that nobody can pin.
func Allowed() ([]int, error) {
	tids, err := hostfs.Threads(hostfs.System())
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
