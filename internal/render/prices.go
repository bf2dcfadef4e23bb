package render

import (
	"fmt"
	"io"
	"slices"
	"strconv"

	"plimsoll/internal/catalog"
)

// unknownFigure stands for what the catalogue does not know.
const unknownFigure = "?"

// Families writes instance types family by family, with the range of their
// sizes and of their prices at a date. The error is the writer's.
func Families(w io.Writer, style Style, types []catalog.Type, date string) error {
	p := newPrinter(w, style)
	t := table{Keys: 1, Columns: []column{
		{Name: "vendor"}, {Name: "family"}, {Name: "arch"}, {"types", true}, {"vCPUs", true}, {"$/h", true},
	}}
	for _, group := range groupBy(types, func(t catalog.Type) string { return t.Vendor + "\x00" + t.Family }) {
		first := group[0]
		t.Rows = append(t.Rows, []cell{
			{Text: first.Vendor}, {first.Family, strong}, {Text: first.Arch}, {Text: strconv.Itoa(len(group))},
			{Text: vcpuRange(group)}, {Text: priceRange(group, date)},
		})
	}
	p.table(0, t)
	return p.err
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
	return rangeText(exact(slices.Min(prices)), exact(slices.Max(prices)))
}

func rangeText(from, to string) string {
	if from == to {
		return from
	}
	return from + " to " + to
}

// Types writes instance types with what they have and what they cost at a date. The error
// is the writer's.
func Types(w io.Writer, style Style, types []catalog.Type, date string) error {
	p := newPrinter(w, style)
	t := table{Keys: 1, Columns: []column{
		{Name: "type"}, {Name: "arch"}, {"vCPUs", true}, {"cores", true}, {"GiB", true}, {"NVMe GB", true},
		{"net Mbit/s", true}, {"EBS Mbit/s", true}, {"$/h", true}, {Name: "price of"},
	}}
	for _, ty := range types {
		cores := unknownFigure
		if ty.Cores > 0 {
			cores = strconv.Itoa(ty.Cores)
		}
		row := []cell{{ty.Name, strong}, {Text: ty.Arch}, {Text: strconv.Itoa(ty.VCPUs)}, {Text: cores}}
		for _, a := range []catalog.Amount{ty.MemoryGiB, ty.NVMeGB, ty.NetworkMbps, ty.EBSMbps} {
			row = append(row, cell{Text: amountText(a)})
		}
		t.Rows = append(t.Rows, append(row, priceCells(ty, date)...))
	}
	p.table(0, t)
	return p.err
}

func priceCells(t catalog.Type, date string) []cell {
	price, ok := t.Price(date)
	if !ok {
		return []cell{{unknownFigure, dim}, {}}
	}
	return []cell{{exact(price.PerHour), plain}, {priceOrigin(price), dim}}
}

// priceOrigin says of when a price is, and whether it is the user's own.
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
	return exact(a.Value)
}

// exact writes a figure of a table as it was read.
func exact(v float64) string { return strconv.FormatFloat(v, 'f', -1, 64) }

// Findings writes where a catalogue breaks its rules, what is excused last. The
// error is the writer's.
func Findings(w io.Writer, style Style, findings []catalog.Finding, types int) error {
	p := newPrinter(w, style)
	var open, excused []note
	for _, f := range findings {
		text := f.Name + ": " + f.Text
		if f.Excuse == "" {
			open = append(open, note{f.Rule, bad, text})
			continue
		}
		excused = append(excused, note{"excused", dim, text + "; " + f.Excuse})
	}
	p.notes(0, open)
	p.notes(0, excused)
	p.note(0, note{Text: fmt.Sprintf("%s, %d rules: %d broken, %d excused", count(types, "type"), len(catalog.Rules()), len(open), len(excused))}, 0)
	return p.err
}
