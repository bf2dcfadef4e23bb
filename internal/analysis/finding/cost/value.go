// Package cost relates figures to the size, price and power of machines.
package cost

import (
	"math"
	"strconv"
	"strings"

	"plimsoll/internal/analysis/finding"
	"plimsoll/internal/analysis/finding/sweep"
	"plimsoll/internal/analysis/trialset"
	"plimsoll/internal/machine/catalog"
	"plimsoll/internal/record"
	"plimsoll/internal/record/estimate"
	"plimsoll/internal/record/note"
	"plimsoll/internal/record/stat"
)

// PerWatt is the basis of figures by the catalogue's power, which are estimates.
const PerWatt = "watt"

// Share is a basis that a rate is put in relation to.
type Share struct {
	Per    string
	unit   string                      // suffix of the rate's unit
	total  bool                        // the rate becomes an amount, without its "per second"
	factor float64                     // from a rate per second to the new unit
	Of     func(finding.Basis) float64 // 0: unknown
	doubt  func(a, b finding.Basis) []note.Note
}

// Shares returns the bases in the order of tables: vCPUs, cores, dollars, watts.
func Shares() []Share {
	none := func(_, _ finding.Basis) []note.Note { return nil }
	return []Share{
		{"vcpu", "/vCPU", false, 1, func(b finding.Basis) float64 { return b.VCPUs }, unlikeVCPUs},
		{"core", "/core", false, 1, func(b finding.Basis) float64 { return b.Cores }, none},
		{"dollar", "/$", true, 3600, func(b finding.Basis) float64 { return b.PricePerHour }, none},
		{PerWatt, "/J", true, 1, finding.Basis.Power, guessedPower},
	}
}

// PerBasis relates a comparison of two machines to their vCPUs, cores, dollars and watts, if these are known on both
// sides. Each result shifts the same log ratio by a constant, with a new verdict against the margin (a fraction); if c
// has no verdict, none has. Only rates that are better if higher have a value per unit: for others the result is empty.
//
// Flags of the measurement stay with c.
func PerBasis(c finding.Comparison, a, b finding.Basis, margin float64, quick bool) []finding.Comparison {
	if !trialset.IsRate(record.Metric{Unit: c.Unit, Better: c.Direction}) || !(c.Ratio > 0) {
		return nil
	}
	var out []finding.Comparison
	for _, s := range Shares() {
		if s.Of(a) > 0 && s.Of(b) > 0 {
			out = append(out, s.shift(c, a, b, trialset.Preregistered{Alpha: c.Alpha, Margin: margin, Quick: quick}))
		}
	}
	return out
}

func (s Share) shift(c finding.Comparison, a, b finding.Basis, reg trialset.Preregistered) finding.Comparison {
	out := c
	out.Per, out.Unit, out.Flags = s.Per, c.Unit+s.unit, []note.Note{}
	if s.total {
		out.Unit = trialset.CountedIn(c.Unit) + s.unit
	}
	out.A, out.B = c.A*s.factor/s.Of(a), c.B*s.factor/s.Of(b)
	by := s.Of(a) / s.Of(b)
	out.SetChange(c.Change().Scale(by))
	if c.MeanRatio != nil {
		mean := *c.MeanRatio * by
		out.MeanRatio = &mean
	}
	out.Verdict, out.Better, out.Alpha = "", "", 0
	out.Extra, out.Repeat, out.Undisturbed, out.PerTB = nil, nil, nil, nil
	out.Difference, out.Ranked = nil, stat.Ranked{}
	if s.Per == "dollar" {
		out.BreakEven = &finding.BreakEven{Ratio: c.Ratio, Bounds: c.Bounds, PricePerHour: a.PricePerHour * c.Ratio}
		if out.Unit == "B/$" {
			out.PerTB = &finding.PerTB{A: 1e12 / out.A, B: 1e12 / out.B}
		}
		out.PerOp = nil
		if !sweep.IsBytes(out.Unit) {
			out.PerOp = &finding.PerOp{A: estimate.Estimate{Value: 1 / out.A}, B: estimate.Estimate{Value: 1 / out.B}}
		}
	}
	out.Flags = append(out.Flags, s.doubt(a, b)...)
	if s.Per == PerWatt {
		out.Estimate = true
		return out
	}
	if c.Verdict != "" && out.Bounded() {
		out.Settle(stat.LogRatio{Mean: math.Log(out.Ratio), Hull: estimate.LogsOf(out.Bounds), N: c.N}, reg)
	}
	return out
}

// guessedPower returns the reason why figures per watt of the catalogue decide nothing: its power is not the
// power that these machines drew in these runs. Measured joules have their own metric: record.WorkPerJoule.
func guessedPower(a, b finding.Basis) []note.Note {
	for _, w := range []*finding.Watts{a.Watts, b.Watts} {
		if w.Kind != catalog.Measured {
			return []note.Note{note.New("power-estimated", w.Kind)}
		}
	}
	return []note.Note{note.New("power-estimated", "taken from the catalogue")}
}

// unlikeVCPUs notes a vCPU that is a core on one side and a thread on the other.
func unlikeVCPUs(a, b finding.Basis) []note.Note {
	if a.Cores == 0 || b.Cores == 0 || a.VCPUs/a.Cores == b.VCPUs/b.Cores {
		return nil
	}
	return []note.Note{note.New("unlike-vcpus", a.VCPUs/a.Cores, b.VCPUs/b.Cores)}
}

// HasWorth reports whether a rate is related to the machine's cost: the primary one, and the bytes ingested or read.
func HasWorth(metric string, primary bool) bool {
	return primary || metric == trialset.Ingest || metric == trialset.Egress
}

// Fills reports whether a load saturates a machine, judging by its text: a machine's cost says nothing about a part of
// it, nor about an offered rate. A nil basis is unknown.
func Fills(load string, b *finding.Basis) bool {
	n, unit, _ := strings.Cut(load, " ")
	switch {
	case strings.Contains(n, "/s"):
		return false
	case unit != "cpus" || n == "all" || b == nil:
		return true
	}
	level, err := strconv.ParseFloat(n, 64)
	return err == nil && level >= b.VCPUs
}
