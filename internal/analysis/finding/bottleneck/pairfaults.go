package bottleneck

import (
	"slices"

	"plimsoll/internal/analysis/finding"
	"plimsoll/internal/analysis/trialset"
	"plimsoll/internal/base/list"
	"plimsoll/internal/record"
	"plimsoll/internal/record/block"
)

// SideFaults is what the faults in the windows of a benchmark's runs cost on one side of a comparison, part of why the
// sides differ.
type SideFaults struct {
	Side     string            `json:"side"` // "a" or "b"
	Workload string            `json:"workload"`
	Params   map[string]string `json:"params"`
	Wording  finding.Wording   `json:"-"`
	Load     string            `json:"load"`
	Faults   []FaultCost       `json:"faults"`
}

// pairFaults returns the faults of the runs that are compared, cell by cell.
func pairFaults(p *finding.Pairing) []finding.Finding {
	if p.Read.Windows == nil {
		return nil
	}
	cells := p.Both
	if p.Clusters != nil {
		cells = slices.Concat(cells, p.Clusters.Both)
	}
	var out []SideFaults
	for _, m := range cells {
		for _, side := range []struct {
			name   string
			trials []record.Trial
		}{{"a", m.A}, {"b", m.B}} {
			faults := timelineOf(p.Input, list.Filter(trialset.Counting(side.trials), faulted)).Faults
			if len(faults) > 0 {
				out = append(out, SideFaults{side.name, m.Place.Workload, m.Params, p.Wordings.Between(m), m.Place.Load, faults})
			}
		}
	}
	return KindFaults.Each(out)
}

// pairFaultsSay states the faults of both sides, with their cell if there are several.
func pairFaultsSay(v *finding.PairView) []block.Block {
	all := KindFaults.All(v.Pair)
	several := slices.ContainsFunc(all, func(f SideFaults) bool {
		return f.Workload != all[0].Workload || f.Load != all[0].Load ||
			trialset.ParamsText(f.Params) != trialset.ParamsText(all[0].Params)
	})
	var out []block.Sentence
	for _, s := range all {
		who := v.LabelA
		if s.Side == "b" {
			who = v.LabelB
		}
		if several {
			who += ", " + finding.Placed(s.Workload, s.Wording.Of(s.Params), s.Load, "")
		}
		for _, f := range s.Faults {
			out = append(out, block.Sentence{Lead: "fault", Tone: block.Strong, Text: who + ": " + f.text()})
		}
	}
	return finding.Verdicts(out...)
}
