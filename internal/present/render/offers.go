package render

import (
	"fmt"
	"io"

	"plimsoll/internal/analysis/finding"
	"plimsoll/internal/machine/catalog"
	"plimsoll/internal/present/media/term"
	"plimsoll/internal/record/block"
	"plimsoll/internal/record/figure"
)

// Offers writes the offers of two types, or two families, per dollar: all figures for one pair, the changes side by
// side for several. The error is the writer's.
func Offers(w io.Writer, style term.Style, o catalog.Offers) error {
	p := term.NewPrinter(w, style)
	p.Note(0, block.Sentence{Lead: fmt.Sprintf("%s against %s (baseline)", o.B, o.A), Tone: block.Strong, Text: ""}, 0)
	p.Note(2, block.Sentence{Text: "on-demand offer per dollar; nothing was measured"}, 0)
	p.Gap()
	if len(o.Pairs) == 1 {
		printOffer(p, o.Pairs[0])
	} else if len(o.Pairs) > 1 {
		p.Table(2, changesTable(o.Pairs))
	}
	if notes := offerNotes(o); len(notes) > 0 {
		p.Gap()
		p.Notes(2, notes)
	}
	return p.Err
}

func printOffer(p *term.Printer, o catalog.Offer) {
	t := block.Table{Keys: 1, Columns: []block.Column{
		{Name: "per dollar"}, {Name: "change", Right: true}, {Name: o.A.Name, Right: true}, {Name: o.B.Name, Right: true},
		{Name: "unit"}}}
	t.Rows = append(t.Rows, []block.Cell{
		{Text: "price"}, {Text: figure.Percent(o.PriceB.PerHour / o.PriceA.PerHour), Tone: block.Plain},
		{Text: figure.Exact(o.PriceA.PerHour)}, {Text: figure.Exact(o.PriceB.PerHour)}, {Text: "$/h", Tone: block.Dim},
	})
	for _, v := range o.Values {
		t.Rows = append(t.Rows, []block.Cell{
			{Text: valueName(v)}, changeOf(v), offeredCell(v.A), offeredCell(v.B), {Text: v.Unit, Tone: block.Dim}})
	}
	p.Table(2, t)
}

func valueName(v catalog.Value) string {
	if v.Estimate {
		return v.What + " (estimate)"
	}
	return v.What
}

func offeredCell(a catalog.Amount) block.Cell {
	if !a.Known {
		return block.Cell{Text: unknownFigure, Tone: block.Dim}
	}
	return block.Cell{Text: figure.Scale{Factor: 1}.Number(a.Value, figure.FineDigits)}
}

func changeOf(v catalog.Value) block.Cell {
	if !v.Ratio.Known {
		return block.Cell{Text: unknownFigure, Tone: block.Dim}
	}
	return block.Cell{Text: figure.Percent(v.Ratio.Value), Tone: block.Strong}
}

// changesTable returns a row for each size and a column for each resource.
func changesTable(offers []catalog.Offer) block.Table {
	t := block.Table{Keys: 2, Columns: []block.Column{
		{Name: offers[0].A.Family}, {Name: offers[0].B.Family}, {Name: "price", Right: true}}}
	for _, v := range offers[0].Values {
		t.Columns = append(t.Columns, block.Column{Name: valueName(v), Right: true})
	}
	for _, o := range offers {
		row := []block.Cell{{Text: o.A.Size}, {Text: o.B.Size}, {Text: figure.Percent(o.PriceB.PerHour / o.PriceA.PerHour)}}
		for i := range offers[0].Values {
			if i < len(o.Values) {
				row = append(row, changeOf(o.Values[i]))
			} else {
				row = append(row, block.Cell{Text: unknownFigure, Tone: block.Dim})
			}
		}
		t.Rows = append(t.Rows, row)
	}
	return t
}

// offerNotes states the source of the prices, and the differences in kind.
func offerNotes(o catalog.Offers) []block.Sentence {
	var out []block.Sentence
	for _, pair := range o.Pairs {
		for _, p := range []catalog.Price{pair.PriceA, pair.PriceB} {
			out = append(out, block.Sentence{Lead: "price", Tone: block.Dim, Text: priceOrigin(p) + ", " + p.Source})
		}
	}
	if len(o.Pairs) == 1 && o.Pairs[0].PowerA != nil {
		out = append(out, powerNote(o.Pairs[0].A.Name, *o.Pairs[0].PowerA), powerNote(o.Pairs[0].B.Name, *o.Pairs[0].PowerB))
	}
	for _, pair := range o.Pairs {
		out = append(out, finding.Warnings(pair.Warnings)...)
	}
	return block.Unique(append(out, finding.Warnings(o.Warnings)...))
}

// powerNote states the component behind a type's power, and its source.
func powerNote(name string, p catalog.Power) block.Sentence {
	text := name + " " + p.String()
	if p.Note != "" {
		text += "; " + p.Note
	}
	return block.Sentence{Lead: "power", Tone: block.Dim, Text: text}
}
