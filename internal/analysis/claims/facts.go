package claims

import (
	"fmt"
	"maps"
	"slices"
	"strconv"
	"strings"

	"plimsoll/internal/base/nearest"
	"plimsoll/internal/machine/catalog"
)

func factColumns() []string { return []string{"id", "value", "unit"} }

// fact is a figure from which claims are derived. Its text need not be a number unless a formula uses it: some facts
// are versions.
type fact struct {
	place
	text, unit string
}

// facts holds all facts by ID, and as fallbacks those of the built-in articles and the catalogue.
type facts struct {
	byID    map[string]fact
	data    measurements
	builtIn *facts // nil if there are none
	catalog *catalog.Catalog
}

func (f facts) read(t table, p *problems) {
	if !t.need("facts", factColumns(), p) {
		return
	}
	t.each(factColumns(), p, func(r row) {
		id := r.cells["id"]
		first, twice := f.byID[id]
		switch {
		case strings.ContainsAny(id, "{}"):
			p.add(r.place, "", "the id %q contains braces, which delimit ids in formulas", shortened(id))
		case twice:
			p.add(r.place, "ids must be unique over all files", "fact %s is defined already, in %s", shortened(id), first.place)
		default:
			f.byID[id] = fact{r.place, r.cells["value"], r.cells["unit"]}
		}
	})
}

// catalogPrefix begins the names of the catalogue's figures.
const catalogPrefix = "cat."

// fact returns a fact by its ID, and the facts that it is of, nil if there is none.
func (f facts) fact(id string) (fact, *facts) {
	for at := &f; at != nil; at = at.builtIn {
		if fact, ok := at.byID[id]; ok {
			return fact, at
		}
	}
	return fact{}, nil
}

// unitOf returns the unit of the figure of a formula that is one name; "" if it is another, or the unit isn't known.
func (f facts) unitOf(formula string) string {
	name, begins := strings.CutPrefix(strings.TrimSpace(formula), "{")
	name, ends := strings.CutSuffix(name, "}")
	name = strings.TrimSpace(name)
	if !begins || !ends || strings.ContainsAny(name, "{}") {
		return ""
	}
	if fact, at := f.fact(name); at != nil {
		return fact.unit
	}
	if !isSelection(name) {
		return ""
	}
	return f.selected(name).unit(name)
}

// value returns the figures of a name in a formula: a fact's, of the catalogue, or measurements.
func (f facts) value(name string) (curve, error) {
	if fact, at := f.fact(name); at != nil {
		return at.figures(name, fact)
	}
	if isSelection(name) {
		return f.measured(name)
	}
	if rest, ok := strings.CutPrefix(name, catalogPrefix); ok {
		v, err := catalogValue(f.catalog, rest)
		return curve{{y: v}}, err
	}
	text := fmt.Sprintf("unknown fact %q", shortened(name))
	all := maps.Clone(f.byID)
	if f.builtIn != nil {
		all = maps.Clone(f.builtIn.byID)
		maps.Copy(all, f.byID)
	}
	if near := nearest.Of(name, slices.Sorted(maps.Keys(all))); near != "" {
		return nil, fmt.Errorf("%s; the nearest is %s, %s\nhint: did you mean {%s}?", text, near, all[near].place, near)
	}
	return nil, fmt.Errorf("%s\nhint: define facts in a table with the columns %s", text,
		strings.Join(factColumns(), ", "))
}

// selected returns the nearest measurements with the metric of a selection: what they lack is in no other article's
// benchmark.
func (f facts) selected(name string) measurements {
	metric, _, _ := selectors(name)
	for at := &f; at != nil; at = at.builtIn {
		if at.data.have(metric) {
			return at.data
		}
	}
	if len(f.data) == 0 && f.builtIn != nil {
		return f.builtIn.data
	}
	return f.data
}

