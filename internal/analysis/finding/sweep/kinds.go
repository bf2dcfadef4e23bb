package sweep

import (
	"plimsoll/internal/analysis/finding"
	"plimsoll/internal/record/estimate"
	"plimsoll/internal/record/figure"
	"plimsoll/internal/record/note"
)

// The kinds of findings about sweeps.
const (
	KindScaling         finding.Kind[Scaling]              = "scaling"
	KindSpeedup         finding.Kind[estimate.Estimate]    = "over_one"
	KindMemoryBandwidth finding.Kind[MemoryBandwidthShare] = "of_memory"
	KindBySize          finding.Kind[BySize]               = "by_size"
	KindCPUUse          finding.Kind[CPUUse]               = "cpu_use"
	KindByClients       finding.Kind[ByClients]            = "by_clients"
	KindLoadedLatency   finding.Kind[LoadedLatency]        = "loaded_latency"
	KindPlateau         finding.Kind[Plateau]              = "plateau"
	KindPastSaturation  finding.Kind[PastSaturation]       = "past_saturation"
	KindClientChoice    finding.Kind[ClientChoice]         = "client_choice"
	KindSensitivity     finding.Kind[Sensitivity]          = "depends"
	KindFewLarge        finding.Kind[FewLarge]             = "few_large"
)

// Scaling is the scaling law of a workload's throughput over the number of CPUs, at the benchmark of the most CPUs. If
// the primary metric is the time of a run, the throughput is the number of runs over that time: one on each CPU, or one
// on all of them.
type Scaling struct {
	Model   string             `json:"model"`   // "linear", "usl", "smt": the best fit
	Weights map[string]float64 `json:"weights"` // Akaike weight of each model, 0 to 1
	// of the model's curve: gamma in the metric's unit; alpha, beta, yield
	Terms    map[string]estimate.Estimate `json:"terms"`
	Cores    int                          `json:"cores,omitempty"`
	MaxCPUs  int                          `json:"max_cpus"`  // the most measured
	LinearTo *int                         `json:"linear_to"` // CPUs; nil without runs at 1 CPU

	Metric string `json:"metric"` // of the throughput: the primary metric, or throughput if that is the time of runs
	Unit   string `json:"unit"`

	SMTYield   *float64 `json:"smt_yield"` // of a second thread, 1 equals a core; nil without second threads
	SMTYieldLo *float64 `json:"smt_yield_lo"`
	SMTYieldHi *float64 `json:"smt_yield_hi"`
	// throughput of all measured CPUs over their number times that of one
	EfficiencyAtMax *float64 `json:"efficiency_at_max"`
	EfficiencyLo    *float64 `json:"efficiency_at_max_lo"`
	EfficiencyHi    *float64 `json:"efficiency_at_max_hi"`

	Peak Peak `json:"peak"`
	// from the peak to the most CPUs, as a fraction; nil if they are the peak
	LossPastPeak *estimate.Estimate `json:"loss_past_peak"`
	Roughness    float64            `json:"roughness"` // standard deviation of runs around the curve, as a fraction
	Noise        float64            `json:"noise"`     // standard deviation of replicates around their mean, as a fraction
	Points       []Peak             `json:"points"`
	Doubts       []note.Note        `json:"-"`

	Runs int `json:"runs,omitempty"` // at each number of CPUs, if too few for intervals: all figures are estimates
}

// Peak is a number of CPUs with its throughput.
type Peak struct {
	CPUs int `json:"cpus"`
	// the geometric mean, with an interval from the scatter of all points together
	estimate.Estimate
	N int `json:"n"`

	// throughput per CPU over that of one CPU; nil if nothing was measured at 1 CPU
	Efficiency *estimate.Estimate `json:"efficiency,omitempty"`
}

// BySize is a rate by the size of an operation, all else equal, at the benchmark of the largest size.
type BySize struct {
	Param  string            `json:"param"`  // the swept parameter
	Points []SizePoint       `json:"points"` // smallest first
	Last   estimate.Estimate `json:"last_over_first"`
	Spread estimate.Estimate `json:"lowest_over_highest"` // 1 is flat
}

// SizePoint is one size of a sweep of sizes.
type SizePoint struct {
	Size float64 `json:"size"` // bytes
	estimate.Estimate
	Regime string `json:"regime,omitempty"`
}

// ByClients is a rate by the number of clients of a closed load, all else equal, at the benchmark of the most clients.
type ByClients struct {
	Metric string        `json:"metric"` // of the throughput
	Unit   string        `json:"unit"`
	Points []ClientPoint `json:"points"` // fewest first
}

