package record

import (
	"fmt"
	"strings"
)

// Plan is a resolved, pre-registered experiment: every trial it can ask for is
// determined by it and by the trials already done. Its hash is written with
// every trial, so nothing in it can change afterwards unseen.
type Plan struct {
	Name       string            `json:"name"`              // suite or workload names
	Session    string            `json:"session"`           // random, so that two runs of one plan are never taken for one
	Seed       uint64            `json:"seed"`              // of every random choice
	Claim      string            `json:"claim"`             // "machine" (this box) or "type" (the instance type)
	Margin     float64           `json:"margin"`            // the equivalence margin as a fraction, 0.02
	Alpha      float64           `json:"alpha"`             // two-sided error rate of a verdict, 0.05
	Quick      bool              `json:"quick,omitempty"`   // trials of a few seconds: never an EQUIVALENT
	Replicates int               `json:"replicates"`        // independent repetitions of every cell
	WarmupS    float64           `json:"warmup_s"`          // seconds before measuring, each trial
	DurationS  float64           `json:"duration_s"`        // seconds measured, each trial
	Factors    []Factor          `json:"factors,omitempty"` // what is varied on purpose
	Hosts      []string          `json:"hosts,omitempty"`   // commands that reach a target's agent; "" is this host
	Cells      []Cell            `json:"cells"`
	Names      map[string]string `json:"names,omitempty"`      // of Hosts, what the machines of some were called
	Generators []string          `json:"generators,omitempty"` // commands that reach the agents which load the targets; none: each loads itself
	Stop       *Stop             `json:"stop,omitempty"`       // when a comparison may end; nil: after Replicates, come what may

	Primary map[string]string  `json:"primary,omitempty"` // workload -> the metric that gets verdicts; "": its first
	Prices  map[string]float64 `json:"prices,omitempty"`  // machine -> USD per hour that figures per dollar are to use
	Pilot   *Pilot             `json:"pilot,omitempty"`   // nil: every trial takes WarmupS and DurationS

	Together bool `json:"together,omitempty"` // the sides of a group that are on different hosts run at the same time

	Designs []Design `json:"designs,omitempty"` // how several factors are combined, by workload
	Profile bool     `json:"profile,omitempty"` // each replicate of a cell is followed by one trial that is profiled

	LeftOut []LeftOut `json:"left_out,omitempty"` // what the request asked for where it can be, and it cannot here

	GeneratorCores int `json:"generator_cores,omitempty"` // whole cores that the load generator has on every machine where it has CPUs of its own; 0: a quarter of the CPUs' numbers, as older plans mean

	Labels map[string]string `json:"labels,omitempty"` // what whoever ran it calls what is measured, such as build: main

	Devices []Device `json:"devices,omitempty"` // whose data the user gave up

	Imported *Imported `json:"imported,omitempty"` // nil for what Plimsoll measured itself
}

// Device is a disk or a part of one that the user gives up, with all that is on it.
type Device struct {
	Host  string   `json:"host"` // the command that reaches it, as in Plan.Hosts
	Path  string   `json:"path"`
	ID    string   `json:"id"` // a digest of what it is known by
	By    string   `json:"by"` // what that is: "WWN", "serial number", "UUID", "file", "size and model"
	Bytes int64    `json:"bytes"`
	Model string   `json:"model,omitempty"`
	Holds []string `json:"holds,omitempty"` // what lay on it when it was given up, such as "ext4"
}

// String says what it is, for those who may lose what is on it.
func (d Device) String() string {
	out := fmt.Sprintf("%s: %.2f GB", d.Path, float64(d.Bytes)/1e9)
	if d.Model != "" {
		out += ", " + d.Model
	}
	if len(d.Holds) == 0 {
		return out + ", nothing known on it"
	}
	return out + ", holds " + strings.Join(d.Holds, " and ")
}

// Imported says where the trials of a plan are from that nobody planned here.
type Imported struct {
	Format string `json:"format"` // such as "csv"
	File   string `json:"file"`   // its name without directories
	SHA256 string `json:"sha256"` // of its bytes, in hex
}

// Stop says when the pairs of a group are enough: at the first of these looks at
// which every comparison of the group is decided. Plan.Replicates is the most.
type Stop struct {
	Looks []int `json:"looks"` // numbers of pairs after which one may stop
	Early bool  `json:"early"` // whether the looks begin at 3 pairs, which changes the constants
	Alone int   `json:"alone"` // replicates of a group that has nothing to compare
}

// Pilot says that the first trials of each group only choose how long the others
// warm up and measure. They count in no estimate.
type Pilot struct {
	DurationS float64 `json:"duration_s"` // seconds measured, each pilot trial
}

// LeftOut is cells that a plan goes without on a host.
type LeftOut struct {
	Host  string `json:"host,omitempty"` // one of Plan.Hosts
	Why   string `json:"why"`
	Cells int    `json:"cells"`
}

