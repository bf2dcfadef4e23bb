package plan

import (
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"errors"
	"fmt"
	"maps"
	"slices"
	"strconv"
	"strings"

	"plimsoll/internal/base/usage"
	"plimsoll/internal/record"
)

// Limits that keep a mistyped request from running for weeks.
const (
	maxCells      = 10_000
	maxReplicates = 100_000
	maxSeconds    = 7 * 24 * 3600
	shortest      = .01 // seconds measured
	maxRuns       = 1_000_000
	maxProbes     = 1000
)

// Target describes the machine behind a host for planning.
type Target struct {
	CPUs       int    // usable
	SocketCPUs int    // usable ones of the socket that has most of them
	Cores      int    // with a usable CPU; 0: unknown, each CPU counts as one
	Type       string // instance type; "": unknown
	// Machine identifies the machine; two hosts of one machine are never loaded at once. "": unknown.
	Machine string
	// Refuses returns an error if a workload cannot run there with these values. The error is the user's. A nil Refuses
	// accepts all.
	Refuses func(workload string, p record.Params) error
	// Passes reports whether a cell is planned despite such an error, as in a dry run; optional cells never are. A nil
	// Passes passes none.
	Passes func(error) bool
	// Joins returns how many servers of a workload's cluster join it in the window only; nil: none.
	Joins func(workload string, p record.Params) int
}

func (t Target) joins(workload string, p record.Params) int {
	if t.Joins == nil {
		return 0
	}
	return t.Joins(workload, p)
}

// Check returns the error of a request that no target can carry out: unknown parameters, and values that are not
// accepted. It needs no target, so that a mistyped line is refused before hosts are reached.
func Check(req Request, decls []record.Workload) error {
	req.Factors = everywhere(req.Factors, req.Workloads())
	if _, err := defaults(req); err != nil {
		return err
	}
	if err := checkFactors(req.allFactors(), req.Measure, decls); err != nil {
		return err
	}
	for _, ask := range req.Measure {
		if err := checkValues(ask, decls); err != nil {
			return err
		}
	}
	return nil
}

// checkValues returns the error of the first value of a measurement that its parameter does not accept.
func checkValues(ask Ask, decls []record.Workload) error {
	decl, err := Find(decls, ask.Workload)
	if err != nil {
		return err
	}
	for _, name := range slices.Sorted(maps.Keys(ask.Set)) {
		if _, err := canonical(decl, name, ask.Set[name]); err != nil {
			return err
		}
	}
	for _, axis := range ask.Sweep {
		p, _ := decl.Param(axis.Param)
		for _, v := range axis.Values {
			if p.Kind == record.CPUs && strings.Contains(v, rangeSign) {
				continue // its numbers depend on the target
			}
			if _, err := canonical(decl, axis.Param, v); err != nil {
				return err
			}
		}
	}
	return nil
}

// Resolve turns a request into a plan. targets are the machines behind the request's hosts; the local host is "".
func Resolve(req Request, decls []record.Workload, targets map[string]Target) (record.Plan, error) {
	req.Factors = everywhere(req.Factors, req.Workloads())
	p, err := defaults(req)
	if err != nil {
		return p, err
	}
	if err := checkFactors(req.allFactors(), req.Measure, decls); err != nil {
		return p, err
	}
	for _, ask := range req.Measure {
		decl, err := Find(decls, ask.Workload)
		if err != nil {
			return p, err
		}
		b := builder{plan: &p, ask: ask, decl: decl, factors: slices.Concat(req.Factors, ask.Vary), targets: targets,
			most: req.MaxCPUs, alone: req.Alone, clusters: req.Clusters, open: map[int]bool{}}
		if err := b.add(); err != nil {
			return p, err
		}
	}
	if len(p.Cells) == 0 {
		return p, nothing(p.LeftOut)
	}
	if err := errors.Join(checkDistinct(p), Bounded(p)); err != nil {
		return p, err
	}
	return p, finish(&p, req, decls, targets)
}

// finish sets the fields that depend on all cells.
func finish(p *record.Plan, req Request, decls []record.Workload, targets map[string]Target) error {
	if err := checkGenerators(*p); err != nil {
		return err
	}
	if err := checkClusters(*p, targets); err != nil {
		return err
	}
	deriveAlike(p, decls)
	leaveAsFound(p)
	p.Factors = present(*p)
	p.Designs = incomplete(*p)
	markSliced(p, decls)
	markRepeating(p, decls)
	p.GeneratorCores = generatorCores(*p, targets)
	// One generator cannot load two targets at once without affecting both.
	p.Together = apart(p.Hosts, targets) && len(p.Generators) == 0
	p.Blocks = blocksOf(*p, targets)
	if err := setPrimary(p, req, decls); err != nil {
		return err
	}
	if req.Replicates == 0 {
		if req.onlySearches() {
			p.Replicates = searchesOf(*p)
		}
		return setStop(p, req)
	}
	if req.Limit > 0 {
		return usagef("both the number of replicates and its maximum are set: %d and %d\nhint: leave out one of them",
			req.Replicates, req.Limit)
	}
	return noPilot(req)
}

