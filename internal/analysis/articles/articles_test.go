package articles

import (
	"math"
	"slices"
	"strings"
	"testing"
	"testing/fstest"

	"plimsoll/examples"
	"plimsoll/internal/analysis/finding"
	"plimsoll/internal/record"
	"plimsoll/internal/record/estimate"
	"plimsoll/internal/record/note"
)

// TestEmbedded: the articles of this tree can be read, in the order of their list, and each has a suite.
func TestEmbedded(t *testing.T) {
	all, err := All(examples.Files())
	if err != nil {
		t.Fatal(err)
	}
	var names []string
	for _, a := range all {
		names = append(names, a.Name)
		if _, err := examples.Files().Open(a.Name + "/suite.yaml"); err != nil {
			t.Error(err)
		}
		if len(a.Claims) == 0 || len(a.Short) == 0 {
			t.Errorf("%s: %d claims, %d sentences about the quick form", a.Name, len(a.Claims), len(a.Short))
		}
	}
	if len(names) != 5 || names[0] != "minio-kernels" {
		t.Errorf("articles %q", names)
	}
}

const goodArticle = `
title: A
source: S
published: "2021-01"
question: Q?
answer: A.
takes: an hour
differs: [all]
figures:
  - name: F
    here: {workload: w, metric: m, where: {size: 25MB, n: 8}}
    published: {workload: w, metric: m}
`

func TestRefused(t *testing.T) {
	files := func(list, article string) fstest.MapFS {
		return fstest.MapFS{ListFile: {Data: []byte(list)}, "a/article.yaml": {Data: []byte(article)}}
	}
	all, err := All(files("- a\n", goodArticle))
	if err != nil || all[0].Figures[0].Here.Where["n"] != "8" || all[0].Year() != "2021" {
		t.Fatalf("%+v, %v", all, err)
	}
	for want, of := range map[string]fstest.MapFS{
		"articles.yaml": {},
		"reading the articles: open b/article.yaml": files("- b\n", goodArticle),
		"question is missing":                       files("- a\n", strings.Replace(goodArticle, "question: Q?", "", 1)),
		`"May" is not a year`:                       files("- a\n", strings.Replace(goodArticle, `"2021-01"`, "May", 1)),
		`unknown field "questoin"`:                  files("- a\n", strings.Replace(goodArticle, "question", "questoin", 1)),
		"needs figures":                             files("- a\n", strings.Replace(goodArticle, "differs: [all]", "", 1)),
		"F: a figure without published results needs unranked": files("- a\n",
			strings.Replace(goodArticle, "published: {workload: w, metric: m}", "", 1)),
		"F: a share cannot be ranked beside what is none": files("- a\n",
			strings.Replace(goodArticle, "n: 8}", "n: 8}, share_of: {n: 1}", 1)),
	} {
		if _, err := All(of); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%v lacks %q", err, want)
		}
	}
}

// cell is one with an interval of 2% to both sides, if it has three runs or more.
func cell(machine, load string, n int, value float64, better record.Better) finding.Cell {
	c := finding.Cell{Machine: machine, Workload: "w", Metric: "m", Load: load, N: n, Unit: "B/s", Better: better,
		Params: map[string]string{"size": "25MB"}, Estimate: estimate.Estimate{Value: value}}
	for i := range n {
		v := value * (1 + .001*float64(i-1))
		c.Trials = append(c.Trials, finding.TrialValue{TrialOutcome: &finding.TrialOutcome{Replicate: i}, Value: &v})
	}
	if n >= estimate.MinReplicates {
		lo, hi := value*.98, value*1.02
		c.Lo, c.Hi = &lo, &hi
	}
	return c
}

// TestPlaces: a place is certain where intervals are apart, a range where they meet, and there is none without an
// interval, of another unit, or where the figure says that nothing can be ranked.
func TestPlaces(t *testing.T) {
	published := []finding.Cell{cell("a", "once", 1, 90, record.Higher), cell("b", "once", 1, 101, record.Higher),
		cell("c", "once", 1, 120, record.Higher)}
	figure := Figure{Name: "F", Here: Selector{Workload: "w", Metric: "m", Where: map[string]string{"size": "25MB"}},
		There: Selector{Workload: "w", Metric: "m"}}
	other := cell("d", "once", 1, 200, record.Higher)
	other.Unit = "op/s"
	for name, c := range map[string]struct {
		own       finding.Cell
		published []finding.Cell
		figure    Figure
		want      string
	}{
		"between":   {cell("me", "once", 3, 110, record.Higher), published, figure, "2nd of 4"},
		"meets one": {cell("me", "once", 3, 100, record.Higher), published, figure, "2nd to 3rd of 4"},
		"best":      {cell("me", "once", 3, 500, record.Higher), published, figure, "1st of 4"},
		"last":      {cell("me", "once", 3, 5, record.Higher), published, figure, "4th of 4"},
		"less is":   {cell("me", "once", 3, 110, record.Lower), lower(published), figure, "3rd of 4"},
		"two runs":  {cell("me", "once", 2, 110, record.Higher), published, figure, "not ranked: 2 runs: a place needs"},
		"other unit": {cell("me", "once", 3, 110, record.Higher), append(slices.Clone(published), other), figure,
			"another unit"},
		"none there":  {cell("me", "once", 3, 110, record.Higher), nil, figure, "no published result"},
		"not allowed": {cell("me", "once", 3, 110, record.Higher), published, unranked(figure), "not ranked: apples"},
	} {
		got := c.figure.Rank([]finding.Cell{c.own}, c.published, nil)
		if len(got) != 1 || len(got[0].Places) != 1 || !strings.Contains(got[0].Places[0].Text(), c.want) {
			t.Errorf("%s: %+v, want %q", name, got, c.want)
			continue
		}
		if len(got[0].Results) != len(c.published)+1 {
			t.Errorf("%s: %d results", name, len(got[0].Results))
		}
	}
	perJoule := cell("me", "once", 3, 110, record.Higher)
	perJoule.Metric, figure.Here.Metric, figure.Unranked = "work_per_joule_package_dram", "work_per_joule", "apples"
	if got := figure.Rank([]finding.Cell{perJoule}, nil, nil); len(got) != 1 || len(got[0].Places) != 1 {
		t.Errorf("work per joule: %+v", got)
	}
	figure.Here.Metric, figure.Unranked = "m", ""
	failed := cell("me", "once", 0, math.NaN(), record.Higher)
	if got := figure.Rank([]finding.Cell{failed}, published, nil); len(got) != 1 || len(got[0].Places) != 0 {
		t.Errorf("of a cell without a valid run: %+v", got)
	}
	if got := figure.Rank(nil, nil, nil); len(got) != 0 {
		t.Errorf("of nothing: %+v", got)
	}
}

