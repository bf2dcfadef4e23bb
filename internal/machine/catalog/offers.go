package catalog

import (
	"fmt"
	"strings"

	"plimsoll/internal/base/list"
	"plimsoll/internal/base/usage"
)

// Offers compares two types or, size by size, two families: the document of `prices compare --json`.
type Offers struct {
	A        string   `json:"a"`
	B        string   `json:"b"`
	Date     string   `json:"date"` // requested date; "": the newest of each type
	Pairs    []Offer  `json:"pairs"`
	Warnings []string `json:"warnings"`
}

// Compare compares the resources per dollar of a and b at the prices of a date. It matches sizes of families by name,
// or by vCPUs if no name matches. Errors are usage.Errors: an unknown name, date or price, or nothing to match.
func (c *Catalog) Compare(a, b, date string) (Offers, error) {
	out := Offers{A: a, B: b, Date: date, Pairs: []Offer{}, Warnings: []string{}}
	if err := c.CheckDate(date); err != nil {
		return out, err
	}
	as, err := c.Select(a)
	if err != nil {
		return out, err
	}
	bs, err := c.Select(b)
	if err != nil {
		return out, err
	}
	if c.at(a) >= 0 && c.at(b) >= 0 {
		o, err := c.Offer(as[0], bs[0], date)
		out.Pairs = append(out.Pairs, o)
		return out, err
	}
	if c.at(a) >= 0 || c.at(b) >= 0 {
		return out, usage.Errorf("%s and %s are a type and a family\nhint: compare two types, or two families", a, b)
	}
	return out, c.bySize(&out, as, bs)
}

// bySize compares the sizes that two families have in common.
func (c *Catalog) bySize(out *Offers, as, bs []Type) error {
	pairs := matched(as, bs, func(t Type) string { return t.Size })
	if len(pairs) == 0 {
		pairs = matched(as, bs, func(t Type) string { return fmt.Sprint(t.VCPUs) })
		out.Warnings = append(out.Warnings, "no size in common: types of the same number of vCPUs are compared")
	}
	if len(pairs) == 0 {
		return usage.Errorf("%s and %s have no size in common: %s has %s, %s has %s\nhint: compare two types", out.A, out.B,
			out.A, sizes(as), out.B, sizes(bs))
	}
	var last error
	for _, p := range pairs {
		o, err := c.Offer(p[0], p[1], out.Date)
		if err != nil {
			last = err
			out.Warnings = append(out.Warnings,
				fmt.Sprintf("not compared, %s and %s: %s", p[0].Name, p[1].Name, usage.FirstLine(err)))
			continue
		}
		o.Warnings = append([]string{}, unlike(o.A, o.B, o.A.Family, o.B.Family)...)
		out.Pairs = append(out.Pairs, o)
	}
	if len(out.Pairs) == 0 {
		return last
	}
	out.Warnings = append(out.Warnings, alone(as, bs, pairs)...)
	return nil
}

// matched pairs each type of as with the first of bs that has the same key.
func matched(as, bs []Type, key func(Type) string) [][2]Type {
	var out [][2]Type
	for _, a := range as {
		for _, b := range bs {
			if key(a) == key(b) {
				out = append(out, [2]Type{a, b})
				break
			}
		}
	}
	return out
}

// alone returns a warning about types without a counterpart.
func alone(as, bs []Type, pairs [][2]Type) []string {
	var left []string
	for side, types := range [][]Type{as, bs} {
		for _, t := range types {
			found := false
			for _, p := range pairs {
				found = found || p[side].Name == t.Name
			}
			if !found {
				left = append(left, t.Name)
			}
		}
	}
	if len(left) == 0 {
		return nil
	}
	return []string{"without a counterpart: " + strings.Join(left, ", ")}
}

func sizes(types []Type) string {
	return strings.Join(list.Map(types, func(t Type) string { return t.Size }), ", ")
}
