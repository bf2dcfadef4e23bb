package judge

import "plimsoll/internal/record"

// neighbours are what other cells say about a cell: the sweeps that it is part of,
// and what the memory of its machine carries.
type neighbours struct {
	scalings map[place]scalingFinding
	overOnes map[place]*Term
	bySizes  map[place]*BySize
	ceilings map[reach]ceiling
}

func neighboursOf(trials []record.Trial, f fleet) neighbours {
	return neighbours{scalingsOf(trials, f), overOnesOf(trials), bySizesOf(trials), ceilingsOf(trials)}
}

// complete adds to the primary metric of a cell what they say.
func (n neighbours) complete(cell *Cell, at place, trials []record.Trial) {
	scaling := n.scalings[at]
	cell.Scaling, cell.NoScaling = scaling.scaling, scaling.reason
	cell.OverOne, cell.BySize = n.overOnes[at], n.bySizes[at]
	share, doubt := n.ceilings[reachOf(trials[0])].share(valid(trials))
	cell.OfMemory = share
	cell.Doubts = append(cell.Doubts, nonNil(doubt)...)
}
