package catalog

import (
	"cmp"
	"slices"
)

// The rules that determine the IOPS of a network volume.
const (
	BySize      = "size"        // proportional to the size
	Provisioned = "provisioned" // as purchased
)

// Volume is a kind of network disk with its capacity and price. Sizes are in GiB, throughputs in MiB/s; 0 is none.
type Volume struct {
	Name          string        `json:"name"` // "gp3"
	Rule          string        `json:"rule"` // BySize, Provisioned
	MinGiB        float64       `json:"min_gib"`
	MaxGiB        float64       `json:"max_gib"`
	IOPSPerGiB    float64       `json:"iops_per_gib"` // BySize: provided; Provisioned: maximum
	MinIOPS       float64       `json:"min_iops"`
	MaxIOPS       float64       `json:"max_iops"`
	IncludedIOPS  float64       `json:"included_iops"` // in the price of the size
	BurstIOPS     float64       `json:"burst_iops"`    // from a bucket of credits, one per I/O beyond the baseline
	BurstCredits  float64       `json:"burst_credits"`
	SmallMiBps    float64       `json:"small_mibps"`    // for volumes below FullMiBpsGiB
	FullMiBpsGiB  float64       `json:"full_mibps_gib"` // size from which MaxMiBps is available
	MaxMiBps      float64       `json:"max_mibps"`
	IncludedMiBps float64       `json:"included_mibps"`
	MiBpsPerIOPS  float64       `json:"mibps_per_iops"` // Provisioned: throughput permitted per IOPS
	IOKiB         float64       `json:"io_kib"`         // largest I/O that counts as one
	Source        string        `json:"source"`
	Date          string        `json:"date"` // may be partial
	Note          string        `json:"note,omitempty"`
	Prices        []VolumePrice `json:"prices"` // the newest first
}

// VolumePrice is the price of a volume for a month.
type VolumePrice struct {
	Region       string  `json:"region"`
	PerGiB       float64 `json:"usd_per_gib_month"`
	PerIOPS      float64 `json:"usd_per_iops_month"` // beyond those included
	IOPSPricedTo float64 `json:"iops_priced_to"`     // 0: any number
	PerMiBps     float64 `json:"usd_per_mibps_month"`
	Source       string  `json:"source"`
	Date         string  `json:"date"`
}

func parseVolumes(text []byte, problems *[]Problem) []Volume {
	need := []string{
		"type", "rule", "min_gib", "max_gib", "iops_per_gib", "min_iops", "max_iops", "included_iops", "burst_iops",
		"burst_credits",
		"small_mibps", "full_mibps_gib", "max_mibps", "included_mibps", "mibps_per_iops", "io_kib", "source", "date", "note",
	}
	var out []Volume
	for _, r := range readTable(text, need, problems) {
		v := func(column string) float64 { return r.amount(column).Value }
		out = append(out, Volume{
			Name: r.fields["type"], Rule: r.fields["rule"], MinGiB: v("min_gib"), MaxGiB: v("max_gib"),
			IOPSPerGiB: v("iops_per_gib"),
			MinIOPS:    v("min_iops"), MaxIOPS: v("max_iops"), IncludedIOPS: v("included_iops"), BurstIOPS: v("burst_iops"),
			BurstCredits: v("burst_credits"),
			SmallMiBps:   v("small_mibps"), FullMiBpsGiB: v("full_mibps_gib"), MaxMiBps: v("max_mibps"),
			IncludedMiBps: v("included_mibps"),
			MiBpsPerIOPS:  v("mibps_per_iops"), IOKiB: v("io_kib"), Source: r.fields["source"], Date: r.fields["date"],
			Note: r.fields["note"],
		})
	}
	// The newest rules of a kind come first, so that they are the ones found.
	slices.SortStableFunc(out, func(a, b Volume) int {
		return cmp.Or(cmp.Compare(a.Name, b.Name), cmp.Compare(b.Date, a.Date))
	})
	return out
}

// volumePrice is one line of the table of prices.
type volumePrice struct {
	volume string
	VolumePrice
}

func parseVolumePrices(text []byte, problems *[]Problem) []volumePrice {
	need := []string{"type", "region", "usd_per_gib_month", "usd_per_iops_month", "iops_priced_to", "usd_per_mibps_month",
		"source", "date"}
	var out []volumePrice
	for _, r := range readTable(text, need, problems) {
		out = append(out, volumePrice{r.fields["type"], VolumePrice{
			Region: r.fields["region"], PerGiB: r.amount("usd_per_gib_month").Value, PerIOPS: r.amount("usd_per_iops_month").
				Value,
			IOPSPricedTo: r.amount("iops_priced_to").Value, PerMiBps: r.amount("usd_per_mibps_month").
					Value, Source: r.fields["source"], Date: r.fields["date"],
		}})
	}
	slices.SortStableFunc(out, func(a, b volumePrice) int { return cmp.Compare(b.Date, a.Date) })
	return out
}

func (c *Catalog) priced() {
	for i := range c.volumes {
		for _, p := range c.volumePrices {
			if p.volume == c.volumes[i].Name {
				c.volumes[i].Prices = append(c.volumes[i].Prices, p.VolumePrice)
			}
		}
	}
}

// Volumes returns the kinds of network disks with the newest rules of each.
func (c *Catalog) Volumes() []Volume {
	var out []Volume
	for _, v := range c.volumes {
		if len(out) == 0 || out[len(out)-1].Name != v.Name {
			out = append(out, v)
		}
	}
	return out
}
