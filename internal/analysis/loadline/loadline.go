// Package loadline finds the highest load that a server sustains within a latency objective, from sweeps of loads and
// from searches: docs/method.md#max-load.
package loadline

import (
	"maps"
	"slices"
	"strings"

	"plimsoll/internal/record"
	"plimsoll/internal/record/figure"
	"plimsoll/internal/record/note"
)

// Line is the highest load that a machine sustains: up to the load at which latency is at most twice that below 20%
// CPU, or within a given objective. It is the document of `loadline` in `show --json`, attached to the primary metric
// of the cell with the sweep's highest load.
type Line struct {
	Statistic string `json:"statistic"` // of latency: "p50", "p99", …; "latency" if unknown
	Metric    string `json:"metric"`    // the metric of MaxSustained; "offered" if no rate was measured
	Unit      string `json:"unit"`

	Objective float64 `json:"objective,omitempty"` // seconds; 0 if none was given
	// seconds; nil if an objective is given and nothing is known below 20% CPU
	BaseLatency *float64 `json:"base_latency"`
	// seconds: twice BaseLatency, or the objective; mean over replicates
	Limit        float64 `json:"limit"`
	MaxSustained float64 `json:"max_sustained"` // Unit; a lower bound if not Crossed
	Crossed      bool    `json:"crossed"`       // false: a sweep ended below the line
	// Unit; an upper bound, with MaxSustained as the lower one, if probes for another objective bracket the line
	AtMost *float64 `json:"at_most,omitempty"`
	// of a single search that only brackets its line: the probes that it lies between
	Between *Between `json:"between,omitempty"`
	// the objectives of a search that was steered by others than Objective
	SteeredBy string `json:"steered_by,omitempty"`
	// 95% CI of MaxSustained; missing with fewer than three replicates of the sweep, or if not Crossed
	figure.Bounds
	N int `json:"n"` // replicates of the sweep

	// Of a single search, which has no interval: 95% by the scatter of its own probes.
	OneSearch *OneSearch `json:"one_search,omitempty"`

	// by search: fresh runs at the lines found, which enter no figure
	Confirmations []Confirmation `json:"confirmations,omitempty"`

	HalfCPU

	// by key, of the figures above that are bounds: "lower" or "upper"; none of a crossed line
	OneSided map[string]string `json:"bounds,omitempty"`

	Headroom float64 `json:"headroom"` // fraction of the line that Alarms assume
	Alarms   []Alarm `json:"alarms"`
	Fleet    *Need   `json:"fleet,omitempty"` // set if a demand was stated

	CPUScope string      `json:"cpu_scope"` // CPUScope*
	Probes   []Probe     `json:"probes"`    // the lowest load first
	Doubts   []note.Note `json:"-"`
}

// Between is what a single search says of a line that its probes scatter too much to locate, or that no fresh run
// confirmed.
type Between struct {
	Within   Bound  `json:"within"`             // the highest probe below the line
	Above    *Bound `json:"above,omitempty"`    // the lowest probe above it; nil: none was
	Contrary int    `json:"contrary,omitempty"` // probes that contradict these two
	// Without Above: probes within the limit at loads above Within, which other probes contradict.
	Higher int `json:"higher,omitempty"`
	// Of a line that hangs on which probe at low load is believed: the least and the greatest latency there, in seconds.
	LeastBase float64 `json:"least_base,omitempty"`
	MostBase  float64 `json:"most_base,omitempty"`
}

// Bound is a probe on one side of a line.
type Bound struct {
	Load    float64  `json:"load"`    // offered, operations per second
	Latency *float64 `json:"latency"` // seconds; nil if the target did not handle the load
}

// OneSearch is where a line can lie by the scatter of one search's probes about it and at its base. Further searches
// scatter more: they start other servers, at other times.
type OneSearch struct {
	figure.Bounds // Unit
}

