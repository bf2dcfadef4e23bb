// Package cputime reads the CPU time of the machine, of processes and of threads.
package cputime

import (
	"fmt"
	"runtime"

	"github.com/prometheus/procfs"
	"golang.org/x/sys/unix"

	"plimsoll/internal/machine/host/hostfs"
	"plimsoll/internal/record"
)

// ReadStat reads /proc/stat.
func ReadStat(root hostfs.Root) (procfs.Stat, error) {
	pfs, err := procfs.NewFS(root.Proc)
	if err != nil {
		return procfs.Stat{}, err
	}
	return pfs.Stat()
}

// BusySeconds returns for how many seconds, since boot and added up over the
// given CPUs (all of them when none is given), they did work: user, nice,
// system and both kinds of interrupt. Guests' time is a part of user. Time
// stolen by the hypervisor is not work of this machine, and waiting for a disk
// is not work of a CPU. The kernel counts in ticks of 10 ms.
func BusySeconds(root hostfs.Root, cpus []int) (float64, error) {
	stat, err := ReadStat(root)
	if err != nil {
		return 0, fmt.Errorf("busy time of the CPUs: %w", err)
	}
	used, err := UsedBy(stat, cpus)
	if err != nil {
		return 0, fmt.Errorf("busy time of the CPUs: %s: %w", root.ProcPath("stat"), err)
	}
	return Busy(used), nil
}

// UsedBy adds up the work of the given CPUs, or of all if none is given.
func UsedBy(stat procfs.Stat, cpus []int) (procfs.CPUStat, error) {
	if len(cpus) == 0 {
		return stat.CPUTotal, nil
	}
	var sum procfs.CPUStat
	for _, cpu := range cpus {
		c, ok := stat.CPU[int64(cpu)]
		if !ok {
			return sum, fmt.Errorf("cpu %d is not there", cpu)
		}
		sum.User, sum.Nice, sum.System = sum.User+c.User, sum.Nice+c.Nice, sum.System+c.System
		sum.IRQ, sum.SoftIRQ = sum.IRQ+c.IRQ, sum.SoftIRQ+c.SoftIRQ
	}
	return sum, nil
}

// Busy returns the part of the time in which the CPUs worked.
func Busy(c procfs.CPUStat) float64 {
	return c.User + c.Nice + c.System + c.IRQ + c.SoftIRQ
}

// Elapsed returns all the time of the CPUs, whoever had it.
func Elapsed(c procfs.CPUStat) float64 {
	return Busy(c) + c.Idle + c.Iowait + c.Steal
}

// Percent returns part of whole in %. Counters of separate CPUs are not read at one instant, so
// that a small part can come out below zero: it is zero then.
func Percent(part, whole float64) *float64 {
	pct := max(0, 100*part/whole)
	return &pct
}

// OnThread runs f with its goroutine locked to a thread.
func OnThread(f func()) {
	runtime.LockOSThread()
	defer runtime.UnlockOSThread()
	f()
}

// ClockSeconds reads a clock, such as unix.CLOCK_THREAD_CPUTIME_ID.
func ClockSeconds(clock int32) (float64, error) {
	var ts unix.Timespec
	if err := unix.ClockGettime(clock, &ts); err != nil {
		return 0, err
	}
	return float64(ts.Sec) + float64(ts.Nsec)/1e9, nil
}

// ProcessSeconds returns the CPU time of a process, with that of its threads that have ended and without its
// children's. Its clock needs no rights: include/linux/posix-timers_types.h of the kernel says how a pid becomes one.
func ProcessSeconds(pid int) (float64, error) {
	const ofScheduler = 2 // CPUCLOCK_SCHED
	return ClockSeconds(^int32(pid)<<3 | ofScheduler)
}

// Monotonic reads CLOCK_MONOTONIC, in nanoseconds.
func Monotonic() (int64, error) {
	var ts unix.Timespec
	err := unix.ClockGettime(unix.CLOCK_MONOTONIC, &ts)
	return ts.Nano(), err
}

// Threads is the account of threads of this process.
type Threads struct {
	tids []int
}

// NewThreads opens the account of the given threads of this process, by their
// kernel ids; without any, of the whole process and none of its children.
func NewThreads(tids ...int) *Threads { return &Threads{tids: tids} }

// CPUSeconds fails once one of the threads has ended.
func (t *Threads) CPUSeconds() (float64, error) {
	if len(t.tids) == 0 {
		return ClockSeconds(unix.CLOCK_PROCESS_CPUTIME_ID)
	}
	sum := 0.0
	for _, tid := range t.tids {
		s, err := ClockSeconds(threadClock(tid))
		if err != nil {
			return 0, fmt.Errorf("cpu time of thread %d: %w", tid, err)
		}
		sum += s
	}
	return sum, nil
}

// threadClock returns the CPU clock of any thread of this process, as the kernel builds it:
// include/linux/posix-timers_types.h, MAKE_THREAD_CPUCLOCK with CPUCLOCK_SCHED.
func threadClock(tid int) int32 {
	const perThread, sched = 4, 2
	return int32(^tid<<3 | perThread | sched)
}

// Source returns record.ChargedThreads.
func (t *Threads) Source() string { return record.ChargedThreads }

// Close does nothing.
func (t *Threads) Close() error { return nil }
