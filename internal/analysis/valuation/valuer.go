// Package valuation finds the size, price and power of machines: by the user's prices, those of a session's plan, the
// catalogue, and fingerprints.
package valuation

import (
	"fmt"
	"maps"
	"math"
	"slices"
	"strconv"
	"strings"

	"plimsoll/internal/analysis/finding"
	"plimsoll/internal/analysis/finding/axis"
	"plimsoll/internal/analysis/finding/sweep"
	"plimsoll/internal/analysis/judge"
	"plimsoll/internal/base/nearest"
	"plimsoll/internal/base/usage"
	"plimsoll/internal/machine/catalog"
	"plimsoll/internal/record"
	"plimsoll/internal/record/figure"
	"plimsoll/internal/record/note"
	"plimsoll/internal/record/session"
)

// Valuer knows the resources and prices of machines: from the user's or registered prices, from the catalogue if the
// instance type is known, and from their fingerprints.
type Valuer struct {
	catalogue  *catalog.Catalog
	prices     map[string]float64         // USD per hour, by name of machine or type in lower case
	registered map[string]float64         // likewise, as stated by plans before their first trial
	date       string                     // of the catalogue's prices; "": the user's own, else the newest
	Sessions   map[string]finding.Session // sessions that are distinguished
}

// TellApart returns the log with sessions of one machine with the same cells distinguished, and notes about that.
func (v *Valuer) TellApart(log *session.Log) (*session.Log, []note.Note) {
	apart := judge.TellApart(log.Trials, log.Machines, log.Plans)
	out := *log
	out.Trials, out.Machines, v.Sessions = apart.Trials, apart.Machines, apart.Sessions
	return &out, apart.Notes
}

// registeredPrices returns the prices of the plans, except contradictory ones.
func registeredPrices(log *session.Log) map[string]float64 {
	out, several := map[string]float64{}, map[string]bool{}
	for _, p := range log.Plans {
		for name, usd := range p.Plan.Prices {
			name = strings.ToLower(name)
			if had, ok := out[name]; ok && had != usd {
				several[name] = true
			}
			out[name] = usd
		}
	}
	for name := range several {
		delete(out, name)
	}
	return out
}

// New returns a Valuer with prices such as NAME=1.808. A name must be a machine in the log, or the instance type of
// one.
func New(c *catalog.Catalog, prices []string, log *session.Log) (Valuer, error) {
	v := Valuer{catalogue: c, prices: map[string]float64{}, registered: registeredPrices(log)}
	machines, types := v.names(log)
	for _, p := range prices {
		name, price, err := ParsePrice(p)
		if err == nil {
			name, err = priced(name, machines, types)
		}
		if err != nil {
			return v, err
		}
		if err := SetPrice(v.prices, strings.ToLower(name), price, p); err != nil {
			return v, err
		}
	}
	for _, name := range slices.Sorted(maps.Keys(v.registered)) {
		full, err := priced(name, machines, types)
		if _, said := v.registered[strings.ToLower(full)]; err == nil && !said {
			v.registered[strings.ToLower(full)] = v.registered[name]
		}
	}
	return v, nil
}

// priced returns the machine or instance type that a price's name refers to; the type if it could be both.
func priced(name string, machines, types []nearest.Known) (string, error) {
	all := slices.Concat(types, machines)
	meant := nearest.Meant(name, all)
	of := slices.DeleteFunc(slices.Clone(meant), func(m string) bool {
		return slices.ContainsFunc(machines, func(k nearest.Known) bool {
			return k.Name == m && slices.ContainsFunc(k.Also, func(also string) bool {
				return also != m && slices.Contains(meant, also)
			})
		})
	})
	switch len(of) {
	case 0:
		var names []string
		for _, k := range all {
			names = append(names, k.Name)
		}
		slices.Sort(names)
		return "", usage.Unknown("machine or instance type", name, slices.Compact(names))
	case 1:
		return of[0], nil
	}
	return "", axis.Ambiguous{What: "machine or instance type", Name: name, Meant: of}
}

// At selects the catalogue's prices at a date, which may be a prefix. The error lists the dates.
func (v Valuer) At(date string) (Valuer, error) {
	v.date = date
	return v, v.catalogue.CheckDate(date)
}

// CoresOfTypes gives machines without a fingerprint, such as imported ones, the CPUs and cores of the instance type
// that they are named after.
func CoresOfTypes(c *catalog.Catalog, machines []record.Machine) {
	for i := range machines {
		m := &machines[i]
		if t, ok := c.Like(m.Name); ok && m.CPU.Threads == 0 && t.Cores > 0 {
			m.CPU.Threads, m.CPU.Cores, m.CPU.ThreadsPerCore = t.VCPUs, t.Cores, t.ThreadsPerCore
			m.Unknown = append(slices.Clone(m.Unknown), sweep.CoresOfType+t.Name)
		}
	}
}

// Catalogue returns the catalogue.
func (v Valuer) Catalogue() *catalog.Catalog { return v.catalogue }

// Type returns the instance type that a machine is named after, else that stated by its firmware.
func (v Valuer) Type(m record.Machine) (catalog.Type, bool) {
	if t, ok := v.catalogue.Like(m.Name); ok {
		return t, true
	}
	return v.catalogue.Like(m.Cloud.Type)
}

