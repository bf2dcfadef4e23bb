package catalog

func badPrices(c *Catalog) []Finding {
	var out []Finding
	for _, t := range c.types {
		for _, p := range t.Prices {
			if !(p.PerHour > 0) || p.PerHour > maxPrice {
				out = append(out, finding(t.Name, "costs %g USD per hour", p.PerHour))
			}
		}
	}
	return out
}

// largerButCheaper finds types that cost more than a larger one of their family, at the prices of any date and at those
// in use.
func largerButCheaper(c *Catalog) []Finding {
	byFamily := map[string][]Type{}
	for _, t := range c.types {
		byFamily[t.Vendor+"/"+t.Family] = append(byFamily[t.Vendor+"/"+t.Family], t)
	}
	var out []Finding
	for _, date := range append(c.Dates(), "") {
		for _, small := range c.types {
			p, ok := small.Price(date)
			for _, large := range byFamily[small.Vendor+"/"+small.Family] {
				q, both := large.Price(date)
				if ok && both && large.VCPUs > small.VCPUs && q.PerHour < p.PerHour {
					out = append(out, finding(small.Name, "costs %g USD per hour, more than %s at %g", p.PerHour, large.Name, q.PerHour))
				}
			}
		}
	}
	return out
}

// unsourced finds facts, prices and power without a source or a date.
func unsourced(c *Catalog) []Finding {
	var out []Finding
	for _, s := range c.sources {
		if s.source == "" || s.date == "" {
			out = append(out, finding(s.file, "its facts have no source or no date"))
		}
	}
	for _, t := range c.types {
		for _, p := range t.Prices {
			if p.Source == "" || p.Date == "" {
				out = append(out, finding(t.Name, "its price of %g USD per hour has no source or no date", p.PerHour))
			}
		}
	}
	for _, w := range c.watts {
		if w.Source == "" || w.Date == "" {
			out = append(out, finding(w.maker+" "+w.model, "its power of %g W has no source or no date", w.Watts))
		}
	}
	return out
}
