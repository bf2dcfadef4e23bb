package plan

import (
	"cmp"
	"fmt"
	"maps"
	"slices"
	"strconv"
	"strings"

	"plimsoll/internal/base/list"
	"plimsoll/internal/base/usage"
	"plimsoll/internal/record"
)

// builder adds the cells of one ask to a plan.
type builder struct {
	plan    *record.Plan
	ask     Ask
	decl    record.Workload
	factors []Factor
	targets map[string]Target
	most    int          // maximum CPUs of a load; 0: all
	open    map[int]bool // numbers of CPUs that smaller hosts skip

	alone    map[string]map[string]string // Request.Alone
	clusters map[string][]string          // Request.Clusters
}

// add adds a group for every point of the ask's sweep and, in each, a side for every combination of levels and hosts.
func (b builder) add() error {
	sweep, err := b.expanded()
	if err != nil {
		return err
	}
	b.register()
	if err := b.effective(sweep); err != nil {
		return err
	}
	group := 0
	if n := len(b.plan.Cells); n > 0 {
		group = b.plan.Cells[n-1].Group + 1
	}
	for _, point := range points(sweep) {
		before := len(b.plan.Cells)
		for _, levels := range designed(b.factors, b.decl.Name) {
			for _, host := range b.targetsOf() {
				if err := b.side(point, levels, host, group); err != nil {
					return cmp.Or(b.impossible(point, host), err)
				}
			}
		}
		if len(b.plan.Cells) > maxCells {
			return usagef("more than %d cells: sweep fewer values", maxCells)
		}
		if len(b.plan.Cells) > before {
			group++
		}
	}
	return nil
}

// side adds one cell, unless an open range of CPUs ends before it, or it is optional and impossible.
func (b builder) side(point map[string]string, levels combination, host string, group int) error {
	set := b.set(point, levels, host)
	target := b.targets[host]
	if b.skips(set[record.ParamCPUs], b.usable(target, set)) {
		return nil
	}
	params, err := resolveParams(b.decl, set)
	if err != nil {
		return err
	}
	if !b.atMost(params, levels, host) {
		return nil
	}
	giveWay(b.decl, set, params, b.ask.Search != nil)
	short := b.ask.Search != nil && (b.plan.Quick || !b.ask.Search.Sweep)
	if short && set[record.ParamHeat] == "" && params[record.ParamHeat] == record.HeatAuto {
		params[record.ParamHeat] = record.HeatShort
	}
	b.decl.Derive(params, withPreset(b.decl, set))
	b.decl.Ignore(params, set)
	if later := target.joins(b.decl.Name, params); later > 0 && len(b.clusterAt(host)) > 0 &&
		b.alone[host][b.decl.Name+"."+record.ParamNodes] != "" {
		params[record.ParamNodes] = strconv.Itoa(len(b.clusterAt(host)) + 1 - later)
	}
	load, err := b.load(params, usable(target, params))
	if err == nil {
		err = checkSafe(b.decl, b.ask, load)
	}
	for _, h := range append([]string{host}, b.clusterAt(host)...) {
		if refuses := b.targets[h].Refuses; err == nil && refuses != nil {
			err = refuses(b.decl.Name, params)
		}
	}
	if err != nil && (b.ask.Optional || target.Passes == nil || !target.Passes(err)) {
		return b.leaveOut(host, err)
	}
	own := b.ownTimes()
	runs := cellTimes(*b.plan, record.Cell{Times: own})
	b.plan.Cells = append(b.plan.Cells,
		record.Cell{Workload: b.decl.Name, Params: params, Load: load, Cluster: b.clusterAt(host),
			Levels: levels.names, Minor: minor(b.decl, set, params), Host: host, Group: group,
			Search: searchWith(b.ask.Search, params, runs.warmup+runs.duration), Safe: b.ask.Safe, Times: own,
			Remote: b.decl.Serves && len(b.plan.Generators) > 0 && load.Kind != record.Once})
	return nil
}

