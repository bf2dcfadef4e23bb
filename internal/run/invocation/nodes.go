package invocation

import (
	"maps"
	"slices"
	"strconv"
	"strings"

	"plimsoll/internal/base/list"
	"plimsoll/internal/base/usage"
	"plimsoll/internal/plan"
	"plimsoll/internal/record"
	"plimsoll/internal/workload"
)

// nodes gives each machine the number of nodes of its clusters, from NAME=NODES,NAME=NODES.
func (s Settings) nodes(req *plan.Request, specs []workload.Spec) error {
	if s.EqualCost == "" {
		return nil
	}
	clustered, set := s.nodesOf(*req, specs)
	if len(clustered) == 0 {
		return noClusters("--equal-cost", specs, func(s workload.Spec) bool {
			_, ok := s.Param(record.ParamNodes)
			return ok
		})
	}
	if set || len(s.Clusters) > 0 {
		return usage.Errorf("--equal-cost and another option both say how many nodes %s has\nhint: leave out %s.%s, or "+
			"--cluster, whose hosts are the nodes",
			clustered[0], clustered[0], record.ParamNodes)
	}
	hosts := hostsByName(*req)
	each := map[string]map[string]string{}
	for _, text := range values(s.EqualCost) {
		name, number, _ := strings.Cut(text, "=")
		host, known := hosts[name]
		switch n, err := strconv.Atoi(number); {
		case err != nil || n < 1:
			return usage.Errorf("--equal-cost %q: must be NAME=NODES, with a number of nodes from 1 on\nhint: "+
				"--equal-cost r5=3,r6g=4", text)
		case !known && len(hosts) == 0:
			return usage.Errorf("--equal-cost %s: no machine has a name\nhint: --on %s='ssh HOST' names one, as a list of "+
				"--hosts does", text, name)
		case !known:
			return usage.Unknown("machine", name, slices.Sorted(maps.Keys(hosts)))
		case each[host] != nil:
			return usage.Errorf("--equal-cost %s: %s has a number of nodes already", text, name)
		}
		each[host] = map[string]string{}
		for _, w := range clustered {
			each[host][w+"."+record.ParamNodes] = number
		}
	}
	if missing := list.Filter(req.Hosts, func(host string) bool { return each[host] == nil }); len(missing) > 0 ||
		len(each) < 2 {
		return usage.Errorf("--equal-cost %s: %d of %d machines have a number of nodes, and all of two or more need one\n"+
			"hint: --equal-cost NAME=NODES,NAME=NODES",
			s.EqualCost, len(each), len(req.Hosts))
	}
	req.Alone = each
	return nil
}

// noClusters returns the error of a flag that no measured workload has a use for, and names those that have.
func noClusters(flag string, specs []workload.Spec, uses func(workload.Spec) bool) error {
	names := list.Map(list.Filter(specs, uses), func(s workload.Spec) string { return s.Name })
	slices.Sort(names)
	hint := ""
	if len(names) > 0 {
		hint = "\nhint: plimsoll run " + names[0] + " " + flag + " …"
	}
	if len(names) > 1 {
		hint += "; likewise " + strings.Join(names[1:], ", ")
	}
	return usage.Errorf("%s: no measured workload starts clusters%s", flag, hint)
}

// nodesOf returns the measured workloads that start clusters of any number of nodes, and whether that is set or varied
// by other options.
func (s Settings) nodesOf(req plan.Request, specs []workload.Spec) (out []string, set bool) {
	given := s.Keys(req, specs)
	for _, ask := range req.Measure {
		spec, _ := workload.Find(specs, ask.Workload)
		if _, ok := spec.Param(record.ParamNodes); !ok {
			continue
		}
		key := ask.Workload + "." + record.ParamNodes
		swept := slices.ContainsFunc(ask.Sweep, func(a plan.Axis) bool { return a.Param == record.ParamNodes })
		varied := slices.ContainsFunc(slices.Concat(req.Factors, ask.Vary), func(f plan.Factor) bool {
			return slices.ContainsFunc(f.Levels, func(l plan.Level) bool { return l.Set[key] != "" })
		})
		set = set || swept || varied || slices.Contains(given, key)
		out = append(out, ask.Workload)
	}
	return out, set
}
