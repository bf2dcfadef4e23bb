package finding

import (
	"testing"

	"plimsoll/internal/record/estimate"
	"plimsoll/internal/record/figure"
)

func TestCostOf(t *testing.T) {
	interval := figure.Between(1.41e-9, 1.57e-9).Around(1.5e-9)
	for want, all := range map[string][]Priced{
		"a billion requests: $1.41 to $1.57 on a, about $2.00 on b": {
			{On: "a", Each: interval}, {On: "b", Each: estimate.Estimate{Value: 2e-9}}},
		"a million requests: at most $5.00": {{Each: estimate.Estimate{Value: 5e-6}, AtMost: true}},
		"one request: about $1.25":          {{Each: estimate.Estimate{Value: 1.25}}},
		"a trillion requests: about $0.50":  {{Each: estimate.Estimate{Value: .5e-12}}},
	} {
		if got := CostOf("http", all...); got != want {
			t.Errorf("%q, want %q", got, want)
		}
	}
}
