package catalog

import (
	"cmp"
	"fmt"
	"slices"
	"strings"
)

// Type is one instance type of a cloud.
type Type struct {
	Name           string `json:"name"` // "m6gd.8xlarge", "c4a-standard-8", "D8ps_v5"
	Vendor         string `json:"vendor"`
	Family         string `json:"family"` // "m6gd", "c4a-standard", "Dps_v5"
	Size           string `json:"size"`   // "8xlarge", "8"
	Arch           string `json:"arch"`   // "amd64", "arm64"
	VCPUs          int    `json:"vcpus"`
	Cores          int    `json:"cores,omitempty"`            // physical; 0: unknown
	ThreadsPerCore int    `json:"threads_per_core,omitempty"` // 0: unknown
	Maker          string `json:"cpu_maker,omitempty"`        // lower case
	Model          string `json:"cpu_model,omitempty"`
	MHz            Amount `json:"mhz"`
	MemoryGiB      Amount `json:"memory_gib"`
	NVMeGB         Amount `json:"nvme_gb"`      // all local disks, 10^9 B
	NetworkMbps    Amount `json:"network_mbps"` // guaranteed, 10^6 bit/s
	// for a limited time, on credits; equal to the guaranteed if the type has no burst
	NetworkBurstMbps Amount  `json:"network_burst_mbps"`
	EBSMbps          Amount  `json:"ebs_mbps"` // maximum to network disks, 10^6 bit/s
	Prices           []Price `json:"prices"`   // a user's own first, then the newest first
	Note             string  `json:"note,omitempty"`

	EBS *EBSLimits `json:"ebs_limits,omitempty"` // to network disks; nil: unknown
}

// NetworkText states a type's network bandwidth in one direction, baseline and burst; "" if unknown.
func (t Type) NetworkText() string {
	switch burst := t.NetworkBurstMbps; {
	case !t.NetworkMbps.Known:
		return ""
	case !burst.Known:
		return fmt.Sprintf("%s: %g Gbit/s", t.Name, t.NetworkMbps.Value/1000)
	case burst.Value == t.NetworkMbps.Value:
		return fmt.Sprintf("%s: %g Gbit/s, no burst", t.Name, t.NetworkMbps.Value/1000)
	default:
		return fmt.Sprintf("%s: baseline %g Gbit/s, burst %g Gbit/s", t.Name, t.NetworkMbps.Value/1000, burst.Value/1000)
	}
}

// Price is the on-demand price of a type for one hour.
type Price struct {
	PerHour float64 `json:"usd_per_hour"`
	Date    string  `json:"date"` // "2026-07-20", "2021-10"; "" if its source has none
	Source  string  `json:"source"`
	Own     bool    `json:"own,omitempty"`    // set by the user
	Future  bool    `json:"future,omitempty"` // it applies from its date on, which is not yet
}

// Price returns the price at a date, which may be a prefix ("2021-10", "2026"); with "" the user's own, else the
// newest, that applies today.
func (t Type) Price(date string) (Price, bool) {
	for _, p := range t.Prices {
		if strings.HasPrefix(p.Date, date) && !(p.Future && date == "") {
			return p, true
		}
	}
	return Price{}, false
}

func (t *Type) sortPrices() {
	rank := func(p Price) int {
		switch {
		case p.Future:
			return 2
		case p.Own:
			return 0
		}
		return 1
	}
	slices.SortStableFunc(t.Prices, func(a, b Price) int {
		return cmp.Or(cmp.Compare(rank(a), rank(b)), cmp.Compare(b.Date, a.Date))
	})
}
