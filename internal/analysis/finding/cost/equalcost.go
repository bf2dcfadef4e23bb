package cost

import (
	"fmt"
	"math"
	"strings"

	"plimsoll/internal/analysis/finding"
	"plimsoll/internal/analysis/trialset"
	"plimsoll/internal/base/usage"
	"plimsoll/internal/record"
	"plimsoll/internal/record/figure"
	"plimsoll/internal/record/note"
	"plimsoll/internal/record/stat"
)

// equalWithin is the largest difference between equal sums, as a fraction of the larger one.
const equalWithin = .05

// The assumptions of an EqualCost.
const (
	assumedLinear   = "linear"   // machines do not slow each other down
	assumedMeasured = "measured" // none: clusters of so many nodes were measured
)

// EqualCost is the throughput of both sides at equal cost: of the clusters of both that were measured, else of the
// smallest numbers of machines that cost the same, if it scales linearly.
type EqualCost struct {
	NodesA  int         `json:"nodes_a"`
	NodesB  int         `json:"nodes_b"`
	SpendA  float64     `json:"usd_per_hour_a"`
	SpendB  float64     `json:"usd_per_hour_b"`
	Within  float64     `json:"within"`  // tolerance between the sums, as a fraction
	Assumed string      `json:"assumed"` // "linear": machines do not slow each other down; "measured": nothing
	Cells   []EqualCell `json:"cells"`
}

// EqualCell is one rate at equal cost. Ratio is b over a.
type EqualCell struct {
	Workload string            `json:"workload"`
	Params   map[string]string `json:"params"`
	Wording  finding.Wording   `json:"-"`
	Load     string            `json:"load"`
	Metric   string            `json:"metric"`
	Unit     string            `json:"unit"`
	A        float64           `json:"a"` // of all nodes
	B        float64           `json:"b"`
	Ratio    float64           `json:"ratio"`
	figure.Bounds
	N     int         `json:"n"`
	Flags []note.Note `json:"notes"`

	Verdict trialset.Verdict `json:"verdict,omitempty"` // of what was measured
	Better  string           `json:"better,omitempty"`  // the side that wins, "a" or "b"; "" unless DIFFERENT

	direction record.Better
	each      figure.Each // what N counts
}

// Unpriced is a usage error: a question of cost about machines without known prices.
type Unpriced struct{ Names []string }

func (e Unpriced) Error() string {
	return fmt.Sprintf("no price of %s is known\nhint: --price %s=USD-PER-HOUR states one; plimsoll prices list has "+
		"those of the catalogue", strings.Join(e.Names, " and "), e.Names[0])
}

// Unwrap makes it wrong usage.
func (e Unpriced) Unwrap() error { return usage.Errorf("%s", e.Error()) }

// CheckEqualCost returns an error if two sides cannot be compared at equal cost: that of CheckPrices, or one about
// prices without equal multiples if no clusters were measured.
func CheckEqualCost(p finding.Pair) error {
	if err := CheckPrices(p); err != nil || KindEqualCost.Of(p) != nil {
		return err
	}
	if max(p.BasisA.Hosts, p.BasisB.Hosts) > 1 {
		return usage.Errorf("the clusters %s and %s do not cost the same, and what others would handle is not known\n"+
			"hint: measure clusters that cost the same within %.0f%%: run --cluster %s=HOST,HOST --cluster %s=HOST,HOST,HOST",
			p.A, p.B, 100*equalWithin, p.A, p.B)
	}
	if _, _, ok := stat.EqualSpend(p.BasisA.PricePerHour, p.BasisB.PricePerHour, equalWithin); !ok {
		return fmt.Errorf("no numbers of %s and %s cost the same: %g and %g $/h", p.A, p.B, p.BasisA.PricePerHour,
			p.BasisB.PricePerHour)
	}
	return nil
}

// SameSpend reports whether two sums are equal at equal cost.
func SameSpend(a, b float64) bool { return math.Abs(a-b) <= equalWithin*max(a, b) }

