package catalog

// EBSLimits is an instance's capacity to its network disks, all of them together: the baseline indefinitely, the
// maximum for at least 30 minutes a day. They are equal if the type has no burst. Throughputs are for I/Os of 128 KiB,
// IOPS for 16 KiB.
type EBSLimits struct {
	BaselineMbps float64 `json:"baseline_mbps"` // 10^6 bit/s
	BaselineIOPS float64 `json:"baseline_iops"`
	MaxMbps      float64 `json:"max_mbps"`
	MaxIOPS      float64 `json:"max_iops"`
	Source       string  `json:"source"`
	Date         string  `json:"date"`
}

// ebsLimit is one line of the table of limits.
type ebsLimit struct {
	instance string
	EBSLimits
}

func parseEBSLimits(text []byte, sources []source, problems *[]Problem) []ebsLimit {
	var from source
	if len(sources) > 0 {
		from = sources[0]
	}
	var out []ebsLimit
	for _, r := range readTable(text, []string{"instance_type", "baseline_mbps", "baseline_iops", "max_mbps", "max_iops"},
		problems) {
		l := EBSLimits{
			BaselineMbps: r.amount("baseline_mbps").Value, BaselineIOPS: r.amount("baseline_iops").Value,
			MaxMbps: r.amount("max_mbps").Value, MaxIOPS: r.amount("max_iops").Value, Source: from.source, Date: from.date,
		}
		if l.BaselineMbps <= 0 || l.BaselineIOPS <= 0 || l.MaxMbps <= 0 || l.MaxIOPS <= 0 {
			r.bad("limits must be above 0")
		}
		out = append(out, ebsLimit{r.fields["instance_type"], l})
	}
	return out
}

func (c *Catalog) limited() {
	for i := range c.limits {
		if at := c.at(c.limits[i].instance); at >= 0 {
			c.types[at].EBS = &c.limits[i].EBSLimits
		}
	}
}
