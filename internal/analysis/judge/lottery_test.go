package judge

import (
	"fmt"
	"math"
	"math/rand/v2"
	"strings"
	"testing"

	"plimsoll/internal/analysis/finding"
	"plimsoll/internal/analysis/finding/compare"
	"plimsoll/internal/analysis/finding/instances"
	"plimsoll/internal/record"
	"plimsoll/internal/record/block"
)

// lotteryRuns are runs of two types of five machines each, of which the first few new ones are 9% slower.
func lotteryRuns(r *rand.Rand, few int) ([]record.Trial, []record.PlanLine) {
	trials, lines := fleetRuns(r, 5, 5, 0, 0, .01, false)
	for i := range trials {
		for n := range few {
			if trials[i].Keys[record.KeyMachine] == fmt.Sprint("new-", n) {
				for k := range trials[i].Values {
					trials[i].Values[k].Value *= .91
				}
			}
		}
	}
	return trials, lines
}

// saidOf returns the sentences of a pair's section by their lead words.
func saidOf(p finding.Pair, lead string) []string {
	var out []string
	v := compare.View("x", p, 0)
	for _, a := range instances.Analyzers() {
		for _, b := range block.Of[block.Sentence](a.Says(v)) {
			if b.Lead == lead {
				out = append(out, b.Text)
			}
		}
	}
	return out
}

// TestLotteryInsideAType: two of five slow machines are named with how much they are slower; equal ones are not.
func TestLotteryInsideAType(t *testing.T) {
	r := rand.New(rand.NewPCG(11, 2))
	trials, lines := lotteryRuns(r, 2)
	c, p := compareByType(t, trials, lines)
	all := instances.KindLottery.All(p)
	if len(all) != 2 {
		t.Fatalf("%+v", all)
	}
	slow := all[0]
	if slow.Type != "new" {
		slow = all[1]
	}
	if !slow.Certain || len(slow.Odd) != 2 || slow.Odd[0] != "new-0" || slow.Odd[1] != "new-1" ||
		math.Abs(slow.Ratio.Value-.91) > .015 || *slow.Ratio.Lo > .91 || *slow.Ratio.Hi < .91 ||
		slow.Values != 25 || len(slow.Machines) != 5 || slow.Machines[4].Mean < slow.Machines[0].Mean {
		t.Errorf("%+v", slow)
	}
	said := strings.Join(saidOf(p, "lottery"), "\n")
	if !strings.Contains(said, "2 of 5 new (new-0; new-1) have ") ||
		!strings.Contains(said, " less throughput than the others, at an error rate of 5% for all ways to split them") ||
		!strings.Contains(said, "no part of the 5 old stands out from the others by more than chance") {
		t.Error(said)
	}
	// The lottery widens the interval of the types, and machines narrow it.
	if c.Verdict != "UNDECIDED" || c.Repeat == nil || c.Repeat.Next == nil || !c.Repeat.Next.AddMachines ||
		c.Repeat.Next.OneMachine >= c.Repeat.Next.Now || c.Repeat.Next.OneMachine >= c.Repeat.Next.MoreRuns {
		t.Errorf("%+v, %+v", c.Verdict, c.Repeat)
	}
	if next := saidOf(p, "next"); len(next) != 1 ||
		!strings.HasPrefix(next[0], "one more machine of each type, 10m0s each, brings the interval from about ± ") {
		t.Errorf("%q", next)
	}
}

// TestRunsAreNext: where runs scatter and machines do not, more runs are the next step; a decided comparison has none.
func TestRunsAreNext(t *testing.T) {
	r := rand.New(rand.NewPCG(11, 3))
	trials, lines := fleetRuns(r, 5, 2, 0, 0, .05, false)
	c, p := compareByType(t, trials, lines)
	if c.Repeat == nil || c.Repeat.Next == nil || c.Repeat.Next.AddMachines || c.Verdict != "UNDECIDED" {
		t.Fatalf("%s, %+v", c.Verdict, c.Repeat)
	}
	if next := saidOf(p, "next"); len(next) != 1 ||
		!strings.Contains(next[0], " more of each machine bring the interval from about ") {
		t.Errorf("%q", next)
	}
	trials, lines = fleetRuns(r, 5, 2, .2, 0, .01, false)
	if c, p := compareByType(t, trials, lines); c.Verdict != "DIFFERENT" || len(saidOf(p, "next")) > 0 {
		t.Errorf("%s: %q", c.Verdict, saidOf(p, "next"))
	}
}
