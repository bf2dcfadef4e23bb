package throttling

import (
	"plimsoll/internal/analysis/finding"
	"plimsoll/internal/record/note"
)

// KindRegulation is the kind of findings about throttled disks and networks.
const KindRegulation finding.Kind[Regulation] = "regulation"

// DiskWorkload is the workload that measures the throughput of disks.
const DiskWorkload = "disk"

// NetworkWorkload is the workload that measures the throughput of networks.
const NetworkWorkload = "network"

// Analyzers returns the analyzer of throttled disks and networks.
func Analyzers() []finding.Analyzer {
	return []finding.Analyzer{
		{Kind: string(KindRegulation), Doc: "whether a disk or network is throttled, and how", Body: KindRegulation.Body(),
			Run: regulations, Brief: true, Show: regulationSays, Answer: regulationAnswer, Over: bytesOverTime},
	}
}

func regulations(in *finding.Input) []finding.Finding {
	var out []finding.Finding
	verified := verificationsOf(in.Trials, in.Plans)
	for _, g := range in.Groups {
		regulation, doubt := verified.regulationAt(g.Trials)
		out = append(out, KindRegulation.New(regulation, g.Key)...)
		out = append(out, finding.Remark(g.Key, note.With(nil, doubt)...)...)
	}
	return out
}
