package judge

import (
	"math"

	"plimsoll/internal/analysis/finding"
	"plimsoll/internal/analysis/finding/integrity"
	"plimsoll/internal/analysis/trialset"
	"plimsoll/internal/record"
	"plimsoll/internal/record/figure"
	"plimsoll/internal/record/note"
	"plimsoll/internal/record/stat"
)

// noteCellOrder notes missing replicates of an import, and drift in the order of replicates: without a constant level
// there is no interval.
func noteCellOrder(c *finding.Cell, trials []record.Trial, metric string) {
	if !trialset.Imported(trials) {
		return
	}
	if gaps := integrity.Gaps(integrity.Numbers(trials)); gaps > 0 {
		c.Doubts = append(c.Doubts, note.New("replicates-missing", gaps))
	}
	in := trialset.InTime(trialset.Having(trials, metric))
	o := stat.OrderOf(stat.Logs(trialset.ValuesOf(in, metric)))
	if !c.Bounded() || o.Why == "" || math.IsNaN(o.Repeat) {
		return
	}
	c.Bounds = figure.Bounds{}
	c.Doubts = append(c.Doubts, note.New("no-level", trialset.DisorderNote(o, "the runs", in)))
}
