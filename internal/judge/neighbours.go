package judge

import (
	"plimsoll/internal/estimate"
	"plimsoll/internal/finding"
	"plimsoll/internal/finding/headroom"
	"plimsoll/internal/finding/storage"
	"plimsoll/internal/finding/sweep"
	"plimsoll/internal/loadline"
	"plimsoll/internal/note"
	"plimsoll/internal/record"
	"plimsoll/internal/trialset"
)

// neighbours are what other cells say about a cell: the sweeps that it is part of,
// and what the memory of its machine carries.
type neighbours struct {
	scalings map[trialset.Key]sweep.ScalingFinding
	speedups map[trialset.Key]*estimate.Estimate
	bySizes  map[trialset.Key]*sweep.BySize
	plateaus map[trialset.Key][]sweep.Plateau
	ceilings map[sweep.Reach]sweep.Ceiling

	byClients map[trialset.Key]*sweep.ByClients
	lines     map[trialset.Key]loadline.LineFinding
	backwards map[trialset.Key][]note.Note
	swept     map[trialset.Key]bool
	saturated map[trialset.Key]*sweep.PastSaturation

	ofDisks   map[trialset.Key]*storage.DiskBandwidthShare
	stresses  map[trialset.Key]*storage.PeakDiskDemand
	depends   map[trialset.Key][]sweep.Sensitivity
	fewLarges map[trialset.Key]*sweep.FewLarge
}

// neighboursOf asks trials; those of searches are there with all of their probes.
func neighboursOf(all []record.Trial, f trialset.Fleet, plans map[string]record.Plan) neighbours {
	_, trials := loadline.Searching(all)
	scalings, ramps := sweep.ScalingsOf(trials, f), loadline.RampsOf(trials)
	out := neighbours{
		scalings, sweep.SpeedupsOf(trials), sweep.BySizesOf(trials), sweep.PlateausOf(trials), sweep.CeilingsOf(trials),
		sweep.ByClientsOf(ramps), loadline.LinesOf(ramps, nil), sweep.NegativeScalingOf(ramps, scalings), sweptPlaces(ramps), sweep.SaturationsOf(ramps),
		storage.DiskSharesOf(trials), storage.PeakDiskDemandsOf(trials), sweep.SensitivitiesOf(trials), sweep.FewLargeOf(trials),
	}
	loadline.AddSearched(out.lines, all, plans)
	return out
}

// complete adds to the primary metric of a cell what they say.
func (n neighbours) complete(cell *finding.Cell, at trialset.Key, trials []record.Trial) {
	scaling := n.scalings[at]
	cell.Add(sweep.KindScaling.New(scaling.Scaling, at), sweep.KindScaling.Impossible(scaling.Reason, at))
	cell.Add(sweep.KindSpeedup.New(n.speedups[at], at), sweep.KindBySize.New(n.bySizes[at], at), sweep.KindPlateau.Each(n.plateaus[at], at), sweep.KindByClients.New(n.byClients[at], at))
	share, doubt := n.ceilings[sweep.ReachOf(trials[0])].Share(trialset.Valid(trials))
	cell.Add(sweep.KindMemoryBandwidth.New(share, at))
	cell.Add(headroom.Lines(n.lines[at].Lines, at), headroom.KindLoadLine.Impossible(n.lines[at].Reason, at))
	cell.Add(sweep.KindPastSaturation.New(n.saturated[at], at))
	cell.Add(storage.KindDiskBandwidth.New(n.ofDisks[at], at), storage.KindPeakDemand.New(n.stresses[at], at), sweep.KindSensitivity.Each(n.depends[at], at), sweep.KindFewLarge.New(n.fewLarges[at], at))
	cell.Doubts = append(cell.Doubts, n.backwards[at]...)
	cell.Doubts = append(cell.Doubts, sweep.NonNil(doubt)...)
}