// set returns the parameters that are set in a cell.
func (b builder) set(point map[string]string, levels combination, host string) map[string]string {
	out := map[string]string{}
	for _, from := range []map[string]string{b.ask.Set, point, levels.set} {
		maps.Copy(out, from)
	}
	for key, value := range b.alone[host] {
		if name, ok := strings.CutPrefix(key, b.decl.Name+"."); ok {
			out[name] = value
		}
	}
	return out
}

// effective returns an error if a parameter that is set has no effect in any cell. It asks no host.
func (b builder) effective(sweep []Axis) error {
	given := map[string]bool{}
	var sets []map[string]string
	for _, point := range points(sweep) {
		for _, levels := range designed(b.factors, b.decl.Name) {
			for _, host := range b.targetsOf() {
				set := b.set(point, levels, host)
				for name := range set {
					given[name] = true
				}
				if sets = append(sets, set); len(sets) > maxCells {
					return nil // too many, which add reports
				}
			}
		}
	}
	if !slices.ContainsFunc(b.decl.Params, func(p record.Param) bool { return len(p.Only) > 0 && given[p.Name] }) {
		return nil
	}
	var all []record.Params
	for _, set := range sets {
		params, err := resolveParams(b.decl, set)
		if err != nil {
			return nil // which add reports
		}
		b.decl.Derive(params, withPreset(b.decl, set))
		all = append(all, params)
	}
	if err := b.decl.Ineffective(func(name string) bool { return given[name] }, all...); err != nil {
		return usage.Wrap(err)
	}
	return nil
}

// ownTimes returns the times of the ask's cells; nil if they are the plan's.
func (b builder) ownTimes() *record.Times {
	if b.ask.WarmupS == 0 && b.ask.DurationS == 0 {
		return nil
	}
	return &record.Times{WarmupS: or(b.ask.WarmupS, b.plan.WarmupS), DurationS: or(b.ask.DurationS, b.plan.DurationS)}
}

// searchWith returns a search with a time by the seconds of each run, and whose closed loop has as many clients as the
// open loops have connections, if the workload has those.
func searchWith(s *record.Search, params record.Params, runS float64) *record.Search {
	if s == nil {
		return nil
	}
	out := *s
	if n, err := strconv.Atoi(params[record.ParamConnections]); err == nil && n >= 1 {
		out.Clients = float64(n)
	}
	if !out.Sweep {
		out.TimeS = SearchRuns * (runS + startS)
	}
	return &out
}

// atMost replaces all CPUs by the maximum requested, if a target has at least as many. It returns false if a cell needs
// more, or exists already.
func (b builder) atMost(params record.Params, levels combination, host string) bool {
	text := params[record.ParamCPUs]
	switch n, err := strconv.Atoi(text); {
	case b.most == 0 || err == nil && n <= b.most:
		return true
	case err == nil:
		b.noteLeftOut(host, fmt.Sprintf("%s.%s=%d is over --max-cpus %d", b.decl.Name, record.ParamCPUs, n, b.most))
		return false
	case text != record.AllCPUs || usable(b.targets[host], params) < b.most:
		return true
	}
	params[record.ParamCPUs] = strconv.Itoa(b.most)
	there := slices.IndexFunc(b.plan.Cells, func(c record.Cell) bool {
		return c.Workload == b.decl.Name && c.Host == host && maps.Equal(c.Params, params)
	})
	if there >= 0 && !maps.Equal(b.plan.Cells[there].Levels, levels.names) {
		b.noteLeftOut(host, fmt.Sprintf("%s at %d CPUs, which is all with --max-cpus %d, is measured already", b.decl.Name,
			b.most, b.most))
	}
	return there < 0
}

// usable returns the CPUs of a target that a load may use, at most the requested maximum.
func (b builder) usable(t Target, set map[string]string) int {
	if b.most > 0 {
		return min(usable(t, set), b.most)
	}
	return usable(t, set)
}

