package judge

import (
	"math"
	"slices"
	"strings"
	"testing"

	"plimsoll/internal/analysis/finding"
	"plimsoll/internal/analysis/finding/compare"
	"plimsoll/internal/analysis/trialset"
	"plimsoll/internal/record"
)

// two is two workloads of n pairs each: aes changes by the one effect, hash by the other.
func two(n int, aes, hash float64, changes ...change) []record.Trial {
	other := append([]change{key(record.KeyWorkload, "hash"),
		func(t *record.Trial) { t.Group, t.Cell = 1, t.Cell+2; t.ID += "h" }}, changes...)
	b := session(n, hash, .002)
	for i := range b {
		for _, c := range other {
			c(&b[i])
		}
	}
	return append(session(n, aes, .002), b...)
}

func overallOf(t *testing.T, trials []record.Trial, o Options) []compare.Overall {
	t.Helper()
	got, err := Compare(trials, nil, plans(nil), o)
	if err != nil {
		t.Fatal(err)
	}
	return compare.KindOverall.All(got.Pairs[0])
}

func TestOverallIsTheMeanOverWorkloads(t *testing.T) {
	got := overallOf(t, two(8, .10, .21), Options{})
	if len(got) != 1 {
		t.Fatalf("%+v", got)
	}
	o := got[0]
	want := math.Sqrt(1.10 * 1.21)
	if o.Ratio == nil || math.Abs(*o.Ratio/want-1) > .005 || !(*o.Lo < want && want < *o.Hi) ||
		o.Verdict != trialset.Different || o.Better != "b" || o.N != 8 || o.Cells != 2 ||
		!slices.Equal(o.Workloads, []string{"aes", "hash"}) {
		t.Errorf("%+v, want a ratio near %v", o, want)
	}
}

func TestOverallTurnsTimesUpsideDown(t *testing.T) {
	o := overallOf(t, two(8, .10, -.1, as("time", record.Lower)), Options{})[0]
	if want := math.Sqrt(1.10 / .9); math.Abs(*o.Ratio/want-1) > .005 || o.Better != "b" {
		t.Errorf("%+v, want %v", o, want)
	}
}

func TestOverallNeverSpansAReversal(t *testing.T) {
	o := overallOf(t, two(8, .10, -.1), Options{})[0]
	if o.Ratio != nil || o.Verdict != "" ||
		!strings.Contains(o.Why.Text(), "m2 is better in aes size=16KiB, m1 in hash, so a mean would mislead") {
		t.Errorf("%+v", o)
	}
}

func TestOverallPerDollar(t *testing.T) {
	prices := map[string]float64{"m1": 2, "m2": 1}
	basis := func(m record.Machine) finding.Basis { return finding.Basis{VCPUs: 4, PricePerHour: prices[m.Name]} }
	got := overallOf(t, two(8, .10, .21), Options{Basis: basis})
	at := slices.IndexFunc(got, func(o compare.Overall) bool { return o.Per == "dollar" })
	if at < 0 || math.Abs(*got[at].Ratio / *got[0].Ratio - 2) > 1e-9 {
		t.Errorf("half the price doubles the ratio: %+v", got)
	}
}

func TestOverallNeedsWholeRoundsAndTwoCells(t *testing.T) {
	if got := overallOf(t, session(8, .1, .002), Options{}); len(got) != 0 {
		t.Errorf("one cell: %+v", got)
	}
	trials := slices.DeleteFunc(two(4, .1, .1), func(t record.Trial) bool { return t.Group == 1 && t.Replicate < 2 })
	if o := overallOf(t, trials, Options{})[0]; o.Ratio != nil || !strings.Contains(o.Why.Text(), "fewer than 3 rounds") {
		t.Errorf("two whole rounds: %+v", o)
	}
}
