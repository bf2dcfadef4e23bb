package render

import (
	"fmt"
	"io"
	"slices"
	"strings"

	"plimsoll/internal/analysis/finding"
	"plimsoll/internal/analysis/trialset"
	"plimsoll/internal/base/list"
	"plimsoll/internal/machine/forecast"
	"plimsoll/internal/plan"
	"plimsoll/internal/present/media/term"
	"plimsoll/internal/record"
	"plimsoll/internal/record/block"
	"plimsoll/internal/record/figure"
)

// Planned is a plan before its first trial, with its forecast.
type Planned struct {
	Plan     record.Plan
	Machines map[string]record.Machine // by host
	Forecast plan.Forecast
	Bases    []finding.Basis // of each host, and of each generator behind them, in the plan's order
	Missing  []string        // engines that are to be set up first
	NoSpace  []string        // data that do not fit
	FitnessS float64         // seconds of the forecast for an A/A after the last run
}

// Plan writes the planned trials, their duration, price and bytes. The error is the writer's.
func Plan(w io.Writer, style term.Style, d Planned) error {
	p := term.NewPrinter(w, style)
	p.Note(0, block.Sentence{Lead: d.Plan.Name, Tone: block.Strong, Text: headline(d)}, 0)
	p.Notes(2, slices.Concat(dimmed("design", list.Map(d.Plan.Designs, record.Design.String)),
		dimmed("cluster", clusterTexts(d)), forecastNotes(d)))
	shown := plannedParams(d.Plan)
	for _, group := range finding.GroupBy(placesOf(d), func(at int) string { return d.Plan.Cells[at].Workload }) {
		p.Gap()
		split := finding.SplitOf(list.Map(group, func(at int) map[string]string { return shown[at] }))
		p.Heading(d.Plan.Cells[group[0]].Workload, split.Fixed)
		p.Table(4, plannedTable(d, group, shown, split))
	}
	return p.Err
}

// Plans writes the time and the price of several plans that are carried out one after the other, and of all of them.
// The error is the writer's.
func Plans(w io.Writer, style term.Style, all []Planned) error {
	p := term.NewPrinter(w, style)
	t := block.Table{Columns: []block.Column{{Name: "suite"}, {Name: "cells", Right: true}, {Name: "runs"},
		{Name: "time"}, {Name: "disk", Right: true}, {Name: "price"}}}
	var missing []string
	for _, d := range all {
		f := d.Forecast
		peak := int64(0)
		for _, h := range f.Hosts {
			for _, use := range h.Most.Disks {
				peak = max(peak, use.Peak)
			}
		}
		perHour, price := 0.0, ""
		for _, b := range d.Bases {
			perHour += b.PricePerHour
		}
		if perHour > 0 {
			price = priceOf(f, perHour)
		}
		disk := ""
		if peak > 0 {
			disk = figure.Quantity(float64(peak), "B")
		}
		t.Rows = append(t.Rows, []block.Cell{{Text: d.Plan.Name, Tone: block.Strong},
			{Text: fmt.Sprint(len(d.Plan.Cells))}, {Text: trialsText(f.Least.Trials, f.Most.Trials)},
			{Text: spanOfTime(f.Least.Total(), f.Most.Total()) + openText(f)}, {Text: disk}, {Text: price}})
		for _, name := range d.Missing {
			missing = trialset.AppendNew(missing, name)
		}
	}
	p.Table(0, t)
	p.Gap()
	p.Note(0, block.Sentence{Lead: "all", Tone: block.Strong, Text: "about " + Together(all)}, 0)
	for _, d := range all {
		for _, text := range d.NoSpace {
			p.Note(0, block.Sentence{Lead: "disk", Tone: block.Warn, Text: d.Plan.Name + ": " + text}, 0)
		}
	}
	if len(missing) > 0 {
		p.Note(0, block.Sentence{Lead: "missing", Tone: block.Warn,
			Text: "not set up: plimsoll setup " + strings.Join(missing, " ")}, 0)
	}
	return p.Err
}

// Together returns the time of several plans that are carried out one after the other.
func Together(all []Planned) string {
	var least, most float64
	for _, d := range all {
		least, most = least+d.Forecast.Least.Total(), most+d.Forecast.Most.Total()
	}
	return spanOfTime(least, most)
}

// headline states the number of runs, their duration and its parts.
func headline(d Planned) string {
	least, most := d.Forecast.Least, d.Forecast.Most
	text := fmt.Sprintf("%s, %s in about %s: %s of warm-up and measurement, %s of setup",
		figure.Count(len(d.Plan.Cells), "benchmark"), trialsText(least.Trials, most.Trials),
		spanOfTime(least.Total(), most.Total()), spanOfTime(least.Load, most.Load), spanOfTime(least.Overhead, most.Overhead))
	return text + openText(d.Forecast)
}

