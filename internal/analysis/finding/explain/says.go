package explain

import (
	"fmt"
	"math"
	"slices"
	"strings"

	"plimsoll/internal/analysis/category"
	"plimsoll/internal/analysis/finding/bottleneck"
	"plimsoll/internal/record/estimate"
	"plimsoll/internal/record/figure"
)

// say puts an explanation into words, largest cause first.
func (e *explainer) say(x *Explanation) {
	if x.N < estimate.MinReplicates && len(x.Causes) == 0 {
		x.Says = "no cause found: " + x.estimate()
		return
	}
	var costs, ios []string
	for _, p := range x.named() {
		costs = append(costs, x.partText(p)+x.cure(p.Category, p.Diff, p.Source != ""))
	}
	for _, q := range x.Quantities {
		if q.Named {
			ios = append(ios, x.quantityText(q)+x.cure(q.Category, q.Ratio-1, true))
		}
	}
	texts := slices.Concat(figure.NonEmpty(x.waits), x.Allowances, x.leading(costs, ios))
	if len(texts) == 0 {
		texts = []string{"no cause found: " + x.nothing()}
	}
	x.Says = texts[0]
	x.More = append(x.More, texts[1:]...)
	x.stateResidual()
}

// serviceWait returns the wait of the service with less throughput, if it is for no CPU: its CPU time per operation is
// not the reason then. It returns "" if the other side's waits for the same.
func (e *explainer) serviceWait(x *Explanation, s sides) string {
	if x.Throughput == nil || !farApart(x.Throughput.Ratio) {
		return ""
	}
	slow, fast, label := s.measuredB, s.measuredA, x.labelB
	if x.Throughput.Ratio > 1 {
		slow, fast, label = fast, slow, x.labelA
	}
	b := bottleneck.WaitOf(slow, e.typeOf)
	if b == nil {
		return ""
	}
	if other := bottleneck.WaitOf(fast, e.typeOf); other != nil && other.What == b.What {
		return ""
	}
	return label + ": " + b.What + ": " + b.Reasons[0]
}

// leading orders causes by time and by disk I/O, which has no unit of time: the disk comes first if no category is much
// of the gap.
func (x *Explanation) leading(costs, ios []string) []string {
	named := x.named()
	if len(named) > 0 && (named[0].Share == nil || *named[0].Share >= leadingShare) {
		return slices.Concat(costs, ios)
	}
	return slices.Concat(ios, costs)
}

// stateResidual states the difference that the causes leave.
func (x *Explanation) stateResidual() {
	if r := x.Residual; r != nil && r.Bounded() {
		text := "which is not significant"
		if r.Excludes(0) {
			text = "in no significant category"
		}
		x.More = append(x.More, fmt.Sprintf("these leave a difference in CPU time of %s per operation, %s",
			between(r.Ends()), text))
	}
}

func (x *Explanation) partText(p CostPart) string {
	more, other := x.labelB, x.labelA
	if p.Diff < 0 {
		more, other = x.labelA, x.labelB
	}
	if !p.Bounded() {
		return fmt.Sprintf("%s: by estimate, %s uses %s more per operation than %s", p.Category, more,
			roughly(math.Abs(p.Diff)), other)
	}
	lo, hi := p.Ends()
	if p.Diff < 0 {
		lo, hi = -hi, -lo
	}
	took := fmt.Sprintf("%s more per operation than %s", between(lo, hi), other)
	switch {
	case p.Source != "" && p.Test == TestedThreads && p.ThreadsA != nil && !p.Excludes(0):
		who, most, least := "threads", *p.ThreadsB, *p.ThreadsA
		if p.Source == fromServer {
			who = "sessions"
		}
		if p.Diff < 0 {
			most, least = least, most
		}
		return fmt.Sprintf("on average %.3g %s of %s wait for %s (%s: %.3g), by estimate %s more per operation", most, who,
			more, waitText(p.Category), other, least, roughly(math.Abs(p.Diff)))
	case p.Test == TestedRatio && !p.Excludes(0):
		return fmt.Sprintf("%s stands out: by estimate, %s uses %s more per operation than %s", p.Category, more,
			roughly(math.Abs(p.Diff)), other)
	case p.Source == fromServer:
		return fmt.Sprintf("sessions of %s wait for %s %s", more, waitText(p.Category), took)
	case p.Source == fromProfile:
		return fmt.Sprintf("threads of %s wait for %s %s", more, waitText(p.Category), took)
	case p.Share != nil && *p.Share > 0:
		return fmt.Sprintf("%s is %s: %s uses %s", ofWhole(*p.Share, "the gap"), p.Category, more, took)
	case p.Share != nil:
		return fmt.Sprintf("opposite to the gap, %s uses %s for %s", more, took, p.Category)
	}
	if x.CPU != nil && p.Diff*x.CPU.Diff > 0 && math.Abs(p.Diff) <= math.Abs(x.CPU.Diff) {
		return fmt.Sprintf("by estimate %s of the gap is %s: %s uses %s", bottleneck.Pct(p.Diff/x.CPU.Diff), p.Category, more,
			took)
	}
	return fmt.Sprintf("%s uses %s for %s, though total CPU time does not differ significantly", more, took, p.Category)
}

