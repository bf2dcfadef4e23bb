package plan

import (
	"maps"
	"math/rand/v2"
	"slices"

	"plimsoll/internal/record"
)

// blockStream is the stream of random numbers that divides hosts into blocks.
const blockStream = 0xb10c

// blocksOf divides the hosts into blocks of one machine of each instance type: which machines of two types are in one
// block is random. It returns none unless there are two blocks of two types. Types of more machines than others have
// some in blocks of their own.
func blocksOf(p record.Plan, targets map[string]Target) map[string]int {
	byType := map[string][]string{}
	for _, h := range p.Hosts {
		if of := targets[h].Type; of != "" {
			byType[of] = append(byType[of], h)
		}
	}
	random := rand.New(rand.NewPCG(p.Seed, blockStream))
	out, whole := map[string]int{}, map[int]int{}
	for _, of := range slices.Sorted(maps.Keys(byType)) {
		hosts := byType[of]
		random.Shuffle(len(hosts), func(i, j int) { hosts[i], hosts[j] = hosts[j], hosts[i] })
		for i, h := range hosts {
			out[h] = i + 1
			whole[i+1]++
		}
	}
	if whole[2] < 2 {
		return nil
	}
	return out
}

// inBlocks orders the turns of a round by blocks, which come in random order; within a block they keep theirs.
func inBlocks(p record.Plan, turns []turn, random *rand.Rand) []turn {
	if len(p.Blocks) == 0 {
		return turns
	}
	place := random.Perm(slices.Max(slices.Collect(maps.Values(p.Blocks))) + 1)
	slices.SortStableFunc(turns, func(a, b turn) int {
		return place[p.Blocks[p.Cells[a[0]].Host]] - place[p.Blocks[p.Cells[b[0]].Host]]
	})
	return turns
}
