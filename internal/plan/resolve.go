package plan

import (
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"fmt"
	"maps"
	"slices"
	"strings"

	"plimsoll/internal/record"
)

// limits that keep a mistyped request from running for weeks.
const (
	maxCells      = 10_000
	maxReplicates = 100_000
	maxSeconds    = 7 * 24 * 3600
)

// Resolve makes the plan that a request asks for. cpus[host] is the number of
// CPUs the target behind each of the request's hosts may use; the local host
// is "".
func Resolve(req Request, decls []record.Workload, cpus map[string]int) (record.Plan, error) {
	p, err := defaults(req)
	if err != nil {
		return p, err
	}
	if err := checkFactors(req.Factors, req.Measure, decls); err != nil {
		return p, err
	}
	for _, ask := range req.Measure {
		decl, err := find(decls, ask.Workload)
		if err != nil {
			return p, err
		}
		if err := addCells(&p, req, ask, decl, cpus); err != nil {
			return p, err
		}
	}
	if len(p.Cells) == 0 {
		return p, usagef("nothing to measure\nhint: plimsoll list shows the workloads")
	}
	if err := checkDistinct(p); err != nil {
		return p, err
	}
	markSliced(&p, decls)
	return p, nil
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
		Name: req.Name, Session: req.Session, Seed: req.Seed, Quick: req.Quick, Hosts: req.Hosts,
		Claim: or(req.Claim, ClaimMachine), Margin: or(req.Margin, DefaultMargin), Alpha: DefaultAlpha,
		Replicates: or(req.Replicates, DefaultReplicates), WarmupS: req.WarmupS, DurationS: req.DurationS,
	}
	warmup, duration := DefaultWarmupS+0.0, DefaultDurationS+0.0
	if req.Quick {
		warmup, duration = QuickWarmupS, QuickDurationS
	}
	p.DurationS = or(p.DurationS, duration)
	if p.WarmupS < 0 {
		p.WarmupS = warmup
	}
	if len(p.Hosts) == 0 {
		p.Hosts = []string{""}
	}
	for _, f := range req.Factors {
		rf := record.Factor{Name: f.Name}
		for _, l := range f.Levels {
			rf.Levels = append(rf.Levels, l.Name)
		}
		p.Factors = append(p.Factors, rf)
	}
	return p, checkNumbers(p)
}

func checkNumbers(p record.Plan) error {
	switch {
	case p.Replicates < 1 || p.Replicates > maxReplicates:
		return usagef("%d replicates: must be 1 to %d", p.Replicates, maxReplicates)
	case p.DurationS < 0.01 || p.DurationS > maxSeconds:
		return usagef("a trial of %g s: must be 10ms to a week", p.DurationS)
	case p.WarmupS > maxSeconds:
		return usagef("a warm-up of %g s: must be at most a week", p.WarmupS)
	case !(p.Margin > 0 && p.Margin < 1): // also not a number
		return usagef("a margin of %g: must be between 0 and 1 (2 %% is 0.02)", p.Margin)
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

// checkFactors finds factors that vary nothing: a mistyped name would
// otherwise measure one level twice.
func checkFactors(factors []Factor, asks []Ask, decls []record.Workload) error {
	asked := map[string]bool{}
	for _, a := range asks {
		asked[a.Workload] = true
	}
	for _, f := range factors {
		seen := map[string]bool{}
		for _, l := range f.Levels {
			if seen[l.Name] {
				return usagef("factor %s has the level %q twice", f.Name, l.Name)
			}
			seen[l.Name] = true
			for key := range l.Set {
				decl, name, err := split(key, decls)
				if err != nil {
					return err
				}
				if _, ok := decl.Param(name); !ok && !decl.Free {
					return unknownParam(decl, name)
				}
				if !asked[decl.Name] {
					return usagef("%s is varied, but %s is not measured\nhint: plimsoll run %s --vary %s=…", key, decl.Name, decl.Name, key)
				}
			}
		}
		if len(f.Levels) < 2 {
			return usagef("factor %s needs two levels or more", f.Name)
		}
	}
	return nil
}

// addCells adds the cells of one ask: a group for every point of its sweep
// and, in each, a side for every combination of levels and hosts.
func addCells(p *record.Plan, req Request, ask Ask, decl record.Workload, cpus map[string]int) error {
	group := 0
	if n := len(p.Cells); n > 0 {
		group = p.Cells[n-1].Group + 1
	}
	for _, point := range points(ask.Sweep) {
		for _, levels := range combinations(req.Factors, decl.Name) {
			set := maps.Clone(ask.Set)
			if set == nil {
				set = map[string]string{}
			}
			maps.Copy(set, point)
			maps.Copy(set, levels.set)
			params, err := resolveParams(decl, set)
			if err != nil {
				return err
			}
			for _, host := range p.Hosts {
				load, err := loadOf(decl, params, cpus[host])
				if err != nil {
					return err
				}
				p.Cells = append(p.Cells, record.Cell{Workload: decl.Name, Params: params, Load: load,
					Levels: levels.names, Minor: minor(decl, set), Host: host, Group: group})
				if len(p.Cells) > maxCells {
					return usagef("more than %d cells: sweep fewer values", maxCells)
				}
			}
		}
		group++
	}
	return nil
}

// checkDistinct refuses a plan that asks for the same thing twice, in whatever
// words: its replicates would be counted as more than they are.
func checkDistinct(p record.Plan) error {
	seen := map[string]bool{}
	for _, c := range p.Cells {
		id := fmt.Sprint(c.Workload, c.Host, c.Params)
		if seen[id] {
			return usagef("%s at %s is asked for twice with the same parameters\nhint: two values of a sweep or a factor may mean the same, such as 16KiB and 16384", c.Workload, c.Load.Key())
		}
		seen[id] = true
	}
	return nil
}

// minor lists the parameters that say nothing beside the others: details that
// nobody set, and those that are the load, which is shown as such.
func minor(decl record.Workload, set map[string]string) []string {
	loads := []string{record.ParamCPUs, record.ParamClients, record.ParamRate, record.ParamArrivals}
	var out []string
	for _, p := range decl.Params {
		_, given := set[p.Name]
		if p.Minor && !given || slices.Contains(loads, p.Name) {
			out = append(out, p.Name)
		}
	}
	return out
}

// points is the product of the axes of a sweep; one empty point where there is
// no axis.
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
	set   map[string]string // that workload's parameters, without its prefix
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

// maxSlicedSides bounds how many sides share one child: each keeps its own
// buffers alive beside the others'.
const maxSlicedSides = 4

// markSliced marks the groups whose sides can alternate inside one child:
// METHOD's amendment on slices.
func markSliced(p *record.Plan, decls []record.Workload) {
	groups := map[int][]int{}
	for i, c := range p.Cells {
		groups[c.Group] = append(groups[c.Group], i)
	}
	for _, members := range groups {
		first := p.Cells[members[0]]
		decl, _ := find(decls, first.Workload)
		ok := decl.Slices && len(members) > 1 && len(members) <= maxSlicedSides
		for _, i := range members {
			ok = ok && p.Cells[i].Load == first.Load && p.Cells[i].Host == first.Host
		}
		for _, i := range members {
			p.Cells[i].Sliced = ok
		}
	}
}
