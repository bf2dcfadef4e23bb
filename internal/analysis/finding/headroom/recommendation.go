package headroom

import (
	"cmp"
	"maps"
	"math"
	"slices"
	"strings"

	"plimsoll/internal/analysis/finding"
	"plimsoll/internal/analysis/loadline"
	"plimsoll/internal/analysis/trialset"
	"plimsoll/internal/base/list"
	"plimsoll/internal/base/usage"
	"plimsoll/internal/record"
	"plimsoll/internal/record/figure"
	"plimsoll/internal/record/stat"
)

// KindRecommendation is the kind of recommendations for a demand.
const KindRecommendation finding.Kind[Recommendation] = "recommendation"

// Recommendation is the fleets of all machines for a demand on one workload, and which of them to take.
type Recommendation struct {
	Workload string            `json:"workload"`
	Params   map[string]string `json:"params"`
	Wording  finding.Wording   `json:"-"`
	Demand   float64           `json:"demand"`
	Unit     string            `json:"unit"`
	Headroom float64           `json:"headroom"`
	Failures int               `json:"failures"`
	Choices  []Choice          `json:"choices"` // the cheapest first, those without a fleet last

	// the machine to take; several if their intervals do not tell them apart; none if no price or no fleet is known
	Take     []string `json:"take"`
	Over     string   `json:"over,omitempty"`          // the next machine, against which it saves
	Saves    *float64 `json:"usd_per_month_saved"`     // nil if there is nothing to compare with
	SavesPct *float64 `json:"usd_per_month_saved_pct"` // likewise, in % of what the next machine costs
}

// Choice is the fleet of one machine.
type Choice struct {
	Machine   string        `json:"machine"`
	By        string        `json:"by"`        // "load line" or "peak throughput"
	Statistic string        `json:"statistic"` // of the latency that is limited; "" by peak throughput of unknown latency
	Limit     *float64      `json:"limit"`     // latency limit in seconds; nil if Statistic is ""
	Need      loadline.Need `json:"need"`
	Spares    *int          `json:"spares"`              // of the need's machines
	Fewest    *int          `json:"fewest"`              // machines by the upper end of the interval; nil without one
	Least     *float64      `json:"usd_per_month_least"` // of these; nil if no price is known

	at trialset.Key
}

// The bases of a fleet.
const (
	byLine = "load line"
	byPeak = "peak throughput" // of a closed loop: latency at that load is not known
)

// comparable names the choices that may be held against each other: those by the same kind of limit.
func (c Choice) comparable() string { return c.By + " " + c.Statistic }

// recommendations returns one for each workload and its parameters, if there is a demand.
func recommendations(in *finding.Input) []finding.Finding {
	if in.Ask.Demand == nil {
		return nil
	}
	var out []finding.Finding
	for _, place := range demandedPlaces(in.Cells, in.Ask.Demand) {
		r := &Recommendation{
			Workload: place[0].Workload, Params: placeParams(place[0]), Wording: place[0].Wording,
			Demand:   in.Ask.Demand.RateOf(place[0].Workload),
			Headroom: in.Ask.Demand.Headroom, Failures: in.Ask.Demand.Failures,
		}
		for _, own := range finding.GroupBy(place, func(c finding.Cell) string { return c.Machine }) {
			r.Choices = append(r.Choices, choiceOf(in, own))
		}
		r.Unit = r.Choices[0].Need.Unit
		r.conclude()
		var cells []trialset.Key
		for _, c := range r.Choices {
			cells = append(cells, c.at)
		}
		out = append(out, KindRecommendation.New(r, cells...)...)
	}
	return out
}

// recommendedSides returns the recommendations of the cells that a comparison of machines rests on.
func recommendedSides(s *finding.Sides) []finding.Finding {
	if s.By != record.KeyMachine {
		return nil
	}
	return recommendations(s.Input)
}

