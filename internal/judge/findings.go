package judge

import (
	"plimsoll/internal/estimate"
	"plimsoll/internal/finding/bottleneck"
	"plimsoll/internal/finding/factorial"
	"plimsoll/internal/finding/storage"
	"plimsoll/internal/finding/sweep"
	"plimsoll/internal/loadline"
	"plimsoll/internal/note"
	"plimsoll/internal/record"
	"plimsoll/internal/sequential"
	"plimsoll/internal/trialset"
)

// Shown is what one set of trials says by itself: the document of
// `show --json`.
type Shown struct {
	Machines  map[string]record.Machine `json:"machines"`
	Workloads []Cell                    `json:"workloads"`
	Warnings  []note.Note               `json:"warnings"`
	Sessions  map[string]Session        `json:"sessions,omitempty"` // of machines above that are a session of one, told apart from others of it
}

// Cell is one metric of one cell: its estimate over replicates and its trials.
type Cell struct {
	Machine           string            `json:"machine"`
	Workload          string            `json:"workload"`
	Params            map[string]string `json:"params"`
	Minor             []string          `json:"-"`    // parameters that tables leave out
	Load              string            `json:"load"` // record.LoadPoint's text form
	Metric            string            `json:"metric"`
	Primary           bool              `json:"primary"`
	Unit              string            `json:"unit"`
	Better            record.Better     `json:"better"`
	estimate.Estimate                   // over valid trials; NaN (null) without any
	N                 int               `json:"n"`      // valid trials
	Void              int               `json:"void"`   // trials left out
	Trials            []TrialValue      `json:"trials"` // all of them, void ones too
	Effects           []Effect          `json:"effects,omitempty"`
	Scaling           *sweep.Scaling    `json:"scaling,omitempty"` // where this cell is the last of a sweep of CPUs
	Doubts            []note.Note       `json:"doubts"`

	Path                 string                      `json:"path,omitempty"`       // code path taken; "" where unknown or mixed
	Regime               string                      `json:"regime,omitempty"`     // where the working set lay: record.Regime*; "" where unknown or mixed
	CPUSets              *record.CPUSets             `json:"cpu_sets,omitempty"`   // nil where server and generator were not to be kept apart, or not always alike
	Speedup              *estimate.Estimate          `json:"over_one,omitempty"`   // times the throughput of the same on one CPU, where that was measured
	MemoryBandwidthShare *sweep.MemoryBandwidthShare `json:"of_memory,omitempty"`  // primary metric only, where the machine's memory was measured at the same load
	BySize               *sweep.BySize               `json:"by_size,omitempty"`    // where this cell is the largest of a sweep of sizes
	ByClients            *sweep.ByClients            `json:"by_clients,omitempty"` // where this cell has the most clients of a sweep
	Plateaus             []sweep.Plateau             `json:"plateaus,omitempty"`   // where this cell has the largest value of a sweep of four or more

	Attribution *factorial.Attribution `json:"attribution,omitempty"` // where this cell is the first of a factorial of two factors or more: of the primary metric and of cpu_per_op

	WarmUp *trialset.WarmUp `json:"warm_up,omitempty"` // primary metric only, where fresh servers were loaded before the trials

	NoScaling note.Note `json:"no_scaling,omitzero"` // why such a sweep has no Scaling

	Regulation *storage.Regulation `json:"regulation,omitempty"` // primary metric only, of workloads with a timeline at full load

	LoadLine   *loadline.Line           `json:"loadline,omitempty"`   // where this cell is the highest load of a sweep: of LoadLines the p99
	LoadLines  map[string]loadline.Line `json:"loadlines,omitempty"`  // by statistic of latency
	NoLoadLine note.Note                `json:"no_loadline,omitzero"` // why such a sweep has none

	Sizing *storage.Sizing `json:"sizing,omitempty"` // primary metric only, where a disk was used: see AddSizing

	PastSaturation *sweep.PastSaturation `json:"past_saturation,omitempty"` // where this cell is the most clients of a ladder whose peak comes before
	Timeline       *bottleneck.Timeline  `json:"timeline,omitempty"`        // primary metric only, of a database that was watched: see AddTimelines
	Binds          *bottleneck.Binds     `json:"binds,omitempty"`           // primary metric only, where CPU time is known: see AddBinds

	DiskBandwidthShare *storage.DiskBandwidthShare `json:"of_disk,omitempty"`   // primary metric only, of what ingests where workload disk wrote to the same disk
	PeakDiskDemand     *storage.PeakDiskDemand     `json:"stress,omitempty"`    // where this cell is the largest of a sweep of sizes that were ingested
	Sensitivity        []sweep.Sensitivity         `json:"depends,omitempty"`   // where this cell has the largest value of a sweep of what ingests
	FewLarge           *sweep.FewLarge             `json:"few_large,omitempty"` // where this cell has the fewest clients and the largest size of a grid of both
	Worth              *Worth                      `json:"worth,omitempty"`     // of rates, where the machine's price is known: see AddWorth

	Profiled *ProfileCost `json:"profiled,omitempty"` // primary metric and cpu_per_op, where trials were profiled
	Profile  *Profile     `json:"profile,omitempty"`  // primary metric only, where trials were profiled: see AddProfiles

	Explain     []Explanation `json:"explain,omitempty"`      // primary metric only, at the first levels of factors: why the others differ from it
	KnownIssues []Issue       `json:"known_issues,omitempty"` // primary metric only

	unseen bool // the machine that did the work is not known
}

// TrialValue is one trial's value of a cell's metric.
type TrialValue struct {
	ID        string      `json:"id"`
	Replicate int         `json:"replicate"`
	Start     string      `json:"start"`
	Value     *float64    `json:"value"` // nil where the trial has none
	Void      note.Note   `json:"void,omitzero"`
	Doubts    []note.Note `json:"doubts,omitempty"`
}

