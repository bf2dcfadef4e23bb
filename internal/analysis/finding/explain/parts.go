package explain

import (
	"cmp"
	"math"
	"slices"

	"plimsoll/internal/analysis/category"
	"plimsoll/internal/record"
	"plimsoll/internal/record/estimate"
	"plimsoll/internal/record/stat"
)

// candidate is a possible cause with the result of its test.
type candidate struct {
	p     float64
	large bool // the difference is large enough to matter
	name  func(adjusted float64, named bool)
}

// twice returns the smaller of two p-values, adjusted for two tests (Bonferroni), and whether it is the second.
func twice(first, second float64) (p float64, other bool) {
	return math.Min(1, 2*math.Min(first, second)), second < first
}

// parts states the costs of both sides by category, and the significant differences.
func (e *explainer) parts(x *Explanation, s sides) {
	var tests []candidate
	scale := 0.0 // time per operation on the more expensive side
	a, okA := totals(s.a)
	b, okB := totals(s.b)
	floor := 0.0
	if okA && okB {
		floor = stat.SDFloor * math.Max(stat.Mean(a), stat.Mean(b))
		total := costPart("", a, b, s.paired, floor)
		x.CPU = &total
		scale = math.Max(total.A, total.B)
	}
	waits := e.waits(s)
	scale += causalWaits(waits)
	if x.CPU != nil {
		e.categories(x, s, a, b, floor, scale, &tests)
	}
	for _, w := range waits {
		part, d := w.part(s)
		p, other := twice(d.P(), w.threads(&part))
		part.Test = TestedDifference
		if other {
			part.Test = TestedThreads
		}
		x.Waits = append(x.Waits, part)
		if i := len(x.Waits) - 1; causal(w.category) && math.Max(part.A, part.B) >= enoughCost*scale &&
			min(len(w.a), len(w.b)) >= estimate.MinReplicates {
			tests = append(tests, candidate{p, math.Abs(part.Diff) >= enoughCost*scale,
				func(p float64, named bool) { x.Waits[i].P, x.Waits[i].Named = &p, named }})
		}
	}
	e.quantities(x, s, &tests)
	decide(tests)
	x.Tests = len(tests)
	x.Quantities = slices.DeleteFunc(x.Quantities, func(q Quantity) bool {
		return !q.Named && !q.Excludes(1)
	})
	x.order()
	x.residual(a, b, s, floor)
}

// categories adds those of CPU time. One that is negligible on both sides is not tested: its difference could not
// matter.
func (e *explainer) categories(x *Explanation, s sides, a, b []float64, floor, scale float64, tests *[]candidate) {
	if !s.profiled {
		return
	}
	share := func(of []profiledTrial) *float64 {
		sum := 0.0
		for _, c := range of {
			sum += c.cpu.Of(category.Unattributed).Share / float64(len(of))
		}
		return &sum
	}
	x.UnattributedA, x.UnattributedB = share(s.a), share(s.b)
	gap := stat.DifferenceOf(a, b, s.paired, floor)
	ratios := ratiosOf(s, scale)
	for _, name := range categoriesIn(s, false) {
		ca, cb := categoryCosts(s.a, false, name), categoryCosts(s.b, false, name)
		least := math.Max(floor, math.Hypot(counting(s.a, false, name), counting(s.b, false, name)))
		part := costPart(name, ca, cb, s.paired, least)
		part.Moved = moved(s, name)
		if gap.Interval(explainAlpha).Excludes(0) && x.N >= estimate.MinReplicates {
			of := stat.PartOf(ca, a, cb, b, s.paired, explainAlpha)
			sure := estimate.BoundsOf(of.Interval)
			part.Share, part.ShareLo, part.ShareHi = &of.Share, sure.Lo, sure.Hi
		}
		x.Categories = append(x.Categories, part)
		i := len(x.Categories) - 1
		if name == category.Unattributed || math.Max(part.A, part.B) < enoughCost*scale || x.N < estimate.MinReplicates {
			continue
		}
		d := stat.DifferenceOf(ca, cb, s.paired, least)
		p, other := twice(d.P(), ratios.p(name, d.Mean))
		x.Categories[i].Test = TestedDifference
		if other {
			x.Categories[i].Test = TestedRatio
		}
		*tests = append(*tests, candidate{p, math.Abs(part.Diff) >= enoughCost*scale,
			func(p float64, named bool) { x.Categories[i].P, x.Categories[i].Named = &p, named }})
	}
}

