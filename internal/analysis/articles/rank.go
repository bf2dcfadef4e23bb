package articles

import (
	"cmp"
	"fmt"
	"math"
	"slices"
	"strconv"
	"strings"

	"plimsoll/internal/analysis/finding"
	"plimsoll/internal/record"
	"plimsoll/internal/record/estimate"
	"plimsoll/internal/record/figure"
)

// Result is a machine's result in a figure. A share has no unit.
type Result struct {
	Machine  string
	Load     string // "" if the figure has one load for all
	Unit     string
	Share    bool
	Better   record.Better
	N        int // runs
	Own      bool
	Estimate estimate.Estimate
	Counted  string // what names an operation: figure.Counted
}

// Ranking is a figure's results at one load, the best first.
type Ranking struct {
	Figure  Figure
	Load    string // that all have in common; "" if they have none
	Results []Result
	Places  []Place // of each result of one's own, in the order of Results
}

// Place is where a machine stands among the published ones. Several places are possible if its interval meets a
// published result, or both intervals meet.
type Place struct {
	Result   Result
	From, To int // from 1, the best
	Of       int // the published machines and this one
	// Why there is no place: "" if there is one.
	Why string
}

// Rank returns the rankings of a figure: one for each load that a result of one's own shares with published ones, or
// one for all. Without results of one's own it is that of the published ones.
func (f Figure) Rank(own, published []finding.Cell, machines map[string]record.Machine) []Ranking {
	here, there := results(own, f.Here, true, machines), results(published, f.There, false, nil)
	if !f.Each {
		return ranked(f, "", here, there)
	}
	loads := loadsOf(here)
	if len(here) == 0 {
		loads = loadsOf(there)
		loads = loads[:min(len(loads), 1)]
	}
	var out []Ranking
	for _, load := range loads {
		at := func(r Result) bool { return r.Load != load }
		out = append(out, ranked(f, load, slices.DeleteFunc(slices.Clone(here), at),
			slices.DeleteFunc(slices.Clone(there), at))...)
	}
	return out
}

// ranked returns a ranking, if there is anything in it.
func ranked(f Figure, load string, own, published []Result) []Ranking {
	if len(own)+len(published) == 0 {
		return nil
	}
	out := Ranking{Figure: f, Load: load, Results: slices.Concat(own, published)}
	slices.SortStableFunc(out.Results, func(a, b Result) int {
		if a.Better == record.Lower {
			return cmp.Compare(a.Estimate.Value, b.Estimate.Value)
		}
		return cmp.Compare(b.Estimate.Value, a.Estimate.Value)
	})
	for _, r := range out.Results {
		if r.Own {
			out.Places = append(out.Places, placeOf(f, r, published))
		}
	}
	return []Ranking{out}
}

// placeOf returns a result's place among published ones, or why it has none.
func placeOf(f Figure, r Result, published []Result) Place {
	p := Place{Result: r, From: 1, Of: len(published) + 1}
	switch {
	case f.Unranked != "":
		p.Why = f.Unranked
	case len(published) == 0:
		p.Why = "no published result has this load"
	case !r.Estimate.Bounded():
		p.Why = fmt.Sprintf("%s: a place needs an interval, which takes %d", figure.Run.Count(r.N), estimate.MinReplicates)
	case slices.ContainsFunc(published, func(o Result) bool { return o.Unit != r.Unit || o.Better != r.Better }):
		p.Why = "the published results are in another unit"
	}
	if p.Why != "" {
		return p
	}
	p.To = p.Of
	for _, o := range published {
		switch {
		case ahead(o, r):
			p.From++
		case ahead(r, o):
			p.To--
		}
	}
	return p
}

// ahead reports whether all of a's interval is better than all of b's; a published value without an interval is one
// point.
func ahead(a, b Result) bool {
	if a.Better == record.Lower {
		return high(a) < low(b)
	}
	return low(a) > high(b)
}

func low(r Result) float64 { return slices.Min(r.Estimate.Values()) }

func high(r Result) float64 { return slices.Max(r.Estimate.Values()) }

// Text returns a place in words: "3rd of 7", "2nd to 4th of 7".
func (p Place) Text() string {
	switch {
	case p.Why != "":
		return "not ranked: " + p.Why
	case p.From == p.To:
		return fmt.Sprintf("%s of %d", ordinal(p.From), p.Of)
	}
	return fmt.Sprintf("%s to %s of %d", ordinal(p.From), ordinal(p.To), p.Of)
}

