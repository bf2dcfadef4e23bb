package finding

import (
	"slices"
	"testing"

	"plimsoll/internal/base/list"
	"plimsoll/internal/record/block"
	"plimsoll/internal/record/figure"
	"plimsoll/internal/record/note"
)

// TestAnswerLines: an answer has at most three lines, results before cost and the gravest objection, and counts the
// results that it leaves out.
func TestAnswerLines(t *testing.T) {
	results := func(n int) []Result {
		return slices.Repeat([]Result{Plainly(block.Sentence{Lead: Better, Text: "result"})}, n)
	}
	for _, c := range []struct {
		results        int
		costs, against []string
		want           []string
	}{
		{results: 0, costs: []string{"$1"}, against: []string{"The runs are noisy"}},
		{results: 1, want: []string{"result"}},
		{results: 3, want: []string{"result", "result", "result"}},
		{results: 5, want: []string{"result", "result", "result; 2 more below"}},
		{results: 2, costs: []string{"$1", "$2"}, want: []string{"result", "result", "$1"}},
		{results: 3, costs: []string{"$1"}, against: []string{"The runs are noisy", "The runs are noisy", "The runs drift"},
			want: []string{"result; 2 more below", "$1", "the runs are noisy"}},
	} {
		a := Answer{Results: results(c.results)}
		for _, text := range c.costs {
			a.Cost(text)
		}
		for _, text := range c.against {
			a.Object(Objection{Text: text, Gravity: note.Imprecise})
		}
		got := list.Map(a.Lines(), func(s block.Sentence) string { return s.Text })
		if !slices.Equal(got, c.want) {
			t.Errorf("%d results, %q, %q: %q, want %q", c.results, c.costs, c.against, got, c.want)
		}
		if (len(a.Opening()) == 0) != (c.results == 0) {
			t.Errorf("%d results open a document with %d sections", c.results, len(a.Opening()))
		}
	}
}

// TestGravestObjection: an answer has the one objection that can change it most, with the benchmark, and none that can
// change nothing.
func TestGravestObjection(t *testing.T) {
	drift, noisy := note.New("unpaired"), func(percent float64) note.Note { return note.New("replicates-vary", percent) }
	for _, c := range []struct {
		name    string
		against []Objection
		want    string
	}{
		{"none", nil, ""},
		{"a harmless one", []Objection{ObjectionBy(note.New("too-few-replicates", 3), "1 cpu")}, ""},
		{"the larger of two", []Objection{ObjectionBy(noisy(15), "1 cpu"), ObjectionBy(noisy(68), "http, 2 clients"),
			ObjectionBy(noisy(20), "disk")}, "results are noisy: run-to-run variation is 68% (http, 2 clients)"},
		{"the graver of two", []Objection{ObjectionBy(noisy(68), "1 cpu"), ObjectionBy(drift, "")},
			"the runs were not interleaved, so drift is not cancelled"},
		{"failed runs", []Objection{ObjectionBy(drift, ""), {Text: "1 of 5 runs failed", Place: "disk",
			Gravity: note.Decisive, Size: .2}}, "1 of 5 runs failed (disk)"},
		{"one of several benchmarks", []Objection{ObjectionBy(drift, "1 cpu"), ObjectionBy(drift, "2 cpus"),
			ObjectionBy(drift, "4 cpus"), ObjectionBy(drift, "4 cpus")},
			"the runs were not interleaved, so drift is not cancelled (1 cpu and 2 more)"},
		{"one of all", []Objection{ObjectionBy(drift, "1 cpu"), ObjectionBy(drift, "")},
			"the runs were not interleaved, so drift is not cancelled"},
		{"an abbreviation", []Objection{ObjectionBy(note.New("cpu-unknown-base", 50.), "")},
			"CPU use is unknown, so throughput defines low load"},
		{"a line break", []Objection{{Text: "The cause\nis unknown", Place: "a\nb", Gravity: note.Biased}},
			"the cause is unknown (a b)"},
	} {
		a := Answer{Results: []Result{Plainly(block.Sentence{Lead: Better, Text: "result"})}}
		var joined Answer
		for _, o := range c.against {
			a.Object(o)
		}
		joined.Add(a)
		for _, of := range []Answer{a, joined} {
			got := ""
			for _, s := range of.Lines()[1:] {
				got += s.Text
			}
			if got != c.want {
				t.Errorf("%s: %q, want %q", c.name, got, c.want)
			}
		}
	}
}

