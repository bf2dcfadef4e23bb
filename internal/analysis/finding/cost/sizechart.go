package cost

import (
	"cmp"
	"fmt"
	"maps"
	"slices"
	"strings"

	"plimsoll/internal/analysis/finding"
	"plimsoll/internal/base/list"
	"plimsoll/internal/record/block"
	"plimsoll/internal/record/figure"
)

// sized is the figure of one machine in a chart over the sizes of instance families.
type sized struct {
	worth
	basis finding.Basis
	at    int // place of its size along the axis
}

// sizeCharts draws figures over the sizes of instance families, a bar for each family at each size, with the factor to
// the family's size before. Of each machine it is the figure at its best load, if several saturate it. There is none
// unless a family of the catalogue has two sizes or more. All must have the same metric and unit.
func sizeCharts(v *finding.View, id string, all []worth) []block.Chart {
	var out []block.Chart
	for _, group := range finding.GroupBy(all, func(w worth) string { return v.Alone().Sweep(w.cell) }) {
		bars, one := bestOfEach(v, group)
		if !slices.ContainsFunc(bars, func(s sized) bool { return neighbour(bars, s) != nil }) {
			continue
		}
		ch := sizeChart(familiesOf(v), bars)
		ch.ID = fmt.Sprintf("%s-sizes-%d", id, len(out)+1)
		title := figure.NonEmpty(strings.TrimSuffix(v.Alone().Sweep(group[0].cell), ": "), one)
		if len(ch.Lines) == 1 { // it has no legend
			title = append([]string{ch.Lines[0].Name}, title...)
		}
		ch.Title = figure.ChartTitle(group[0].cell.Workload, strings.Join(title, ", "))
		out = append(out, ch)
	}
	return out
}

// bestOfEach returns the figure of each machine of a known family, placed along the axis: at its load of the highest.
// The load is returned if all are at the same one.
func bestOfEach(v *finding.View, all []worth) (bars []sized, load string) {
	loads := map[string]bool{}
	for _, group := range finding.GroupBy(all, func(w worth) string { return w.cell.Machine }) {
		best := slices.MaxFunc(group, func(a, b worth) int { return cmp.Compare(a.figure.Value, b.figure.Value) })
		if b := v.Bases[best.cell.Machine]; b.Family != "" && b.VCPUs > 0 && b.Hosts < 2 {
			bars = append(bars, sized{best, b, 0})
			loads[finding.LoadText(best.cell.Load)] = true
		}
	}
	placeSizes(bars)
	if len(loads) == 1 {
		for load = range loads {
			return bars, load
		}
	}
	return bars, "each machine at its best load"
}

// placeSizes orders machines by their vCPUs. Two of a family that have as many, such as 24xlarge and metal, have places
// of their own.
func placeSizes(bars []sized) {
	slices.SortStableFunc(bars, func(a, b sized) int {
		return cmp.Or(cmp.Compare(a.basis.VCPUs, b.basis.VCPUs), cmp.Compare(a.basis.Size, b.basis.Size))
	})
	at, taken := 0, map[string]bool{}
	for i := range bars {
		if i > 0 && (bars[i].basis.VCPUs != bars[i-1].basis.VCPUs || taken[bars[i].basis.Family]) {
			at++
			clear(taken)
		}
		bars[i].at, taken[bars[i].basis.Family] = at, true
	}
}

// neighbour returns the next smaller size of the same family; nil if there is none.
func neighbour(bars []sized, of sized) *sized {
	var out *sized
	for i, s := range bars {
		if s.basis.Family == of.basis.Family && s.at < of.at {
			out = &bars[i] // they ascend
		}
	}
	return out
}

// barShare is the part of a size's place that its bars take.
const barShare = .8

