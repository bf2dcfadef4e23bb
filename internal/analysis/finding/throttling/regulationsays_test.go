package throttling

import (
	"strings"
	"testing"

	"plimsoll/internal/analysis/finding"
	"plimsoll/internal/record"
	"plimsoll/internal/record/figure"
)

func said(v bool) *bool { return &v }

func regulated(class string) Regulation {
	g := Regulation{
		Class: class, N: 4, Classes: map[string]int{class: 4, Smooth: 1}, Rate: ptr(1e8), ZeroFraction: ptr(.8),
		ZeroP50S: ptr(.8), ZeroMaxS: ptr(.81),
		BurstRate: ptr(5e8), Duty: ptr(.2), ObservedS: 30, ObservedB: 3e9,
		Intervals: map[string]Range{"period_s": {Bounds: figure.Between(.998, 1.003)}},
	}
	switch class {
	case Quantum:
		g.PeriodS, g.QuantumBytes, g.SafeRate, g.SafeBurst = ptr(1.0), ptr(1e8), ptr(1e8), ptr(.99e8)
	case Credit:
		g.BucketBytes, g.ExhaustedS, g.SafeRate, g.SafeBurst = ptr(2e9), ptr(5.0), ptr(1e8), ptr(2.5e9)
	}
	return g
}

func TestRegulationInWords(t *testing.T) {
	verified := regulated(Quantum)
	verified.Verified = &Verified{Holds: said(true), Below: Capped{Share: .95, Rate: ptr(.95e8), Trials: 4},
		Above: Capped{Share: 1.05, Rate: ptr(1.05e8), Trials: 4, Stalled: 4, Void: 1}}
	short := regulated(Quantum)
	short.AtLeast, short.Doubts = true, told("too short\nhint: --for 60s")
	short.Verified = &Verified{Holds: said(false)}
	none := regulated(Smooth)
	none.Verified = &Verified{Reason: told("the disk was never throttled at full load")[0]}
	for name, c := range map[string]struct {
		g    Regulation
		want []string
	}{
		"quantum": {verified,
			[]string{"throttled to 100 MB/s by a quota of 100 MB every 0.998 to 1.003 s (4 of 5 runs); at full load it " +
				"transfers 500 MB/s for 20.0% of the time, then stalls for 800 ms at the median and 810 ms at most",
				"no stalls below 100 MB/s, nor in a burst of up to 99 MB after idle time",
				"safe rate verified: at 95% of it (95.0 MB/s) 0 of 4 runs stalled, at 105% of it (105 MB/s) 4 of 4 runs " +
					"stalled and 1 failed"}},
		"short": {short, []string{"at least 500 MB/s", "does not hold", "note too short", "hint --for 60s"}},
		"credit": {regulated(Credit),
			[]string{"throttled to 100 MB/s once a credit of 2 GB is spent, after 5.00 s (4 of 5 runs); before that, it " +
				"transfers 500 MB/s"}},
		"stalls": {regulated(Stalls), []string{"no throttling found (4 of 5 runs): it stalls for 80.0% of the time",
			"between stalls it transfers 500 MB/s"}},
		"smooth": {none, []string{"no throttling found (4 of 4 runs) in 30.0 s and 3 GB",
			"safe rate not verified: the disk was never throttled"}},
	} {
		cell := finding.Cell{Machine: "m", Workload: "disk", Load: "32 clients", Found: KindRegulation.New(&c.g)}
		text := printed(regulationSays, cell)
		for _, want := range c.want {
			if !strings.Contains(text, want) {
				t.Errorf("%s: no %q in\n%s", name, want, text)
			}
		}
	}
}

// TestThrottlingIsInTheAnswer: a disk that is throttled is named before one that is not, and a workload without disks
// has no word.
func TestThrottlingIsInTheAnswer(t *testing.T) {
	cell := func(class string) finding.Cell {
		g := regulated(class)
		return finding.Cell{Machine: "m", Workload: "disk", Found: KindRegulation.New(&g)}
	}
	for want, cells := range map[string][]finding.Cell{
		"":                      {{Machine: "m", Workload: "http"}},
		"not throttled in 30 s": {cell(Smooth), cell(Stalls)},
		"throttled to 100 MB/s": {cell(Smooth), cell(Quantum)},
	} {
		if got := regulationAnswer(finding.NewView(cells)).Also; got != want {
			t.Errorf("%q, want %q", got, want)
		}
	}
}

// TestAMultipleIsThePeriod: bursts of 12 and 13 operations by turns resemble each other most after two periods.
func TestAMultipleIsThePeriod(t *testing.T) {
	for auto, doubts := range map[float64]int{.1: 0, .201: 0, .398: 0, .15: 1, .05: 1, .09: 1} {
		r := record.Regulation{Class: Quantum, Rate: 1e8, PeriodS: ptr(.1), QuantumBytes: ptr(1e7), AutoPeriodS: &auto}
		g := regulationOf([]record.Trial{{Load: record.LoadPoint{Kind: record.Closed}, Regulation: &r}})
		if len(g.Doubts) != doubts {
			t.Errorf("a period of 0.1 s, %v s by autocorrelation: %v", auto, g.Doubts)
		}
	}
}

// TestBurstsInWords: what is in flight ends together, and a shallower load that was slower, or stalled, leaves a quota
// possible.
func TestBurstsInWords(t *testing.T) {
	for name, c := range map[string]struct {
		shallow *record.Shallow
		open    bool
	}{
		"none":          {nil, true},
		"as many fewer": {&record.Shallow{Class: Bursts, Rate: 2.9e9}, false},
		"slower":        {&record.Shallow{Class: Smooth, Rate: 2e9}, true},
		"stalled":       {&record.Shallow{Class: Stalls, Rate: 3e9}, true},
	} {
		r := record.Regulation{Class: Bursts, Rate: 3e9, PeriodS: ptr(.06), QuantumBytes: ptr(180e6), InFlight: 537e6,
			Shallow: c.shallow}
		g := regulationOf([]record.Trial{{Load: record.LoadPoint{Kind: record.Closed}, Regulation: &r}})
		text := printed(regulationSays, finding.Cell{Machine: "m", Workload: "disk", Found: KindRegulation.New(g)})
		want := "no throttling found (1 of 1 runs): operations end together, 180 MB every 60.0 ms, of 537 MB in flight"
		if !strings.Contains(text, want) || strings.Contains(text, "a quota or the deep queue") != c.open {
			t.Errorf("%s: %s", name, text)
		}
	}
}
