package cost

import (
	"plimsoll/internal/analysis/finding"
	"plimsoll/internal/analysis/finding/bottleneck"
	"plimsoll/internal/analysis/finding/sweep"
	"plimsoll/internal/analysis/loadline"
	"plimsoll/internal/analysis/trialset"
	"plimsoll/internal/record"
	"plimsoll/internal/record/estimate"
	"plimsoll/internal/record/note"
)

// Worth is the throughput per dollar, and the cost of one operation or of 10^12 bytes, at the machine's price: the
// document of `worth` in `show --json`. It applies if the load saturates the machine, or a resource of it.
type Worth struct {
	PricePerHour float64            `json:"usd_per_hour"`
	PriceSource  string             `json:"price_source,omitempty"`
	Dollar       estimate.Estimate  `json:"per_dollar"`
	Unit         string             `json:"unit"`       // such as "op/$", "B/$", "transaction/$"
	Op           *estimate.Estimate `json:"usd_per_op"` // null for bytes
	TB           *estimate.Estimate `json:"usd_per_tb"` // of 10^12 bytes; null for operations
	// by key, of the figures above that are bounds, since the throughput is one: "lower" or "upper"
	Bounds map[string]string `json:"bounds,omitempty"`
	Doubts []note.Note       `json:"-"` // limits of its validity
}

// Caveats returns the notes of the finding.
func (w Worth) Caveats() []note.Note { return w.Doubts }

// pricePerformance returns the throughput per dollar of machines whose prices are known.
func pricePerformance(in *finding.Input) []finding.Finding {
	if in.Read.Basis == nil {
		return nil
	}
	var out []finding.Finding
	bound := map[trialset.Key]string{}
	for _, c := range in.Cells {
		if b := bottleneck.KindBottleneck.Of(c); c.Primary && b != nil {
			bound[c.Key()] = b.What
		}
	}
	for _, c := range in.Cells {
		if c.N == 0 || !HasWorth(c.Metric, c.Primary) || !trialset.IsRate(record.Metric{Unit: c.Unit, Better: c.Better}) ||
			!(c.Value > 0) {
			continue
		}
		if b := in.BasisOf(c.Machine); b.PricePerHour > 0 && Fills(c.Load, &b) {
			for _, f := range KindWorth.New(worthOf(c, b, bound[c.Key()]), c.Key()) {
				f.Metric = c.Metric
				out = append(out, f)
			}
		}
	}
	return out
}

func worthOf(c finding.Cell, b finding.Basis, binds string) *Worth {
	w := &Worth{PricePerHour: b.PricePerHour, PriceSource: b.PriceSource, Doubts: []note.Note{}}
	for _, u := range perUnitOf(c, b) {
		if u.per == "dollar" {
			w.Dollar, w.Unit = u.figure, u.unit
		}
	}
	each := w.Dollar.Inverse(1)
	switch {
	case w.Unit == "B/$":
		perTB := each.Scale(1e12)
		w.TB = &perTB
	case !sweep.IsBytes(w.Unit):
		w.Op = &each
	}
	if c.AtLeast {
		w.Bounds = map[string]string{"per_dollar": loadline.LowerBound, "usd_per_op": loadline.UpperBound}
	}
	if c.Unseen {
		w.Doubts = append(w.Doubts, note.New("cost-of-asking-machine"))
	}
	switch binds {
	case bottleneck.Client, bottleneck.Nothing, bottleneck.Pool, bottleneck.PoolOrLock, bottleneck.Waits:
		w.Doubts = append(w.Doubts, note.New("not-bound-by-machine", binds))
	case bottleneck.Unknown, "":
		w.Doubts = append(w.Doubts, note.New("bottleneck-unknown"))
	}
	return w
}
