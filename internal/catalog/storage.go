package catalog

import (
	"fmt"
	"math"
	"strings"
)

// HoursPerMonth is a month's share of a year of 365 days, which is what clouds bill a month for.
const HoursPerMonth = 730

// Need is what a disk must carry.
type Need struct {
	IOPS  float64 `json:"iops"`  // as the provider counts them
	MiBps float64 `json:"mibps"` // 2^20 B/s
	GiB   float64 `json:"gib"`   // room
}

// Storage is a way to satisfy a Need: the smallest volume of its kind that does.
type Storage struct {
	Kind  string  `json:"kind"` // of the volume, or "local"
	GiB   float64 `json:"gib"`  // to be bought, which may be more than the room needed
	IOPS  float64 `json:"iops"` // that it then has, to be provisioned where they are bought; 0 not known
	MiBps float64 `json:"mibps"`

	USDPerMonth Amount   `json:"usd_per_month"`     // null where Why says why
	BurstS      *float64 `json:"burst_s,omitempty"` // how long credits alone carry the need on a volume of just the room needed, s
	Why         string   `json:"why,omitempty"`     // it cannot be had, or its price is not known
	Region      string   `json:"region,omitempty"`
	Date        string   `json:"date,omitempty"`   // of the price
	Source      string   `json:"source,omitempty"` // likewise
}

// Storages are the ways to satisfy a need, volume by volume.
func (c *Catalog) Storages(n Need) []Storage {
	var out []Storage
	for _, v := range c.Volumes() {
		out = append(out, v.For(n))
	}
	return out
}

// For is the smallest volume of this kind that satisfies a need for as long as one likes.
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

// beyond says what of a need no single volume carries.
func (v Volume) beyond(n Need) string {
	switch {
	case n.IOPS > v.MaxIOPS:
		return fmt.Sprintf("a volume carries at most %g IOPS", v.MaxIOPS)
	case n.MiBps > v.MaxMiBps:
		return fmt.Sprintf("a volume carries at most %g MiB/s", v.MaxMiBps)
	}
	return ""
}

// grow chooses the size that brings the IOPS and the throughput with it.
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

// burst is how many seconds a full bucket carries what a volume of that size does not; nil where it
// need not, or cannot.
func (v Volume) burst(gib float64, n Need) *float64 {
	over := n.IOPS - v.baseline(gib)
	if over <= 0 || n.IOPS > v.BurstIOPS || n.MiBps > v.SmallMiBps {
		return nil
	}
	seconds := v.BurstCredits / over
	return &seconds
}

// provision chooses IOPS, with those that the throughput asks for, and the size that allows them.
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
		s.Why = "its price is not known"
		return
	}
	p := v.Prices[0]
	s.Region, s.Date, s.Source = p.Region, p.Date, p.Source
	if p.IOPSPricedTo > 0 && s.IOPS > p.IOPSPricedTo {
		s.Why = fmt.Sprintf("the price of more than %g IOPS is not known", p.IOPSPricedTo)
		return
	}
	usd := p.PerGiB * s.GiB
	if v.Rule == Provisioned {
		usd += p.PerIOPS*(s.IOPS-v.IncludedIOPS) + p.PerMiBps*(s.MiBps-v.IncludedMiBps)
	}
	s.USDPerMonth = Some(usd)
}

// Local is what the disks inside a machine cost on top: those of the type itself cost
// nothing more, those of the sister type with disks (m6gd beside m6g) the difference of the two. What they
// carry is not in the catalogue. It is false where neither has any.
func (c *Catalog) Local(t Type, n Need) (Storage, bool) {
	s := Storage{Kind: "local", Why: "what local disks carry is not in the catalogue: measure it"}
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
	if ok && both {
		s.USDPerMonth, s.Date, s.Source = Some((q.PerHour-p.PerHour)*HoursPerMonth), q.Date, q.Source
	} else {
		s.Why = strings.Join([]string{s.Why, "its price is not known"}, "; ")
	}
	return s, true
}

// up rounds up to whole units, but for what computing a rate from counts adds.
func up(v float64) float64 {
	const rounding = 1e-9
	return math.Ceil(v * (1 - rounding))
}
