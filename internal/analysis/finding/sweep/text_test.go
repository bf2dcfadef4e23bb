package sweep

import (
	"plimsoll/internal/analysis/finding"
	"plimsoll/internal/record"
	"plimsoll/internal/record/estimate"
	"plimsoll/internal/record/figure"
	"slices"
	"strings"
	"testing"
)

func TestPlateauText(t *testing.T) {
	p := Plateau{
		Param: "depth", Shape: "levels off",
		At:   new(figure.Between(19., 21.).Around(20)),
		Top:  new(figure.Between(320e6, 340e6).Around(330e6)),
		Lift: &Lift{Param: "block", From: 16384, To: 65536, Ratio: 3.9, Bounds: figure.Between(3.8, 4.), Limit: "operations"},
	}
	got := plateauText(p, "B/s")
	for _, want := range []string{"no gain from more depth beyond 19", "21", "320", "340 MB/s",
		"block=64KiB changes it by +280.0% to +300.0%, so the bottleneck is the number of operations"} {
		if !strings.Contains(got, want) {
			t.Errorf("%q lacks %q", got, want)
		}
	}
	p.At.Hi = nil
	if got := plateauText(p, "B/s"); !strings.Contains(got, "beyond 19") ||
		!strings.Contains(got, " or more, by estimate 20") {
		t.Error(got)
	}
	p.Lift.Lo, p.Lift.Hi = nil, nil
	p.At, p.Top = nil, nil
	if got := plateauText(p, "B/s"); !strings.HasPrefix(got,
		"does not follow depth; block=64KiB changes it by +290.0% by estimate, no interval") {
		t.Error(got)
	}
}

func TestScalingSentences(t *testing.T) {
	_, cells := sweptCells()
	all := said(showScalings, cells...)
	text := strings.Join(all, "\n")
	for _, want := range []string{
		"linear to at least 8 CPUs, the most measured",
		"linear to 4 CPUs; 8 CPUs handle 62.5% to 63.5% of 8 times one CPU", "not linear even to 2 CPUs",
		"runs scatter by 0.3% around the curve",
		"a second thread adds 2", "% of a core; weights of the models: SMT 100%",
		"peak at 3 CPUs: ", "of which 8 CPUs lose ", "weights of the models: USL ",
		"not analysed: only 3 CPU counts have 3 valid runs, but 4 are needed",
	} {
		if !strings.Contains(text, want) {
			t.Errorf("nothing says %q:\n%s", want, text)
		}
	}
	if n := strings.Count("\n"+text, "\nscaling "); n != 4 {
		t.Errorf("%d sentences of scaling, want 4:\n%s", n, text)
	}
}

func TestSaturationText(t *testing.T) {
	s := PastSaturation{Metric: "throughput", Unit: "op/s", Peak: 64, Most: 128, AtPeak: 1.1e4, AtMost: 1e4, N: 3,
		Loss: bounded(.065, .06, .07)}
	const most = "the peak is at 64 clients, by estimate 11.0k op/s; 128 clients reach "
	if got, want := saturationText(s), most+"6.0% to 7.0% less (n=3)"; got != want {
		t.Errorf("%q, want %q", got, want)
	}
	s.Loss = estimate.Estimate{Value: .05}
	if got, want := saturationText(s), most+"5.0% less by estimate, no interval: 3 runs needed (n=3)"; got != want {
		t.Errorf("%q, want %q", got, want)
	}
}

// TestIngestText: what is certain is said as such, and what is not as that.
func TestIngestText(t *testing.T) {
	d := Sensitivity{Param: "partitions", Metric: "ingest", Spread: bounded(.97, .95, 1.01), Verdict: Insensitive,
		Points: []SensitivityPoint{{X: 16, Estimate: estimate.Estimate{Value: 1.9e9}, N: 3},
			{X: 64, Estimate: estimate.Estimate{Value: 1.96e9}, N: 3}}}
	f := FewLarge{Metric: "ingest", Param: "record_size", Few: Shape{Clients: 4, Size: 1e5, Value: 2e9},
		Many: Shape{Clients: 24, Size: 100, Value: 5e8}, Ratio: bounded(4, 3.9, 4.1), Better: "few"}
	c := finding.Cell{Workload: "kafka", Load: "24 clients", Params: map[string]string{"partitions": "64"},
		Found: slices.Concat(KindSensitivity.Each([]Sensitivity{d}), KindFewLarge.New(&f))}
	show := func(c finding.Cell) []string {
		return append(said(finding.SentencesEach(KindSensitivity, sensitivitySentence), c),
			said(finding.SentencesEach(KindFewLarge, fewLargeSentence), c)...)
	}
	const few = "clients few large against many small: 4 clients with record_size=100kB ingest 2.00 GB/s, 24 clients " +
		"with record_size=100B 500 MB/s: "
	wantSaid(t, show(c), "sensitivity 24 clients: ingest does not depend strongly on partitions: the lowest, at "+
		"partitions=16, is 95.0% to 100.0% of the highest, at partitions=64",
		few+"3.90x to 4.10x as much: few large is better")
	d.Verdict, d.Spread = SensitivityUndecided, estimate.Estimate{Value: .97}
	f.Ratio, f.Better = estimate.Estimate{Value: 4}, ""
	c.Found = slices.Concat(KindSensitivity.Each([]Sensitivity{d}), KindFewLarge.New(&f))
	wantSaid(t, show(c), "sensitivity 24 clients: ingest may or may not depend strongly on partitions: the lowest, at "+
		"partitions=16, is by estimate 97.0% (no interval) of the highest, at partitions=64",
		few+"by estimate 4.00x as much, no interval: 3 runs needed")
	d.Param = record.ParamClients
	c.Found = KindSensitivity.Each([]Sensitivity{d})
	if got := show(c); len(got) != 1 ||
		!strings.HasPrefix(got[0], "sensitivity ingest may or may not depend strongly on clients") {
		t.Errorf("a sweep of clients is named with its load: %q", got)
	}
}