// TestSureText: the percentage is the larger side of the interval, and a wide or missing interval has none.
func TestSureText(t *testing.T) {
	u := figure.Scale{Factor: 1, Unit: "GB/s"}
	for _, c := range []struct {
		span figure.Estimate
		want string
	}{
		{figure.Estimate{Value: 6}, "6.00 GB/s (n=5, no interval)"},
		{figure.Between(5.4, 6.3).Around(6), "6.00 GB/s ±10.0% (95% CI, n=5)"},
		{figure.Between(5.7, 6.6).Around(6), "6.00 GB/s ±10.0% (95% CI, n=5)"},
		{figure.Between(3.0, 6.1).Around(6), "6.00 GB/s (95% CI: 3.00 to 6.10 GB/s, n=5)"},
		{figure.Between(-1.0, 7.0).Around(6), "6.00 GB/s (95% CI: -1.00 to 7.00 GB/s, n=5)"},
	} {
		if got := SureText(c.span, u, 5); got != c.want {
			t.Errorf("%+v: %q, want %q", c.span, got, c.want)
		}
	}
}

// TestEachWorkloadHasALine: of several workloads each keeps a line, and those that are left out are counted.
func TestEachWorkloadHasALine(t *testing.T) {
	results := func(lead string, n int) Answer {
		return Answer{Results: slices.Repeat([]Result{Plainly(block.Sentence{Lead: lead, Text: "result"})}, n)}
	}
	for _, c := range []struct {
		workloads []int
		want      []string
	}{
		{[]int{2, 1}, []string{"a result", "a result", "b result"}},
		{[]int{3, 1}, []string{"a result; 2 more below", "b result"}},
		{[]int{1, 1, 1, 2}, []string{"a result", "b result", "c result", "d result; 1 more below"}},
	} {
		var a Answer
		for i, n := range c.workloads {
			a.AddWorkload(results(string(rune('a'+i)), n))
		}
		if got := list.Map(a.Lines(), func(s block.Sentence) string { return s.Lead + " " + s.Text }); !slices.Equal(got,
			c.want) {
			t.Errorf("%v: %q, want %q", c.workloads, got, c.want)
		}
	}
}

// TestOrderOfLines: the interval of the only result is the second line, and its reason the third. Intervals of several
// results end their lines. The step that would settle them is last.
func TestOrderOfLines(t *testing.T) {
	one := Answer{Results: []Result{{Sentence: block.Sentence{Lead: Slower, Text: "new is 2.2x slower than old"},
		Sure: "1.3x to 3.7x, 5 pairs"}}}
	one.Cost("new costs as much as old")
	one.Why("new waits for the disk", "a larger disk")
	one.Object(Objection{Text: "The runs drift", Gravity: note.Biased})
	one.Next("--replicates 20")
	one.Next("--for 1m")
	two := one
	two.Results = slices.Repeat(one.Results, 2)
	for name, c := range map[string]struct {
		answer Answer
		want   []string
	}{
		"one": {one, []string{"SLOWER new is 2.2x slower than old", "95% CI 1.3x to 3.7x, 5 pairs",
			"why new waits for the disk",
			"cost new costs as much as old", "but the runs drift", "next --replicates 20"}},
		"two": {two, []string{"SLOWER new is 2.2x slower than old (95% CI 1.3x to 3.7x, 5 pairs); 1 more below",
			"cost new costs as much as old", "but the runs drift", "next --replicates 20"}},
	} {
		got := list.Map(c.answer.Lines(), func(s block.Sentence) string { return s.Lead + " " + s.Text })
		if !slices.Equal(got, c.want) {
			t.Errorf("%s: %q, want %q", name, got, c.want)
		}
	}
}