// decide adjusts for all tests together, and names the significant ones.
func decide(tests []candidate) {
	ps := make([]float64, len(tests))
	for i, t := range tests {
		ps[i] = t.p
	}
	for i, adjusted := range stat.Holm(ps) {
		tests[i].name(adjusted, adjusted <= explainAlpha && tests[i].large)
	}
}

func costPart(name category.Name, a, b []float64, paired bool, floor float64) CostPart {
	d := stat.DifferenceOf(a, b, paired, floor)
	part := CostPart{Category: name, A: stat.Mean(a), B: stat.Mean(b), Diff: d.Mean}
	if min(len(a), len(b)) >= estimate.MinReplicates {
		part.Bounds = estimate.BoundsOf(d.Interval(explainAlpha))
	}
	return part
}

// waitOf is a wait on both sides, in thread-seconds per operation.
type waitOf struct {
	category category.Name
	source   string
	a, b     []float64
	rateA    []float64 // operations/s of the same trials
	rateB    []float64
	paired   bool
	floor    float64
}

// The sources of waits.
const (
	fromProfile = "profile"
	fromServer  = "server" // from the server's own statistics
)

func (w waitOf) part(s sides) (CostPart, stat.Difference) {
	part := costPart(w.category, w.a, w.b, w.paired, w.floor)
	part.Source = w.source
	if w.source == fromProfile {
		part.Moved = movedIn(s, true, w.category)
	}
	return part, stat.DifferenceOf(w.a, w.b, w.paired, w.floor)
}

// causal reports whether a wait can be a cause: threads without work, and parked threads, may have none.
func causal(c category.Name) bool {
	return c == category.WaitingDisk || c == category.WaitingNetwork || c == category.WaitingStandby ||
		c == category.WaitingMemory || c == category.Locks
}

// causalWaits returns the total of such waits on the side that waits more.
func causalWaits(waits []waitOf) float64 {
	a, b := 0.0, 0.0
	for _, w := range waits {
		if causal(w.category) {
			a, b = a+stat.Mean(w.a), b+stat.Mean(w.b)
		}
	}
	return math.Max(a, b)
}

// waits returns those of the profiles; if the server reports waits itself, its statistics take precedence.
func (e *explainer) waits(s sides) []waitOf {
	out := serverWaits(s)
	for _, name := range categoriesIn(s, true) {
		if slices.ContainsFunc(out, func(w waitOf) bool { return w.category == name }) {
			continue
		}
		if !allWait(s.a) || !allWait(s.b) {
			break
		}
		a, b := categoryCosts(s.a, true, name), categoryCosts(s.b, true, name)
		floor := math.Hypot(counting(s.a, true, name), counting(s.b, true, name))
		out = append(out, waitOf{name, fromProfile, a, b, trialRates(costedTrials(s.a)), trialRates(costedTrials(s.b)),
			s.paired, math.Max(floor, stat.SDFloor*math.Max(stat.Mean(a), stat.Mean(b)))})
	}
	return out
}

func allWait(of []profiledTrial) bool {
	return !slices.ContainsFunc(of, func(c profiledTrial) bool { return c.waits == nil || c.waits.PerOp <= 0 })
}

// serverWaits derives waits from the sampled states of a database's sessions in the measured trials.
func serverWaits(s sides) []waitOf {
	var out []waitOf
	for _, of := range []struct {
		category category.Name
		classes  []string
	}{
		{category.Locks, []string{record.WaitLock, record.WaitLWLock}},
		{category.WaitingDisk, []string{record.WaitIO, record.WaitWAL}},
		{category.WaitingStandby, []string{record.WaitStandby}}, {category.WaitingIdle, []string{record.WaitClient}},
	} {
		a, okA := classWaits(s.measuredA, of.classes)
		b, okB := classWaits(s.measuredB, of.classes)
		if okA && okB {
			out = append(out, waitOf{of.category, fromServer, a, b, trialRates(s.measuredA), trialRates(s.measuredB),
				s.measuredPaired, stat.SDFloor * math.Max(stat.Mean(a), stat.Mean(b))})
		}
	}
	return out
}

