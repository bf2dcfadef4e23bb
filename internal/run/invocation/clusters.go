package invocation

import (
	"maps"
	"slices"
	"strconv"
	"strings"

	"plimsoll/internal/base/usage"
	"plimsoll/internal/plan"
	"plimsoll/internal/record"
	"plimsoll/internal/workload"
)

// clusters has the workloads that start clusters use several hosts for each, from NAME=HOST,HOST,…: the first of them
// gets the cluster's name, and stands for all.
func (s Settings) clusters(req *plan.Request, specs []workload.Spec) error {
	if len(s.Clusters) == 0 {
		return nil
	}
	clusters := func(w string) bool {
		spec, _ := workload.Find(specs, w)
		return spec.Clusters
	}
	if !slices.ContainsFunc(req.Workloads(), clusters) {
		return noClusters("--cluster", specs, func(s workload.Spec) bool { return s.Clusters })
	}
	for _, w := range req.Workloads() {
		if !clusters(w) {
			return usage.Errorf("--cluster: %s starts no clusters, and would be measured on one host of each\n"+
				"hint: measure it without --cluster, in a session of its own", w)
		}
	}
	clustered, set := s.nodesOf(*req, specs)
	hosts, used, named := hostsByName(*req), map[string]bool{}, map[string]bool{}
	req.Clusters, req.Alone = map[string][]string{}, map[string]map[string]string{} // --equal-cost is refused beside it
	for _, text := range s.Clusters {
		name, rest, ok := strings.Cut(text, "=")
		members := strings.Split(rest, ",")
		if !ok || name == "" || len(members) < 2 {
			return usage.Errorf("--cluster %q: must be NAME=HOST,HOST with two hosts or more, by their names\n"+
				"hint: --on a='ssh a' --on b='ssh b' --cluster r5=a,b", text)
		}
		var commands []string
		for _, m := range members {
			host, known := hosts[m]
			if !known {
				return usage.Unknown("host", m, slices.Sorted(maps.Keys(hosts)))
			}
			if used[m] {
				return usage.Errorf("--cluster %s: the host %s is in a cluster already", text, m)
			}
			used[m] = true
			commands = append(commands, host)
		}
		if _, taken := hosts[name]; named[name] || taken && name != members[0] {
			return usage.Errorf("--cluster %s: another host or cluster has the name %s", text, name)
		}
		named[name] = true
		req.Names[commands[0]], req.Clusters[commands[0]] = name, commands[1:]
		if set {
			continue // and the plan holds it to the number of hosts
		}
		req.Alone[commands[0]] = map[string]string{} // no host is in two
		for _, w := range clustered {
			req.Alone[commands[0]][w+"."+record.ParamNodes] = strconv.Itoa(len(members))
		}
	}
	return nil
}

// hostsByName returns the commands of the hosts that have a name.
func hostsByName(req plan.Request) map[string]string {
	out := map[string]string{}
	for host, name := range req.Names {
		out[name] = host
	}
	return out
}

// Joins returns how many servers of a workload's cluster join it in the measured window only, by the workload's name
// and parameters.
func Joins(specs []workload.Spec) func(string, record.Params) int {
	return func(name string, p record.Params) int {
		if s, ok := workload.Find(specs, name); ok && s.Joins != nil {
			return s.Joins(workload.NewParams(s.Workload, p))
		}
		return 0
	}
}