// openText names what takes a time that nobody knows.
func openText(f plan.Forecast) string {
	var open []string
	for _, h := range f.Hosts {
		open = append(open, h.Most.Open...)
	}
	slices.Sort(open)
	if open = slices.Compact(open); len(open) > 0 {
		return ", plus the time of " + strings.Join(open, " and ") + ", which is unknown"
	}
	return ""
}

// forecastNotes states what takes the time besides warm-up and measurement, the price, the space and missing engines.
func forecastNotes(d Planned) []block.Sentence {
	var out []block.Sentence
	hosts := d.paid()
	say := func(lead string, host int, tone block.Tone, text string) {
		if text != "" {
			out = append(out, block.Sentence{Lead: lead, Tone: tone, Text: d.Machines[hosts[host]].Name + text})
		}
	}
	for i, h := range d.Forecast.Hosts {
		say("time", i, block.Dim, stepsText(h))
	}
	if d.FitnessS > 0 {
		say("sensitivity", 0, block.Dim, ": "+record.FormatDuration(d.FitnessS)+
			" of these, in which it is compared with itself")
	}
	last := lastPriced(d.Bases)
	for i, b := range d.Bases {
		text := billText(b, d.Forecast)
		if i == last {
			text += totalBill(d)
		}
		say("price", i, block.Dim, text)
	}
	for i, h := range d.Forecast.Hosts {
		for _, use := range h.Most.Disks {
			say("disk", i, full(use.Free > 0 && use.Free < use.Peak), diskText(use))
		}
	}
	for i, host := range d.Plan.Hosts {
		memory, m := memoryOf(d, host), d.Machines[host].Memory
		say("memory", i, full(memory > m), memoryText(memory, m))
	}
	for _, text := range d.NoSpace {
		out = append(out, block.Sentence{Lead: "disk", Tone: block.Warn, Text: text})
	}
	if len(d.Missing) > 0 {
		say("missing", 0, block.Warn, fmt.Sprintf(": not set up: plimsoll setup %s", strings.Join(d.Missing, " ")))
	}
	return out
}

func full(is bool) block.Tone {
	if is {
		return block.Warn
	}
	return block.Dim
}

func stepsText(h plan.HostForecast) string {
	var parts []string
	for i, most := range h.Most.Steps {
		least := 0.0
		if i < len(h.Least.Steps) {
			least = h.Least.Steps[i].Seconds
		}
		parts = append(parts, most.Name+" "+spanOfTime(least, most.Seconds))
	}
	if len(parts) == 0 {
		return ""
	}
	return ": " + strings.Join(parts, ", ")
}

// billText states the price of a machine from the first run of the session to the last.
func billText(b finding.Basis, f plan.Forecast) string {
	if b.PricePerHour <= 0 {
		return ""
	}
	kind := ""
	if b.Type != "" {
		kind = " (" + b.Type + ")"
	}
	return fmt.Sprintf("%s: about %s", kind, priceOf(f, b.PricePerHour))
}

func priceOf(f plan.Forecast, perHour float64) string {
	usd := func(s plan.Span) string { return fmt.Sprintf("$%.2f", perHour*s.Total()/3600) }
	return fmt.Sprintf("%s at $%s an hour", rangeText(usd(f.Least), usd(f.Most)), figure.Exact(perHour))
}

// Bill states the time and the price of a session on machines that cost this much together.
func Bill(f plan.Forecast, perHour float64) string {
	return spanOfTime(f.Least.Total(), f.Most.Total()) + ", " + priceOf(f, perHour) + openText(f)
}

// lastPriced returns the last machine that has a price to state; -1: none has.
func lastPriced(bases []finding.Basis) int {
	for i, b := range slices.Backward(bases) {
		if b.PricePerHour > 0 {
			return i
		}
	}
	return -1
}

// totalBill ends the last machine's price with that of all; "" of one.
func totalBill(d Planned) string {
	perHour, priced := 0.0, 0
	for _, b := range d.Bases {
		if b.PricePerHour > 0 {
			perHour, priced = perHour+b.PricePerHour, priced+1
		}
	}
	if priced < 2 {
		return ""
	}
	text := fmt.Sprintf("; together about %s", priceOf(d.Forecast, perHour))
	if priced < len(d.Bases) {
		text += fmt.Sprintf(", without %d whose price is unknown", len(d.Bases)-priced)
	}
	return text
}

func diskText(use forecast.DiskUse) string {
	text := fmt.Sprintf(": up to %s at once", figure.Quantity(float64(use.Peak), "B"))
	if use.Kept > 0 {
		text += fmt.Sprintf(", of which %s stay until the session ends", figure.Quantity(float64(use.Kept), "B"))
	}
	if use.Free > 0 {
		text += fmt.Sprintf("; %s is free", figure.Quantity(float64(use.Free), "B"))
	}
	return text
}