// searchesOf returns the number of searches of each cell unless it is set: as many as an interval needs if there is a
// comparison, else one, which has an interval of its own probes.
func searchesOf(p record.Plan) int {
	if compares(p) {
		return QuickMost
	}
	return 1
}

// checkGenerators rejects generators that load nothing, or themselves.
func checkGenerators(p record.Plan) error {
	remote := func(c record.Cell) bool { return c.Remote }
	if len(p.Generators) > 0 && !slices.ContainsFunc(p.Cells, remote) {
		return usagef("generators are set, but no measured workload can be loaded from another host\nhint: plimsoll list " +
			"--json shows which workloads serve")
	}
	for _, c := range p.Cells {
		clients := c.Load.Level
		if c.Search != nil {
			clients = c.Search.Clients
		}
		if n := len(p.Generators); c.Remote && (c.Load.Kind == record.Closed || c.Search != nil) && clients < float64(n) {
			return usagef("%d generators cannot share a closed loop of %g clients\nhint: use at least as many clients "+
				"as generators", n, clients)
		}
	}
	for i, g := range p.Generators {
		if slices.Contains(p.Hosts, g) || slices.Contains(p.Generators[:i], g) {
			return usagef("the generator %q is a target too, or is listed twice\nhint: without generators each target "+
				"generates its own load", g)
		}
	}
	return nil
}

// checkClusters rejects clusters of several hosts with another number of servers, and those that nobody loads from
// elsewhere.
func checkClusters(p record.Plan, targets map[string]Target) error {
	for _, c := range p.Cells {
		if len(c.Cluster) == 0 {
			continue
		}
		later := targets[c.Host].joins(c.Workload, c.Params)
		hosts, name := len(c.Cluster)+1-later, p.Names[c.Host]
		nodes, err := strconv.Atoi(c.Params[record.ParamNodes])
		switch {
		case err == nil && nodes > hosts:
			return usagef("%s has %s, and %s.%s=%d needs one for each\nhint: name as many in --cluster %s=HOST,…, or "+
				"--set %s.%s=%d",
				name, hostsOf(hosts, later), c.Workload, record.ParamNodes, nodes, name, c.Workload, record.ParamNodes, hosts)
		case err == nil && nodes < hosts:
			return usagef("%s has %s, and %s.%s=%d leaves some without a server\nhint: leave out %s.%s: it follows "+
				"from --cluster",
				name, hostsOf(hosts, later), c.Workload, record.ParamNodes, nodes, c.Workload, record.ParamNodes)
		case !c.Remote:
			return usagef("%s is a cluster of several hosts, which are loaded from another one\nhint: --generator 'ssh HOST'",
				name)
		}
	}
	return nil
}

// hostsOf counts a cluster's hosts.
func hostsOf(first, later int) string {
	if later == 0 {
		return fmt.Sprintf("%d hosts", first)
	}
	return fmt.Sprintf("%d hosts besides the one that joins in the window", first)
}

// apart reports whether there are several hosts and each is a separate machine.
func apart(hosts []string, targets map[string]Target) bool {
	seen := map[string]bool{"": true}
	for _, h := range hosts {
		m := targets[h].Machine
		if seen[m] {
			return false
		}
		seen[m] = true
	}
	return len(hosts) > 1
}

// nothing returns the reason why a plan is empty.
func nothing(left []record.LeftOut) error {
	if len(left) > 0 {
		return usagef("nothing can be measured here: %s", left[0].Why)
	}
	return usagef("nothing to measure\nhint: plimsoll list shows the workloads")
}

// Hash identifies a resolved plan: 16 hex digits of the SHA-256 of its JSON.
func Hash(p record.Plan) string {
	b, err := json.Marshal(p)
	if err != nil {
		panic("plan: a plan holds only plain values: " + err.Error())
	}
	sum := sha256.Sum256(b)
	return hex.EncodeToString(sum[:8])
}

func defaults(req Request) (record.Plan, error) {
	p := record.Plan{
		Name: req.Name, Session: req.Session, Seed: req.Seed, Quick: req.Quick, Hosts: req.Hosts, Names: req.Names,
		Generators: req.Generators,
		Claim:      or(req.Claim, ClaimMachine), Margin: or(req.Margin, DefaultMargin), Alpha: or(req.Alpha, DefaultAlpha),
		Replicates: or(req.Replicates, DefaultReplicates), WarmupS: req.WarmupS, DurationS: req.DurationS, MaxS: req.MaxS,
		Prices:  req.Prices,
		Profile: req.Profile, Labels: req.Labels, Energy: req.Energy,
	}
	warmup, duration := DefaultWarmupS+0.0, DefaultDurationS+0.0
	switch {
	case req.Quick && req.onlySearches():
		warmup, duration = QuickWarmupS, QuickTimeS
	case req.Quick:
		warmup, duration = QuickWarmupS, QuickDurationS
	case req.onlySearches():
		warmup, duration = SearchWarmupS, SearchTimeS
	case req.searches():
		warmup, duration = SweepWarmupS, SweepTimeS
	case req.verifies():
		duration = SafeTimeS
	}
	p.DurationS = or(p.DurationS, duration)
	if p.WarmupS < 0 {
		p.WarmupS = warmup
	}
	if len(p.Hosts) == 0 {
		p.Hosts = []string{""}
	}
	p.Factors = registered(req.allFactors())
	return p, errors.Join(checkNumbers(p), checkProfile(req))
}

