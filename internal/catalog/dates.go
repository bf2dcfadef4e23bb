package catalog

import (
	"slices"
	"strings"

	"plimsoll/internal/usage"
)

// Dates lists the dates of which there is a price, the newest first.
func (c *Catalog) Dates() []string {
	var out []string
	for _, t := range c.types {
		for _, p := range t.Prices {
			if p.Date != "" && !slices.Contains(out, p.Date) {
				out = append(out, p.Date)
			}
		}
	}
	slices.Sort(out)
	slices.Reverse(out)
	return out
}

// CheckDate is a usage.Error where no price is of that date, of which a part
// will do. "" stands for the newest.
func (c *Catalog) CheckDate(date string) error {
	for _, d := range c.Dates() {
		if strings.HasPrefix(d, date) {
			return nil
		}
	}
	return usage.Errorf("no price of %q\nhint: there are prices of %s", date, strings.Join(c.Dates(), ", "))
}

// priceOf is a type's price at a date; the error says which dates it has.
func priceOf(t Type, date string) (Price, error) {
	if p, ok := t.Price(date); ok {
		return p, nil
	}
	if len(t.Prices) == 0 {
		return Price{}, usage.Errorf("the price of %s is not known\nhint: plimsoll prices set %s=PRICE", t.Name, t.Name)
	}
	var dates []string
	for _, p := range t.Prices {
		dates = append(dates, or(p.Date, "no date"))
	}
	return Price{}, usage.Errorf("%s has no price of %s\nhint: it has prices of %s", t.Name, date, strings.Join(dates, ", "))
}