// demandedPlaces returns the places of the workloads that are named with a demand and, if there is one of none, those
// of the others.
func demandedPlaces(cells []finding.Cell, d *finding.Demand) [][]finding.Cell {
	var out [][]finding.Cell
	for _, workload := range slices.Sorted(maps.Keys(d.Of)) {
		out = append(out, placesOf(list.Filter(cells, func(c finding.Cell) bool { return c.Workload == workload }))...)
	}
	if d.Rate == 0 {
		return out
	}
	return append(out, placesOf(list.Filter(cells, func(c finding.Cell) bool {
		_, named := d.Of[c.Workload]
		return !named
	}))...)
}

// placesOf returns the cells that can answer a demand by workload and parameters: those with load lines or, if there is
// no load line at all, those with a peak throughput.
func placesOf(cells []finding.Cell) [][]finding.Cell {
	lined := map[string]bool{}
	for _, c := range cells {
		if Chief(c) != nil {
			lined[placeKey(c)] = true
		}
	}
	able := slices.DeleteFunc(slices.Clone(cells), func(c finding.Cell) bool {
		return Chief(c) == nil && (!peaks(c) || len(lined) > 0 && !lined[placeKey(c)])
	})
	return finding.GroupBy(able, placeKey)
}

func placeKey(c finding.Cell) string {
	return c.Workload + "\x00" + trialset.ParamsText(placeParams(c))
}

// placeParams returns the parameters of a cell without its load.
func placeParams(c finding.Cell) map[string]string {
	return trialset.Without(c.Params, record.ParamRate, record.ParamClients, record.ParamCPUs)
}

// choiceOf returns the fleet by the chief load line of a machine's cells, else by their highest throughput.
func choiceOf(in *finding.Input, cells []finding.Cell) Choice {
	cells = slices.SortedStableFunc(slices.Values(cells), func(a, b finding.Cell) int {
		if byLine := cmp.Compare(rankOf(a), rankOf(b)); byLine != 0 {
			return byLine
		}
		return cmp.Compare(b.Value, a.Value)
	})
	best := cells[0]
	if l := Chief(best); l != nil {
		out := Choice{Machine: best.Machine, By: byLine, Statistic: l.Statistic, Limit: &l.Limit, Need: *l.Fleet,
			at: best.Key()}
		out.bound(l.Hi)
		return out
	}
	d := *in.Ask.Demand
	d.Rate = d.RateOf(best.Workload)
	if len(in.Ask.Objectives) > 0 {
		return peakWithin(in, cells, d)
	}
	return peakOf(best, d, basisAt(in, best.Key()))
}

// rankOf orders the cells of a machine: load lines with a fleet, other load lines, peak throughput.
func rankOf(c finding.Cell) int {
	switch l := Chief(c); {
	case l == nil:
		return 2
	case l.Fleet == nil || l.Fleet.Machines == nil:
		return 1
	}
	return 0
}

// bound adds the spares of a fleet, and the fleet by the upper end of its limit's interval.
func (c *Choice) bound(hi *float64) {
	if c.Need.Machines == nil {
		return
	}
	c.Spares = &c.Need.Failures
	if hi == nil {
		return
	}
	f, err := stat.FleetFor(c.Need.Demand, *hi, c.Need.Headroom, c.Need.Failures)
	if err != nil {
		return
	}
	c.Fewest = &f.Machines
	if c.Need.PerMonth != nil {
		c.Least = new(*c.Need.PerMonth / float64(*c.Need.Machines) * float64(f.Machines))
	}
}