// names returns the machines of the trials, with names and types of their hosts, and the types of all machines.
func (v Valuer) names(log *session.Log) (machines, types []nearest.Known) {
	add := func(to *[]nearest.Known, name string, also ...string) {
		if name != "" && !slices.ContainsFunc(*to, func(k nearest.Known) bool { return k.Name == name }) {
			*to = append(*to, nearest.Known{Name: name, Also: figure.NonEmpty(also...)})
		}
	}
	measured := map[string]bool{}
	for _, t := range log.Trials {
		measured[t.Keys[record.KeyMachine]] = true
	}
	for _, m := range log.Machines {
		of := v.catalogue.TypeOf(m.Name, m.Cloud.Type)
		add(&types, of)
		if measured[m.Name] {
			add(&machines, m.Name, m.Host, of)
		}
	}
	for _, name := range slices.Sorted(maps.Keys(measured)) {
		like, _ := v.catalogue.Like(name)
		add(&types, like.Name)
		add(&machines, name, like.Name)
	}
	return machines, types
}

// Basis returns the size, price and power of one machine.
func (v Valuer) Basis(m record.Machine) finding.Basis {
	if s, ok := v.Sessions[m.Name]; ok {
		m.Name = s.Machine
	}
	b := found(m.CPU, m.Cgroup)
	b.Type = v.catalogue.TypeOf(m.Name, m.Cloud.Type)
	t, ok := v.Type(m)
	if ok {
		b.Doubts = mismatches(t, m)
		b.Family, b.Size, b.VCPUs = t.Family, t.Size, float64(t.VCPUs)
		if t.Cores > 0 || m.CPU.Threads != t.VCPUs {
			b.Cores = float64(t.Cores)
		}
		if p, ok := t.Price(v.date); ok {
			b.SetPrice(p.PerHour, strings.Join(figure.NonEmpty(p.Date, p.Source), ", "))
		} else if v.date != "" {
			b.Doubts = append(b.Doubts, note.New("no-price-of-date", t.Name, v.date))
		}
		if p, ok := v.catalogue.Power(t); ok {
			b.Watts = &finding.Watts{Value: p.Watts, Kind: p.Kind, Source: p.Source, Of: p.Share()}
			if p.Scope == catalog.Socket && b.Sockets == 0 {
				b.Sockets = int(math.Ceil(p.Units))
			}
		}
	}
	for _, name := range []string{b.Type, m.Name} { // the machine's own price takes precedence
		if price, ok := v.registered[strings.ToLower(name)]; ok && v.date == "" {
			b.SetPrice(price, "registered")
		}
	}
	for _, name := range []string{b.Type, m.Name} {
		if price, ok := v.prices[strings.ToLower(name)]; ok {
			b.SetPrice(price, "--price")
		}
	}
	return b.Of(m.Hosts)
}

// Each returns the basis of each of a plan's hosts, and behind these of each generator: a session pays all of them.
// Hosts of a cluster of which no price is known cost what its first does.
func (v Valuer) Each(p record.Plan, machines map[string]record.Machine) []finding.Basis {
	one := func(host string) finding.Basis {
		m := machines[host]
		m.Hosts = 0
		return v.Basis(m)
	}
	var out []finding.Basis
	for _, host := range slices.Concat(p.Hosts, p.Generators) {
		b := one(host)
		if at := slices.IndexFunc(p.Cells, func(c record.Cell) bool { return c.On(host) }); at >= 0 && !b.Priced() {
			if first := one(p.Cells[at].Host); first.Priced() {
				b.SetPrice(first.PricePerHour, first.PriceSource)
			}
		}
		out = append(out, b)
	}
	return out
}

// found returns the basis from a fingerprint. If only a part of the machine may be used, its cores are unknown.
func found(c record.CPU, limit record.Cgroup) finding.Basis {
	b := finding.Basis{VCPUs: float64(c.Threads), Cores: float64(c.Cores), Sockets: c.Sockets}
	if n := len(c.Allowed); n > 0 && n < c.Threads {
		b.VCPUs, b.Cores = float64(n), 0
	}
	if q := limit.CPUQuota; q > 0 && q < b.VCPUs {
		b.VCPUs, b.Cores = q, 0
	}
	return b
}

// mismatches returns notes on contradictions between a machine and its name or firmware.
func mismatches(t catalog.Type, m record.Machine) []note.Note {
	var out []note.Note
	said := "it is named like " + t.Name
	if strings.EqualFold(m.Cloud.Type, t.Name) {
		said = "its instance type is " + t.Name
	} else if m.Cloud.Type != "" {
		out = append(out, note.New("unlike-firmware", said, m.Cloud.Type))
	}
	if n := m.CPU.Threads; n > 0 && n != t.VCPUs {
		out = append(out, note.New("unlike-cpu-count", said, t.VCPUs, n))
	}
	if m.Arch != "" && m.Arch != t.Arch {
		out = append(out, note.New("unlike-architecture", said, t.Arch, m.Arch))
	}
	return out
}

// SetPrice sets the price of a name, unless it has another one. text is the flag's value.
func SetPrice(prices map[string]float64, name string, price float64, text string) error {
	if had, ok := prices[name]; ok && had != price {
		return usage.Errorf("--price %s: it costs %g above\nhint: give one price for each machine or type", text, had)
	}
	prices[name] = price
	return nil
}

// ParsePrice parses NAME=1.808, in USD per hour; 0 is of a machine that costs nothing.
func ParsePrice(text string) (name string, price float64, err error) {
	name, number, ok := strings.Cut(text, "=")
	price, err = strconv.ParseFloat(number, 64)
	if !ok || name == "" || err != nil || price != 0 && price < catalog.MinPrice || !(price <= 1e6) {
		hint := "--price m5d.8xlarge=1.808; 0 is for a machine that costs nothing"
		if usd, err := strconv.ParseFloat(strings.TrimPrefix(text, "$"), 64); err == nil && usd >= 0 {
			hint = fmt.Sprintf("--price NAME=%g, with the name of a machine or an instance type, such as m7g.large", usd)
		}
		return "", 0, usage.Errorf("--price %s: must be NAME=PRICE, in USD per hour, at least 0\nhint: %s", text, hint)
	}
	return name, price, nil
}
