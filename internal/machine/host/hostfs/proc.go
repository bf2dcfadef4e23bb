package hostfs

import (
	"fmt"
	"io/fs"
	"os"
	"strconv"
	"strings"

	"github.com/prometheus/procfs"

	"plimsoll/internal/machine/host/kernfmt"
)

// LoadAverage returns the 1-minute load average.
func LoadAverage(root Root) (float64, error) {
	pfs, err := procfs.NewFS(root.Proc)
	if err != nil {
		return 0, err
	}
	l, err := pfs.LoadAvg()
	if err != nil {
		return 0, err
	}
	return l.Load1, nil
}

// MemoryBytes returns the memory that the kernel manages.
func MemoryBytes(root Root) (int64, error) {
	return meminfo(root, "MemTotal", func(m procfs.Meminfo) *uint64 { return m.MemTotalBytes })
}

// AvailableBytes returns the memory that could be used without swapping.
func AvailableBytes(root Root) (int64, error) {
	return meminfo(root, "MemAvailable", func(m procfs.Meminfo) *uint64 { return m.MemAvailableBytes })
}

func meminfo(root Root, name string, of func(procfs.Meminfo) *uint64) (int64, error) {
	pfs, err := procfs.NewFS(root.Proc)
	if err != nil {
		return 0, err
	}
	m, err := pfs.Meminfo()
	if err != nil {
		return 0, err
	}
	bytes := of(m)
	if bytes == nil {
		return 0, fmt.Errorf("%s: %w", name, fs.ErrNotExist)
	}
	return int64(*bytes), nil
}

// SwappedPages counts the pages swapped in and out since boot.
func SwappedPages(root Root) (float64, error) {
	stat, err := ReadParsed(root.ProcPath("vmstat"), kernfmt.Flat)
	if err != nil {
		return 0, err
	}
	in, ok1 := stat["pswpin"]
	out, ok2 := stat["pswpout"]
	if !ok1 || !ok2 {
		return 0, fmt.Errorf("pswpin and pswpout: %w", fs.ErrNotExist)
	}
	return float64(in) + float64(out), nil
}

// Pressure returns for how many seconds since boot some task was stalled for want of a resource:
// "cpu", "io" or "memory".
func Pressure(root Root, resource string) (float64, error) {
	pfs, err := procfs.NewFS(root.Proc)
	if err != nil {
		return 0, err
	}
	stats, err := pfs.PSIStatsForResource(resource)
	if err != nil {
		return 0, err
	}
	if stats.Some == nil {
		return 0, fmt.Errorf("line some of pressure/%s: %w", resource, fs.ErrNotExist)
	}
	return float64(stats.Some.Total) / 1e6, nil
}

// ParseSchedstat returns for how long a thread has waited for a CPU while it
// could have run, in seconds: the second field of /proc/PID/task/TID/schedstat,
// see the kernel's Documentation/scheduler/sched-stats.rst. procfs reads that
// file of processes only.
func ParseSchedstat(b []byte) (float64, error) {
	fields := strings.Fields(string(b))
	if len(fields) != 3 {
		return 0, fmt.Errorf("%.60q is not three numbers", b)
	}
	ns, err := strconv.ParseUint(fields[1], 10, 64)
	if err != nil {
		return 0, fmt.Errorf("run delay %.30q is not a number", fields[1])
	}
	return float64(ns) / 1e9, nil
}

// RunDelay returns for how long a thread of this process has waited for a CPU, in seconds.
func RunDelay(root Root, tid int) (float64, error) {
	return ReadParsed(root.ProcPath("self/task", strconv.Itoa(tid), "schedstat"), ParseSchedstat)
}

// Threads lists the threads of this process.
func Threads(root Root) ([]int, error) {
	entries, err := os.ReadDir(root.ProcPath("self/task"))
	if err != nil {
		return nil, err
	}
	var tids []int
	for _, e := range entries {
		if tid, err := strconv.Atoi(e.Name()); err == nil {
			tids = append(tids, tid)
		}
	}
	return tids, nil
}

// SwapBytes returns the size of all swap areas in use, or 0 if that is not known.
func SwapBytes(root Root) int64 {
	n, err := meminfo(root, "SwapTotal", func(m procfs.Meminfo) *uint64 { return m.SwapTotalBytes })
	if err != nil {
		return 0
	}
	return n
}