// conclude orders the choices by what they cost, and takes the cheapest of those that can be compared.
func (r *Recommendation) conclude() {
	r.Take = []string{}
	slices.SortStableFunc(r.Choices, func(a, b Choice) int {
		return cmp.Or(cmp.Compare(costOf(a), costOf(b)), cmp.Compare(sizeOf(a), sizeOf(b)))
	})
	able := r.able()
	if len(able) == 0 || able[0].Need.PerMonth == nil {
		return
	}
	first := able[0]
	for _, c := range able {
		switch {
		case c.Machine == first.Machine || !apart(first, c):
			r.Take = append(r.Take, c.Machine)
		case r.Over == "" && c.Need.PerMonth != nil: // over 0, as it is above the first
			r.Over, r.Saves = c.Machine, new(*c.Need.PerMonth-*first.Need.PerMonth)
			r.SavesPct = new(100 * *r.Saves / *c.Need.PerMonth)
		}
	}
	if len(r.Take) > 1 {
		r.Over, r.Saves, r.SavesPct = "", nil, nil
	}
}

// able returns the choices that have a fleet by the first kind of limit that any has: of a load line, if one has a
// fleet.
func (r *Recommendation) able() []Choice {
	with := slices.DeleteFunc(slices.Clone(r.Choices), func(c Choice) bool { return c.Need.Machines == nil })
	if len(with) == 0 {
		return nil
	}
	kind := with[0].comparable()
	if i := slices.IndexFunc(with, func(c Choice) bool { return c.By == byLine }); i >= 0 {
		kind = with[i].comparable()
	}
	return slices.DeleteFunc(with, func(c Choice) bool { return c.comparable() != kind })
}

// apart reports whether the dearer of two fleets costs more wherever in their intervals the limits lie. Without an
// interval or a price of both, their estimates tell.
func apart(cheap, dear Choice) bool {
	switch {
	case dear.Need.PerMonth == nil:
		return true
	case cheap.Least == nil || dear.Least == nil:
		return dearer(*dear.Need.PerMonth, *cheap.Need.PerMonth)
	}
	return dearer(*dear.Least, *cheap.Need.PerMonth)
}

// dearer reports whether a sum is above another by more than rounding.
func dearer(a, b float64) bool { return a > b*(1+1e-9) }

func costOf(c Choice) float64 { return perMonth(c.Need) }

// sizeOf returns the number of machines of a fleet; more than any if there is none.
func sizeOf(c Choice) int {
	if c.Need.Machines == nil {
		return math.MaxInt
	}
	return *c.Need.Machines
}

// Recommended returns the workloads that have a recommendation.
func Recommended(cells []finding.Cell) []string {
	var out []string
	for _, c := range cells {
		if KindRecommendation.Of(c) != nil && !slices.Contains(out, c.Workload) {
			out = append(out, c.Workload)
		}
	}
	return out
}

// CheckDemand returns an error for a demand of which it is not clear whose it is, or on a workload of which nothing
// tells what a machine handles. option is what the user sets it with; none is the error if nothing tells that at all.
func CheckDemand(cells []finding.Cell, d finding.Demand, option string, none error) error {
	can := Recommended(cells)
	for _, workload := range slices.Sorted(maps.Keys(d.Of)) {
		known := list.Map(cells, func(c finding.Cell) string { return c.Workload })
		slices.Sort(known)
		switch {
		case slices.Contains(can, workload):
		case !slices.Contains(known, workload):
			return usage.Unknown("workload of a demand", workload, slices.Compact(known))
		default:
			said, hints := usage.Hints(none.Error())
			return usage.Errorf("%s %s: %s\nhint: %s", option, workload, said, strings.Join(hints, "; "))
		}
	}
	others := slices.DeleteFunc(slices.Clone(can), func(w string) bool { _, named := d.Of[w]; return named })
	slices.Sort(others)
	switch rate := figure.Exact(d.Rate); {
	case d.Rate > 0 && len(others) > 1:
		return usage.Errorf("%s %s could be that of %s\nhint: %s %s=%s says whose it is; repeat it for each that has one",
			option, rate, strings.Join(others[:len(others)-1], ", ")+" or "+others[len(others)-1], option, others[0], rate)
	case len(can) == 0:
		return none
	}
	return nil
}
