package sweep

import (
	"slices"

	"plimsoll/internal/analysis/finding"
	"plimsoll/internal/analysis/trialset"
)

// Analyzers returns the analyzers of sweeps.
func Analyzers() []finding.Analyzer {
	return []finding.Analyzer{
		{
			Kind: string(KindScaling), Doc: "how throughput follows the number of CPUs", Body: KindScaling.Body(),
			Run: scalings, Show: showScalings,
		},
		{
			Kind: string(KindSpeedup), Doc: "speedup over one CPU", Body: KindSpeedup.Body(),
			Run: speedups, Rows: speedupRows,
		},
		{
			Kind: string(KindBySize), Doc: "how throughput follows the size of an operation", Body: KindBySize.Body(),
			Run: bySizes, Show: showBySizes,
		},
		{
			Kind: string(KindPlateau), Doc: "the value of a parameter beyond which throughput no " +
				"longer rises", Body: KindPlateau.Body(),
			Run: plateaus, Show: finding.SentencesEach(KindPlateau, plateauSentence),
		},
		{
			Kind: string(KindByClients), Doc: "how throughput follows the number of clients", Body: KindByClients.Body(),
			Run: byClients, Show: clientCharts,
		},
		{
			Kind: string(KindCPUUse), Doc: "how throughput, packets or the time of a run follow the CPU use",
			Body: KindCPUUse.Body(), Run: cpuUses, Show: cpuCharts,
		},
		{
			Kind: string(KindLoadedLatency), Doc: "how the latency of memory follows the bandwidth in use",
			Body: KindLoadedLatency.Body(), Run: loadedLatencies, Show: latencyCharts,
		},
		{
			Kind: string(KindMemoryBandwidth), Doc: "share of the memory bandwidth", Body: KindMemoryBandwidth.Body(),
			Run: memoryShares, Show: showMemory, Rows: memoryRows,
		},
		{
			Kind: string(KindPastSaturation), Doc: "throughput lost past the peak of a sweep of clients",
			Body: KindPastSaturation.Body(),
			Run:  pastSaturations, Show: finding.SentencesEach(KindPastSaturation, saturationSentence),
		},
		{
			Kind: string(KindClientChoice), Doc: "the smallest number of clients within the noise of the best throughput",
			Body: KindClientChoice.Body(),
			Run:  choices, Show: finding.SentencesEach(KindClientChoice, choiceSentence), Brief: true,
		},
		{
			Kind: string(KindSensitivity), Doc: "whether throughput depends on a parameter", Body: KindSensitivity.Body(),
			Run: sensitivities, Show: finding.SentencesEach(KindSensitivity, sensitivitySentence),
		},
		{
			Kind: string(KindFewLarge), Doc: "few clients with large operations against many " +
				"with small ones", Body: KindFewLarge.Body(),
			Run: fewLarges, Show: finding.SentencesEach(KindFewLarge, fewLargeSentence),
		},
	}
}

// scalings finds the scaling laws of sweeps of CPUs, and negative scaling.
func scalings(in *finding.Input) []finding.Finding {
	var out []finding.Finding
	found := ScalingsOf(in.Swept, in.Fleet)
	for _, s := range found {
		out = slices.Concat(out, KindScaling.New(s.Scaling, s.Scope...), KindScaling.Impossible(s.Reason, s.Scope...))
	}
	for at, notes := range negativeScalingOf(in.Ramps, found) {
		out = append(out, finding.Remark(at, notes...)...)
	}
	return out
}

func memoryShares(in *finding.Input) []finding.Finding {
	var out []finding.Finding
	ceilings := ceilingsOf(in.Swept)
	for _, g := range in.Groups {
		ceiling := ceilings[reachOf(g.Trials[0])]
		share, doubt := ceiling.Share(trialset.Valid(g.Trials))
		out = slices.Concat(out, KindMemoryBandwidth.New(share,
			append([]trialset.Key{g.Key}, trialset.KeysOf(ceiling.trials)...)...), finding.Remark(g.Key, nonNil(doubt)...))
	}
	return out
}
