package catalog

import (
	"bytes"
	"encoding/csv"
	"regexp"
	"slices"
	"strconv"

	"plimsoll/internal/base/usage"
)

// Own is a price set by the user.
type Own struct {
	Name    string  // of a type in the catalogue
	PerHour float64 // USD
	Date    string  // "2026-07-20", "2026-07" or "2026"
	Source  string
}

// ownHeader returns the header of a file of own prices; date and source are optional.
func ownHeader() []string { return []string{"name", "usd_per_hour", "date", "source"} }

// NewOwn validates a price. The error is a usage.Error, for a mistyped name with the nearest ones.
func (c *Catalog) NewOwn(name, price, date, source string) (Own, error) {
	t, err := c.Find(name)
	if err != nil {
		return Own{}, err
	}
	v, err := strconv.ParseFloat(price, 64)
	if err != nil || v < MinPrice || !(v <= maxPrice) {
		return Own{}, usage.Errorf("price %q of %s is not a positive number of USD per hour\n"+
			"hint: plimsoll prices set %s=0.34", price, name, t.Name)
	}
	return Own{t.Name, v, date, source}, nil
}

// MinPrice is below the USD per hour of any machine: a lower figure is a mistake.
const MinPrice = 1e-9

// maxPrice exceeds the USD per hour of any machine: a higher figure is a monthly price or a mistake.
const maxPrice = 10_000

// ParseOwn parses prices as CSV with the columns name and usd_per_hour, and optionally date and source; file is its
// name in errors. Prices without a date or a source get the given ones. If any line is invalid, the error, an
// usage.Error, lists all invalid lines.
func (c *Catalog) ParseOwn(file string, text []byte, date, source string) ([]Own, error) {
	var problems []Problem
	var out []Own
	for _, r := range readColumns(text, ownHeader()[:2], ownHeader(), &problems) {
		o, err := c.NewOwn(r.fields["name"], r.fields["usd_per_hour"], or(r.fields["date"], date),
			or(r.fields["source"], source))
		switch {
		case err != nil:
			r.bad("%s", oneLine(err))
		case !isDate(o.Date):
			r.bad("date %q is not like 2026-07-20 or 2026-07", o.Date)
		case slices.ContainsFunc(out, o.sameAs):
			r.bad("%s has a price for %s already", o.Name, o.Date)
		default:
			out = append(out, o)
		}
	}
	return out, badRows(file, problems, "fix these lines; nothing was imported")
}

// sameAs reports whether two prices are of one type at one date.
func (o Own) sameAs(p Own) bool { return o.Name == p.Name && o.Date == p.Date }

func isDate(text string) bool {
	return text == "" || regexp.MustCompile(`^\d{4}(-\d{2}(-\d{2})?)?$`).MatchString(text)
}

func or(text, other string) string {
	if text == "" {
		return other
	}
	return text
}

// Merge replaces prices of the same type and date by newer ones, and keeps all others.
func Merge(old, newer []Own) []Own {
	out := slices.Clone(old)
	for _, n := range newer {
		if at := slices.IndexFunc(out, n.sameAs); at >= 0 {
			out[at] = n
		} else {
			out = append(out, n)
		}
	}
	return out
}

// FormatOwn formats prices for ParseOwn.
func FormatOwn(prices []Own) []byte {
	var b bytes.Buffer
	w := csv.NewWriter(&b)
	w.Write(ownHeader())
	for _, p := range prices {
		w.Write([]string{p.Name, strconv.FormatFloat(p.PerHour, 'g', -1, 64), p.Date, p.Source})
	}
	w.Flush()
	return b.Bytes()
}

// With returns a catalogue in which the user's own prices take precedence, from their dates on.
func (c *Catalog) With(own []Own, today string) *Catalog {
	out := *c
	out.types = slices.Clone(c.types)
	for _, o := range own {
		if at := out.at(o.Name); at >= 0 {
			t := &out.types[at]
			price := Price{PerHour: o.PerHour, Date: o.Date, Source: o.Source, Own: true, Future: o.Date > today}
			t.Prices = append([]Price{price}, t.Prices...)
			t.sortPrices()
		}
	}
	return &out
}
