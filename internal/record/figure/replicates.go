package figure

import (
	"fmt"
	"strings"
)

// Each is one of the independent values that a figure rests on, as texts count them.
type Each string

// What there is one or several of.
const (
	Run             Each = "run"
	Round           Each = "round" // one run of each of several benchmarks
	Pair            Each = "pair"
	InstancePair    Each = "pair of instances"
	RunPerSide      Each = "run per side"
	InstancePerSide Each = "instance per side"
	// of sides that have unlike numbers
	RunOfFewer      Each = "run on the smaller side"
	InstanceOfFewer Each = "instance on the smaller side"
)

// PairOrRun returns the unit of a comparison of machines: pairs, or the runs of each side.
func PairOrRun(paired bool) Each {
	if paired {
		return Pair
	}
	return RunPerSide
}

// Many returns the plural.
func (e Each) Many() string {
	noun, where, _ := strings.Cut(string(e), " ")
	return strings.Join(NonEmpty(noun+"s", where), " ")
}

// Count returns the number that a comparison rests on: "1 pair", "3 runs per side".
func (e Each) Count(n int) string {
	if n == 1 {
		return "1 " + string(e)
	}
	return fmt.Sprintf("%d %s", n, e.Many())
}

// N returns the number of runs that the figure of one side rests on: "n=3".
func N(n int) string { return fmt.Sprintf("n=%d", n) }

// NoInterval stands in the place of an interval that more runs would give.
func NoInterval() string { return fmt.Sprintf("no interval: %s needed", Run.Count(MinReplicates)) }
