package catalog

import (
	"fmt"
	"math"
	"strings"

	"plimsoll/internal/base/list"
)

// HoursPerMonth is a month's share of a year of 365 days, by which clouds bill a month.
const HoursPerMonth = 730

// Need is the required capacity of a disk.
type Need struct {
	IOPS  float64 `json:"iops"`  // as the provider counts them
	MiBps float64 `json:"mibps"` // 2^20 B/s
	GiB   float64 `json:"gib"`   // space
}

// Storage is a way to satisfy a Need: the smallest sufficient volume of its kind.
type Storage struct {
	Kind  string  `json:"kind"` // of volume, or "local"
	GiB   float64 `json:"gib"`  // to buy, possibly more than the space needed
	IOPS  float64 `json:"iops"` // resulting IOPS, to be provisioned if they are sold separately; 0 unknown
	MiBps float64 `json:"mibps"`

	USDPerMonth Amount `json:"usd_per_month"` // null if Why gives a reason
	// Seconds for which credits alone satisfy the need on a volume of just the space needed.
	BurstS *float64 `json:"burst_s,omitempty"`
	Why    string   `json:"why,omitempty"` // why it is impossible, or its price unknown
	Region string   `json:"region,omitempty"`
	Date   string   `json:"date,omitempty"`   // of the price
	Source string   `json:"source,omitempty"` // likewise
}

// Storages returns the ways to satisfy a need, volume by volume.
func (c *Catalog) Storages(n Need) []Storage {
	return list.Map(c.Volumes(), func(v Volume) Storage { return v.For(n) })
}

// For returns the smallest volume of this kind that satisfies a need indefinitely.
func (v Volume) For(n Need) Storage {
	s := Storage{Kind: v.Name, GiB: up(max(n.GiB, v.MinGiB))}
	if over := v.beyond(n); over != "" {
		s.Why = over
		return s
	}
	if v.Rule == BySize {
		v.grow(&s, n)
	} else {
		v.provision(&s, n)
	}
	if s.GiB > v.MaxGiB {
		s.Why = fmt.Sprintf("a volume holds at most %g GiB", v.MaxGiB)
		return s
	}
	v.price(&s)
	return s
}

// beyond returns the part of a need that exceeds any single volume, or "".
func (v Volume) beyond(n Need) string {
	switch {
	case n.IOPS > v.MaxIOPS:
		return fmt.Sprintf("a volume provides at most %g IOPS", v.MaxIOPS)
	case n.MiBps > v.MaxMiBps:
		return fmt.Sprintf("a volume provides at most %g MiB/s", v.MaxMiBps)
	}
	return ""
}

// grow chooses the size that provides the IOPS and the throughput.
func (v Volume) grow(s *Storage, n Need) {
	s.BurstS = v.burst(s.GiB, n)
	if n.IOPS > v.MinIOPS {
		s.GiB = max(s.GiB, up(n.IOPS/v.IOPSPerGiB))
	}
	if n.MiBps > v.SmallMiBps {
		s.GiB = max(s.GiB, v.FullMiBpsGiB)
	}
	s.IOPS, s.MiBps = v.baseline(s.GiB), v.SmallMiBps
	if s.GiB >= v.FullMiBpsGiB {
		s.MiBps = v.MaxMiBps
	}
}

func (v Volume) baseline(gib float64) float64 {
	return min(max(v.MinIOPS, v.IOPSPerGiB*gib), v.MaxIOPS)
}

// burst returns how many seconds a full bucket sustains a need above the baseline of a volume of that size; nil if
// unnecessary or impossible.
func (v Volume) burst(gib float64, n Need) *float64 {
	over := n.IOPS - v.baseline(gib)
	if over <= 0 || n.IOPS > v.BurstIOPS || n.MiBps > v.SmallMiBps {
		return nil
	}
	seconds := v.BurstCredits / over
	return &seconds
}

// provision chooses the IOPS, including those required by the throughput, and the size that permits them.
func (v Volume) provision(s *Storage, n Need) {
	s.MiBps = up(max(n.MiBps, v.IncludedMiBps))
	s.IOPS = max(up(n.IOPS), v.IncludedIOPS, v.MinIOPS)
	if s.MiBps > v.IncludedMiBps {
		s.IOPS = min(max(s.IOPS, up(s.MiBps/v.MiBpsPerIOPS)), v.MaxIOPS)
	}
	if s.IOPS > v.IncludedIOPS {
		s.GiB = max(s.GiB, up(s.IOPS/v.IOPSPerGiB))
	}
}

func (v Volume) price(s *Storage) {
	if len(v.Prices) == 0 {
		s.Why = "its price is unknown"
		return
	}
	p := v.Prices[0]
	s.Region, s.Date, s.Source = p.Region, p.Date, p.Source
	if p.IOPSPricedTo > 0 && s.IOPS > p.IOPSPricedTo {
		s.Why = fmt.Sprintf("the price of more than %g IOPS is unknown", p.IOPSPricedTo)
		return
	}
	usd := p.PerGiB * s.GiB
	if v.Rule == Provisioned {
		usd += p.PerIOPS*(s.IOPS-v.IncludedIOPS) + p.PerMiBps*(s.MiBps-v.IncludedMiBps)
	}
	s.USDPerMonth = Some(usd)
}

// Local returns the extra cost of the disks inside a machine: those of the type itself are free, those of the sister
// type with disks (m6gd for m6g) cost the difference of the two. Their performance is not in the catalogue. It returns
// false if neither has any.
func (c *Catalog) Local(t Type, n Need) (Storage, bool) {
	s := Storage{Kind: "local", Why: "the capacity of local disks is not in the catalogue: measure it"}
	with := t
	if !t.NVMeGB.Known || t.NVMeGB.Value == 0 {
		at := c.at(t.Family + "d." + t.Size)
		if t.Vendor != "aws" || at < 0 {
			return s, false
		}
		with = c.types[at]
	}
	s.Kind = "local, " + with.Name
	s.GiB = math.Floor(with.NVMeGB.Value * 1e9 / (1 << 30))
	if s.GiB < n.GiB {
		s.Why = fmt.Sprintf("its disks hold %g GiB", s.GiB)
		return s, true
	}
	p, ok := t.Price("")
	q, both := with.Price("")
	if ok && both && p.Own == q.Own { // the difference of a price of yours and one of the list is neither's
		s.USDPerMonth, s.Date, s.Source = Some((q.PerHour-p.PerHour)*HoursPerMonth), q.Date, q.Source
	} else {
		s.Why = strings.Join([]string{s.Why, "no prices of one kind are known of it and of the type without disks"}, "; ")
	}
	return s, true
}

// up rounds up to whole units, ignoring rounding errors of a rate computed from counts.
func up(v float64) float64 {
	const rounding = 1e-9
	return math.Ceil(v * (1 - rounding))
}

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
