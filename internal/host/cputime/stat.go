package cputime

import (
	"fmt"

	"github.com/prometheus/procfs"

	"plimsoll/internal/host/hostfs"
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
