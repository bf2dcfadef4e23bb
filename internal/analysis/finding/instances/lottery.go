package instances

import (
	"cmp"
	"fmt"
	"math"
	"slices"

	"plimsoll/internal/analysis/finding"
	"plimsoll/internal/analysis/sequential"
	"plimsoll/internal/analysis/trialset"
	"plimsoll/internal/record"
	"plimsoll/internal/record/block"
	"plimsoll/internal/record/estimate"
	"plimsoll/internal/record/figure"
	"plimsoll/internal/record/stat"
)

// KindLottery is the kind of findings about the machines inside a type.
const KindLottery finding.Kind[Lottery] = "lottery"

// Analyzers returns the analyzer of the machines of types.
func Analyzers() []finding.Analyzer {
	return []finding.Analyzer{{
		Kind: string(KindLottery), Doc: "how the machines of one instance type differ: the part of them that stands out " +
			"from the others",
		Body: KindLottery.Body(), Pair: lotteries, Brief: true, Says: lotterySays,
	}}
}

// Lottery is how the machines of one type differ among themselves, in one benchmark.
type Lottery struct {
	Type     string  `json:"type"`
	Machines []Drawn `json:"machines"` // in the order of their values
	// the machines that stand out: the fewer ones; of equally many those that are worse
	Odd     []string `json:"odd"`
	Certain bool     `json:"certain"` // the interval excludes no difference
	// of those to the others; its interval holds for every split of the machines at once (Scheffé)
	Ratio   estimate.Estimate `json:"ratio"`
	Alpha   float64           `json:"alpha"`     // probability that any split of equal machines is called certain
	ValueSD float64           `json:"value_sd"`  // standard deviation of ln of a value within a machine
	OfBoots bool              `json:"of_boots"`  // a value is the mean of a boot, and not a run
	Metric  record.Metric     `json:"metric"`    // that is compared
	Values  int               `json:"values"`    // in all
	Cell    string            `json:"cell_text"` // its workload, load and parameters, in words
}

// Drawn is a machine of a type.
type Drawn struct {
	Machine string  `json:"machine"`
	Mean    float64 `json:"mean"` // geometric, of its values
	N       int     `json:"n"`    // values
}

// lotteries returns the lottery of each type in each cell that both types have.
func lotteries(p *finding.Pairing) []finding.Finding {
	var out []finding.Finding
	if p.Pair.By != trialset.ByType {
		return nil
	}
	for i, m := range p.Both {
		at := slices.IndexFunc(p.Cells[i], func(c finding.Comparison) bool {
			return c.Primary && c.Per == finding.PerMachine
		})
		if at < 0 {
			continue
		}
		c := p.Cells[i][at]
		for _, side := range []struct {
			of     string
			trials []record.Trial
		}{{p.Pair.A, m.A}, {p.Pair.B, m.B}} {
			l := lotteryOf(side.of, side.trials, record.Metric{Name: c.Metric, Unit: c.Unit, Better: c.Direction},
				max(c.Alpha, estimate.Alpha))
			if l == nil {
				continue
			}
			l.Cell = m.Place.Workload + " at " + record.LoadText(m.Place.Load)
			found := KindLottery.New(l, m.Place)
			out = append(out, finding.About(c.Metric, found)...)
		}
	}
	return out
}

// lotteryOf returns the lottery of one type; nil if its machines or runs are too few.
func lotteryOf(of string, trials []record.Trial, metric record.Metric, alpha float64) *Lottery {
	in := instancesOf(trialset.Valid(trials), metric.Name)
	values, boots := drawn(in.nested(metric.Name))
	s, ok := lottery(values, alpha)
	if !ok || math.IsNaN(s.mean) {
		return nil
	}
	out := &Lottery{Type: of, Alpha: alpha, ValueSD: s.sd, OfBoots: boots, Metric: metric, Certain: s.hull.Excludes(0),
		Odd: []string{}}
	for i, v := range values {
		out.Machines = append(out.Machines, Drawn{in.names[i], math.Exp(stat.Mean(v)), len(v)})
		out.Values += len(v)
	}
	odd, mean, hull := s.low, s.mean, s.hull
	if len(s.high) < len(s.low) || len(s.high) == len(s.low) && metric.Better == record.Lower {
		odd, mean, hull = s.high, -s.mean, stat.Interval{Lo: -s.hull.Hi, Hi: -s.hull.Lo}
	}
	for _, i := range odd {
		out.Odd = append(out.Odd, in.names[i])
	}
	out.Ratio = estimate.Bounded(math.Exp(mean), hull.Exp())
	slices.SortStableFunc(out.Machines, func(a, b Drawn) int {
		return cmp.Compare(a.Mean, b.Mean)
	})
	return out
}