// load returns the cell's load; in a search an open rate.
func (b builder) load(params record.Params, cpus int) (record.LoadPoint, error) {
	if b.ask.Search != nil {
		return searchedLoad(b.decl, params, b.ask.Search.Sweep)
	}
	return loadOf(b.decl, params, cpus)
}

// usable returns how many CPUs of a target work with these values may use.
func usable(t Target, set map[string]string) int {
	if set[record.ParamSockets] == record.SocketsOne && t.SocketCPUs > 0 {
		return t.SocketCPUs
	}
	return t.CPUs
}

// leaveOut notes an optional cell that cannot run; for others it returns the error.
func (b builder) leaveOut(host string, why error) error {
	if !b.ask.Optional {
		return usage.Wrap(why)
	}
	b.noteLeftOut(host, usage.FirstLine(why))
	return nil
}

// noteLeftOut counts a cell that is not measured on a host.
func (b builder) noteLeftOut(host, reason string) {
	for i := range b.plan.LeftOut {
		if l := &b.plan.LeftOut[i]; l.Host == host && l.Why == reason {
			l.Cells++
			return
		}
	}
	b.plan.LeftOut = append(b.plan.LeftOut, record.LeftOut{Host: host, Why: reason, Cells: 1})
}

// minor returns the parameters that tables omit: details that nobody set, what has no effect beside other values, and
// those that define the load, which is shown as such.
func minor(decl record.Workload, set map[string]string, params record.Params) []string {
	loads := record.LoadParams()
	var out []string
	for _, p := range decl.Params {
		_, given := set[p.Name]
		if _, has := params[p.Name]; p.Tunes && !has {
			continue
		}
		idle := p.Minor || !p.Effective(params) || p.Idle != nil && p.Idle(params)
		if idle && !given || slices.Contains(loads, p.Name) {
			out = append(out, p.Name)
		}
	}
	return out
}

// points returns the product of the axes of a sweep; one empty point if there is no axis.
func points(axes []Axis) []map[string]string {
	out := []map[string]string{{}}
	for _, a := range axes {
		var next []map[string]string
		for _, p := range out {
			for _, v := range a.Values {
				q := maps.Clone(p)
				q[a.Param] = v
				next = append(next, q)
			}
		}
		out = next
	}
	return out
}

// combination is one level of each factor that concerns a workload.
type combination struct {
	names map[string]string // factor -> level
	set   map[string]string // the workload's parameters, without its prefix
}

func combinations(factors []Factor, workload string) []combination {
	out := []combination{{}}
	for _, f := range factors {
		if !concerns(f, workload) {
			continue
		}
		var next []combination
		for _, c := range out {
			for _, l := range f.Levels {
				next = append(next, c.with(f.Name, l, workload))
			}
		}
		out = next
	}
	return out
}

func concerns(f Factor, workload string) bool {
	for _, l := range f.Levels {
		for key := range l.Set {
			if strings.HasPrefix(key, workload+".") {
				return true
			}
		}
	}
	return false
}

func (c combination) with(factor string, l Level, workload string) combination {
	names, set := maps.Clone(c.names), maps.Clone(c.set)
	if names == nil {
		names, set = map[string]string{}, map[string]string{}
	}
	names[factor] = l.Name
	for key, v := range l.Set {
		if name, ok := strings.CutPrefix(key, workload+"."); ok {
			set[name] = v
		}
	}
	return combination{names, set}
}

// targetsOf returns the hosts that the ask is measured on: of a cluster's, if it starts one there, the one that stands
// for all.
func (b builder) targetsOf() []string {
	if !b.decl.Clusters {
		return b.plan.Hosts
	}
	return list.Filter(b.plan.Hosts, func(host string) bool {
		for _, others := range b.clusters {
			if slices.Contains(others, host) {
				return false
			}
		}
		return true
	})
}

// clusterAt returns the further hosts of the cluster that a host stands for.
func (b builder) clusterAt(host string) []string {
	if !b.decl.Clusters {
		return nil
	}
	return b.clusters[host]
}
