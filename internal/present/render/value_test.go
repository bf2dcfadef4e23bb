package render

import (
	"bytes"
	"strings"
	"testing"

	"plimsoll/internal/analysis/finding"
	"plimsoll/internal/machine/catalog"
	"plimsoll/internal/present/media/term"
	"plimsoll/internal/record"
	"plimsoll/internal/record/block"
	"plimsoll/internal/record/figure"
)

func TestCompareSaysBreakEvenAndBasis(t *testing.T) {
	lo, hi := 1.15, 1.23
	few := finding.Comparison{Workload: "w", Metric: "throughput", Primary: true, Per: "dollar", Unit: "op/$", A: 1,
		B: 1.5, Ratio: 1.5, N: 2,
		Direction: record.Higher, BreakEven: &finding.BreakEven{Ratio: 1.2, PricePerHour: 2.17}}
	full := few
	full.Lo, full.Hi, full.N, full.BreakEven = &lo, &hi, 5, &finding.BreakEven{Ratio: 1.19, Bounds: figure.Between(lo, hi),
		PricePerHour: 2.15}
	for _, c := range []struct {
		comparison finding.Comparison
		want       string
	}{
		{full, "price-performance is equal if m6gd costs 1.15 to 1.23 times m5d, by estimate 1.19, or 2.150 $/h"},
		{few, "price-performance is equal if m6gd costs 1.20 times m5d, or 2.170 $/h"},
	} {
		var b bytes.Buffer
		err := Compare(&b, term.Style{Width: 400}, finding.Compared{Pairs: []finding.Pair{{
			A: "m5d", B: "m6gd", By: "machine", Verdicts: []finding.Comparison{c.comparison},
			BasisA: &finding.Basis{VCPUs: 32, Cores: 16, PricePerHour: 1.808, PriceSource: "2026-07-20, a list",
				Watts: &finding.Watts{Value: 240, Kind: catalog.Rumoured, Source: "an article"}},
			BasisB: &finding.Basis{},
		}}}, block.Whole())
		for _, want := range []string{c.want, "per dollar than m5d",
			"m5d: 32 vCPUs, 16 cores, 1.808 $/h (2026-07-20, a list), 240 W, rumoured (an article)"} {
			if err != nil || !strings.Contains(b.String(), want) {
				t.Errorf("%v, no %q in\n%s", err, want, b.String())
			}
		}
		if strings.Contains(b.String(), "m6gd: ") {
			t.Errorf("a basis of which nothing is known is shown:\n%s", b.String())
		}
	}
}

func TestFamiliesAndTypes(t *testing.T) {
	types := []catalog.Type{
		{Name: "x.a", Vendor: "v", Family: "x", Arch: "arm64", VCPUs: 2, Cores: 1, MemoryGiB: catalog.Some(3.75),
			NVMeGB: catalog.Some(0),
			Prices: []catalog.Price{{PerHour: .5, Date: "2026-10", Own: true}, {PerHour: .1}}},
		{Name: "x.b", Vendor: "v", Family: "x", Arch: "arm64", VCPUs: 8},
	}
	for date, want := range map[string][]string{
		"":     {"v x arm64 2 2 to 8 0.5", "x.a arm64 2 1 3.75 0 ? ? 0.5 2026-10 own", "x.b arm64 8 ? ? ? ? ? ?"},
		"2025": {"v x arm64 2 2 to 8 ?", "x.a arm64 2 1 3.75 0 ? ? ?"},
	} {
		var b bytes.Buffer
		if err := Families(&b, term.Style{}, types, date); err != nil {
			t.Fatal(err)
		}
		if err := Types(&b, term.Style{}, types, date); err != nil {
			t.Fatal(err)
		}
		text := strings.Join(strings.Fields(b.String()), " ")
		for _, w := range want {
			if !strings.Contains(text, w) {
				t.Errorf("at %q no %q in\n%s", date, w, b.String())
			}
		}
	}
}