// Bounded rejects a plan whose course could not be followed, as of too many runs: one from a file may have any numbers.
func Bounded(p record.Plan) error {
	if p.Replicates > maxReplicates || len(p.Cells)*max(p.Replicates, 1) > maxRuns {
		return usagef("%d replicates of %d cells: must be at most %d runs", p.Replicates, len(p.Cells), maxRuns)
	}
	if p.Stop != nil && len(p.Stop.Looks) == 0 {
		return usagef("a plan that may stop early needs interim analyses")
	}
	for _, c := range p.Cells {
		if c.Search != nil && c.Search.Probes > maxProbes {
			return usagef("a search of %d probes: must be at most %d", c.Search.Probes, maxProbes)
		}
	}
	return nil
}

func checkNumbers(p record.Plan) error {
	switch {
	case p.Replicates < 1 || p.Replicates > maxReplicates:
		return usagef("%d replicates: must be 1 to %d", p.Replicates, maxReplicates)
	case p.DurationS < shortest || p.DurationS > maxSeconds:
		return usagef("a run of %g s: must be 10ms to a week", p.DurationS)
	case p.WarmupS > maxSeconds:
		return usagef("a warm-up of %g s: must be at most a week", p.WarmupS)
	case !(p.Margin > 0 && p.Margin < 1): // also rejects NaN
		return usagef("a margin of %g: must be between 0 and 1 (2%% is 0.02)", p.Margin)
	case !(p.Alpha > 0 && p.Alpha < .5):
		return usagef("an error rate of %g: must be over 0 and under 0.5 (5%% is 0.05)", p.Alpha)
	case p.Claim != ClaimMachine && p.Claim != ClaimType:
		return usagef("claim %q: must be %s or %s", p.Claim, ClaimMachine, ClaimType)
	}
	return nil
}

func or[T comparable](v, fallback T) T {
	var zero T
	if v == zero {
		return fallback
	}
	return v
}

// checkFactors rejects factors that vary nothing, since a mistyped name would measure one level twice, and values that
// their parameters don't accept.
func checkFactors(factors []Factor, asks []Ask, decls []record.Workload) error {
	asked, named := map[string]bool{}, map[string]bool{}
	for _, a := range asks {
		asked[a.Workload] = true
	}
	for _, f := range factors {
		if named[f.Name] {
			return usagef("factor %s is listed twice\nhint: put all of its levels into one, %s=A,B,C", f.Name, f.Name)
		}
		named[f.Name] = true
		seen := map[string]bool{}
		for _, l := range f.Levels {
			if seen[l.Name] {
				return usagef("factor %s has the level %q twice\nhint: %s", f.Name, l.Name, aaHint(f, decls))
			}
			seen[l.Name] = true
			for _, key := range slices.Sorted(maps.Keys(l.Set)) {
				decl, name, err := split(key, decls)
				if err != nil {
					return err
				}
				if _, err := canonical(decl, name, l.Set[key]); err != nil {
					return err
				}
				if !asked[decl.Name] {
					return usagef("%s is varied, but %s is not measured\nhint: plimsoll run %s --vary %s=…", key, decl.Name, decl.Name,
						key)
				}
			}
		}
		if len(f.Levels) < 2 && !ownName(f, decls) {
			return usagef(
				"factor %s needs at least two levels\nhint: --vary NAME=A,B compares two values, --set NAME=A measures one",
				f.Name,
			)
		}
	}
	return nil
}

// aaHint returns how to measure one thing as two sides.
func aaHint(f Factor, decls []record.Workload) string {
	const noise = "plimsoll machine shows how small a difference this machine can tell"
	if decl, _, err := split(f.Name, decls); err == nil && decl.Free {
		return "--name a --name b measures one command as two sides; " + noise
	}
	return noise
}

// ownName reports whether a factor has a name of its own, as the sides of a command line have that the user has named:
// one level of it is a side that keeps its name from one session to the next.
func ownName(f Factor, decls []record.Workload) bool {
	_, _, err := split(f.Name, decls)
	return err != nil
}

// checkDistinct rejects a plan that measures the same thing twice, however expressed: its replicates would count more
// than once.
func checkDistinct(p record.Plan) error {
	seen := map[string]bool{}
	for _, c := range p.Cells {
		id := fmt.Sprint(c.Workload, c.Host, c.Params, c.Search != nil && c.Search.Sweep)
		if seen[id] {
			return usagef("%s at %s is requested twice with the same parameters\nhint: two values of a sweep or a factor may "+
				"mean the same, such as 16KiB and 16384", c.Workload, c.Load.Key())
		}
		seen[id] = true
	}
	return nil
}

func usagef(format string, args ...any) error { return usage.Errorf(format, args...) }
