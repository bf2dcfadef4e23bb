package selftest

import (
	"fmt"
	"math/rand/v2"
	"slices"

	"plimsoll/internal/analysis/finding"
	"plimsoll/internal/analysis/trialset"
	"plimsoll/internal/record"
)

// b has 5% more throughput and costs 15% more, so that a gives more per dollar.
const (
	priceA = 1.00 // USD per hour
	priceB = 1.15
)

func priced(m record.Machine) finding.Basis {
	if m.Name == sideB {
		return finding.Basis{PricePerHour: priceB}
	}
	return finding.Basis{PricePerHour: priceA}
}

// sold is a session's verdict per dollar.
type sold struct {
	rightly bool // a was found to give more per dollar
	shift   float64
}

// prices returns gates for throughput per dollar if the faster machine is the dearer one.
func (t tests) prices() ([]Gate, error) {
	s := faster("+5%, 15% dearer", .05, normal(.02))
	got, err := many(t, s.name, func(r *rand.Rand) (sold, error) {
		cs, err := t.in.compared(s, 5, r, priced)
		if err != nil {
			return sold{}, err
		}
		at := slices.IndexFunc(cs, func(c finding.Comparison) bool { return c.Per == "dollar" })
		if at < 0 {
			return sold{}, fmt.Errorf("no verdict per dollar of two machines whose prices are known")
		}
		return sold{cs[at].Verdict == trialset.Different && cs[at].Better == "a", cs[at].Ratio / cs[0].Ratio}, nil
	})
	if err != nil {
		return nil, err
	}
	right := number(got, func(s sold) bool { return s.rightly })
	return []Gate{
		shareGate("per dollar, "+s.name+": the cheaper work found", right, len(got), AtLeast, .99),
		exactGate("ratio per dollar over ratio", got[0].shift, priceA/priceB, 1e-9),
	}, nil
}
