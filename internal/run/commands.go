package run

import (
	"fmt"
	"maps"
	"slices"

	"plimsoll/internal/record"
)

// Commands returns a line for each thing that a plan runs: the commands that reach its hosts, its workloads, and each
// parameter that differs from its default.
func Commands(p record.Plan, decls []record.Workload) []string {
	var out []string
	add := func(format string, args ...any) {
		if line := fmt.Sprintf("  "+format, args...); !slices.Contains(out, line) {
			out = append(out, line)
		}
	}
	for _, h := range p.Hosts {
		if h != "" {
			add("to reach a target: sh -c %q", h)
		}
	}
	for _, g := range p.Generators {
		add("to reach a generator: sh -c %q", g)
	}
	if p.Energy != "" {
		add("to meter energy, on each target: sh -c %q", p.Energy)
	}
	for _, c := range p.Cells {
		usual := record.Params{}
		if at := slices.IndexFunc(decls, func(d record.Workload) bool { return d.Name == c.Workload }); at >= 0 {
			usual = decls[at].Defaults()
		}
		add("the workload %q", c.Workload)
		for _, name := range slices.Sorted(maps.Keys(c.Params)) {
			if c.Params[name] != usual[name] {
				add("%s.%s=%q", c.Workload, name, c.Params[name])
			}
		}
	}
	return out
}
