package sweep

import (
	"fmt"
	"strings"

	"plimsoll/internal/analysis/finding"
	"plimsoll/internal/analysis/finding/crossover"
	"plimsoll/internal/analysis/loadline"
	"plimsoll/internal/analysis/trialset"
	"plimsoll/internal/record"
	"plimsoll/internal/record/block"
	"plimsoll/internal/record/figure"
)

// byClients finds the curves of clients.
func byClients(in *finding.Input) []finding.Finding {
	var out []finding.Finding
	for _, r := range in.Ramps {
		carried := r.Carried()
		if r.Param != record.ParamClients || carried.Name == "" {
			continue
		}
		if c := r.Having(carried.Name).Curve; len(c.Points) >= loadline.MinRamp {
			out = append(out, KindByClients.New(byClientsAlong(c, carried), c.Scope()...)...)
		}
	}
	return out
}

func byClientsAlong(c trialset.Curve, carried record.Metric) *ByClients {
	out := &ByClients{Metric: carried.Name, Unit: carried.Unit}
	for i, at := range c.Points {
		p := ClientPoint{Clients: at.X, Estimate: at.Estimate(carried.Name), N: len(at.Trials)}
		if i > 0 {
			p.OverLast = at.Over(c.Points[i-1], carried.Name)
		}
		out.Points = append(out.Points, p)
	}
	return out
}

// clientCharts draws the sweeps of clients: each point with its gain on the baseline, and the range in which the better
// machine changes.
func clientCharts(v *finding.View) []block.Block {
	pairs := pairsOfMachines(v.Compared, v.Cells[0].Workload)
	var swept []curve
	for _, c := range v.Cells {
		if s := KindByClients.Of(c); s != nil {
			swept = append(swept, clientCurve(v, c, *s, pairs))
		}
	}
	return finding.Blocks(charts{
		kind: "clients", hint: "by clients; whiskers: interval", axis: clientScale,
		finish: func(ch *block.Chart, curves []curve, _ figure.Scale) { addCrossings(ch, curves[0], pairs) },
	}.draw(v, swept))
}

func clientScale(param string, xs []float64) block.Axis {
	return block.MeasuredAxis(param, xs, figure.Exact)
}

// pairOfMachines is a pair with its comparisons per machine by what a sweep's point asks for.
type pairOfMachines struct {
	finding.Pair
	at map[asked]int
}

// asked names the comparison at a number of clients; rest is the parameters beside it, load empty for all numbers.
type asked struct{ workload, metric, load, rest string }

func pairsOfMachines(compared []finding.Compared, workload string) []pairOfMachines {
	var out []pairOfMachines
	for _, c := range compared {
		for _, p := range c.Pairs {
			if p.By == record.KeyMachine {
				out = append(out, pairOfMachines{p, byAsked(p.Verdicts, workload)})
			}
		}
	}
	return out
}

// byAsked returns where the comparisons per machine are; of several that are named alike, the first.
func byAsked(cs []finding.Comparison, workload string) map[asked]int {
	out := map[asked]int{}
	for i := range cs {
		c := &cs[i]
		if c.Workload != workload {
			continue
		}
		at := asked{c.Workload, c.Metric, c.Load, restOf(c.Params)}
		if _, ok := out[at]; !ok && figure.PerUnit(c.Per) == "" {
			out[at] = i
		}
	}
	return out
}

func restOf(params map[string]string) string {
	return trialset.ParamsText(trialset.Without(params, record.ParamClients))
}

func clientCurve(v *finding.View, c finding.Cell, s ByClients, pairs []pairOfMachines) curve {
	out := curve{Cell: c, param: record.ParamClients, place: v.Alone().Sweep(c), metric: s.Metric,
		unit: figure.UnitOf(c.Counted(), s.Unit)}
	for _, p := range s.Points {
		y := p.Estimate
		out.points = append(out.points, point{p.Clients, y, func(u figure.Scale) string {
			parts := []string{clientsText(p.Clients) + ": " + figure.SpanText(y, u)}
			if o := p.OverLast; o != nil && o.Bounded() {
				parts = append(parts, changes(*o)+" over the point before")
			}
			return strings.Join(append(parts, gains(out, p.Clients, pairs)...), ", ")
		}})
	}
	return out
}

func clientsText(n float64) string {
	return finding.LoadText(figure.Exact(n) + " " + record.ParamClients)
}

// gains states the ratios of a machine at a number of clients to the baselines of its pairs.
func gains(c curve, clients float64, pairs []pairOfMachines) []string {
	var out []string
	of := asked{c.Workload, c.metric, figure.Exact(clients) + " " + record.ParamClients, restOf(c.Params)}
	for _, p := range pairs {
		at, ok := p.at[of]
		if p.B != c.Machine || !ok {
			continue
		}
		switch r := p.Verdicts[at].Change(); {
		case !figure.IsFinite(r.Value) || r.Value <= 0:
		case !r.Bounded():
			out = append(out, fmt.Sprintf("%s over %s", figure.Percent(r.Value), p.A))
		default:
			out = append(out, fmt.Sprintf("%s over %s", changes(r), p.A))
		}
	}
	return out
}

// addCrossings marks the ranges in which the better machine changes.
func addCrossings(ch *block.Chart, c curve, pairs []pairOfMachines) {
	of := asked{workload: c.Workload, metric: c.metric, rest: restOf(c.Params)}
	for _, p := range pairs {
		for _, x := range crossover.KindCrossing.All(p.Pair) {
			if x.Axis != record.ParamClients || figure.PerUnit(x.Per) != "" ||
				of != (asked{workload: x.Workload, metric: x.Metric, rest: restOf(x.Params)}) {
				continue
			}
			ch.Zones = append(ch.Zones, block.Zone{From: block.Number(x.Lo), To: block.Number(x.Hi), Kind: record.RegimeBetween,
				Text: "crossing"})
			ch.Desc += ". " + x.Text(p.A, p.B)
			ch.Hint += "; " + x.Short(p.A, p.B)
		}
	}
}
