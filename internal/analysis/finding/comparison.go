package finding

import (
	"math"

	"plimsoll/internal/analysis/sequential"
	"plimsoll/internal/analysis/trialset"
	"plimsoll/internal/record"
	"plimsoll/internal/record/estimate"
	"plimsoll/internal/record/figure"
	"plimsoll/internal/record/note"
	"plimsoll/internal/record/stat"
)

// PerMachine is the basis of a figure as measured. Figures per vCPU, core, dollar or watt shift the log ratio by a
// constant of the two machines, and get a new verdict.
const PerMachine = "machine"

// Flag adds a note to the flags.
func (c *Comparison) Flag(code note.Code, args ...any) {
	c.Flags = append(c.Flags, note.New(code, args...))
}

// Each returns what N counts: each machine of a type counts once.
func (c *Comparison) Each() figure.Each {
	switch ofType, uneven := c.Claim == trialset.ClaimType, len(c.Ranked.A) != len(c.Ranked.B); {
	case ofType && c.Paired:
		return figure.InstancePair
	case ofType && uneven:
		return figure.InstanceOfFewer
	case ofType:
		return figure.InstancePerSide
	case !c.Paired && uneven:
		return figure.RunOfFewer
	}
	return figure.PairOrRun(c.Paired)
}

// Bound sets the interval to the hull of a log ratio.
func (c *Comparison) Bound(r stat.LogRatio) {
	c.Bounds = estimate.BoundsOf(r.Hull.Exp())
}

// Settle sets the verdict of a log ratio.
func (c *Comparison) Settle(r stat.LogRatio, reg trialset.Preregistered) {
	c.Verdict, c.Alpha, c.Interim = reg.Rule().Verdict(r), reg.Alpha, reg.Sequential > 0
	switch {
	case c.Verdict == trialset.Different:
		c.Better = trialset.Winner(r, c.Direction)
	case c.Verdict == trialset.Undecided && !reg.Within(r):
		margin := reg.Rule().Margin
		if n := stat.Needed(r, margin); n > 0 {
			c.Flag("undecided", n, c.Each().Many(), 100*math.Expm1(margin))
		}
	}
	if reg.Quick && reg.Within(r) {
		c.Flag("quick")
	}
}

// Change returns the ratio of b to a as an estimate.
func (c Comparison) Change() estimate.Estimate {
	return c.Around(c.Ratio)
}

// SetChange sets the ratio and its interval.
func (c *Comparison) SetChange(r estimate.Estimate) { c.Ratio, c.Bounds = r.Value, r.Bounds }

// ByEstimate reports whether a comparison has too few replicates for a verdict, and only an estimate. Its interval, if
// it has one, is that of reading values off a chart.
func (c Comparison) ByEstimate() bool {
	return c.Primary && c.Verdict == "" && c.N > 0 && c.N < estimate.MinReplicates && c.Ratio > 0 &&
		(c.Direction == record.Higher || c.Direction == record.Lower)
}

// Leaning returns a comparison by estimate with the verdict of its ratio alone, if that is beyond the margin, and
// beyond the error of a reading. A finding based on it states the number of replicates.
func (c Comparison) Leaning() Comparison {
	if !c.ByEstimate() {
		return c
	}
	ratio := c.Ratio
	legible := !c.Bounded() || c.Excludes(1)
	c.Bounds, c.Verdict = figure.Between(ratio, ratio), trialset.Undecided
	if legible && math.Abs(math.Log(ratio)) > math.Log1p(estimate.Margin) {
		c.Verdict, c.Better = trialset.Different, "a"
		if (ratio > 1) == (c.Direction == record.Higher) {
			c.Better = "b"
		}
	}
	return c
}

