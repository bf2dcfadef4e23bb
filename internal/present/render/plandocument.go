package render

import (
	"plimsoll/internal/machine/forecast"
	"plimsoll/internal/plan"
)

// PlanDocument is the JSON of `run --dry-run --json`, format 1. Ranges are from the minimum, if every comparison ends
// with its first interim analysis, to the maximum.
type PlanDocument struct {
	Format  int            `json:"format"`
	Plan    string         `json:"plan"`
	Cells   int            `json:"cells"`
	Runs    Range[int]     `json:"runs"`
	Seconds Range[float64] `json:"seconds"`      // of the session
	Load    Range[float64] `json:"load_seconds"` // of warm-up and measurement
	Hosts   []HostDocument `json:"hosts"`
	Loading []PaidDocument `json:"generators,omitempty"`
	Missing []string       `json:"missing_engines"`
	NoSpace []string       `json:"no_space"` // data that do not fit: the run would be refused
}

// Range is a minimum and a maximum.
type Range[T int | float64] struct {
	Least T `json:"least"`
	Most  T `json:"most"`
}

// PaidDocument is a machine that a session pays.
type PaidDocument struct {
	Machine string          `json:"machine"`
	Type    string          `json:"type,omitempty"`
	PerHour float64         `json:"usd_per_hour,omitempty"`
	USD     *Range[float64] `json:"usd,omitempty"` // for the session's duration; absent without a price
}

// HostDocument is the use of one host.
type HostDocument struct {
	PaidDocument
	// machine of the first host of the cluster that it has a server of
	Cluster string                 `json:"cluster,omitempty"`
	Steps   []forecast.StepSeconds `json:"steps"`   // besides warm-up and measurement, at most
	Open    []string               `json:"unknown"` // durations that are not forecast
	Disks   []forecast.DiskUse     `json:"disks"`
	Memory  int64                  `json:"memory_bytes"` // that should stay resident
	Speed   forecast.Speed         `json:"speed"`
}

// Document returns the forecast of a plan as JSON.
func (d Planned) Document() PlanDocument {
	f := d.Forecast
	of := func(x func(plan.Span) float64) Range[float64] { return Range[float64]{x(f.Least), x(f.Most)} }
	out := PlanDocument{Format: 1, Plan: d.Plan.Name, Cells: len(d.Plan.Cells),
		Runs:    Range[int]{f.Least.Trials, f.Most.Trials},
		Seconds: of(plan.Span.Total), Load: of(func(s plan.Span) float64 { return s.Load }), Missing: append([]string{},
			d.Missing...), NoSpace: append([]string{}, d.NoSpace...)}
	paid := func(i int, host string) PaidDocument {
		b := d.Bases[i]
		p := PaidDocument{Machine: d.Machines[host].Name, Type: b.Type, PerHour: b.PricePerHour}
		if b.PricePerHour > 0 {
			usd := of(func(s plan.Span) float64 { return b.PricePerHour * s.Total() / 3600 })
			p.USD = &usd
		}
		return p
	}
	for i, h := range f.Hosts {
		name := d.Plan.Hosts[i]
		out.Hosts = append(out.Hosts, HostDocument{PaidDocument: paid(i, name), Cluster: clusterOf(d, name),
			Speed: h.Most.Speed, Memory: memoryOf(d, name),
			Steps: append([]forecast.StepSeconds{}, h.Most.Steps...), Open: append([]string{}, h.Most.Open...),
			Disks: append([]forecast.DiskUse{}, h.Most.Disks...)})
	}
	for i, name := range d.Plan.Generators {
		out.Loading = append(out.Loading, paid(len(f.Hosts)+i, name))
	}
	return out
}

// clusterOf returns the name of the cluster that has a server on a host; "" if none has.
func clusterOf(d Planned, host string) string {
	for _, c := range d.Plan.Cells {
		if len(c.Cluster) > 0 && c.On(host) {
			return d.Machines[c.Host].Name
		}
	}
	return ""
}