// CheckPrices returns an error unless both sides have a price: Unpriced, or one about machines that cost nothing.
func CheckPrices(p finding.Pair) error {
	var unpriced, free []string
	for _, side := range []struct {
		name string
		of   *finding.Basis
	}{{p.A, p.BasisA}, {p.B, p.BasisB}} {
		switch {
		case side.of == nil || !side.of.Priced():
			unpriced = append(unpriced, side.name)
		case side.of.Free:
			free = append(free, side.name)
		}
	}
	if len(unpriced) > 0 {
		return Unpriced{unpriced}
	}
	if len(free) > 0 {
		return usage.Errorf("%s costs nothing: no number of it costs as much as another machine\nhint: --price "+
			"%s=USD-PER-HOUR states what it costs you", strings.Join(free, " and "), free[0])
	}
	return nil
}

// equalCosts compares the machines of pairs that pass CheckEqualCost.
func equalCosts(pairing *finding.Pairing) []finding.Finding {
	p := pairing.Pair
	if !pairing.Ask.EqualCost || !trialset.AcrossMachines(p.By) {
		return nil
	}
	if pairing.Clusters != nil {
		return KindEqualCost.New(measured(*p, *pairing.Clusters))
	}
	if CheckEqualCost(*p) != nil {
		return nil
	}
	a, b, _ := stat.EqualSpend(p.BasisA.PricePerHour, p.BasisB.PricePerHour, equalWithin)
	out := &EqualCost{
		NodesA: a, NodesB: b, SpendA: float64(a) * p.BasisA.PricePerHour, SpendB: float64(b) * p.BasisB.PricePerHour,
		Within: equalWithin, Assumed: assumedLinear, Cells: []EqualCell{},
	}
	for i, c := range p.Verdicts {
		// The comparison per dollar follows the same per machine.
		if c.Per == finding.PerMachine && c.Primary {
			out.add(c, p.Verdicts[i+1:])
		}
	}
	return KindEqualCost.New(out)
}

// measured returns the throughput of the clusters of both sides.
func measured(p finding.Pair, of finding.Clusters) *EqualCost {
	out := &EqualCost{
		NodesA: of.NodesA, NodesB: of.NodesB, SpendA: float64(of.NodesA) *
			p.BasisA.EachPerHour(), SpendB: float64(of.NodesB) * p.BasisB.EachPerHour(),
		Within: equalWithin, Assumed: assumedMeasured, Cells: []EqualCell{},
	}
	for _, c := range of.Cells {
		cell := cellOf(c)
		cell.A, cell.B, cell.Ratio, cell.Bounds, cell.Flags = c.A, c.B, c.Ratio, c.Bounds, c.Flags
		cell.Verdict, cell.Better = c.Verdict, c.Better
		out.Cells = append(out.Cells, cell)
	}
	return out
}

// cellOf returns what a comparison is of.
func cellOf(c finding.Comparison) EqualCell {
	return EqualCell{Workload: c.Workload, Params: c.Params, Wording: c.Wording, Load: c.Load, Metric: c.Metric,
		Unit: c.Unit, N: c.N, direction: c.Direction, each: c.Each()}
}

// add takes a comparison per machine that has one per dollar, with the notes of that.
func (e *EqualCost) add(c finding.Comparison, after []finding.Comparison) {
	for _, d := range after {
		if d.Per == finding.PerMachine {
			return
		}
		if d.Per != "dollar" || d.Refused {
			continue
		}
		by := float64(e.NodesB) / float64(e.NodesA)
		ratio := c.Change().Scale(by)
		cell := cellOf(c)
		cell.A, cell.B, cell.Flags = c.A*float64(e.NodesA), c.B*float64(e.NodesB), d.Flags
		cell.Ratio, cell.Bounds = ratio.Value, ratio.Bounds
		e.Cells = append(e.Cells, cell)
	}
}