// measured returns the measurements that a name selects.
func (f facts) measured(name string) (curve, error) {
	data := f.selected(name)
	if found, err := data.find(name); err != nil || len(found) > 0 {
		return found, err
	}
	text, hint := data.unmet(name)
	return nil, fmt.Errorf("no measurement is %q: %s\nhint: %s", shortened(name), text, hint)
}

// figures returns those of a fact: its number, or the measurements that it selects.
func (f facts) figures(name string, of fact) (curve, error) {
	selection, selects := strings.CutPrefix(of.text, "{")
	if !selects {
		v, err := of.number(name)
		return curve{{y: v}}, err
	}
	selection = strings.TrimSuffix(selection, "}")
	c, err := f.measured(selection)
	from := f.selected(selection).unit(selection)
	for i := range c {
		if err == nil {
			c[i].y, err = converted(c[i].y, from, of.unit)
		}
	}
	if err != nil {
		return nil, fmt.Errorf("the fact %s, %s: %w", shortened(name), of.place, err)
	}
	return c, nil
}

func (f fact) number(name string) (float64, error) {
	s, err := parseFigure(f.text)
	if err != nil {
		return 0,
			fmt.Errorf("the fact %s, %s: %w\nhint: a fact used in a formula is a number such as 644506, 1.808 or 2.4e9, "+
				"with its unit in a separate column", shortened(name), f.place, err)
	}
	return s.Value, nil
}

// field is a figure of a type in the catalogue.
type field struct {
	name string
	of   func(catalog.Type) catalog.Amount
}

func fields(c *catalog.Catalog) []field {
	counted := func(n int) catalog.Amount { return catalog.Amount{Value: float64(n), Known: n > 0} }
	return []field{
		{"vcpu", func(t catalog.Type) catalog.Amount { return counted(t.VCPUs) }},
		{"cores", func(t catalog.Type) catalog.Amount { return counted(t.Cores) }},
		{"threads_per_core", func(t catalog.Type) catalog.Amount { return counted(t.ThreadsPerCore) }},
		{"mhz", func(t catalog.Type) catalog.Amount { return t.MHz }},
		{"memory", func(t catalog.Type) catalog.Amount { return t.MemoryGiB }},
		{"nvme", func(t catalog.Type) catalog.Amount { return t.NVMeGB }},
		{"net_baseline", func(t catalog.Type) catalog.Amount { return t.NetworkMbps }},
		{"ebs", func(t catalog.Type) catalog.Amount { return t.EBSMbps }},
		{"usd_per_h", price},
		{"watts", func(t catalog.Type) catalog.Amount {
			p, ok := c.Power(t)
			return catalog.Amount{Value: p.Watts, Known: ok}
		}},
	}
}

func price(t catalog.Type) catalog.Amount {
	p, ok := t.Price("")
	return catalog.Amount{Value: p.PerHour, Known: ok}
}

// longName exceeds the length of any type's name.
const longName = 100

// catalogValue returns the figure TYPE.FIELD.
func catalogValue(c *catalog.Catalog, name string) (float64, error) {
	at := strings.LastIndexByte(name, '.')
	if at < 0 || len(name) > longName {
		return 0, fmt.Errorf("%s is not {cat.TYPE.FIELD}\nhint: such as {cat.m5d.8xlarge.usd_per_h}",
			strconv.Quote(shortened(catalogPrefix+name)))
	}
	t, err := c.Find(name[:at])
	if err != nil {
		return 0, err
	}
	var names []string
	for _, f := range fields(c) {
		if f.name != name[at+1:] {
			names = append(names, f.name)
			continue
		}
		if a := f.of(t); a.Known {
			return a.Value, nil
		}
		return 0, fmt.Errorf("the catalogue has no %s of %s\nhint: define it as a fact with the id %s%s", f.name, t.Name,
			catalogPrefix, name)
	}
	return 0, fmt.Errorf("the catalogue has no field %q\nhint: its fields are %s", name[at+1:], strings.Join(names, ", "))
}