// String says it in a sentence.
func (l LeftOut) String() string {
	text := fmt.Sprintf("left out, %d of the cells asked for: %s", l.Cells, l.Why)
	if l.Host != "" {
		text += fmt.Sprintf(" (on %s)", l.Host)
	}
	return text
}

// Factor is something varied on purpose; the first level is the baseline.
type Factor struct {
	Name   string   `json:"name"`
	Levels []string `json:"levels"`
}

// Cell is one thing to measure: a workload, all of its parameters, and a load.
type Cell struct {
	Workload string            `json:"workload"`
	Params   Params            `json:"params"`
	Load     LoadPoint         `json:"load"`
	Levels   map[string]string `json:"levels,omitempty"` // factor -> level
	Minor    []string          `json:"minor,omitempty"`  // parameters that tables leave out: minor and not set, or said by the load
	Host     string            `json:"host,omitempty"`   // one of Plan.Hosts
	Group    int               `json:"group"`            // cells of one group are the sides of a comparison and run side by side in time
	Search   *Search           `json:"search,omitempty"` // nil: the load is as it stands
	Safe     bool              `json:"safe,omitempty"`   // each replicate is followed by trials capped near the safe rate that it shows
	Remote   bool              `json:"remote,omitempty"` // its load comes from Plan.Generators
	Sliced   bool              `json:"sliced,omitempty"` // the sides of this group alternate inside one child process
}

// Search asks for a load line: the rates of its trials are chosen by what those before them said. A search is
// one replicate of its cell.
type Search struct {
	Sweep      bool               `json:"sweep,omitempty"`      // rates are fixed shares of the capacity, for a picture of the whole range
	Objectives map[string]float64 `json:"objectives,omitempty"` // seconds by statistic, such as "p99"; none: twice the latency below 20 % CPU
	Probes     int                `json:"probes"`               // near the line
	Requests   float64            `json:"requests"`             // of each probe, as far as its time allows
	Clients    float64            `json:"clients"`              // of the closed load that tells the capacity
}

// Order is what the agent is asked to do: one trial, or the sides of one
// comparison sliced inside one child process.
type Order struct {
	ID        string   `json:"id"` // unique in any concatenation of files: plan hash, replicate, group, order, attempt
	Plan      string   `json:"plan"`
	Replicate int      `json:"replicate"`
	Group     int      `json:"group"`
	Position  int      `json:"position"`        // where in its group's order this trial runs
	Attempt   int      `json:"attempt"`         // 0, or more when an earlier attempt was void
	Probe     int      `json:"probe,omitempty"` // of a search, from 1; 0: of none
	Seed      uint64   `json:"seed"`
	WarmupS   float64  `json:"warmup_s"`
	DurationS float64  `json:"duration_s"`
	LastedS   float64  `json:"lasted_s,omitempty"` // of a profiled trial whose load ends by itself: how long the same lasted without; 0: DurationS
	Host      string   `json:"host,omitempty"`
	Sources   []string `json:"sources,omitempty"` // of Plan.Generators, those that make its load; none: the host itself
	Part      int      `json:"part,omitempty"`    // of Sources, from 1: the one whose part of the load this is; 0: all of it
	Pilot     bool     `json:"pilot,omitempty"`   // chooses the times of the others, counts in no estimate
	Extra     bool     `json:"extra,omitempty"`   // of a pair that runs since another was tainted
	Capped    float64  `json:"capped,omitempty"`  // share of the safe rate that is asked for, to verify that
	Profiled  bool     `json:"profiled,omitempty"`

	GeneratorCores int `json:"generator_cores,omitempty"` // as in Plan

	Sides []Side `json:"sides"` // one, or two and more when sliced
}

// Side is one cell of an order.
type Side struct {
	Cell     int               `json:"cell"` // index into Plan.Cells
	Workload string            `json:"workload"`
	Params   Params            `json:"params"`
	Load     LoadPoint         `json:"load"`
	Levels   map[string]string `json:"levels,omitempty"`
}

// TrialID is the identity of the trial that side i of the order gives.
func (o Order) TrialID(i int) string {
	probe := ""
	if o.Probe > 0 {
		probe = fmt.Sprintf("-p%d", o.Probe)
	}
	if o.Capped > 0 {
		probe = fmt.Sprintf("-s%.0f", 100*o.Capped)
	}
	if o.Profiled {
		probe = "-f"
	}
	return fmt.Sprintf("%s-r%d-g%d-c%d%s-a%d", o.Plan, o.Replicate, o.Group, o.Sides[i].Cell, probe, o.Attempt)
}

// Share is this order's part of a count that its sources have together: the parts add up to it.
func (o Order) Share(whole int) int {
	if o.Part == 0 {
		return whole
	}
	n := len(o.Sources)
	return whole*o.Part/n - whole*(o.Part-1)/n
}
