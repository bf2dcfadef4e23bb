package cost

import (
	"fmt"
	"strings"

	"plimsoll/internal/finding"
	"plimsoll/internal/note"
	"plimsoll/internal/stat"
	"plimsoll/internal/trialset"
	"plimsoll/internal/usage"
)

// equalWithin is how far two sums may be apart and count as equal, as a fraction of the larger one.
const equalWithin = .05

// EqualCost is what as much money carries on both sides: the smallest numbers of machines that cost the same, and what they carry, were
// each to carry what one of them did.
type EqualCost struct {
	NodesA  int         `json:"nodes_a"`
	NodesB  int         `json:"nodes_b"`
	SpendA  float64     `json:"usd_per_hour_a"`
	SpendB  float64     `json:"usd_per_hour_b"`
	Within  float64     `json:"within"`  // the sums may be so far apart, as a fraction
	Assumed string      `json:"assumed"` // "linear": no machine keeps another from its work
	Cells   []EqualCell `json:"cells"`
}

// EqualCell is one rate at equal cost. Ratio is b over a.
type EqualCell struct {
	Workload string            `json:"workload"`
	Params   map[string]string `json:"params"`
	Minor    []string          `json:"-"`
	Load     string            `json:"load"`
	Metric   string            `json:"metric"`
	Unit     string            `json:"unit"`
	A        float64           `json:"a"` // of all nodes
	B        float64           `json:"b"`
	Ratio    float64           `json:"ratio"`
	Lo       *float64          `json:"lo"` // nil below three replicates
	Hi       *float64          `json:"hi"`
	N        int               `json:"n"`
	Flags    []note.Note       `json:"notes"`
}

// Unpriced is a question of cost about machines whose prices are not known: wrong usage.
type Unpriced struct{ Names []string }

func (e Unpriced) Error() string {
	return fmt.Sprintf("no price of %s is known\nhint: --price %s=USD-PER-HOUR states one; plimsoll prices list has those of the catalogue", strings.Join(e.Names, " and "), e.Names[0])
}

// Unwrap makes it wrong usage.
func (e Unpriced) Unwrap() error { return usage.Errorf("%s", e.Error()) }

// CheckEqualCost returns an error if two sides cannot be compared at equal cost: Unpriced, or one about prices of which
// no multiples are equal.
func CheckEqualCost(p finding.Pair) error {
	var unpriced []string
	for _, side := range []struct {
		name string
		of   *finding.Basis
	}{{p.A, p.BasisA}, {p.B, p.BasisB}} {
		if side.of == nil || !(side.of.PricePerHour > 0) {
			unpriced = append(unpriced, side.name)
		}
	}
	if len(unpriced) > 0 {
		return Unpriced{unpriced}
	}
	if _, _, ok := stat.EqualSpend(p.BasisA.PricePerHour, p.BasisB.PricePerHour, equalWithin); !ok {
		return fmt.Errorf("no numbers of %s and %s cost the same: %g and %g $/h", p.A, p.B, p.BasisA.PricePerHour, p.BasisB.PricePerHour)
	}
	return nil
}

// equalCosts are of the machines of a pair that pass CheckEqualCost.
func equalCosts(pairing *finding.Pairing) []finding.Finding {
	p := pairing.Pair
	if !pairing.Ask.EqualCost || !trialset.AcrossMachines(p.By) || CheckEqualCost(*p) != nil {
		return nil
	}
	a, b, _ := stat.EqualSpend(p.BasisA.PricePerHour, p.BasisB.PricePerHour, equalWithin)
	out := &EqualCost{
		NodesA: a, NodesB: b, SpendA: float64(a) * p.BasisA.PricePerHour, SpendB: float64(b) * p.BasisB.PricePerHour,
		Within: equalWithin, Assumed: "linear", Cells: []EqualCell{},
	}
	for i, c := range p.Verdicts {
		// The comparison per dollar follows the same per machine.
		if c.Per == finding.PerMachine && c.Primary {
			out.add(c, p.Verdicts[i+1:])
		}
	}
	return KindEqualCost.New(out)
}

// add takes a comparison per machine that has one per dollar, with the doubts of that.
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
		e.Cells = append(e.Cells, EqualCell{
			Workload: c.Workload, Params: c.Params, Minor: c.Minor, Load: c.Load, Metric: c.Metric, Unit: c.Unit, N: c.N, Flags: d.Flags,
			A: c.A * float64(e.NodesA), B: c.B * float64(e.NodesB), Ratio: ratio.Value, Lo: ratio.Lo, Hi: ratio.Hi,
		})
	}
}
