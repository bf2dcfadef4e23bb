package render

import (
	"fmt"
	"maps"
	"slices"
	"strings"

	"plimsoll/internal/block"
	"plimsoll/internal/figure"
	"plimsoll/internal/finding"
	"plimsoll/internal/finding/crossover"
	"plimsoll/internal/finding/sweep"
	"plimsoll/internal/record"
)

// clientCharts draws the sweeps of clients among a workload's cells, those of all machines that measured the same into one chart:
// every point with its interval and what it gains on the baseline, and the range in which the better machine changes.
func clientCharts(v *finding.View) []block.Chart {
	var swept []finding.Cell
	for _, c := range v.Cells {
		if sweep.KindByClients.Of(c) != nil {
			swept = append(swept, c)
		}
	}
	var out []block.Chart
	for _, group := range finding.GroupBy(swept, func(c finding.Cell) string { return v.Alone().Sweep(c) + sweep.KindByClients.Of(c).Unit }) {
		ch := newClientChart(group, v.Machines, pairsOfMachines(v.Compared))
		ch.ID = fmt.Sprintf("%s-clients-%d", v.ID, len(out)+1)
		ch.Title = figure.ChartTitle(group[0].Workload, v.Alone().Sweep(group[0]))
		out = append(out, ch)
	}
	return out
}

func pairsOfMachines(compared []finding.Compared) []finding.Pair {
	var out []finding.Pair
	for _, c := range compared {
		for _, p := range c.Pairs {
			if p.By == record.KeyMachine {
				out = append(out, p)
			}
		}
	}
	return out
}

func newClientChart(cells []finding.Cell, machines []string, pairs []finding.Pair) block.Chart {
	top := 0.0
	clients := map[float64]bool{}
	for _, c := range cells {
		for _, p := range sweep.KindByClients.Of(c).Points {
			clients[p.Clients] = true
			top = slices.Max(append(figure.Span{Value: p.Value, Lo: p.Lo, Hi: p.Hi}.Values(), top))
		}
	}
	first := cells[0]
	ch := block.Chart{X: block.MeasuredAxis("clients", slices.Sorted(maps.Keys(clients)), figure.Exact), Hint: "by clients; whiskers: interval"}
	var u figure.Scale
	ch.Y, u = block.FromZero(sweep.KindByClients.Of(first).Metric, sweep.KindByClients.Of(first).Unit, top*figure.ZoneRoom)
	style := block.NewStyler(machines, finding.CountMachines(cells) > 1)
	for i, c := range cells {
		look := style.Next(c.Machine)
		look.Group, look.Name, look.Joined = i, c.Machine, true
		ch.Lines = append(ch.Lines, clientLine(c, look, u, pairs))
	}
	ch.Legend = block.LegendOf(ch.Lines)
	said := []string{block.DescribeLines(ch.Lines)}
	for _, p := range pairs {
		for _, x := range clientCrossings(first, p) {
			ch.Zones = append(ch.Zones, block.Zone{From: block.Number(x.Lo), To: block.Number(x.Hi), Kind: record.RegimeBetween, Text: "on par"})
			said = append(said, x.Text(p.A, p.B))
			ch.Hint += "; " + x.Short(p.A, p.B)
		}
	}
	ch.Desc = strings.Join(said, ". ")
	return ch
}

func clientLine(c finding.Cell, look block.Line, u figure.Scale, pairs []finding.Pair) block.Line {
	for _, p := range sweep.KindByClients.Of(c).Points {
		s := figure.Span{Value: p.Value, Lo: p.Lo, Hi: p.Hi}
		tip := finding.LoadText(figure.Exact(p.Clients)+" clients") + ": " + figure.SpanText(s, u)
		if o := p.OverLast; o != nil && o.Lo != nil {
			tip += fmt.Sprintf(", %s to %s over the point before", figure.Percent(*o.Lo), figure.Percent(*o.Hi))
		}
		for _, pair := range pairs {
			if gain, ok := gainAt(c, p.Clients, pair); ok {
				tip += fmt.Sprintf(", %s over %s", gain, pair.A)
			}
		}
		look.Add(p.Clients, s, u, tip)
	}
	return look
}

// gainAt is what a machine's point gains on the pair's baseline, where it is the other side.
func gainAt(c finding.Cell, clients float64, p finding.Pair) (string, bool) {
	if c.Machine != p.B {
		return "", false
	}
	rest := besideClients(c.Params)
	at := slices.IndexFunc(p.Verdicts, func(v finding.Comparison) bool {
		return v.Workload == c.Workload && v.Metric == sweep.KindByClients.Of(c).Metric && figure.PerUnit(v.Per) == "" && v.Load == figure.Exact(clients)+" clients" && maps.Equal(besideClients(v.Params), rest)
	})
	if at < 0 || !rated(p.Verdicts[at]) {
		return "", false
	}
	v := p.Verdicts[at]
	if v.Lo == nil {
		return figure.Percent(v.Ratio), true
	}
	return changeCell(v).Text, true
}

// clientCrossings are where the better machine changes along the clients of a cell's sweep.
func clientCrossings(c finding.Cell, p finding.Pair) []crossover.Crossing {
	var out []crossover.Crossing
	for _, x := range crossover.KindCrossing.All(p) {
		if x.Axis == record.ParamClients && x.Workload == c.Workload && x.Metric == sweep.KindByClients.Of(c).Metric && figure.PerUnit(x.Per) == "" && maps.Equal(besideClients(x.Params), besideClients(c.Params)) {
			out = append(out, x)
		}
	}
	return out
}

func besideClients(params map[string]string) map[string]string {
	out := maps.Clone(params)
	delete(out, record.ParamClients)
	return out
}
