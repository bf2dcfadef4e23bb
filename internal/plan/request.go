package plan

import (
	"maps"
	"slices"

	"plimsoll/internal/record"
)

// Request is an experiment as stated by the user: names, text, and no defaults. Resolve turns it into a plan.
type Request struct {
	Name       string
	Doc        string
	Aside      string // what the user has to know before it runs; "": nothing
	Measure    []Ask
	Factors    []Factor
	Replicates int // 0: until comparisons are decided, or DefaultReplicates without comparisons
	// Maximum pairs of a comparison if Replicates is 0; 0: up to the last interim analysis.
	Limit      int
	MaxS       float64            // seconds after which no pair begins; 0: no limit
	WarmupS    float64            // seconds; negative: the default
	DurationS  float64            // seconds; 0: the default
	QuickS     float64            // seconds of a quick experiment; 0: the default
	Margin     float64            // fraction; 0: DefaultMargin
	Alpha      float64            // two-sided error rate; 0: DefaultAlpha
	Claim      string             // "": machine
	PilotS     float64            // seconds measured by a pilot trial; 0: no pilot
	Primary    map[string]string  // workload -> metric that gets verdicts; default: its first
	Prices     map[string]float64 // machine or instance type -> USD per hour
	Quick      bool
	Profile    bool // each replicate is followed by a profiled trial
	Seed       uint64
	Session    string // random, from the caller
	Labels     map[string]string
	Energy     string            // command that prints energy or power; "": the machine's meters
	MaxCPUs    int               // maximum of a load; 0: all
	Hosts      []string          // commands that reach an agent; none: this host
	Types      map[string]string // host -> its machine's instance type, as stated by a list of hosts
	Zones      map[string]string // host -> its machine's availability zone, likewise
	Names      map[string]string // host -> name of its machine; default: its own
	Generators []string          // commands that reach the agents that generate the load; none: each host itself

	// host -> the further hosts of the cluster that it stands for, of workloads that start one; each has one server.
	Clusters map[string][]string

	Alone map[string]map[string]string // host -> parameters (WORKLOAD.NAME) that its cells alone have, over all others
}

// Ask is one workload to measure, with the values set and swept.
type Ask struct {
	Workload string
	Set      map[string]string
	Sweep    []Axis
	Vary     []Factor       // of this ask only
	Quick    []Axis         // values of a quick experiment, instead of those set and swept
	Search   *record.Search // searches for a load line instead of a fixed load
	Safe     bool           // verify its safe rate
	// Seconds of its runs, instead of the request's; 0: the request's.
	WarmupS, DurationS float64
	Optional           bool // omit cells that cannot run on a target
}

// Axis is a parameter and its values, each of them a cell.
type Axis struct {
	Param  string
	Values []string
}

// Factor is varied on purpose. Its name is a parameter (WORKLOAD.NAME) with Values, or any word with Levels that set
// parameters.
type Factor struct {
	Name   string
	Levels []Level
}

// Level is one state of a factor: the parameters (WORKLOAD.NAME) that it sets.
type Level struct {
	Name string
	Set  map[string]string
}

// The defaults of a request. Pairs of short trials beat few long ones (docs/derivations.md#machine-types); five is
// the first interim analysis of the repeated intervals.
const (
	DefaultReplicates = 5
	DefaultWarmupS    = 1
	DefaultDurationS  = 10
	DefaultMargin     = 0.02
	DefaultAlpha      = 0.05

	QuickWarmupS   = 0.3
	QuickDurationS = 2
	QuickMost      = 3 // replicates: the minimum for an interval

	ClaimMachine = "machine"
	ClaimType    = "type"
)

// Vary returns the factor of one parameter with several values.
func Vary(key string, values []string) Factor {
	f := Factor{Name: key}
	for _, v := range values {
		f.Levels = append(f.Levels, Level{Name: v, Set: map[string]string{key: v}})
	}
	return f
}

// Workloads returns the names of the measured workloads, each once.
func (r Request) Workloads() []string {
	var out []string
	for _, a := range r.Measure {
		if !slices.Contains(out, a.Workload) {
			out = append(out, a.Workload)
		}
	}
	return out
}

// Quicken makes an experiment quick, whatever times, replicates and sizes it states.
func (r *Request) Quicken() {
	r.Quick = true
	if r.Replicates > 0 {
		r.Replicates = min(r.Replicates, QuickMost)
	}
	if r.Limit > 0 {
		r.Limit = min(r.Limit, QuickMost)
	}
	r.shrink()
	for _, a := range r.Measure {
		if a.Search != nil {
			a.Search.Probes = min(a.Search.Probes, QuickProbes)
		}
	}
	for i := range r.Measure {
		r.Measure[i].WarmupS, r.Measure[i].DurationS = 0, 0
	}
	if r.QuickS > 0 {
		r.DurationS = r.QuickS
	}
	r.DurationS = min(r.DurationS, QuickDurationS)
	r.WarmupS = min(r.WarmupS, QuickWarmupS)
}

// shrink applies each ask's values for a quick experiment. Factors keep their levels.
func (r *Request) shrink() {
	for i := range r.Measure {
		a := &r.Measure[i]
		for _, q := range a.Quick {
			a.Sweep = slices.DeleteFunc(slices.Clone(a.Sweep), func(x Axis) bool { return x.Param == q.Param })
			if len(q.Values) != 1 {
				a.Sweep = append(a.Sweep, q)
				continue
			}
			a.Set = maps.Clone(a.Set)
			a.Set[q.Param] = q.Values[0]
		}
	}
}

// allFactors returns the factors of the request and of its asks, in order; it merges the levels of those with the same
// name.
func (r Request) allFactors() []Factor {
	out := slices.Clone(r.Factors)
	for _, a := range r.Measure {
		for _, f := range a.Vary {
			at := slices.IndexFunc(out, func(o Factor) bool { return o.Name == f.Name })
			if at < 0 {
				out = append(out, f)
				continue
			}
			out[at].Levels = merged(out[at].Levels, f.Levels)
		}
	}
	return out
}

func merged(levels, more []Level) []Level {
	levels = slices.Clone(levels)
	for _, l := range more {
		if !slices.ContainsFunc(levels, func(o Level) bool { return o.Name == l.Name }) {
			levels = append(levels, l)
		}
	}
	return levels
}

// registered converts factors to those of a plan.
func registered(factors []Factor) []record.Factor {
	var out []record.Factor
	for _, f := range factors {
		rf := record.Factor{Name: f.Name}
		for _, l := range f.Levels {
			rf.Levels = append(rf.Levels, l.Name)
		}
		out = append(out, rf)
	}
	return out
}

// present returns the plan's factors with the levels that occur in its cells: some may have been left out, and one
// level is not a factor.
func present(p record.Plan) []record.Factor {
	var out []record.Factor
	for _, f := range p.Factors {
		f.Levels = slices.DeleteFunc(slices.Clone(f.Levels), func(level string) bool {
			return !slices.ContainsFunc(p.Cells, func(c record.Cell) bool { return c.Levels[f.Name] == level })
		})
		if len(f.Levels) > 1 {
			out = append(out, f)
		}
	}
	return out
}
