package host

import (
	"fmt"
	"os"
	"strconv"
	"strings"
)

// parseSchedstat returns for how long a thread has waited for a CPU while it
// could have run, in seconds: the second field of /proc/PID/task/TID/schedstat,
// see the kernel's Documentation/scheduler/sched-stats.rst. procfs reads that
// file of processes only.
func parseSchedstat(b []byte) (float64, error) {
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

func runDelay(root Root, tid int) (float64, error) {
	return readParsed(root.proc("self/task", strconv.Itoa(tid), "schedstat"), parseSchedstat)
}

// threads lists the threads of this process.
func threads(root Root) ([]int, error) {
	entries, err := os.ReadDir(root.proc("self/task"))
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