func waitText(c category.Name) string {
	switch c {
	case category.WaitingDisk:
		return "the disk"
	case category.WaitingNetwork:
		return "network sends"
	case category.WaitingStandby:
		return "the standby"
	}
	return string(c)
}

func (x *Explanation) quantityText(q Quantity) string {
	more, ratio := x.labelB, q.Ratio
	if ratio < 1 {
		more, ratio = x.labelA, 1/ratio
	}
	return fmt.Sprintf("%s issues %.3g times as many disk I/Os per operation", more, ratio)
}

// cure names a remedy for a cause: a measured one, else a known one.
func (x *Explanation) cure(c category.Name, diff float64, wait bool) string {
	for _, r := range x.Removes {
		if r.Category == c && r.Wait == wait {
			return r.text()
		}
	}
	side := "b"
	if diff < 0 {
		side = "a"
	}
	for _, i := range x.KnownIssues {
		if i.Category == c && (i.Side == side) {
			return fmt.Sprintf("; not measured here, but known: %s (%s)", i.Remedy, i.Source)
		}
	}
	return ""
}

// text returns a removal as a clause.
func (r Removal) text() string {
	switch {
	case r.beyond():
		return fmt.Sprintf("; %s saves %s", r.Change, ofWhole(r.Share, "it"))
	case r.Removes:
		return "; " + r.Change + " removes it"
	}
	return fmt.Sprintf("; %s removes %s", r.Change, ofWhole(r.Share, "it"))
}

// nothing states the evidence that was checked in vain.
func (x *Explanation) nothing() string {
	switch {
	case !x.Profiled && x.CPU != nil && x.CPU.Excludes(0):
		text := fmt.Sprintf("%s uses %s of CPU time per operation, %s %s; the reason is unknown without profiles", x.labelA,
			roughly(x.CPU.A), x.labelB, roughly(x.CPU.B))
		for _, r := range x.Removes {
			if r.Removes {
				return text + r.text()
			}
		}
		return text
	case x.CPU == nil:
		return "CPU time per operation is not known for both sides"
	case !x.Profiled:
		return "CPU time per operation does not differ significantly, and there are no profiles"
	case x.CPU != nil && x.CPU.Excludes(0):
		return fmt.Sprintf("CPU time per operation differs, but no single category does significantly (%d tested, %s)",
			x.Tests, x.each().Count(x.N))
	}
	return fmt.Sprintf("no category of CPU time per operation and no wait differs significantly (%d tested, %s)",
		x.Tests, x.each().Count(x.N))
}

// estimate states the indication of few pairs.
func (x *Explanation) estimate() string {
	if len(x.Categories) == 0 {
		return x.each().Count(x.N)
	}
	largest := x.Categories[0]
	if x.CPU == nil || largest.Diff*x.CPU.Diff <= 0 || math.Abs(largest.Diff) < math.Abs(x.CPU.Diff)/2 {
		return fmt.Sprintf("%s; by estimate the largest difference is in %s (%s per operation)", x.each().Count(x.N),
			largest.Category, signed(largest.Diff))
	}
	return fmt.Sprintf("%s; by estimate most of the difference of %s per operation is %s (%s)", x.each().Count(x.N),
		signed(x.CPU.Diff), largest.Category, signed(largest.Diff))
}

// overWhole is the share from which one is more than all, and does not round to 100%.
const overWhole = 1.005

// ofWhole words a share of a difference. What is over all of it is a multiple: other parts go the other way, and
// nothing is over 100% of a whole.
func ofWhole(share float64, whole string) string {
	if share < overWhole {
		return bottleneck.Pct(share) + " of " + whole
	}
	return fmt.Sprintf("%.2f times %s", share, whole)
}

// roughly formats seconds with three digits.
func roughly(s float64) string {
	units := []struct {
		name   string
		factor float64
	}{{"s", 1}, {"ms", 1e3}, {"µs", 1e6}, {"ns", 1e9}}
	at := slices.IndexFunc(units, func(u struct {
		name   string
		factor float64
	}) bool {
		return math.Abs(s)*u.factor >= 1
	})
	if at < 0 {
		at = len(units) - 1
	}
	v := s * units[at].factor
	decimals := 0
	for limit := 100.; decimals < 2 && math.Abs(v) < limit; limit /= 10 {
		decimals++
	}
	return fmt.Sprintf("%.*f %s", decimals, v, units[at].name)
}

// between formats an interval of seconds in one unit.
func between(lo, hi float64) string {
	text := roughly(math.Max(math.Abs(lo), math.Abs(hi)))
	number, unit, _ := strings.Cut(text, " ")
	_, behind, _ := strings.Cut(number, ".")
	factor := map[string]float64{"s": 1, "ms": 1e3, "µs": 1e6, "ns": 1e9}[unit]
	return fmt.Sprintf("%.*f to %.*f %s", len(behind), lo*factor, len(behind), hi*factor, unit)
}

func signed(s float64) string {
	if s > 0 {
		return "+" + roughly(s)
	}
	return roughly(s)
}
