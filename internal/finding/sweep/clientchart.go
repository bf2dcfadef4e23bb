package sweep

import (
	"fmt"
	"maps"
	"slices"
	"strings"

	"plimsoll/internal/block"
	"plimsoll/internal/figure"
	"plimsoll/internal/finding"
	"plimsoll/internal/finding/crossover"
	"plimsoll/internal/record"
)

// clientCharts draws the sweeps of clients: each point with its gain on the baseline, and the range in which the better
// machine changes.
func clientCharts(v *finding.View) []block.Block {
	pairs := pairsOfMachines(v.Compared)
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

func pairsOfMachines(compared []finding.Compared) []finding.Pair {
	var out []finding.Pair
	for _, c := range compared {
		out = append(out, c.Pairs...)
	}
	return slices.DeleteFunc(out, func(p finding.Pair) bool { return p.By != record.KeyMachine })
}

func clientCurve(v *finding.View, c finding.Cell, s ByClients, pairs []finding.Pair) curve {
	out := curve{Cell: c, param: record.ParamClients, place: v.Alone().Sweep(c), metric: s.Metric, unit: figure.UnitOf(c.Workload, s.Unit)}
	for _, p := range s.Points {
		y := finding.SpanOf(p.Estimate)
		out.points = append(out.points, point{p.Clients, y, func(u figure.Scale) string {
			parts := []string{clientsText(p.Clients) + ": " + figure.SpanText(y, u)}
			if o := p.OverLast; o != nil && o.Lo != nil {
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
func gains(c curve, clients float64, pairs []finding.Pair) []string {
	var out []string
	for _, p := range pairs {
		at := slices.IndexFunc(p.Verdicts, func(v finding.Comparison) bool {
			return c.about(v.Workload, v.Metric, v.Per, v.Params) && v.Load == figure.Exact(clients)+" "+record.ParamClients
		})
		if p.B != c.Machine || at < 0 {
			continue
		}
		switch r := p.Verdicts[at].Change(); {
		case !figure.IsFinite(r.Value) || r.Value <= 0:
		case r.Lo == nil:
			out = append(out, fmt.Sprintf("%s over %s", figure.Percent(r.Value), p.A))
		default:
			out = append(out, fmt.Sprintf("%s over %s", changes(r), p.A))
		}
	}
	return out
}

// about reports whether a finding about two machines is about the metric of the sweep.
func (c curve) about(workload, metric, per string, params map[string]string) bool {
	return workload == c.Workload && metric == c.metric && figure.PerUnit(per) == "" && maps.Equal(beside(params, c.param), beside(c.Params, c.param))
}

func beside(params map[string]string, swept string) map[string]string {
	out := maps.Clone(params)
	delete(out, swept)
	return out
}

// addCrossings marks the ranges in which the better machine changes.
func addCrossings(ch *block.Chart, c curve, pairs []finding.Pair) {
	for _, p := range pairs {
		for _, x := range crossover.KindCrossing.All(p) {
			if x.Axis != record.ParamClients || !c.about(x.Workload, x.Metric, x.Per, x.Params) {
				continue
			}
			ch.Zones = append(ch.Zones, block.Zone{From: block.Number(x.Lo), To: block.Number(x.Hi), Kind: record.RegimeBetween, Text: "on par"})
			ch.Desc += ". " + x.Text(p.A, p.B)
			ch.Hint += "; " + x.Short(p.A, p.B)
		}
	}
}