// drawn returns the values of each machine: the means of its boots if each was booted several times, else its runs.
func drawn(of stat.Nested) (values [][]float64, boots bool) {
	boots = !slices.ContainsFunc(of, func(b [][]float64) bool { return len(b) < 2 })
	for _, machine := range of {
		var v []float64
		for _, boot := range machine {
			if boots {
				boot = []float64{stat.Mean(boot)}
			}
			v = append(v, boot...)
		}
		values = append(values, v)
	}
	return values, boots && len(of) > 0
}

// lotterySays has a sentence for each type whose machines differ with certainty, and of the others in details.
func lotterySays(v *finding.PairView) []block.Block {
	all := KindLottery.All(v.Pair)
	var out []block.Sentence
	cells := map[string]bool{}
	for _, l := range all {
		cells[l.Cell] = true
	}
	for _, l := range all {
		text := l.text()
		if len(cells) > 1 {
			text += ", " + l.Cell
		}
		if l.Certain {
			out = append(out, block.Sentence{Lead: "lottery", Tone: block.Warn, Text: text})
		} else {
			out = append(out, block.Sentence{Lead: "lottery", Tone: block.Dim, Detail: true, Text: text})
		}
	}
	return finding.Sentences(append(out, nextStep(v.Pair)...)...)
}

// nextStep says what would narrow the widest interval that decides nothing most: machines or runs; none if all are
// decided.
func nextStep(p finding.Pair) []block.Sentence {
	var widest *sequential.NextStep
	for _, c := range p.Verdicts {
		if c.Verdict == trialset.Undecided && c.Per == finding.PerMachine && c.Repeat != nil && c.Repeat.Next != nil &&
			(widest == nil || c.Repeat.Next.Now > widest.Now) {
			widest = c.Repeat.Next
		}
	}
	if widest == nil {
		return nil
	}
	of := func(half float64) string { return "± " + figure.Fixed(100*half, 1) + "%" }
	text := fmt.Sprintf("one more machine of each type, %s each, brings the interval from about %s to %s",
		figure.Duration(widest.MachineS), of(widest.Now), of(widest.OneMachine))
	runs := fmt.Sprintf("%s more of each machine to %s", figure.Count(widest.Runs, "run"), of(widest.MoreRuns))
	if !widest.AddMachines {
		text = fmt.Sprintf("%s more of each machine bring the interval from about %s to %s", figure.Count(widest.Runs, "run"),
			of(widest.Now), of(widest.MoreRuns))
		runs = fmt.Sprintf("one more machine of each type, %s each, to %s", figure.Duration(widest.MachineS),
			of(widest.OneMachine))
	}
	return []block.Sentence{{Lead: "next", Tone: block.Dim, Text: text + ", " + runs}}
}

func (l Lottery) text() string {
	n := len(l.Machines)
	if !l.Certain {
		return fmt.Sprintf("no part of the %d %s stands out from the others by more than chance", n, l.Type)
	}
	less, more := "less "+l.Metric.Name, "more "+l.Metric.Name
	if l.Metric.Name != record.Throughput {
		less, more = "lower "+l.Metric.Name, "higher "+l.Metric.Name
	}
	has := "have"
	if len(l.Odd) == 1 {
		has = "has"
	}
	others := "the others"
	if n-len(l.Odd) == 1 {
		others = "the other"
	}
	return fmt.Sprintf("%d of %d %s (%s) %s %s than %s, at an error rate of %s for all ways to split them", len(l.Odd), n,
		l.Type, trialset.FirstFew(l.Odd), has,
		figure.Percents(*l.Ratio.Lo, *l.Ratio.Hi, more, less), others, figure.PercentText(l.Alpha))
}