// ClientPoint is a number of clients with the rate of all of them together.
type ClientPoint struct {
	Clients float64 `json:"clients"`
	estimate.Estimate
	N int `json:"n"`

	OverLast *estimate.Estimate `json:"over_last,omitempty"` // over the point before, by replicate
}

// Plateau is a rate by a numeric parameter, all else equal, and the value beyond which it no longer rises.
type Plateau struct {
	Param string `json:"param"`
	Unit  string `json:"unit"`  // of the parameter: "B", "s"; "" for a plain number
	Shape string `json:"shape"` // stat.Shape
	// of ln rate over ln parameter, below the bend if there is one: 1 is proportional
	Slope float64            `json:"slope"`
	At    *estimate.Estimate `json:"at,omitempty"`  // the bend; null bounds are outside the sweep
	Top   *estimate.Estimate `json:"top,omitempty"` // the rate beyond
	Lift  *Lift              `json:"lift,omitempty"`
}

// Lift is the throughput of a larger size beyond the plateau of a count: it distinguishes a limit per operation from
// one per byte.
type Lift struct {
	Param string  `json:"param"` // the size
	From  float64 `json:"from"`  // bytes
	To    float64 `json:"to"`
	Ratio float64 `json:"ratio"` // of bytes a second, To over From
	figure.Bounds
	Limit string `json:"limit"` // "operations", "bytes", "" undecided
}

// PastSaturation is the throughput that a sweep of clients loses beyond its peak, at the benchmark of the most clients.
type PastSaturation struct {
	Metric string  `json:"metric"`
	Unit   string  `json:"unit"`
	Peak   float64 `json:"peak"` // clients at the highest throughput, by estimate
	Most   float64 `json:"most"` // clients, at the end of the sweep
	AtPeak float64 `json:"at_peak"`
	AtMost float64 `json:"at_most"`
	// from the peak to the end, a fraction; no interval below three replicates of both
	Loss estimate.Estimate `json:"loss"`
	N    int               `json:"n"` // replicates
}

// ClientChoice is the smallest number of clients of a sweep whose throughput is within the noise of the best.
type ClientChoice struct {
	Metric    string            `json:"metric"`
	Unit      string            `json:"unit"`
	Clients   float64           `json:"clients"`
	At        float64           `json:"at"`      // the metric there
	OfBest    estimate.Estimate `json:"of_best"` // ratio to the best, paired by replicate
	P99       *float64          `json:"p99"`     // latency there, seconds; null if it is not measured
	Best      float64           `json:"best"`    // clients of the highest average
	AtBest    float64           `json:"at_best"`
	P99AtBest *float64          `json:"p99_at_best"`
	Most      float64           `json:"most"` // clients, at the end of the sweep
	N         int               `json:"n"`    // replicates
}

// MemoryBandwidthShare is the memory traffic of a benchmark over the highest of workload memory at the same load.
type MemoryBandwidthShare struct {
	Share float64 `json:"share"` // 1 is all of it; more is noted as doubtful
	figure.Bounds
	Traffic float64 `json:"traffic"` // B/s
	Ceiling float64 `json:"ceiling"` // B/s
	Of      string  `json:"of"`      // the benchmark that is the ceiling, such as "memory copy at 2 cpus"
}

// Sensitivity is the throughput of a workload that ingests bytes by a parameter that is a number, or by the clients,
// all else equal, at the benchmark of the largest value.
type Sensitivity struct {
	Param   string             `json:"param"`
	Unit    string             `json:"unit"`   // of the parameter: "B", "s"; "" for a plain number
	Metric  string             `json:"metric"` // of the throughput
	Points  []SensitivityPoint `json:"points"` // smallest value first
	Spread  estimate.Estimate  `json:"lowest_over_highest"`
	Verdict string             `json:"verdict"` // Sensitive, Insensitive, SensitivityUndecided
}

// SensitivityPoint is the throughput at one value.
type SensitivityPoint struct {
	X float64 `json:"x"`
	estimate.Estimate
	N int `json:"n"`
}

// FewLarge compares few clients with large records to many with small ones, all else equal, at the benchmark of few.
type FewLarge struct {
	Metric string            `json:"metric"`
	Param  string            `json:"param"` // the size
	Few    Shape             `json:"few"`
	Many   Shape             `json:"many"`
	Ratio  estimate.Estimate `json:"ratio"`            // few over many
	Better string            `json:"better,omitempty"` // "few", "many"; "" if the interval holds 1
}

// Shape is a number of clients with a record size.
type Shape struct {
	Clients float64 `json:"clients"`
	Size    float64 `json:"size"` // bytes
	Value   float64 `json:"value"`
}