// ExtraCPUs is the number of additional CPUs that the weaker side needs for equal throughput.
type ExtraCPUs struct {
	Side string  `json:"side"` // the weaker one, "a" or "b"
	Over float64 `json:"over"` // CPUs that it was measured with, which these are on top of
	CPUs float64 `json:"cpus"` // if its scaling were linear, the optimistic case; meaningless with Never
	// from the interval of the ratio
	figure.Bounds

	// on its own fitted curve; nil without one, or if twice the measured CPUs do not suffice
	OnCurve *float64 `json:"on_curve"`
	Beyond  bool     `json:"beyond"` // OnCurve is beyond the measured range
	Never   bool     `json:"never"`  // its own curve falls past its peak, or twice the measured CPUs do not suffice

	Peak int `json:"peak,omitempty"` // with Never: CPUs from which on its throughput falls, as measured or by its curve
}

// Replacement is the number of machines of side b with the throughput of some of side a: whole ones, each loaded as
// measured.
type Replacement struct {
	Of       int `json:"of"`       // machines of side a
	Machines int `json:"machines"` // of side b, by the ratio's estimate
	Lo       int `json:"lo"`       // by the ends of its interval
	Hi       int `json:"hi"`
}

// Comparison is one metric of one benchmark on both sides. Ratio is b over a.
type Comparison struct {
	Workload string            `json:"workload"`
	Params   map[string]string `json:"params"`
	Wording  Wording           `json:"-"`
	Load     string            `json:"load"`
	Open     bool              `json:"-"` // the load is a rate that was asked for
	Metric   string            `json:"metric"`
	Primary  bool              `json:"primary"`
	Per      string            `json:"per"` // "machine", "vcpu", "core", "dollar", "watt"
	Unit     string            `json:"unit"`
	A        float64           `json:"a"`
	B        float64           `json:"b"`
	AtLeastA *float64          `json:"a_at_least,omitempty"` // a lower bound in place of A, which is then NaN (null)
	AtLeastB *float64          `json:"b_at_least,omitempty"`
	Ratio    float64           `json:"ratio"` // NaN (null) if there is none; Flags have the reason
	// the estimate before Ratio was corrected for a stop that the pairs themselves decided
	MeanRatio *float64 `json:"mean_ratio,omitempty"`
	figure.Bounds
	// of the interval, as a fraction; 0.95 if missing. It is 1 minus the error rate of the plan (--alpha)
	Confidence float64 `json:"confidence,omitempty"`
	Method     string  `json:"method,omitempty"` // of the interval: Method*; "" without one
	// of the primary metric; if a rate decides nothing, of each latency
	Verdict   trialset.Verdict `json:"verdict,omitempty"`
	Better    string           `json:"better,omitempty"` // the side that wins, "a" or "b"; "" unless DIFFERENT
	Direction record.Better    `json:"direction"`        // of the metric
	// pairs, or the smaller side if unpaired; for a type its instances
	N         int         `json:"n"`
	Paired    bool        `json:"paired"`
	Claim     string      `json:"claim"`           // "machine" or "type"
	Alpha     float64     `json:"alpha,omitempty"` // two-sided error rate of the verdict; 0 if there is none
	Flags     []note.Note `json:"notes"`
	Estimate  bool        `json:"estimate,omitempty"`   // based on power that was not measured
	BreakEven *BreakEven  `json:"break_even,omitempty"` // per dollar only
	Extra     *ExtraCPUs  `json:"extra_cpus,omitempty"` // per machine, of the benchmark of most CPUs; of load lines too

	ExtraMachines []Replacement `json:"extra_machines,omitempty"` // per machine, of the throughput of whole machines
	PerTB         *PerTB        `json:"usd_per_tb,omitempty"`     // per dollar only, of bytes
	PerOp         *PerOp        `json:"usd_per_op,omitempty"`     // per dollar only, of operations

	Repeat *sequential.Repetition `json:"repeat,omitempty"` // for types: the value of repeating runs and launches

	Robust *Robust `json:"robust,omitempty"` // from 8 pairs, or runs per side, on

	// if a value has no logarithm, so that ranks decide; Ratio is null if no share of A leads to B
	Difference *Difference `json:"difference,omitempty"`
	Ranked     stat.Ranked `json:"-"` // the values; none if they allow no conclusion

	Undisturbed *Undisturbed `json:"undisturbed,omitempty"` // if runs were disturbed and enough others remain

	PathA   string `json:"path_a,omitempty"` // code path taken; "" if unknown or mixed
	PathB   string `json:"path_b,omitempty"`
	RegimeA string `json:"regime_a,omitempty"` // regime of the working set: record.Regime*; "" if unknown or mixed
	RegimeB string `json:"regime_b,omitempty"`

	// nil if server and generator were not pinned apart, or not always alike
	CPUSetsA *record.CPUSets `json:"cpu_sets_a,omitempty"`
	CPUSetsB *record.CPUSets `json:"cpu_sets_b,omitempty"`

	// a latency of which all runs of both sides state the same value, as tools do that round them
	Constant bool `json:"-"`
	// Where other programs took the CPUs, the part of a CPU that each thread that wants one has; else 0.
	FairCPU float64 `json:"-"`
	Interim bool    `json:"-"` // of a session that ends a comparison once it is decided
	Refused bool    `json:"-"` // a share of whole machines for which this is meaningless
}

