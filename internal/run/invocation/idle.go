package invocation

import (
	"slices"
	"strings"

	"plimsoll/internal/base/usage"
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
				againAndAgain(p))
		}
	}
	for _, key := range keys {
		name, param, _ := strings.Cut(key, ".")
		if name == "exec" && slices.Contains([]string{"unit", "metric", "better", "output_limit"}, param) && !parses(p) {
			return usage.Errorf("--set %s does nothing here: it applies to a parsed value, and nothing is parsed\n"+
				"hint: leave it out, or --set exec.parse=regexp, json or go", key)
		}
		if starting(decls, name, param) && onlyURLs(p, name) {
			return usage.Errorf("--set %s does nothing here: it applies to a server started for the run, and a URL is loaded\n"+
				"hint: leave it out; the URL has the scheme, the port and the path", key)
		}
		if slices.Contains([]string{record.ParamArrivals, record.ParamPacing, record.ParamConnections}, param) &&
			declares(decls, name, param) && !hasRate(p, name) {
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
func againAndAgain(p record.Plan) string {
	if p.Cells[0].Workload == "exec" {
		return ", or --set exec." + record.ParamClients + "=1 runs the command again and again"
	}
	return ""
}

// starting reports whether a parameter of http applies only to servers that are started for the run.
func starting(decls []record.Workload, name, param string) bool {
	if name != "http" || param == "server" {
		return false
	}
	return param == "path" || slices.ContainsFunc(decls, func(d record.Workload) bool {
		of, ok := d.Param(param)
		return d.Name == name && ok && of.Phase == record.Server
	})
}

// onlyURLs reports whether every cell of a workload loads a URL.
func onlyURLs(p record.Plan, name string) bool {
	return !slices.ContainsFunc(p.Cells, func(c record.Cell) bool {
		return c.Workload == name && c.Params["server"] != "url"
	})
}

func declares(decls []record.Workload, name, param string) bool {
	return slices.ContainsFunc(decls, func(d record.Workload) bool {
		_, ok := d.Param(param)
		return d.Name == name && ok
	})
}

// hasRate reports whether any cell of a workload has a rate, or searches for one.
func hasRate(p record.Plan, name string) bool {
	return slices.ContainsFunc(p.Cells, func(c record.Cell) bool {
		return c.Workload == name && (c.Load.Kind == record.Open || c.Search != nil || c.Safe)
	})
}

// parses reports whether any command's output is parsed.
func parses(p record.Plan) bool {
	return slices.ContainsFunc(p.Cells, func(c record.Cell) bool {
		return c.Workload == "exec" && c.Params["parse"] != "time"
	})
}