func sizeChart(families []string, bars []sized) block.Chart {
	drawn := list.Filter(families, func(f string) bool {
		return slices.ContainsFunc(bars, func(s sized) bool { return s.basis.Family == f })
	})
	ch := block.Chart{Hint: "whiskers: interval; above a bar: the factor to the family's size before"}
	ch.X = block.Axis{Name: "instance size", Lo: -.5, Hi: block.Number(bars[len(bars)-1].at) + .5}
	var values []float64
	for _, s := range bars {
		values = append(values, s.figure.Values()...)
	}
	unit := figure.UnitOf(bars[0].cell.Counted(), bars[0].unit)
	const room = 1.12 // for the factor above the highest bar
	var u figure.Scale
	ch.Y, u = block.FromZero(bars[0].cell.Metric+figure.PerUnit(bars[0].per), unit, room*slices.Max(values))
	for place := range int(ch.X.Hi + 1) {
		ch.X.Ticks = append(ch.X.Ticks, sizeTick(bars, place))
	}
	guessed := false
	for i, family := range drawn {
		l := block.Line{Name: family, Group: i, Colour: slices.Index(families, family) % block.SeriesColours, Shape: "square",
			Bar: barShare / block.Number(len(drawn))}
		for _, s := range bars {
			if s.basis.Family != family {
				continue
			}
			at := float64(s.at) + (float64(i)-float64(len(drawn)-1)/2)*float64(l.Bar)
			l.Add(at, s.figure, u, sizeTip(bars, s, u))
			fill := ""
			if s.guessed {
				fill, guessed = "half", true
			}
			l.Fills = append(l.Fills, fill)
			if before := neighbour(bars, s); before != nil {
				top := slices.Max(s.figure.Values())
				l.Notes = append(l.Notes, block.Word{X: block.Number(at), Y: block.Numbers(u, &top)[0],
					Text: factorText(s, *before)})
			}
		}
		ch.Lines = append(ch.Lines, l)
	}
	if guessed {
		ch.Hint += "; " + guessText([]worth{{guessed: true}})
	}
	ch.Legend, ch.Desc = block.LegendOf(ch.Lines), block.DescribeLines(ch.Lines)
	return ch
}

// familiesOf returns the families of all of a document's machines in their order, which gives them their colours: the
// same in all of its charts.
func familiesOf(v *finding.View) []string {
	var out []string
	for _, m := range v.Machines {
		if f := v.Bases[m].Family; f != "" && !slices.Contains(out, f) {
			out = append(out, f)
		}
	}
	return out
}

// sizeTick names the size at a place: as its machines' provider does, or by vCPUs if their names differ.
func sizeTick(bars []sized, place int) block.Tick {
	names := map[string]bool{}
	vcpus := 0.0
	for _, s := range bars {
		if s.at == place {
			names[s.basis.Size], vcpus = true, s.basis.VCPUs
		}
	}
	text := figure.Exact(vcpus) + " vCPUs"
	if len(names) == 1 {
		text = cmp.Or(slices.Collect(maps.Keys(names))[0], text)
	}
	short := strings.NewReplacer("xlarge", "xl", "large", "l", "medium", "m", " vCPUs", "").Replace(text)
	return block.Tick{At: block.Number(place), Text: text, Short: short}
}

func factorText(s, before sized) string {
	factor := s.figure.Value / before.figure.Value
	if nearOne := .95; factor < nearOne {
		return "×" + figure.Fixed(factor, 2)
	}
	return "×" + figure.Fixed(factor, 1)
}

// sizeTip states a bar's figure, its load, and the factor to the size before beside that of the vCPUs.
func sizeTip(bars []sized, s sized, u figure.Scale) string {
	parts := []string{fmt.Sprintf("%s, %s vCPUs: %s", cmp.Or(s.basis.Size, s.basis.Type), figure.Exact(s.basis.VCPUs),
		figure.SpanText(s.figure, u)), finding.LoadText(s.cell.Load)}
	if s.guessed {
		parts = append(parts, "estimate")
	}
	if before := neighbour(bars, s); before != nil {
		parts = append(parts, fmt.Sprintf("%s over %s, for %s times the vCPUs", factorText(s, *before),
			cmp.Or(before.basis.Size, before.basis.Type), figure.Scale{Factor: 1}.Number(s.basis.VCPUs/before.basis.VCPUs, 2)))
	}
	return figure.Joined(parts...) + " (" + figure.N(s.cell.N) + ")"
}
