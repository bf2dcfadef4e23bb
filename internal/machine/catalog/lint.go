package catalog

import (
	"fmt"
	"math"
	"path"
	"slices"

	"plimsoll/internal/base/list"
)

// Finding is a violation of one of the catalogue's rules.
type Finding struct {
	Rule   string `json:"rule"`
	Name   string `json:"name"` // of the type, CPU or file
	Text   string `json:"text"`
	Excuse string `json:"excuse,omitempty"` // why it is permitted
}

// rule is one rule of the catalogue.
type rule struct {
	name  string
	check func(*Catalog) []Finding
}

func rules() []rule {
	return []rule{
		{"unique", duplicates}, {"arch", unknownArchs}, {"cores", tooManyCores}, {"threads", inconsistentThreads},
		{"price", badPrices}, {"larger-is-dearer", largerButCheaper}, {"sourced", unsourced},
		{"network-burst", badBursts}, {"ebs-limits", badLimits}, {"volumes", badVolumes},
		{"sourced-storage", unsourcedStorage},
	}
}

// Lint validates the catalogue, including the user's own prices if any. Permitted findings have an excuse.
func (c *Catalog) Lint() []Finding {
	out := []Finding{}
	for _, r := range rules() {
		for _, f := range r.check(c) {
			f.Rule = r.name
			f.Excuse = excuse(f, exceptions())
			if !slices.Contains(out, f) {
				out = append(out, f)
			}
		}
	}
	return out
}

// Rules returns the names of the rules.
func Rules() []string {
	return list.Map(rules(), func(r rule) string { return r.name })
}

func excuse(f Finding, all []exception) string {
	for _, e := range all {
		if ok, _ := path.Match(e.names, f.Name); ok && e.rule == f.Rule {
			return e.reason
		}
	}
	return ""
}

func finding(name, format string, args ...any) Finding {
	return Finding{Name: name, Text: fmt.Sprintf(format, args...)}
}

func duplicates(c *Catalog) []Finding {
	var out []Finding
	for i, t := range c.types {
		if c.at(t.Name) != i {
			out = append(out, finding(t.Name, "is in the catalogue twice"))
		}
	}
	return out
}

func unknownArchs(c *Catalog) []Finding {
	var out []Finding
	for _, t := range c.types {
		if !known(t.Arch, "amd64", "arm64") {
			out = append(out, finding(t.Name, "unknown architecture %q", t.Arch))
		}
	}
	return out
}

func tooManyCores(c *Catalog) []Finding {
	var out []Finding
	for _, t := range c.types {
		if t.VCPUs < 1 || t.Cores > t.VCPUs {
			out = append(out, finding(t.Name, "%d cores for %d vCPUs", t.Cores, t.VCPUs))
		}
	}
	return out
}

func inconsistentThreads(c *Catalog) []Finding {
	var out []Finding
	for _, t := range c.types {
		if (t.Cores == 0) != (t.ThreadsPerCore == 0) || t.Cores > 0 && t.Cores*t.ThreadsPerCore != t.VCPUs {
			out = append(out, finding(t.Name, "%d cores of %d threads do not make %d vCPUs", t.Cores, t.ThreadsPerCore, t.VCPUs))
		}
	}
	return out
}

// exception permits findings of one rule; names is a pattern for path.Match.
type exception struct{ rule, names, reason string }

func exceptions() []exception {
	const gcosts = "its source, the price list of gcosts, has no date"
	const article = "the article, as stored, has no date; its figures are estimates and decide nothing"
	const disagree = "the page of 2021-10 and the table of 2026-07 differ; sizing uses the page, which has the " +
		"baseline too"
	return []exception{
		{"ebs-limits", "t4g.*", disagree},
		{"sourced", "instances_gcp_azure.csv",
			"the table states the source of its prices, but not of its vCPUs, cores and memory"},
		{"sourced", "c3d-highmem-16", gcosts},
		{"sourced", "c4-highmem-4", gcosts},
		{"sourced", "c4-highmem-32", gcosts},
		{"sourced", "c4-standard-8", gcosts + "; it is derived from the prices of other sizes"},
		{"sourced", "aws Neoverse-N1", article},
		{"sourced", "amd 7R32", article},
		{"sourced", "intel 8124M", article},
		{"sourced", "intel 8223CL", article},
		{"sourced", "intel 8275CL", article},
	}
}

