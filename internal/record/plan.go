package record

import (
	"fmt"
	"slices"
	"strings"
)

// Plan is a resolved, pre-registered experiment: it and the trials already done determine every trial to come. Its hash
// is written with every trial, so that no later change goes unnoticed.
type Plan struct {
	Name string `json:"name"` // suite or workload names
	// Random, so that two runs of one plan are never taken for one.
	Session string `json:"session"`
	Seed    uint64 `json:"seed"` // of every random choice
	// Scope of the verdict: "machine" (this box) or "type" (the instance type).
	Claim      string            `json:"claim"`
	Margin     float64           `json:"margin"`            // the equivalence margin as a fraction, 0.02
	Alpha      float64           `json:"alpha"`             // two-sided error rate of a verdict, 0.05
	Quick      bool              `json:"quick,omitempty"`   // trials of a few seconds: never EQUIVALENT
	Replicates int               `json:"replicates"`        // independent repetitions of every cell
	MaxS       float64           `json:"max_s,omitempty"`   // seconds after which no pair begins; 0: no limit
	WarmupS    float64           `json:"warmup_s"`          // seconds before measuring, each trial
	DurationS  float64           `json:"duration_s"`        // seconds measured, each trial
	Factors    []Factor          `json:"factors,omitempty"` // varied on purpose
	Hosts      []string          `json:"hosts,omitempty"`   // commands that reach a target's agent; "" is this host
	Cells      []Cell            `json:"cells"`
	Names      map[string]string `json:"names,omitempty"` // host -> name of its machine, for some of Hosts
	// Commands that reach the agents that load the targets; none: each loads itself.
	Generators []string `json:"generators,omitempty"`
	Stop       *Stop    `json:"stop,omitempty"` // when a comparison may end; nil: after Replicates

	Primary map[string]string  `json:"primary,omitempty"` // workload -> metric that gets verdicts; "": its first
	Prices  map[string]float64 `json:"prices,omitempty"`  // machine -> USD per hour for price-performance
	Pilot   *Pilot             `json:"pilot,omitempty"`   // nil: every trial takes WarmupS and DurationS

	Together bool `json:"together,omitempty"` // the sides of a group that are on different hosts run at the same time

	Designs []Design `json:"designs,omitempty"` // how several factors are combined, by workload
	Profile bool     `json:"profile,omitempty"` // each replicate of a cell is followed by one profiled trial

	LeftOut []LeftOut `json:"left_out,omitempty"` // optional cells that cannot run here

	// Whole cores reserved for the load generator on every machine, if it has its own CPUs; 0: a quarter of the CPUs by
	// number, as in older plans.
	GeneratorCores int `json:"generator_cores,omitempty"`

	// Command that prints the energy or power of the machine that it runs on; "": its own meters are read.
	Energy string `json:"energy,omitempty"`

	// The user's labels of the measured software, such as build: main.
	Labels map[string]string `json:"labels,omitempty"`

	Devices []Device `json:"devices,omitempty"` // whose data the user gave up

	Imported *Imported `json:"imported,omitempty"` // nil unless imported from another tool

	Blocking
}

// Blocking divides the hosts of several instance types into blocks of one machine of each type, at random.
type Blocking struct {
	Blocks map[string]int `json:"blocks,omitempty"` // host -> its block, from 1; none: no block has two types
}

// Device is a disk or partition that the user gives up with all data on it.
type Device struct {
	Host  string   `json:"host"` // command that reaches its host, as in Plan.Hosts
	Path  string   `json:"path"`
	ID    string   `json:"id"` // digest of its identity
	By    string   `json:"by"` // source of its identity: "WWN", "serial number", "UUID", "file", "size and model"
	Bytes int64    `json:"bytes"`
	Model string   `json:"model,omitempty"`
	Holds []string `json:"holds,omitempty"` // its contents when given up, such as "ext4"
}

