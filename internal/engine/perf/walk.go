package perf

import (
	"debug/buildinfo"
	"fmt"
	"os"
	"strconv"
	"strings"

	"plimsoll/internal/base/list"
	"plimsoll/internal/record"
)

// The ways to walk stacks. Go keeps frame pointers; C compilers on amd64 by default do not, so that a copy of the
// stack is taken with each sample and unwound afterwards by the programs' unwind tables.
const (
	byPointers = "fp"
	byTables   = "dwarf,8192"
)

// The maximum samples per second and CPU by each way: by tables 8 KiB per sample are copied and written.
const (
	mostByPointers = 997
	mostByTables   = 197
)

// walk chooses the way for processes; none are known in advance if they start only with the load.
func walk(pids, tids []int) string {
	if len(tids) > 0 {
		return byPointers // of this program
	}
	for _, pid := range pids {
		if !keepsPointers(pid) {
			return byTables
		}
	}
	if len(pids) == 0 {
		return byTables
	}
	return byPointers
}

// keepsPointers reports whether a process has frame pointers: Go's programs do. A Java runtime's stacks are another
// profiler's work, and the part that perf sees cannot be walked either way.
func keepsPointers(pid int) bool {
	proc := "/proc/" + strconv.Itoa(pid)
	if maps, err := os.ReadFile(proc + "/maps"); err == nil && strings.Contains(string(maps), "/libjvm.so") {
		return true
	}
	_, err := buildinfo.ReadFile(proc + "/exe")
	return err == nil
}

// frequency returns the samples per second and CPU, within the limits of the way and of the kernel.
func frequency(periodNs int64, way string) int64 {
	f := min(int64(1e9)/max(periodNs, 1), mostByPointers)
	if way == byTables {
		f = min(f, mostByTables)
	}
	if b, err := os.ReadFile("/proc/sys/kernel/perf_event_max_sample_rate"); err == nil {
		if most, err := strconv.ParseInt(strings.TrimSpace(string(b)), 10, 64); err == nil && most > 0 {
			f = min(f, most)
		}
	}
	return max(f, 1)
}

// arguments returns those of perf record.
func arguments(file, clock string, p permit, pids, tids []int, periodNs int64) (args []string, period int64) {
	way := walk(pids, tids)
	f := frequency(periodNs, way)
	event := clock
	switch {
	case p == userOnly:
		event += ":u"
	case clock == record.ClockCPU:
		event += ":I" // not of idle CPUs, whose cycles stand still anyway
	}
	args = []string{"record", "-T", "-N", "--no-bpf-event", "-o", file, "-e", event, "-F", fmt.Sprint(f), "--call-graph",
		way, "-D", "-1", "--control", "fd:3,4"}
	switch {
	case len(tids) > 0:
		args = append(args, "--per-thread", "--no-inherit", "-t", joined(tids))
	case p == machine:
		args = append(args, "-a", "-m", "2M") // pages are not charged to a user's limit of locked memory
	default:
		args = append(args, "-p", joined(append(pids, os.Getpid()))) // processes that it starts later are sampled, too
	}
	return args, int64(1e9) / f
}

func joined(ids []int) string {
	return strings.Join(list.Map(ids, strconv.Itoa), ",")
}
