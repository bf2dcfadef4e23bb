package headroom

import (
	"cmp"
	"fmt"
	"math"
	"slices"
	"strings"

	"plimsoll/internal/analysis/finding"
	"plimsoll/internal/analysis/loadline"
	"plimsoll/internal/base/list"
	"plimsoll/internal/record"
	"plimsoll/internal/record/block"
	"plimsoll/internal/record/figure"
)

// lineRoom is the ratio of a chart's height to the limit of its load line. Higher values are past the line and would
// flatten all below.
const lineRoom = 2

// lineCurve is one sweep's line of one statistic.
type lineCurve struct {
	cell finding.Cell
	line loadline.Line
}

// loadLineCharts draws the sweeps of load among a workload's cells: latency over throughput, one chart for each
// statistic, with all machines that measured the same.
func loadLineCharts(v *finding.View) []block.Chart {
	var all []lineCurve
	for _, c := range v.Cells {
		for _, s := range statistics(c) {
			all = append(all, lineCurve{c, inUnitsOf(c.Workload, LinesIn(c)[s])})
		}
	}
	var out []block.Chart
	for _, group := range finding.GroupBy(all, func(c lineCurve) string {
		return strings.Join([]string{c.line.Statistic, v.Alone().Sweep(c.cell), c.line.Unit, c.line.Metric}, "\x00")
	}) {
		ch := newLineChart(group, v.Machines)
		ch.ID = fmt.Sprintf("%s-line-%d", v.ID, len(out)+1)
		ch.Title = figure.ChartTitle(group[0].cell.Workload, v.Alone().Sweep(group[0].cell))
		out = append(out, ch)
	}
	return out
}

// mostNamed is the number of curves up to which each has its max load next to it; words of more would hide each other.
const mostNamed = 4

func newLineChart(curves []lineCurve, machines []string) block.Chart {
	top := 0.0
	var cells []finding.Cell
	for _, c := range curves {
		cells = append(cells, c.cell)
		top = math.Max(top, lineRoom*c.line.Limit)
	}
	most := 0.0
	for _, c := range curves {
		for _, p := range drawnProbes(c.line, top) {
			most = math.Max(most, p.Value)
		}
		most = math.Max(most, *cmp.Or(c.line.AtMost, &c.line.MaxSustained))
	}
	ch := block.Chart{Chief: curves[0].line.Statistic == Chief(curves[0].cell).Statistic,
		Hint: "dashed: latency target; thick: 95% CI of max load; overloaded points are left out"}
	x := figure.ScaleFor(curves[0].line.Unit, most)
	ch.X = block.Axis{Name: "throughput", Unit: x.Unit, Hi: block.Number(most * (1 + figure.AxisPad) / x.Factor)}
	name := record.Latency
	if s := curves[0].line.Statistic; s != name {
		name += " " + s
	}
	var y figure.Scale
	ch.Y, y = block.FromZero(name, "s", top)
	style := block.NewStyler(machines, finding.CountMachines(cells) > 1)
	for i, c := range curves {
		look := style.Next(c.cell.Machine)
		look.Group, look.Name = i, c.cell.Machine
		lines := lineLines(c.line, look, x, y, top)
		if len(curves) > mostNamed {
			lines[1].Notes = nil
		}
		ch.Lines = append(ch.Lines, lines...)
	}
	var shaded string
	if ch.Zones, shaded = fleetZones(curves, x); shaded != "" {
		ch.Hint += "; shaded: " + shaded
	}
	ch.Legend, ch.Desc = block.LegendOf(ch.Lines), block.DescribeLines(ch.Lines)
	return ch
}

// lineLines returns a sweep's probes while they rise and stay below the top, and the latency limit up to their
// crossing.
func lineLines(l loadline.Line, look block.Line, x, y figure.Scale, top float64) []block.Line {
	probes, limit, sure := look, look, look
	probes.Joined = true
	for _, p := range drawnProbes(l, top) {
		probes.X = append(probes.X, block.Numbers(x, &p.Value)...)
		probes.Y = append(probes.Y, block.Numbers(y, &p.Latency)...)
		probes.Tips = append(probes.Tips, probeTip(p, l.Unit))
	}
	limit.Name, limit.Shape, limit.Joined, limit.Faint = look.Name+", limit", "", true, true
	limit.X, limit.Y = append([]block.Number{0}, block.Numbers(x, &l.MaxSustained)...), block.Numbers(y, &l.Limit,
		&l.Limit)
	at := l.MaxSustained
	if l.AtMost != nil {
		at = *l.AtMost
		limit.X[1] = block.Numbers(x, l.AtMost)[0]
	}
	text := "max load " + x.Text(at, figure.Digits)
	if !l.Crossed {
		text += " or more"
	}
	limit.Notes = []block.Word{{X: limit.X[1], Y: limit.Y[1], Text: text, Ends: true}}
	if !l.Bounded() || l.AtMost != nil {
		return []block.Line{probes, limit}
	}
	sure.Name, sure.Shape, sure.Joined, sure.Wide = look.Name+", interval of the limit", "", true, true
	sure.X, sure.Y = block.Numbers(x, l.Lo, l.Hi), block.Numbers(y, &l.Limit, &l.Limit)
	return []block.Line{probes, limit, sure}
}

// fleetZones returns the load of each machine of the fleet to take, from that of all machines to that of those that are
// left when some failed, and what that is. Fleets are by the chief statistic.
func fleetZones(curves []lineCurve, x figure.Scale) (zones []block.Zone, what string) {
	for _, c := range curves {
		for _, r := range KindRecommendation.All(c.cell) {
			for _, choice := range r.able() {
				n := choice.Need
				if choice.Machine != c.cell.Machine || choice.Statistic != c.line.Statistic ||
					!slices.Contains(r.Take, choice.Machine) || n.Share == nil || n.ShareAfter == nil {
					continue
				}
				from, to := *n.Share**n.Line, *n.ShareAfter**n.Line
				zone := block.Zone{From: block.Number(from / x.Factor),
					To: block.Number(math.Max(to, from*(1+leastZone)) / x.Factor), Kind: "demand"}
				return []block.Zone{zone}, fmt.Sprintf("the load of each of %d %s, at its right if %d failed", *n.Machines,
					choice.Machine, r.Failures)
			}
		}
	}
	return nil, ""
}

// leastZone is the least width of a zone, as a fraction of where it begins.
const leastZone = .02

// drawnProbes returns a sweep's probes while they rise, without those above the top.
func drawnProbes(l loadline.Line, top float64) []loadline.Probe {
	last := 0.0
	return list.Filter(l.Probes, func(p loadline.Probe) bool {
		if p.Value <= last || p.Latency > top {
			return false
		}
		last = p.Value
		return true
	})
}

func probeTip(p loadline.Probe, unit string) string {
	text := fmt.Sprintf("%s: %s, %s", finding.LoadText(p.Load), figure.Quantity(p.Value, unit),
		figure.Quantity(p.Latency, "s"))
	if p.CPU != nil {
		text += fmt.Sprintf(", %s%% CPU", figure.Fixed(*p.CPU, 1))
	}
	return text + " (" + figure.N(p.N) + ")"
}
