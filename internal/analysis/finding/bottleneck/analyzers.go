package bottleneck

import (
	"plimsoll/internal/analysis/finding"
	"plimsoll/internal/analysis/finding/throttling"
	"plimsoll/internal/record"
)

// Analyzers returns the analyzers of bottlenecks and timelines.
func Analyzers() []finding.Analyzer {
	return []finding.Analyzer{
		{Kind: string(KindBottleneck), Doc: "the bottleneck", Body: KindBottleneck.Body(), Run: bottlenecks, Brief: true,
			After: []string{string(throttling.KindRegulation)}, Show: says, Over: machinesOverTime},
		{Kind: string(KindTimeline), Doc: "the activity of a database by the second, or the cost of a broker killed or " +
			"added, and what coincides with dips", Body: KindTimeline.Body(), Run: timelines, Over: databasesOverTime},
		{Kind: string(KindFaults), Doc: "what the faults in the windows of compared runs cost, on either side",
			Body: KindFaults.Body(), Pair: pairFaults, Brief: true, Says: pairFaultsSay},
	}
}

// bottlenecks leaves out searches: a load line spans many loads and has no single bottleneck.
func bottlenecks(in *finding.Input) []finding.Finding {
	var out []finding.Finding
	disks, networks, kernels := DisksMeasured(in.Trials), networksMeasured(in.Trials), kernelsMeasured(in.Trials)
	for _, c := range in.Primary(func(t record.Trial) bool {
		return t.Void == "" && t.Role() == record.RoleReplicate && (watched(t) || t.CPU != nil)
	}) {
		b := bottleneckOf(c.Own, disks, networks, in.TypeOf, throttling.KindRegulation.Of(c).HeldTo())
		b.Details = append(b.Details, kernelTexts(c.Own, kernels)...)
		out = append(out, KindBottleneck.New(b, c.Key())...)
	}
	return out
}

func timelines(in *finding.Input) []finding.Finding {
	if in.Read.Windows == nil {
		return nil
	}
	var out []finding.Finding
	for _, c := range in.Primary(func(t record.Trial) bool { return followed(t) || importedBySecond(t) }) {
		out = append(out, KindTimeline.New(timelineOf(in, c.Own), c.Key())...)
	}
	return out
}