// HalfCPU relates a Line to the load at half of the CPU; nil if CPU use is unknown.
type HalfCPU struct {
	At50 *float64 `json:"at_50"` // Unit, at 50% CPU, interpolated on CPU
	// Unit, at 100% CPU: LinearFrom's value · 100 / its CPU; nil if that is far from 50%
	Linear     *float64 `json:"linear_expectation"`
	LinearFrom *Probe   `json:"linear_from"`  // the probe nearest to 50% CPU
	OfLinear   *float64 `json:"of_linear"`    // MaxSustained / Linear
	UsedAt50   *float64 `json:"used_at_50"`   // At50 / MaxSustained
	GainPast50 *float64 `json:"gain_past_50"` // MaxSustained / At50 - 1
}

// The sides on which figures of a Line are bounds.
const (
	LowerBound = "lower" // the truth is at least the figure
	UpperBound = "upper"
)

// Caveats returns the notes of the finding.
func (l Line) Caveats() []note.Note { return l.Doubts }

// The CPUs that the CPU use of a Line is a share of.
const (
	CPUScopeServer   = "server"   // the CPUs available to the work, beside the load generator on the same machine
	CPUScopeTarget   = "target"   // the whole machine, loaded from elsewhere
	CPUScopeImported = "imported" // as defined by the imported file
	CPUScopeUnknown  = ""
)

// Probe is one load of a sweep: means over its replicates.
type Probe struct {
	Load     string   `json:"load"`    // record.LoadPoint's text form
	Level    float64  `json:"level"`   // clients, CPUs, or operations per second
	Value    float64  `json:"value"`   // carried, in the line's unit
	Latency  float64  `json:"latency"` // seconds
	CPU      *float64 `json:"cpu"`     // %; nil if unknown
	N        int      `json:"n"`       // runs
	Requests int64    `json:"requests,omitempty"`
}

// StatisticOf returns a latency metric's statistic, and false if the metric is no latency.
func StatisticOf(m record.Metric) (string, bool) {
	const prefix = record.Latency + "_"
	switch {
	case m.Better != record.Lower || m.Unit != "s":
		return "", false
	case m.Name == record.Latency:
		return m.Name, true
	case strings.HasPrefix(m.Name, prefix):
		return strings.TrimPrefix(m.Name, prefix), true
	}
	return "", false
}

// ChiefLine returns the line to name if only one is named, or nil if there is none.
func ChiefLine(lines map[string]Line) *Line {
	for _, statistic := range ChiefFirst(lines) {
		l := lines[statistic]
		return &l
	}
	return nil
}

// ChiefFirst returns the statistics of lines with p99 first, or else a latency of unknown statistic.
func ChiefFirst[L any](lines map[string]L) []string {
	out := slices.Sorted(maps.Keys(lines))
	for _, chief := range []string{record.Latency, "p99"} {
		if i := slices.Index(out, chief); i > 0 {
			out = slices.Insert(slices.Delete(out, i, i+1), 0, chief)
		}
	}
	return out
}

// Need is the fleet that meets a demand with machines of one kind. If Machines is nil, Why holds the reason.
type Need struct {
	Demand   float64 `json:"demand"`
	Unit     string  `json:"unit"`
	Headroom float64 `json:"headroom"`
	Failures int     `json:"failures"`

	Line       *float64 `json:"line"`        // the lower end of the load line's interval, on which all figures rest
	Machines   *int     `json:"machines"`    // including those that may fail
	Share      *float64 `json:"share"`       // of Line, carried by each
	ShareAfter *float64 `json:"share_after"` // likewise, after the failures
	Alarm      *float64 `json:"alarm"`       // share above which the failures would leave less than the headroom
	AlarmCPU   *float64 `json:"alarm_cpu"`   // % at that share, interpolated between probes

	PerHour     *float64  `json:"usd_per_hour"`  // of all machines; nil if no price is known
	PerMonth    *float64  `json:"usd_per_month"` // of HoursPerMonth
	PriceSource string    `json:"price_source,omitempty"`
	Why         note.Note `json:"why,omitzero"`
}
