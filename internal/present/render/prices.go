package render

import (
	"fmt"
	"io"
	"slices"
	"strconv"

	"plimsoll/internal/analysis/finding"
	"plimsoll/internal/machine/catalog"
	"plimsoll/internal/present/media/term"
	"plimsoll/internal/record/block"
	"plimsoll/internal/record/figure"
)

// unknownFigure replaces figures missing in the catalogue.
const unknownFigure = finding.UnknownFigure

// Families writes instance types family by family, with the range of their
// sizes and of their prices at a date. The error is the writer's.
func Families(w io.Writer, style term.Style, types []catalog.Type, date string) error {
	p := term.NewPrinter(w, style)
	t := block.Table{Keys: 1, Columns: []block.Column{
		{Name: "vendor"}, {Name: "family"}, {Name: "arch"}, {Name: "types", Right: true}, {Name: "vCPUs", Right: true},
		{Name: "$/h", Right: true},
	}}
	for _, group := range finding.GroupBy(types, func(t catalog.Type) string { return t.Vendor + "\x00" + t.Family }) {
		first := group[0]
		t.Rows = append(t.Rows, []block.Cell{
			{Text: first.Vendor}, {Text: first.Family, Tone: block.Strong}, {Text: first.Arch}, {Text: strconv.Itoa(len(group))},
			{Text: vcpuRange(group)}, {Text: priceRange(group, date)},
		})
	}
	p.Table(0, t)
	return p.Err
}

func vcpuRange(types []catalog.Type) string {
	var counts []int
	for _, t := range types {
		counts = append(counts, t.VCPUs)
	}
	return rangeText(strconv.Itoa(slices.Min(counts)), strconv.Itoa(slices.Max(counts)))
}

func priceRange(types []catalog.Type, date string) string {
	var prices []float64
	for _, t := range types {
		if p, ok := t.Price(date); ok {
			prices = append(prices, p.PerHour)
		}
	}
	if len(prices) == 0 {
		return unknownFigure
	}
	return rangeText(figure.Exact(slices.Min(prices)), figure.Exact(slices.Max(prices)))
}

func rangeText(from, to string) string {
	if from == to {
		return from
	}
	return from + " to " + to
}

// Types writes instance types with their resources and prices at a date. The error is the writer's.
func Types(w io.Writer, style term.Style, types []catalog.Type, date string) error {
	p := term.NewPrinter(w, style)
	t := block.Table{Keys: 1, Columns: []block.Column{
		{Name: "type"}, {Name: "arch"}, {Name: "vCPUs", Right: true}, {Name: "cores", Right: true},
		{Name: "GiB", Right: true}, {Name: "NVMe GB", Right: true},
		{Name: "net Mbit/s", Right: true}, {Name: "EBS Mbit/s", Right: true}, {Name: "$/h", Right: true}, {Name: "price of"},
	}}
	for _, ty := range types {
		cores := unknownFigure
		if ty.Cores > 0 {
			cores = strconv.Itoa(ty.Cores)
		}
		row := []block.Cell{{Text: ty.Name, Tone: block.Strong}, {Text: ty.Arch}, {Text: strconv.Itoa(ty.VCPUs)},
			{Text: cores}}
		for _, a := range []catalog.Amount{ty.MemoryGiB, ty.NVMeGB, ty.NetworkMbps, ty.EBSMbps} {
			row = append(row, block.Cell{Text: amountText(a)})
		}
		t.Rows = append(t.Rows, append(row, priceCells(ty, date)...))
	}
	p.Table(0, t)
	return p.Err
}

func priceCells(t catalog.Type, date string) []block.Cell {
	price, ok := t.Price(date)
	if !ok {
		return []block.Cell{{Text: unknownFigure, Tone: block.Dim}, {}}
	}
	return []block.Cell{{Text: figure.Exact(price.PerHour), Tone: block.Plain},
		{Text: priceOrigin(price), Tone: block.Dim}}
}

// priceOrigin states the date of a price, and whether it is the user's own.
func priceOrigin(p catalog.Price) string {
	date := p.Date
	if date == "" {
		date = "no date"
	}
	if p.Own {
		date += " own"
	}
	return date
}

func amountText(a catalog.Amount) string {
	if !a.Known {
		return unknownFigure
	}
	return figure.Exact(a.Value)
}

// Findings writes the violations of a catalogue's rules, excused ones last. The error is the writer's.
func Findings(w io.Writer, style term.Style, findings []catalog.Finding, types int) error {
	p := term.NewPrinter(w, style)
	var open, excused []block.Sentence
	for _, f := range findings {
		text := f.Name + ": " + f.Text
		if f.Excuse == "" {
			open = append(open, block.Sentence{Lead: f.Rule, Tone: block.Bad, Text: text})
			continue
		}
		excused = append(excused, block.Sentence{Lead: "excused", Tone: block.Dim, Text: text + "; " + f.Excuse})
	}
	p.Notes(0, open)
	p.Notes(0, excused)
	p.Note(0,
		block.Sentence{Text: fmt.Sprintf("%s, %d rules: %d broken, %d excused", figure.Count(types, "type"),
			len(catalog.Rules()), len(open), len(excused))}, 0)
	return p.Err
}
