package sweep

import (
	"slices"

	"plimsoll/internal/finding"
	"plimsoll/internal/record"
	"plimsoll/internal/trialset"
)

// Analyzers returns those of sweeps.
func Analyzers() []finding.Analyzer {
	return []finding.Analyzer{
		{Kind: string(KindScaling), Doc: "how throughput follows the number of CPUs", Show: showScalings, Body: KindScaling.Body(), Run: scalings},
		{Kind: string(KindSpeedup), Rows: speedupRows, Doc: "speedup over one CPU", Body: KindSpeedup.Body(), Run: func(in *finding.Input) []finding.Finding { return KindSpeedup.ByKey(SpeedupsOf(in.Swept)) }},
		{Kind: string(KindBySize), Doc: "how throughput follows the size of an operation", Show: showBySizes, Body: KindBySize.Body(), Run: func(in *finding.Input) []finding.Finding { return KindBySize.ByKey(BySizesOf(in.Swept)) }},
		{Kind: string(KindPlateau), Doc: "the value of a parameter from which on more of it brings nothing", Show: finding.Stated(KindPlateau, plateauSentence), Body: KindPlateau.Body(), Run: eachOf(KindPlateau, PlateausOf)},
		{Kind: string(KindByClients), Doc: "how throughput follows the number of clients", Show: clientCharts, Body: KindByClients.Body(), Run: func(in *finding.Input) []finding.Finding { return KindByClients.ByKey(ByClientsOf(in.Ramps)) }},
		{Kind: string(KindMemoryBandwidth), Rows: memoryRows, Doc: "share of the memory bandwidth", Show: showMemory, Body: KindMemoryBandwidth.Body(), Run: memoryShares},
		{Kind: string(KindPastSaturation), Doc: "throughput lost past the peak of a sweep of clients", Show: finding.Stated(KindPastSaturation, saturationSentence), Body: KindPastSaturation.Body(), Run: func(in *finding.Input) []finding.Finding { return KindPastSaturation.ByKey(SaturationsOf(in.Ramps)) }},
		{Kind: string(KindSensitivity), Doc: "whether throughput depends on a parameter", Show: finding.Stated(KindSensitivity, sensitivitySentence), Body: KindSensitivity.Body(), Run: eachOf(KindSensitivity, SensitivitiesOf)},
		{Kind: string(KindFewLarge), Doc: "few clients with large operations against many with small ones", Show: finding.Stated(KindFewLarge, fewLargeSentence), Body: KindFewLarge.Body(), Run: func(in *finding.Input) []finding.Finding { return KindFewLarge.ByKey(FewLargeOf(in.Swept)) }},
	}
}

// scalings also tell where fewer CPUs carry more.
func scalings(in *finding.Input) []finding.Finding {
	var out []finding.Finding
	found := ScalingsOf(in.Swept, in.Fleet)
	for at, s := range found {
		out = slices.Concat(out, KindScaling.New(s.Scaling, at), KindScaling.Impossible(s.Reason, at))
	}
	for at, notes := range NegativeScalingOf(in.Ramps, found) {
		out = append(out, finding.Remark(at, notes...)...)
	}
	return out
}

func memoryShares(in *finding.Input) []finding.Finding {
	var out []finding.Finding
	ceilings := CeilingsOf(in.Swept)
	for _, g := range in.Groups {
		share, doubt := ceilings[ReachOf(g.Trials[0])].Share(trialset.Valid(g.Trials))
		out = slices.Concat(out, KindMemoryBandwidth.New(share, g.Key), finding.Remark(g.Key, NonNil(doubt)...))
	}
	return out
}

func eachOf[T any](k finding.Kind[T], of func(in []record.Trial) map[trialset.Key][]T) func(*finding.Input) []finding.Finding {
	return func(in *finding.Input) []finding.Finding {
		var out []finding.Finding
		for at, bodies := range of(in.Swept) {
			out = append(out, k.Each(bodies, at)...)
		}
		return out
	}
}