// memoryOf returns the most bytes that a run on a host should keep resident.
func memoryOf(d Planned, host string) int64 {
	var most int64
	for i, c := range d.Plan.Cells {
		if c.On(host) {
			most = max(most, d.Forecast.Costs[i].Memory)
		}
	}
	return most
}

func memoryText(needed, all int64) string {
	if needed == 0 {
		return ""
	}
	return fmt.Sprintf(": %s, and up to %s to keep in it, if that fits", figure.Quantity(float64(all), "B"),
		figure.Quantity(float64(needed), "B"))
}

func placesOf(d Planned) []int {
	out := make([]int, len(d.Plan.Cells))
	for i := range out {
		out[i] = i
	}
	return out
}

func trialsText(least, most int) string {
	if least == most {
		return figure.Count(most, "run")
	}
	return fmt.Sprintf("%d to %s", least, figure.Count(most, "run"))
}

// spanOfTime words a range of seconds.
func spanOfTime(least, most float64) string {
	return rangeText(figure.Duration(least).String(), figure.Duration(most).String())
}

// plannedParams returns the parameters of each cell as texts show them.
func plannedParams(p record.Plan) []map[string]string {
	var out []map[string]string
	for i, w := range finding.PlannedWordings(p) {
		out = append(out, w.Of(p.Cells[i].Params))
	}
	return out
}

func plannedTable(d Planned, at []int, shown []map[string]string, split finding.Split) block.Table {
	var t block.Table
	several := len(d.Plan.Hosts) > 1
	if several {
		t.Columns = append(t.Columns, block.Column{Name: "machine"})
	}
	t.Columns = append(append(t.Columns, split.Columns()...), block.Column{Name: "load"})
	t.Keys = len(t.Columns)
	onDisk := slices.ContainsFunc(at, func(i int) bool { return diskOf(d.Forecast.Costs[i]) > 0 })
	inMemory := slices.ContainsFunc(at, func(i int) bool { return d.Forecast.Costs[i].Memory > 0 })
	if onDisk {
		t.Columns = append(t.Columns, block.Column{Name: "disk", Right: true})
	}
	if inMemory {
		t.Columns = append(t.Columns, block.Column{Name: "in memory", Right: true})
	}
	for _, i := range at {
		c := d.Plan.Cells[i]
		var row []block.Cell
		if several {
			row = append(row, block.Cell{Text: d.Machines[c.Host].Name})
		}
		row = append(append(row, split.Cells(shown[i])...), block.Cell{Text: finding.LoadText(plannedLoad(c))})
		if onDisk {
			row = append(row, block.Cell{Text: bytesOrNone(diskOf(d.Forecast.Costs[i]))})
		}
		if inMemory {
			row = append(row, block.Cell{Text: bytesOrNone(d.Forecast.Costs[i].Memory)})
		}
		t.Rows = append(t.Rows, row)
	}
	return t
}

// diskOf returns the bytes of a run's files, with the data that it shares.
func diskOf(c forecast.Cost) int64 { return c.Disk + c.Kept() }

// plannedLoad returns a cell's load, or that a search will find it.
func plannedLoad(c record.Cell) string {
	switch {
	case c.Search == nil:
		return c.Load.Key()
	case c.Search.Sweep:
		return record.KeySwept
	}
	return record.KeySearched
}

// paid returns the hosts that a session pays, in the order of Bases.
func (d Planned) paid() []string { return slices.Concat(d.Plan.Hosts, d.Plan.Generators) }

// clusterTexts names the hosts of each cluster that has several, as they are reached: the first goes by the cluster's
// name.
func clusterTexts(d Planned) []string {
	var out []string
	for _, first := range d.Plan.Hosts {
		at := slices.IndexFunc(d.Plan.Cells, func(c record.Cell) bool { return c.Host == first && len(c.Cluster) > 0 })
		if at < 0 {
			continue
		}
		hosts := []string{first}
		for _, h := range d.Plan.Cells[at].Cluster {
			hosts = append(hosts, fmt.Sprintf("%s (%s)", d.Machines[h].Name, h))
		}
		out = append(out, fmt.Sprintf("%s: a server on each of %d hosts: %s", d.Machines[first].Name, len(hosts),
			strings.Join(hosts, ", ")))
	}
	return out
}

// dimmed returns a note of one kind for each text.
func dimmed(lead string, texts []string) []block.Sentence {
	return list.Map(texts, func(text string) block.Sentence {
		return block.Sentence{Lead: lead, Tone: block.Dim, Text: text}
	})
}
