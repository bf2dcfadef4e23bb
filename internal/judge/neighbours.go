package judge

import (
	"plimsoll/internal/note"
	"plimsoll/internal/record"
)

// neighbours are what other cells say about a cell: the sweeps that it is part of,
// and what the memory of its machine carries.
type neighbours struct {
	scalings map[place]scalingFinding
	speedups map[place]*Estimate
	bySizes  map[place]*BySize
	plateaus map[place][]Plateau
	ceilings map[reach]ceiling

	byClients map[place]*ByClients
	lines     map[place]lineFinding
	backwards map[place][]note.Note
	swept     map[place]bool
	saturated map[place]*PastSaturation

	ofDisks   map[place]*DiskBandwidthShare
	stresses  map[place]*PeakDiskDemand
	depends   map[place][]Sensitivity
	fewLarges map[place]*FewLarge
}

// neighboursOf asks trials; those of searches are there with all of their probes.
func neighboursOf(all []record.Trial, f fleet, plans map[string]record.Plan) neighbours {
	_, trials := searching(all)
	scalings, ramps := scalingsOf(trials, f), rampsOf(trials)
	out := neighbours{
		scalings, speedupsOf(trials), bySizesOf(trials), plateausOf(trials), ceilingsOf(trials),
		byClientsOf(ramps), loadLinesOf(ramps, nil), negativeScalingOf(ramps, scalings), sweptPlaces(ramps), saturationsOf(ramps),
		diskSharesOf(trials), peakDiskDemandsOf(trials), sensitivitiesOf(trials), fewLargeOf(trials),
	}
	addSearched(out.lines, all, plans)
	return out
}

// complete adds to the primary metric of a cell what they say.
func (n neighbours) complete(cell *Cell, at place, trials []record.Trial) {
	scaling := n.scalings[at]
	cell.Scaling, cell.NoScaling = scaling.scaling, scaling.reason
	cell.Speedup, cell.BySize, cell.Plateaus, cell.ByClients = n.speedups[at], n.bySizes[at], n.plateaus[at], n.byClients[at]
	share, doubt := n.ceilings[reachOf(trials[0])].share(valid(trials))
	cell.MemoryBandwidthShare = share
	cell.LoadLines, cell.NoLoadLine = n.lines[at].lines, n.lines[at].reason
	cell.PastSaturation = n.saturated[at]
	cell.DiskBandwidthShare, cell.PeakDiskDemand, cell.Sensitivity, cell.FewLarge = n.ofDisks[at], n.stresses[at], n.depends[at], n.fewLarges[at]
	cell.LoadLine = chiefLine(cell.LoadLines)
	cell.Doubts = append(cell.Doubts, n.backwards[at]...)
	cell.Doubts = append(cell.Doubts, nonNil(doubt)...)
}
