package reader

import (
	"strings"

	"plimsoll/internal/record"
)

// PgbenchTool reads the output of pgbench.
func PgbenchTool() Tool {
	return Tool{Name: Pgbench, Doc: "output of PostgreSQL's pgbench, one or more runs per file", Read: runsOf(readPgbench),
		Marks: lineLike("a line `transaction type: …`", `^(?:transaction type: |progress: [0-9.]+ s, [0-9.]+ tps)`)}
}

func (r pgbenchRun) Load() (record.LoadPoint, error) {
	return clientsLoad(r.facts["number of clients"])
}

// Params returns the parameters that distinguish runs, under the names of the workload pgbench.
func (r pgbenchRun) Params() record.Params {
	out := record.Params{"script": r.script()}
	for name, fact := range map[string]string{"scale": "scaling factor", "protocol": "query mode",
		"tries": "maximum number of tries", "threads": "number of threads"} {
		if v := r.facts[fact]; v != "" {
			out[name] = v
		}
	}
	if r.paced {
		out["paced"] = "true" // the rate itself is not printed
	}
	return out
}

// script returns a name such as "tpcb-like", or "transfer.sql@3 select-only@1".
func (r pgbenchRun) script() string {
	var words []string
	for _, s := range r.scripts {
		word := s.name
		switch s.name {
		case "<builtin: TPC-B (sort of)>", "TPC-B (sort of)": // the second until 9.5
			word = "tpcb-like"
		case "<builtin: simple update>", "Update only pgbench_accounts":
			word = "simple-update"
		case "<builtin: select only>", "SELECT only":
			word = "select-only"
		}
		if s.weight != "" && len(r.scripts) > 1 {
			word += "@" + s.weight
		}
		words = append(words, word)
	}
	return strings.Join(words, " ")
}
