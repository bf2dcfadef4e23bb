package invocation

import (
	"slices"
	"strings"

	"plimsoll/internal/base/usage"
	"plimsoll/internal/plan"
	"plimsoll/internal/record"
)

// Idle rejects flags without any effect on the measurement, because users would expect one. keys are the parameters
// that were set, and the error is wrong usage.
func Idle(p record.Plan, changed func(flag string) bool, warmup string, keys []string, decls []record.Workload) error {
	timed := slices.ContainsFunc(p.Cells, func(c record.Cell) bool { return c.Load.Kind != record.Once })
	heated, _ := record.ParseDuration(warmup)
	for _, f := range []struct {
		name  string
		given bool
	}{{"for", changed("for")}, {"warmup", changed("warmup") && heated > 0}} {
		if f.given && !timed {
			return usage.Errorf("--%s does nothing here: the command runs once, to its end\nhint: leave it out%s", f.name,
				againAndAgain(p.Cells[0].Workload, decls))
		}
	}
	for _, key := range keys {
		name, param, _ := strings.Cut(key, ".")
		decl, has := declared(key, decls)
		if why, hint := unmet(p, name, decl, decls); why != "" {
			return usage.Errorf("--set %s does nothing here: it %s\nhint: %s", key, why, hint)
		}
		if slices.Contains([]string{record.ParamArrivals, record.ParamPacing, record.ParamConnections}, param) && has &&
			!hasRate(p, name) {
			instead := "leave it out"
			if param == record.ParamConnections { // what other tools call clients
				instead = "--clients N has N connections"
			}
			return usage.Errorf("--set %s does nothing here: it applies to an open loop, which has a rate\n"+
				"hint: %s, or --set %s.%s=… instead of clients", key, instead, name, record.ParamRate)
		}
	}
	return nil
}

// againAndAgain suggests how to make a load of a single run, if possible.
func againAndAgain(name string, decls []record.Workload) string {
	if _, ok := declared(name+"."+record.ParamClients, decls); ok {
		return ", or --set " + name + "." + record.ParamClients + "=1 runs the command again and again"
	}
	return ""
}

// unmet returns why a parameter has no effect in any cell of its workload, and what to do instead; "" if it may have
// one.
func unmet(p record.Plan, name string, param record.Param, decls []record.Workload) (why, hint string) {
	w, err := plan.Find(decls, name)
	if err != nil {
		return "", ""
	}
	for _, c := range p.Cells {
		if c.Workload != name {
			continue
		}
		if why, hint = w.Unmet(param, c.Params); why == "" {
			return "", ""
		}
	}
	return why, hint
}

// hasRate reports whether any cell of a workload has a rate, or searches for one.
func hasRate(p record.Plan, name string) bool {
	return slices.ContainsFunc(p.Cells, func(c record.Cell) bool {
		return c.Workload == name && (c.Load.Kind == record.Open || c.Search != nil || c.Safe)
	})
}