// Counted returns what names an operation of what is compared: figure.Counted.
func (c Comparison) Counted() string { return figure.Counted(c.Workload, c.Params) }

// Shown returns the parameters as texts show them.
func (c Comparison) Shown() map[string]string { return c.Wording.Of(c.Params) }

// The methods of an interval of a ratio.
const (
	MethodSignedRank = "signed-rank" // of 8 pairs and more
	MethodStudent    = "student"     // of fewer pairs
	MethodWelch      = "welch"       // of unpaired runs
	MethodRankSum    = "rank-sum"    // of Robust and Difference, of unpaired runs
)

// Robust is a comparison by ranks, which a few outliers hardly move.
type Robust struct {
	Method string  `json:"method"` // "signed-rank" of pairs, "rank-sum" if unpaired
	Ratio  float64 `json:"ratio"`  // the Hodges-Lehmann estimate
	figure.Bounds
	Verdict  trialset.Verdict `json:"verdict,omitempty"` // by this interval alone, if there is a verdict
	Outliers []Outlier        `json:"outliers"`          // all of them count in both intervals
}

// Difference is b minus a in the metric's unit, of values such as zeros, counts and negative ones.
type Difference struct {
	Method            string  `json:"method"` // "rank-sum" of runs, "signed-rank" of pairs
	estimate.Estimate         // of the means
	P                 float64 `json:"p"` // two-sided, of the permutation test
}

// Outlier is a pair, or a run of a side, whose modified z-score is over 3.5.
type Outlier struct {
	Side  string  `json:"side"`  // "a", "b", or "pair"
	Run   int     `json:"run"`   // its replicate, from 0
	Ratio float64 `json:"ratio"` // to the median of all
}

// Undisturbed is a comparison with extra pairs in place of the disturbed ones.
type Undisturbed struct {
	Verdict trialset.Verdict `json:"verdict"`
	Ratio   float64          `json:"ratio"`
	figure.Bounds
	N int `json:"n"`
}

// BreakEven is the price ratio of b to a at equal throughput per dollar, with its interval.
type BreakEven struct {
	Ratio float64 `json:"ratio"`
	figure.Bounds
	PricePerHour float64 `json:"usd_per_hour"` // of b, at a's price
}

// PerTB is the cost of 10^12 bytes on either side, USD: the inverse of bytes per dollar.
type PerTB struct {
	A float64 `json:"a"`
	B float64 `json:"b"`
}

// PerOp is the cost of one operation on either side, USD, with its interval: the inverse of operations per dollar.
type PerOp struct {
	A estimate.Estimate `json:"a"`
	B estimate.Estimate `json:"b"`
}
