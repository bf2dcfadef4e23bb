package judge

import (
	"plimsoll/internal/estimate"
	"plimsoll/internal/finding"
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
	Doubts            []note.Note       `json:"doubts"`

	Path    string          `json:"path,omitempty"`     // code path taken; "" where unknown or mixed
	Regime  string          `json:"regime,omitempty"`   // where the working set lay: record.Regime*; "" where unknown or mixed
	CPUSets *record.CPUSets `json:"cpu_sets,omitempty"` // nil where server and generator were not to be kept apart, or not always alike

	Found []finding.Finding `json:"-"` // about this cell, or about several of which this one stands for all in tables

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
	Pairs []Pair            `json:"pairs"`
	Found []finding.Finding `json:"-"`
}

// Pair is everything concluded about side b against side a.
type Pair struct {
	A        string       `json:"a"` // the baseline machine or type, or the factor's first level
	B        string       `json:"b"`
	By       string       `json:"by"`                // "machine", "type" or the factor
	Machine  string       `json:"machine,omitempty"` // the one both sides ran on, where By is a factor
	Verdicts []Comparison `json:"verdicts"`
	Warnings []note.Note  `json:"warnings"`
	BasisA   *Basis       `json:"basis_a,omitempty"` // what figures per vCPU, core, dollar and watt are put in relation to
	BasisB   *Basis       `json:"basis_b,omitempty"`

	Found []finding.Finding `json:"-"`
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

// Findings returns the findings about a cell.
func (c Cell) Findings() []finding.Finding { return c.Found }

// Findings returns the findings about both sides.
func (p Pair) Findings() []finding.Finding { return p.Found }

// Findings returns the findings about all sides.
func (c Compared) Findings() []finding.Finding { return c.Found }