func ordinal(n int) string {
	switch {
	case n%100 >= 11 && n%100 <= 13:
	case n%10 == 1:
		return strconv.Itoa(n) + "st"
	case n%10 == 2:
		return strconv.Itoa(n) + "nd"
	case n%10 == 3:
		return strconv.Itoa(n) + "rd"
	}
	return strconv.Itoa(n) + "th"
}

// results returns the results that cells have in a figure, one for each machine and load.
func results(cells []finding.Cell, s Selector, own bool, machines map[string]record.Machine) []Result {
	var out []Result
	for _, c := range cells {
		if !s.holds(c, s.Where) || c.N == 0 {
			continue
		}
		r := Result{Machine: c.Machine, Unit: c.Unit, Better: c.Better, N: c.N, Own: own, Estimate: c.Estimate,
			Load: loadOf(c, machines), Counted: c.Counted()}
		if len(s.ShareOf) > 0 {
			share, ok := s.share(c, cells)
			if !ok {
				continue
			}
			r.Estimate, r.Unit, r.Share, r.Better = share, "", true, record.Higher
		}
		out = append(out, r)
	}
	return out
}

// share returns a cell's figure as a share of that of the cell that the selector names. Of several runs it is that of
// runs of one replicate.
func (s Selector) share(c finding.Cell, cells []finding.Cell) (estimate.Estimate, bool) {
	i := slices.IndexFunc(cells, func(o finding.Cell) bool { return o.Machine == c.Machine && s.holds(o, s.ShareOf) })
	if i < 0 || cells[i].N == 0 {
		return estimate.Estimate{}, false
	}
	whole := values(cells[i])
	var ratios []float64
	for replicate, v := range values(c) {
		if base, ok := whole[replicate]; ok && base > 0 && v > 0 {
			if c.Better == record.Lower {
				base, v = v, base
			}
			ratios = append(ratios, v/base)
		}
	}
	slices.Sort(ratios) // the order of a map is no one's
	return estimate.Of(ratios), len(ratios) > 0
}

// values returns a cell's valid values by replicate, the last of each.
func values(c finding.Cell) map[int]float64 {
	out := map[int]float64{}
	for _, t := range c.Trials {
		if t.Value != nil && t.Void.IsZero() && !math.IsNaN(*t.Value) {
			out[t.Replicate] = *t.Value
		}
	}
	return out
}

// holds reports whether a cell is of the selector's workload and metric, and has its values but for those in other.
func (s Selector) holds(c finding.Cell, other map[string]string) bool {
	metric := c.Metric
	if record.IsWorkPerJoule(metric) { // of any scope of the machine's meters
		metric = strings.TrimSuffix(record.WorkPerJoule, "_")
	}
	if c.Workload != s.Workload || metric != s.Metric || len(s.Loads) > 0 && !slices.Contains(s.Loads, c.Load) {
		return false
	}
	for _, want := range []map[string]string{s.Where, other} {
		for name, value := range want {
			if v, replaced := other[name]; replaced {
				value = v
			}
			got := c.Params[name]
			if name == whereLoad {
				got = c.Load
			}
			if got != value {
				return false
			}
		}
	}
	return true
}

// whereLoad is the name of the load among a selector's values.
const whereLoad = "load"

// loadOf returns a cell's load, with the number of CPUs that all are of a machine.
func loadOf(c finding.Cell, machines map[string]record.Machine) string {
	if m, ok := machines[c.Machine]; ok && strings.HasPrefix(c.Load, record.AllCPUs+" ") && len(m.CPU.Allowed) > 0 {
		return fmt.Sprintf("%d %s", len(m.CPU.Allowed), record.ParamCPUs)
	}
	return c.Load
}

// loadsOf returns the loads of results, each once, in the order of their numbers.
func loadsOf(all []Result) []string {
	var out []string
	for _, r := range all {
		if !slices.Contains(out, r.Load) {
			out = append(out, r.Load)
		}
	}
	slices.SortStableFunc(out, func(a, b string) int { return cmp.Compare(number(a), number(b)) })
	return out
}

// number returns the number that a load begins with.
func number(load string) int {
	first, _, _ := strings.Cut(load, " ")
	n, err := strconv.Atoi(first)
	if err != nil {
		return math.MaxInt
	}
	return n
}