// classWaits returns session-seconds per operation: a share of the time of as many sessions as clients.
func classWaits(trials []record.Trial, classes []string) ([]float64, bool) {
	out := make([]float64, len(trials))
	for i, t := range trials {
		n := t.Operations()
		if t.Load.Kind != record.Closed || !(n > 0) {
			return nil, false
		}
		for _, class := range classes {
			v, ok := t.Value(record.WaitShare(class))
			if !ok {
				return nil, false
			}
			out[i] += v.Value / 100 * t.Load.Level * t.DurationS / n
		}
	}
	return out, len(out) > 0
}

// maxFunctions is the number of functions named per category.
const maxFunctions = 3

// moved returns the innermost functions of a category of CPU time whose cost differs most in the direction of the
// whole.
func moved(s sides, of category.Name) []string { return movedIn(s, false, of) }

func movedIn(s sides, waits bool, of category.Name) []string {
	by := map[string]float64{}
	whole := 0.0
	for i, side := range [][]profiledTrial{s.a, s.b} {
		sign := float64(2*i - 1)
		for _, c := range side {
			costs := c.costs(waits)
			if costs == nil {
				continue
			}
			for name, cost := range costs.Functions[of] {
				by[name] += sign * cost / float64(len(side))
			}
			whole += sign * costs.Of(of).PerOp / float64(len(side))
		}
	}
	var names []string
	for name, d := range by {
		if name != "" && d*whole > 0 && math.Abs(d) >= .1*math.Abs(whole) {
			names = append(names, name)
		}
	}
	slices.SortFunc(names, func(a, b string) int {
		return cmp.Or(cmp.Compare(math.Abs(by[b]), math.Abs(by[a])), cmp.Compare(a, b))
	})
	return names[:min(len(names), maxFunctions)]
}

// order sorts by difference, largest first, and lists the causes in that order.
func (x *Explanation) order() {
	byDiff := func(a, b CostPart) int {
		return cmp.Or(cmp.Compare(math.Abs(b.Diff), math.Abs(a.Diff)), cmp.Compare(a.Category, b.Category))
	}
	slices.SortStableFunc(x.Categories, byDiff)
	slices.SortStableFunc(x.Waits, byDiff)
	var costs, ios []string
	for _, c := range x.named() {
		costs = append(costs, string(c.Category))
	}
	for _, q := range x.Quantities {
		if q.Named {
			ios = append(ios, string(q.Category))
		}
	}
	for _, cause := range x.leading(costs, ios) {
		if !slices.Contains(x.Causes, cause) {
			x.Causes = append(x.Causes, cause)
		}
	}
}

// named returns the categories and waits with significant differences, largest first.
func (x *Explanation) named() []CostPart {
	var out []CostPart
	for _, p := range slices.Concat(x.Categories, x.Waits) {
		if p.Named {
			out = append(out, p)
		}
	}
	slices.SortStableFunc(out, func(a, b CostPart) int { return cmp.Compare(math.Abs(b.Diff), math.Abs(a.Diff)) })
	return out
}

// residual states the difference in CPU time without the named categories.
func (x *Explanation) residual(a, b []float64, s sides, floor float64) {
	left, right := slices.Clone(a), slices.Clone(b)
	some := false
	for _, c := range x.Categories {
		if !c.Named {
			continue
		}
		some = true
		for i, v := range categoryCosts(s.a, false, c.Category) {
			left[i] -= v
		}
		for i, v := range categoryCosts(s.b, false, c.Category) {
			right[i] -= v
		}
	}
	if some {
		part := costPart("", left, right, s.paired, floor)
		x.Residual = &part
	}
}
