package catalog

import (
	"slices"
	"strings"

	"plimsoll/internal/base/list"
	"plimsoll/internal/base/usage"
)

// Dates returns the dates that have prices, newest first.
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

// CheckDate returns a usage.Error if no price has that date, which may be a prefix. "" is the newest.
func (c *Catalog) CheckDate(date string) error {
	for _, d := range c.Dates() {
		if strings.HasPrefix(d, date) {
			return nil
		}
	}
	return usage.Errorf("no price for %q\nhint: there are prices for %s", date, strings.Join(c.Dates(), ", "))
}

// priceOf returns a type's price at a date; the error lists the dates that it has.
func priceOf(t Type, date string) (Price, error) {
	if p, ok := t.Price(date); ok {
		return p, nil
	}
	if len(t.Prices) == 0 {
		return Price{}, usage.Errorf("the price of %s is unknown\nhint: plimsoll prices set %s=PRICE", t.Name, t.Name)
	}
	dates := list.Map(t.Prices, func(p Price) string { return or(p.Date, "no date") })
	return Price{}, usage.Errorf("%s has no price for %s\nhint: it has prices for %s", t.Name, date,
		strings.Join(dates, ", "))
}
