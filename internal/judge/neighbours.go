package judge

import (
	"plimsoll/internal/estimate"
	"plimsoll/internal/loadline"
	"plimsoll/internal/note"
	"plimsoll/internal/record"
	"plimsoll/internal/trialset"
)

// neighbours are what other cells say about a cell: the sweeps that it is part of,
// and what the memory of its machine carries.
type neighbours struct {
	scalings map[trialset.Key]scalingFinding
	speedups map[trialset.Key]*estimate.Estimate
	bySizes  map[trialset.Key]*BySize
	plateaus map[trialset.Key][]Plateau
	ceilings map[reach]ceiling

	byClients map[trialset.Key]*ByClients
	lines     map[trialset.Key]loadline.LineFinding
	backwards map[trialset.Key][]note.Note
	swept     map[trialset.Key]bool
	saturated map[trialset.Key]*PastSaturation

	ofDisks   map[trialset.Key]*DiskBandwidthShare
	stresses  map[trialset.Key]*PeakDiskDemand
	depends   map[trialset.Key][]Sensitivity
	fewLarges map[trialset.Key]*FewLarge
}

// neighboursOf asks trials; those of searches are there with all of their probes.
func neighboursOf(all []record.Trial, f trialset.Fleet, plans map[string]record.Plan) neighbours {
	_, trials := loadline.Searching(all)
	scalings, ramps := scalingsOf(trials, f), loadline.RampsOf(trials)
	out := neighbours{
		scalings, speedupsOf(trials), bySizesOf(trials), plateausOf(trials), ceilingsOf(trials),
		byClientsOf(ramps), loadline.LinesOf(ramps, nil), negativeScalingOf(ramps, scalings), sweptPlaces(ramps), saturationsOf(ramps),
		diskSharesOf(trials), peakDiskDemandsOf(trials), sensitivitiesOf(trials), fewLargeOf(trials),
	}
	loadline.AddSearched(out.lines, all, plans)
	return out
}

// complete adds to the primary metric of a cell what they say.
func (n neighbours) complete(cell *Cell, at trialset.Key, trials []record.Trial) {
	scaling := n.scalings[at]
	cell.Scaling, cell.NoScaling = scaling.scaling, scaling.reason
	cell.Speedup, cell.BySize, cell.Plateaus, cell.ByClients = n.speedups[at], n.bySizes[at], n.plateaus[at], n.byClients[at]
	share, doubt := n.ceilings[reachOf(trials[0])].share(trialset.Valid(trials))
	cell.MemoryBandwidthShare = share
	cell.LoadLines, cell.NoLoadLine = n.lines[at].Lines, n.lines[at].Reason
	cell.PastSaturation = n.saturated[at]
	cell.DiskBandwidthShare, cell.PeakDiskDemand, cell.Sensitivity, cell.FewLarge = n.ofDisks[at], n.stresses[at], n.depends[at], n.fewLarges[at]
	cell.LoadLine = loadline.ChiefLine(cell.LoadLines)
	cell.Doubts = append(cell.Doubts, n.backwards[at]...)
	cell.Doubts = append(cell.Doubts, nonNil(doubt)...)
}
