package finding

import (
	"math"

	"plimsoll/internal/estimate"
	"plimsoll/internal/note"
	"plimsoll/internal/record"
	"plimsoll/internal/sequential"
	"plimsoll/internal/stat"
	"plimsoll/internal/trialset"
)

// PerMachine is the basis of a figure as it was measured. Figures per vCPU, core, dollar or watt
// shift the log ratio by a constant of the two machines, and conclude from it anew.
const PerMachine = "machine"

// Flag adds a note to the flags.
func (c *Comparison) Flag(code note.Code, args ...any) {
	c.Flags = append(c.Flags, note.New(code, args...))
}

// Each is what n counts.
func (c *Comparison) Each() string {
	switch {
	case c.Claim == trialset.ClaimType && c.Paired:
		return "pairs of instances"
	case c.Claim == trialset.ClaimType:
		return "instances a side"
	case c.Paired:
		return "pairs"
	}
	return "runs a side"
}

// Bound sets the interval to the hull of a log ratio.
func (c *Comparison) Bound(r stat.LogRatio) {
	lo, hi := math.Exp(r.Hull.Lo), math.Exp(r.Hull.Hi)
	c.Lo, c.Hi = &lo, &hi
}

// Settle sets the verdict that a log ratio gives.
func (c *Comparison) Settle(r stat.LogRatio, reg trialset.Preregistered) {
	c.Verdict, c.Alpha = reg.Rule().Verdict(r), reg.Alpha
	switch {
	case c.Verdict == trialset.Different:
		c.Better = trialset.Winner(r, c.Direction)
	case c.Verdict == trialset.Undecided && !reg.Within(r):
		if n := stat.Needed(r, reg.Rule().Margin); n > 0 {
			c.Flag("undecided", n, c.Each())
		}
	}
	if r.Hull.Excludes(0) && reg.Within(r) {
		c.Flag("within-margin", 100*math.Expm1(r.Mean))
	}
	if reg.Quick && reg.Within(r) {
		c.Flag("quick")
	}
}

// Change returns the ratio of b to a as an estimate.
func (c Comparison) Change() estimate.Estimate {
	return estimate.Estimate{Value: c.Ratio, Lo: c.Lo, Hi: c.Hi}
}

// SetChange sets the ratio and its interval.
func (c *Comparison) SetChange(r estimate.Estimate) { c.Ratio, c.Lo, c.Hi = r.Value, r.Lo, r.Hi }

// ByEstimate reports whether a comparison rests on too few replicates for an interval: it has only its estimate.
func (c Comparison) ByEstimate() bool {
	return c.Primary && c.Lo == nil && c.Verdict == "" && c.N > 0 && c.N < estimate.MinReplicates && c.Ratio > 0 && (c.Direction == record.Higher || c.Direction == record.Lower)
}

// Leaning returns a comparison by estimate as one that is decided by its ratio alone, if that lies beyond the margin. A
// finding that rests on it states the number of replicates.
func (c Comparison) Leaning() Comparison {
	if !c.ByEstimate() {
		return c
	}
	ratio := c.Ratio
	c.Lo, c.Hi, c.Verdict = &ratio, &ratio, trialset.Undecided
	if math.Abs(math.Log(ratio)) > math.Log1p(estimate.Margin) {
		c.Verdict, c.Better = trialset.Different, "a"
		if (ratio > 1) == (c.Direction == record.Higher) {
			c.Better = "b"
		}
	}
	return c
}

// ExtraCPUs is how many more CPUs the weaker side would need to carry as much
// as the other.
type ExtraCPUs struct {
	Side string  `json:"side"` // the weaker one, "a" or "b"
	CPUs float64 `json:"cpus"` // were its scaling linear, which is the optimistic case
	Lo   float64 `json:"lo"`   // from the interval of the ratio
	Hi   float64 `json:"hi"`

	OnCurve *float64 `json:"on_curve"` // on its own fitted curve; nil without one, or where twice the measured CPUs do not carry it
	Beyond  bool     `json:"beyond"`   // OnCurve lies beyond what was measured
	Never   bool     `json:"never"`    // there is a curve, and twice the measured CPUs do not carry it
}

// Replacement is how many machines of side b carry as much as some of side a: whole ones, each loaded as it was measured.
type Replacement struct {
	Of       int `json:"of"`       // machines of side a
	Machines int `json:"machines"` // of side b, by the ratio's estimate
	Lo       int `json:"lo"`       // by the ends of its interval
	Hi       int `json:"hi"`
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
	Flags     []note.Note       `json:"notes"`
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

	Refused bool `json:"-"` // a share of whole machines by which this says nothing
}

// Undisturbed is a comparison without what was tainted, extra pairs in its place.
type Undisturbed struct {
	Verdict trialset.Verdict `json:"verdict"`
	Ratio   float64          `json:"ratio"`
	Lo      float64          `json:"lo"`
	Hi      float64          `json:"hi"`
	N       int              `json:"n"`
}

// BreakEven is the price of b over that of a at which a dollar carries as much on both,
// with the interval of the ratio that it is.
type BreakEven struct {
	Ratio        float64  `json:"ratio"`
	Lo           *float64 `json:"lo"`
	Hi           *float64 `json:"hi"`
	PricePerHour float64  `json:"usd_per_hour"` // of b, at a's price
}

// PerTB is what 10^12 bytes cost on either side, USD: the inverse of bytes per dollar.
type PerTB struct {
	A float64 `json:"a"`
	B float64 `json:"b"`
}

// PerOp is what one operation costs on either side, USD, with its interval: the inverse of operations per dollar.
type PerOp struct {
	A estimate.Estimate `json:"a"`
	B estimate.Estimate `json:"b"`
}