// String describes the device for users who may lose its contents.
func (d Device) String() string {
	out := fmt.Sprintf("%s: %.2f GB", d.Path, float64(d.Bytes)/1e9)
	if d.Model != "" {
		out += ", " + d.Model
	}
	if len(d.Holds) == 0 {
		return out + ", no known contents"
	}
	return out + ", holds " + strings.Join(d.Holds, " and ")
}

// Imported is the source of trials that were not planned here.
type Imported struct {
	Format string `json:"format"`           // such as "csv"
	File   string `json:"file"`             // its name without directories
	SHA256 string `json:"sha256"`           // of its bytes, in hex
	Source string `json:"source,omitempty"` // where its figures are from, as the file states it
}

// Stop ends the pairs of a group at the first of these interim analyses at which every comparison of the group is
// decided, or has no chance left to be. Plan.Replicates is the maximum.
type Stop struct {
	Looks []int `json:"looks"` // numbers of pairs of the interim analyses
	Early bool  `json:"early"` // the analyses begin at 3 pairs, which changes the constants
	Alone int   `json:"alone"` // replicates of a group without a comparison

	// a comparison ends undecided if the pairs left would decide it with a lower probability; 0: never
	Futile float64 `json:"futile,omitempty"`
}

// Pilot makes the first trials of each group choose the warm-up and duration of the others. They count in no estimate.
type Pilot struct {
	DurationS float64 `json:"duration_s"` // seconds measured by each pilot trial
}

// LeftOut counts cells that a plan omits on a host.
type LeftOut struct {
	Host  string `json:"host,omitempty"` // one of Plan.Hosts
	Why   string `json:"why"`
	Cells int    `json:"cells"`
}

// String returns a description of the omission.
func (l LeftOut) String() string {
	text := fmt.Sprintf("left out %d of the requested benchmarks: %s", l.Cells, l.Why)
	if l.Host != "" {
		text += fmt.Sprintf(" (on %s)", l.Host)
	}
	return text
}

// Factor is varied on purpose; the first level is the baseline.
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
	// Parameters that tables omit: minor and not set, or implied by the load.
	Minor []string `json:"minor,omitempty"`
	Host  string   `json:"host,omitempty"` // one of Plan.Hosts
	// Cells of one group are the sides of a comparison and run side by side in time.
	Group  int     `json:"group"`
	Search *Search `json:"search,omitempty"` // nil: the load is fixed
	// Each replicate is followed by trials capped near the safe rate that it found.
	Safe   bool `json:"safe,omitempty"`
	Remote bool `json:"remote,omitempty"` // its load comes from Plan.Generators
	// Those of Plan.Hosts that have a server of its cluster each, beside Host; none: all servers are on Host.
	Cluster []string `json:"cluster,omitempty"`
	Sliced  bool     `json:"sliced,omitempty"`  // the sides of this group alternate inside one child process
	Repeats bool     `json:"repeats,omitempty"` // short runs of it follow each other inside one child process
	Times   *Times   `json:"times,omitempty"`   // of its runs; nil: the plan's
}

// Times are how long the runs of a cell take that do not have the plan's times, in seconds.
type Times struct {
	WarmupS   float64 `json:"warmup_s"`
	DurationS float64 `json:"duration_s"`
}

// On reports whether a host has a server of the cell's.
func (c Cell) On(host string) bool { return c.Host == host || slices.Contains(c.Cluster, host) }

// Search asks for a load line: earlier trials determine the rates of later ones. A search is one replicate of its cell.
type Search struct {
	// Rates are fixed shares of the capacity, to show the whole range.
	Sweep bool `json:"sweep,omitempty"`
	// Seconds by statistic, such as "p99"; none: twice the latency below 20% CPU.
	Objectives map[string]float64 `json:"objectives,omitempty"`
	Probes     int                `json:"probes"`   // near the line
	Requests   float64            `json:"requests"` // requests per probe, as far as its time allows
	Clients    float64            `json:"clients"`  // clients of the closed loop that measures the capacity
	// Probes are placed for the line of the first statistic only.
	Chief bool `json:"chief,omitempty"`
	// Of older plans: one probe below 20% CPU is enough for the base.
	Quick bool `json:"quick,omitempty"`
	// Seconds that the search may take, for which it goes on if its line is not confirmed; 0: it ends after Probes and one
	// run that is to confirm the line, as in older plans.
	TimeS float64 `json:"time_s,omitempty"`
	// A fresh run at the line found follows each search.
	Confirm bool `json:"confirm,omitempty"`
}