// badBursts finds types whose network's burst is below its baseline.
func badBursts(c *Catalog) []Finding {
	var out []Finding
	for _, t := range c.types {
		if t.NetworkBurstMbps.Known && t.NetworkBurstMbps.Value < t.NetworkMbps.Value {
			out = append(out, finding(t.Name, "its network's burst of %g Mbit/s is below its baseline of %g",
				t.NetworkBurstMbps.Value, t.NetworkMbps.Value))
		}
	}
	return out
}

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
					out = append(out, finding(small.Name, "costs %g USD per hour, more than %s at %g", p.PerHour, large.Name,
						q.PerHour))
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

// badLimits finds limits to network disks that contradict themselves or the table of types, or belong to no type.
func badLimits(c *Catalog) []Finding {
	const alike = .05
	var out []Finding
	for i, l := range c.limits {
		if at := c.at(l.instance); at < 0 {
			out = append(out, finding(l.instance, "has limits to network disks, but is not a type"))
		} else if known := c.types[at].EBSMbps; known.Known && math.Abs(known.Value/l.MaxMbps-1) > alike {
			out = append(out, finding(l.instance, "moves at most %g Mbit/s to network disks by one source, %g by another",
				l.MaxMbps, known.Value))
		}
		if l.BaselineMbps > l.MaxMbps || l.BaselineIOPS > l.MaxIOPS {
			out = append(out, finding(l.instance, "its baseline to network disks is above its burst"))
		}
		for _, other := range c.limits[:i] {
			if other.instance == l.instance {
				out = append(out, finding(l.instance, "has two limits to network disks"))
			}
		}
	}
	return out
}

// badVolumes finds kinds of volumes whose rules contradict themselves, or without a price.
func badVolumes(c *Catalog) []Finding {
	var out []Finding
	for i, v := range c.volumes {
		switch {
		case !known(v.Rule, BySize, Provisioned):
			out = append(out, finding(v.Name, "unknown rule %q", v.Rule))
		case v.MinGiB <= 0 || v.MinGiB > v.MaxGiB, v.MinIOPS > v.MaxIOPS, v.IncludedIOPS > v.MaxIOPS,
			v.IncludedMiBps > v.MaxMiBps,
			v.SmallMiBps > v.MaxMiBps, v.BurstIOPS > v.MaxIOPS:
			out = append(out, finding(v.Name, "a minimum size, IOPS or throughput is above the maximum"))
		case v.IOPSPerGiB <= 0 || v.IOKiB <= 0 || v.MaxMiBps <= 0, v.Rule == Provisioned && v.MiBpsPerIOPS <= 0:
			out = append(out, finding(v.Name, "IOPS per GiB, the size of an I/O and throughput must be above 0"))
		}
		if i > 0 && c.volumes[i-1].Name == v.Name && c.volumes[i-1].Date == v.Date {
			out = append(out, finding(v.Name, "has two sets of rules for %s", v.Date))
		}
		if len(v.Prices) == 0 {
			out = append(out, finding(v.Name, "has no price"))
		}
		for _, p := range v.Prices {
			if p.PerGiB <= 0 || p.PerIOPS < 0 || p.PerMiBps < 0 || p.PerGiB > 1 || v.Rule == Provisioned && p.PerIOPS == 0 {
				out = append(out, finding(v.Name, "costs %g USD per GiB, %g per IOPS and %g per MiB/s a month", p.PerGiB, p.PerIOPS,
					p.PerMiBps))
			}
		}
	}
	for _, p := range c.volumePrices {
		if !c.hasVolume(p.volume) {
			out = append(out, finding(p.volume, "has a price, but is not a kind of volume"))
		}
	}
	return out
}

func (c *Catalog) hasVolume(name string) bool {
	return slices.ContainsFunc(c.volumes, func(v Volume) bool { return v.Name == name })
}

// unsourcedStorage finds volumes and their prices without a source or a date.
func unsourcedStorage(c *Catalog) []Finding {
	var out []Finding
	for _, v := range c.volumes {
		if v.Source == "" || v.Date == "" {
			out = append(out, finding(v.Name, "its rules have no source or no date"))
		}
		for _, p := range v.Prices {
			if p.Source == "" || p.Date == "" || p.Region == "" {
				out = append(out, finding(v.Name, "its price of %g USD per GiB a month has no source, no date or no region",
					p.PerGiB))
			}
		}
	}
	for _, l := range c.limits {
		if l.Source == "" || l.Date == "" {
			out = append(out, finding(l.instance, "its limits to network disks have no source or no date"))
		}
	}
	return out
}
