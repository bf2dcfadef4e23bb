package render

import (
	"fmt"
	"io"

	"plimsoll/internal/catalog"
)

// Offers writes what two types, or two families, offer for a dollar: for one
// pair all figures, for several the changes side by side. The error is the
// writer's.
func Offers(w io.Writer, style Style, o catalog.Offers) error {
	p := newPrinter(w, style)
	p.note(0, note{fmt.Sprintf("%s against %s (baseline)", o.B, o.A), strong, ""}, 0)
	p.note(2, note{Text: "what a dollar buys on demand; nothing was measured"}, 0)
	p.gap()
	if len(o.Pairs) == 1 {
		p.offer(o.Pairs[0])
	} else if len(o.Pairs) > 1 {
		p.table(2, changesTable(o.Pairs))
	}
	if notes := offerNotes(o); len(notes) > 0 {
		p.gap()
		p.notes(2, notes)
	}
	return p.err
}

func (p *printer) offer(o catalog.Offer) {
	t := table{Keys: 1, Columns: []column{{Name: "per dollar"}, {"change", true}, {o.A.Name, true}, {o.B.Name, true}, {Name: "unit"}}}
	t.Rows = append(t.Rows, []cell{
		{Text: "price"}, {Percent(o.PriceB.PerHour / o.PriceA.PerHour), plain}, {Text: exact(o.PriceA.PerHour)}, {Text: exact(o.PriceB.PerHour)}, {"$/h", dim},
	})
	for _, v := range o.Values {
		t.Rows = append(t.Rows, []cell{{Text: valueName(v)}, changeOf(v), offeredCell(v.A), offeredCell(v.B), {v.Unit, dim}})
	}
	p.table(2, t)
}

func valueName(v catalog.Value) string {
	if v.Estimate {
		return v.What + " (estimate)"
	}
	return v.What
}

func offeredCell(a catalog.Amount) cell {
	if !a.Known {
		return cell{unknownFigure, dim}
	}
	return cell{Text: scale{factor: 1}.number(a.Value, fineDigits)}
}

func changeOf(v catalog.Value) cell {
	if !v.Ratio.Known {
		return cell{unknownFigure, dim}
	}
	return cell{Percent(v.Ratio.Value), strong}
}

// changesTable has a row for each size and a column for each thing bought.
func changesTable(offers []catalog.Offer) table {
	t := table{Keys: 2, Columns: []column{{Name: offers[0].A.Family}, {Name: offers[0].B.Family}, {"price", true}}}
	for _, v := range offers[0].Values {
		t.Columns = append(t.Columns, column{valueName(v), true})
	}
	for _, o := range offers {
		row := []cell{{Text: o.A.Size}, {Text: o.B.Size}, {Text: Percent(o.PriceB.PerHour / o.PriceA.PerHour)}}
		for i := range offers[0].Values {
			if i < len(o.Values) {
				row = append(row, changeOf(o.Values[i]))
			} else {
				row = append(row, cell{unknownFigure, dim})
			}
		}
		t.Rows = append(t.Rows, row)
	}
	return t
}

// offerNotes say where prices are from and what is not alike.
func offerNotes(o catalog.Offers) []note {
	var out []note
	for _, pair := range o.Pairs {
		for _, p := range []catalog.Price{pair.PriceA, pair.PriceB} {
			out = append(out, note{"price", dim, priceOrigin(p) + ", " + p.Source})
		}
	}
	if len(o.Pairs) == 1 && o.Pairs[0].PowerA != nil {
		out = append(out, powerNote(o.Pairs[0].A.Name, *o.Pairs[0].PowerA), powerNote(o.Pairs[0].B.Name, *o.Pairs[0].PowerB))
	}
	for _, pair := range o.Pairs {
		out = append(out, warningNotes(pair.Warnings)...)
	}
	return unique(append(out, warningNotes(o.Warnings)...))
}

// powerNote says of what a type's power was taken, and from where.
func powerNote(name string, p catalog.Power) note {
	text := name + " " + p.String()
	if p.Note != "" {
		text += "; " + p.Note
	}
	return note{"power", dim, text}
}
