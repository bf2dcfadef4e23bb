package figure

import (
	"slices"
	"strings"
)

// Operations names one operation of each workload and tool, as its users count it. Sessions and JSON say "op" of all of
// them.
func Operations() map[string]string {
	return map[string]string{
		"http": "request", "pgbench": "transaction", "tpcc": "transaction", "kafka": "record", "exec": "run",
		"compile": "run", "disk": inOut, "fio": inOut,
		"wrk": "request", "k6": "request", "oha": "request", "vegeta": "request", "redis-benchmark": "request",
		"kafka-producer-perf-test": "record", "rdkafka_performance": "record",
		sysbenchOLTP: "transaction", sysbenchEvents: "event",
	}
}

// inOut is a read or write of a disk, of which users count the IOPS.
const inOut = "I/O"

// The tests of sysbench: those on a database, and those on the machine itself, which it words differently.
const (
	sysbenchOLTP   = "sysbench OLTP"
	sysbenchEvents = "sysbench events"
)

// Counted returns the entry of Operations for a workload with these parameters: the tool's if its output is parsed.
func Counted(workload string, params map[string]string) string {
	tool := params["parse"]
	if workload != byCommand || tool == "" {
		return workload
	}
	if tool != "sysbench" {
		if _, known := Operations()[tool]; known {
			return tool
		}
		return workload
	}
	for _, word := range strings.Fields(params["command"]) {
		if slices.Contains([]string{"cpu", "memory", "fileio", "threads", "mutex"}, word) {
			return sysbenchEvents
		}
	}
	return sysbenchOLTP
}

// OperationOf returns what users of a workload call an operation, in the singular.
func OperationOf(workload string) string {
	if name, known := Operations()[workload]; known {
		return name
	}
	return "operation"
}

// byCommand is the workload whose commands state values of their own: what they call an operation is no run.
const byCommand = "exec"

// UnitOf returns a unit of sessions, such as "op/s", "op/$" or "op/s/core", as users of the workload, or of what
// Counted returns, write it: "requests/s", "tps", "IOPS", "records/$". Units that count no operations, and those of
// other workloads, stay as they are.
func UnitOf(workload, unit string) string {
	rest, counts := strings.CutPrefix(unit, "op")
	if !counts || workload == byCommand || rest != "" && !strings.HasPrefix(rest, "/") {
		return unit
	}
	name, known := Operations()[workload]
	if !known {
		return unit
	}
	per, rate := strings.CutPrefix(rest, "/s")
	if rate = rate && (per == "" || per[0] == '/'); rate {
		switch name {
		case "transaction":
			return "tps" + per
		case inOut:
			return "IOPS" + per
		}
	}
	if name == inOut {
		return unit
	}
	return name + "s" + rest
}
