package figure

import "strings"

// Operations names one operation of each workload, as its users count it. Sessions and JSON say "op" of all of them.
func Operations() map[string]string {
	return map[string]string{
		"http": "request", "pgbench": "transaction", "tpcc": "transaction", "kafka": "record", "exec": "run",
		"compile": "run",
	}
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

// UnitOf returns a unit of sessions, such as "op/s", "op/$" or "op/s/core", as users of the workload write it:
// "requests/s", "tps", "records/$". Units that count no operations, and those of other workloads, stay as they are.
func UnitOf(workload, unit string) string {
	name, known := Operations()[workload]
	rest, counts := strings.CutPrefix(unit, "op")
	if !known || !counts || workload == byCommand || rest != "" && !strings.HasPrefix(rest, "/") {
		return unit
	}
	if per, rate := strings.CutPrefix(rest, "/s"); rate && name == "transaction" && (per == "" || per[0] == '/') {
		return "tps" + per
	}
	return name + "s" + rest
}