// Effect is one factor's effect on one cell's metric: the document of
// `effects` in `show --json`.
type Effect struct {
	Factor  string           `json:"factor"`
	From    string           `json:"from"`
	To      string           `json:"to"`
	Per     string           `json:"per"`
	Ratio   float64          `json:"ratio"`
	Lo      *float64         `json:"lo"`
	Hi      *float64         `json:"hi"`
	Verdict trialset.Verdict `json:"verdict,omitempty"`
	N       int              `json:"n"`
}

// Compared is the document of `compare --json`.
type Compared struct {
	Pairs    []Pair        `json:"pairs"`
	Families []FamilyRatio `json:"families,omitempty"` // where sizes of two families of instance types were measured
}

// Pair is everything concluded about side b against side a.
type Pair struct {
	A         string       `json:"a"` // the baseline machine or type, or the factor's first level
	B         string       `json:"b"`
	By        string       `json:"by"`                // "machine", "type" or the factor
	Machine   string       `json:"machine,omitempty"` // the one both sides ran on, where By is a factor
	Verdicts  []Comparison `json:"verdicts"`
	Overall   []Overall    `json:"overall"` // by load and basis
	Crossings []Crossing   `json:"crossings"`
	Trends    []Trend      `json:"trends"`
	OnPar     []OnPar      `json:"on_par"`
	Residue   []Difference `json:"residue"`
	Changed   []note.Note  `json:"changed"` // what is used now and was registered otherwise
	Warnings  []note.Note  `json:"warnings"`
	BasisA    *Basis       `json:"basis_a,omitempty"` // what figures per vCPU, core, dollar and watt are put in relation to
	BasisB    *Basis       `json:"basis_b,omitempty"`

	ByFactor []MachineByFactor `json:"machine_by_factor,omitempty"` // where both machines ran the same factorial

	EqualCost *EqualCost `json:"equal_cost,omitempty"` // where it was asked for
	Fleets    []Fleets   `json:"fleets,omitempty"`     // where a demand was stated

	Explain []Explanation `json:"explain,omitempty"` // why the sides differ, cell by cell, as far as the trials say

	Registered *sequential.Registered `json:"registered"`
	ByChance   *ByChance              `json:"by_chance,omitempty"` // where there are many verdicts
}

// Comparison is one metric of one cell on both sides. Ratio is b over a.
type Comparison struct {
	Workload  string            `json:"workload"`
	Params    map[string]string `json:"params"`
	Minor     []string          `json:"-"` // parameters that tables leave out
	Load      string            `json:"load"`
	Metric    string            `json:"metric"`
	Primary   bool              `json:"primary"`
	Per       string            `json:"per"` // "machine", "vcpu", "core", "dollar", "watt"
	Unit      string            `json:"unit"`
	A         float64           `json:"a"`
	B         float64           `json:"b"`
	Ratio     float64           `json:"ratio"` // NaN (null) where there is none, which Flags say
	Lo        *float64          `json:"lo"`    // nil below three replicates
	Hi        *float64          `json:"hi"`
	Verdict   trialset.Verdict  `json:"verdict,omitempty"` // of the primary metric; where a rate decides nothing, of each latency
	Better    string            `json:"better,omitempty"`  // the side that wins, "a" or "b"; "" unless DIFFERENT
	Direction record.Better     `json:"direction"`         // of the metric
	N         int               `json:"n"`                 // pairs, or the smaller side where unpaired; of a type its instances
	Paired    bool              `json:"paired"`
	Claim     string            `json:"claim"`           // "machine" or "type"
	Alpha     float64           `json:"alpha,omitempty"` // two-sided error rate of the verdict; 0 where there is none
	Flags     []note.Note       `json:"flags"`
	Estimate  bool              `json:"estimate,omitempty"`   // from power that was not measured
	BreakEven *BreakEven        `json:"break_even,omitempty"` // per dollar only
	Extra     *ExtraCPUs        `json:"extra_cpus,omitempty"` // per machine, of the cell of the most CPUs, and of load lines

	ExtraMachines []Replacement `json:"extra_machines,omitempty"` // per machine, of what whole machines carry
	PerTB         *PerTB        `json:"usd_per_tb,omitempty"`     // per dollar only, of bytes
	PerOp         *PerOp        `json:"usd_per_op,omitempty"`     // per dollar only, of operations

	Repeat *sequential.Repetition `json:"repeat,omitempty"` // of types: what repeating trials and launches is worth

	Undisturbed *Undisturbed `json:"undisturbed,omitempty"` // where something disturbed trials and enough others remain

	PathA   string `json:"path_a,omitempty"` // code path taken; "" where unknown or mixed
	PathB   string `json:"path_b,omitempty"`
	RegimeA string `json:"regime_a,omitempty"` // where the working set lay: record.Regime*; "" where unknown or mixed
	RegimeB string `json:"regime_b,omitempty"`

	CPUSetsA *record.CPUSets `json:"cpu_sets_a,omitempty"` // nil where server and generator were not to be kept apart, or not always alike
	CPUSetsB *record.CPUSets `json:"cpu_sets_b,omitempty"`

	refused bool // a share of whole machines by which this says nothing
}

// Undisturbed is a comparison without what was tainted, extra pairs in its place.
type Undisturbed struct {
	Verdict trialset.Verdict `json:"verdict"`
	Ratio   float64          `json:"ratio"`
	Lo      float64          `json:"lo"`
	Hi      float64          `json:"hi"`
	N       int              `json:"n"`
}

// Difference is a key in which the two sides also differ.
type Difference struct {
	Key string   `json:"key"`
	A   []string `json:"a"`
	B   []string `json:"b"`
}
