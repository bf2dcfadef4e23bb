package catalog

import (
	"math"
	"slices"
)

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
