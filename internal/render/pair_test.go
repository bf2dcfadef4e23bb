package render

import (
	"testing"

	"plimsoll/internal/finding"
)

func TestClaimText(t *testing.T) {
	of := func(claims ...string) []finding.Comparison {
		var out []finding.Comparison
		for _, c := range claims {
			out = append(out, finding.Comparison{Claim: c})
		}
		return out
	}
	for want, cs := range map[string][]finding.Comparison{
		"": nil, "holds for these machines, not for their types": of("machine", "machine"),
		"holds for the machine types":                                         of("type", "type"),
		"some verdicts hold for the machine types, others for these machines": of("type", "machine"),
	} {
		if got := claimText(cs); got != want {
			t.Errorf("%v: %q, want %q", cs, got, want)
		}
	}
}