func lower(cells []finding.Cell) []finding.Cell {
	out := slices.Clone(cells)
	for i := range out {
		out[i].Better = record.Lower
	}
	return out
}

func unranked(f Figure) Figure {
	f.Unranked = "apples and pears"
	return f
}

// TestEachLoad: results are ranked at equal numbers of CPUs, where all CPUs are as many as the machine has.
func TestEachLoad(t *testing.T) {
	figure := Figure{Name: "F", Each: true, Here: Selector{Workload: "w", Metric: "m"},
		There: Selector{Workload: "w", Metric: "m"}}
	own := []finding.Cell{cell("me", "1 cpus", 3, 10, record.Higher), cell("me", "all cpus", 3, 18, record.Higher)}
	published := []finding.Cell{cell("a", "1 cpus", 1, 20, record.Higher), cell("a", "2 cpus", 1, 15, record.Higher),
		cell("a", "4 cpus", 1, 40, record.Higher)}
	machines := map[string]record.Machine{"me": {CPU: record.CPU{Allowed: []int{0, 1}}}}
	var got []string
	for _, r := range figure.Rank(own, published, machines) {
		got = append(got, r.Load+" "+r.Places[0].Text())
	}
	if want := []string{"1 cpus 2nd of 2", "2 cpus 1st of 2"}; !slices.Equal(got, want) {
		t.Errorf("%q, want %q", got, want)
	}
	if got := figure.Rank(nil, published, nil); len(got) != 1 || got[0].Load != "1 cpus" || len(got[0].Results) != 1 {
		t.Errorf("without a session: %+v", got)
	}
}

// TestShares: a share is of runs of one replicate, and of a metric of which less is better it is turned over.
func TestShares(t *testing.T) {
	shareAt := func(load string) Selector {
		return Selector{Workload: "w", Metric: "m", Where: map[string]string{"load": load},
			ShareOf: map[string]string{"load": "1 cpus"}}
	}
	figure := Figure{Name: "F", Here: shareAt("all cpus"), There: shareAt("8 cpus")}
	own := []finding.Cell{cell("me", "1 cpus", 3, 10, record.Lower), cell("me", "all cpus", 3, 12.5, record.Lower)}
	published := []finding.Cell{cell("a", "1 cpus", 1, 244, record.Lower), cell("a", "8 cpus", 1, 253, record.Lower),
		cell("b", "1 cpus", 1, 223, record.Lower), cell("b", "8 cpus", 1, 354, record.Lower),
		cell("c", "8 cpus", 1, 1, record.Lower)}
	got := figure.Rank(own, published, nil)
	if len(got) != 1 || len(got[0].Results) != 3 || got[0].Places[0].Text() != "2nd of 3" {
		t.Fatalf("%+v", got)
	}
	for i, want := range []float64{.964, .8, .630} {
		if r := got[0].Results[i]; math.Abs(r.Estimate.Value-want) > .001 || !r.Share || r.Unit != "" {
			t.Errorf("result %d: %+v, want %v", i, r, want)
		}
	}
	void := own[1]
	void.Trials = slices.Clone(void.Trials)
	outcome := *void.Trials[0].TrialOutcome
	outcome.Void = note.New("tainted-gap")
	void.Trials[0].TrialOutcome = &outcome
	got = figure.Rank([]finding.Cell{own[0], void}, published, nil)
	if got[0].Places[0].Why == "" {
		t.Errorf("two pairs have a place: %+v", got[0].Places)
	}
}

func TestOrdinals(t *testing.T) {
	for n, want := range map[int]string{1: "1st", 2: "2nd", 3: "3rd", 4: "4th", 11: "11th", 12: "12th", 13: "13th",
		21: "21st", 112: "112th", 102: "102nd"} {
		if got := ordinal(n); got != want {
			t.Errorf("%d: %s", n, got)
		}
	}
}
