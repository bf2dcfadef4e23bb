package invocation

import (
	"cmp"
	"fmt"
	"maps"
	"strings"

	"plimsoll/internal/base/input"
	"plimsoll/internal/base/usage"
	"plimsoll/internal/plan"
	"plimsoll/internal/workload"
	"plimsoll/suites"
)

// Request returns the request that the arguments name.
func (l Line) Request(specs []workload.Spec) (plan.Request, error) {
	if len(l.Args) == 0 {
		return gather([]string{suites.Default})
	}
	names, rest := l.split(specs)
	if len(rest) == 0 {
		return gather(names)
	}
	if len(names) == 0 {
		return plan.Request{}, l.unknown(rest, specs)
	}
	if _, ok := workload.Find(specs, names[0]); !ok || len(names) > 1 {
		return plan.Request{}, notOne(names, rest[0], specs)
	}
	req, err := gather(names)
	if err != nil {
		return req, err
	}
	return req, l.taken(&req, names[0], rest, specs)
}

// notOne returns the error for an argument after several names, or after a suite.
func notOne(names []string, arg string, specs []workload.Spec) error {
	err := Line{}.unknown([]string{arg}, specs)
	if _, hint := usage.Parts(err); strings.HasPrefix(hint, "did you mean") {
		return err
	}
	if s, ok := takes(arg, specs); ok {
		return usage.Errorf("%q is an argument of one workload, and %s are measured\nhint: plimsoll run %s %s", arg,
			strings.Join(names, " and "), s, arg)
	}
	return err
}

// gather merges the suites, files and workloads named as arguments.
func gather(args []string) (plan.Request, error) {
	var all plan.Request
	var names []string
	for i, arg := range args {
		req, err := named(arg)
		if err != nil {
			return all, err
		}
		if len(args) == 1 {
			return req, nil
		}
		if i > 0 && numbersOf(req) != numbersOf(all) {
			return all,
				usage.Errorf("%s and %s ask for different replicates, times, margins or claims, and one run has one of each\n"+
					"hint: run them one by one; files can be concatenated", args[0], arg)
		}
		names = append(names, req.Name)
		if i == 0 {
			all = req
			continue
		}
		if err := join(&all, req); err != nil {
			return all, err
		}
	}
	all.Name = strings.Join(names, "+")
	return all, nil
}

func join(all *plan.Request, req plan.Request) (err error) {
	all.Measure = append(all.Measure, req.Measure...)
	all.Factors = append(all.Factors, req.Factors...)
	all.Profile = all.Profile || req.Profile
	if all.Energy != "" && req.Energy != "" && all.Energy != req.Energy {
		return usage.Errorf("two suites have different energy commands\nhint: run them one by one")
	}
	all.Energy = cmp.Or(all.Energy, req.Energy)
	if all.Primary, err = merged("primary metric", all.Primary, req.Primary); err != nil {
		return err
	}
	all.Prices, err = merged("price", all.Prices, req.Prices)
	return err
}

// merged merges the registrations of two suites, which must not contradict each other.
func merged[V comparable](what string, a, b map[string]V) (map[string]V, error) {
	if len(b) == 0 {
		return a, nil
	}
	out := maps.Clone(b)
	for name, v := range a {
		if other, ok := b[name]; ok && other != v {
			return nil, usage.Errorf("two suites register a different %s of %s: %v and %v\nhint: run them one by one; files "+
				"can be concatenated", what, name, v, other)
		}
		out[name] = v
	}
	return out, nil
}

// numbers are the settings common to all trials of a run.
type numbers struct {
	replicates, limit                int
	warmup, duration, pilot, longest float64
	margin, alpha                    float64
	claim                            string
	quick                            bool
}

func numbersOf(r plan.Request) numbers {
	return numbers{r.Replicates, r.Limit, r.WarmupS, r.DurationS, r.PilotS, r.MaxS, r.Margin, r.Alpha, r.Claim, r.Quick}
}

// named resolves one name: a file, an embedded suite, or a workload.
func named(arg string) (plan.Request, error) {
	if isFile(arg) {
		text, err := input.ReadText(arg, plan.MaxSuite)
		if usage.Is(err) {
			return plan.Request{}, err
		}
		if err != nil {
			return plan.Request{}, input.Wrap(fmt.Errorf("reading the suite: %w\nhint: plimsoll list shows the embedded ones",
				err))
		}
		return plan.ParseSuite(arg, text)
	}
	if arg == suites.Articles {
		return plan.Request{}, usage.Errorf("%s is several suites, each with a session of its own, and goes alone\n"+
			"hint: plimsoll run %s --quick -o DIR", arg, arg)
	}
	if req, ok, err := suites.Find(arg); ok {
		return req, err
	}
	return plan.Request{Name: arg, WarmupS: -1, Measure: []plan.Ask{{Workload: arg}}}, nil
}