// Order is an instruction to the agent: one trial, or the sides of one comparison sliced inside one child process.
type Order struct {
	ID        string  `json:"id"` // its first trial's
	Slot              // its first trial's: SlotOf has the others
	Seed      uint64  `json:"seed"`
	WarmupS   float64 `json:"warmup_s"`
	DurationS float64 `json:"duration_s"`
	// For a profiled trial whose load ends by itself: the duration of the same without profiling; 0: DurationS.
	LastedS float64 `json:"lasted_s,omitempty"`
	Host    string  `json:"host,omitempty"`
	// Those of Plan.Generators that generate its load; none: the host itself.
	Sources []string `json:"sources,omitempty"`
	// Index of the source, from 1, whose part of the load this is; 0: all of it.
	Part int `json:"part,omitempty"`
	// As in Cell.
	Cluster []string `json:"cluster,omitempty"`
	// Index of the host, from 1, of Host and those of Cluster, whose server is meant; 0: all servers are on Host.
	Member int `json:"member,omitempty"`

	GeneratorCores int    `json:"generator_cores,omitempty"` // as in Plan
	Energy         string `json:"energy,omitempty"`          // likewise

	Sides []Side `json:"sides"` // one, or two and more when sliced or in a batch
	// Turns are the runs of a batch, one after another in one process, of which the first are made. Nil: each side is run
	// once.
	Turns []Turn `json:"turns,omitempty"`
}

// Turn is one run of a batch.
type Turn struct {
	Side      int `json:"side"` // index into Order.Sides
	Replicate int `json:"replicate"`
	Group     int `json:"group"`
	Position  int `json:"position"`
	Attempt   int `json:"attempt"`
}

// The limits of a batch, in seconds: it ends with a run that takes as long as ShortRunS, and begins no pair after
// BatchS.
const (
	ShortRunS = 0.1
	BatchS    = 1.0
)

// Trials returns how many trials the order has: of a batch at most.
func (o Order) Trials() int {
	if len(o.Turns) > 0 {
		return len(o.Turns)
	}
	return len(o.Sides)
}

// Alone splits a batch: it returns the order for run i by itself, and the index of its side there. Another order is
// returned as it is.
func (o Order) Alone(i int) (Order, int) {
	if len(o.Turns) == 0 {
		return o, i
	}
	side := o.Turns[i].Side
	o.Slot = o.SlotOf(i)
	o.Sides, o.Turns = o.Sides[side:side+1], nil
	o.ID = o.Slot.ID()
	return o, 0
}

// Side is one cell of an order.
type Side struct {
	Cell     int               `json:"cell"` // index into Plan.Cells
	Workload string            `json:"workload"`
	Params   Params            `json:"params"`
	Load     LoadPoint         `json:"load"`
	Levels   map[string]string `json:"levels,omitempty"`
}

// SlotOf returns the slot of the trial i of the order.
func (o Order) SlotOf(i int) Slot {
	s := o.Slot
	if len(o.Turns) > 0 {
		t := o.Turns[i]
		s.Replicate, s.Group, s.Position, s.Attempt, i = t.Replicate, t.Group, t.Position, t.Attempt, t.Side
	}
	s.Cell = o.Sides[i].Cell
	return s
}

// Share returns this order's part of a count that its sources share: the parts add up to it.
func (o Order) Share(whole int) int {
	if o.Part == 0 {
		return whole
	}
	n := len(o.Sources)
	return whole*o.Part/n - whole*(o.Part-1)/n
}
