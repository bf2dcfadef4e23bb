package judge

import (
	"math"

	"plimsoll/internal/finding"
	"plimsoll/internal/finding/integrity"
	"plimsoll/internal/note"
	"plimsoll/internal/record"
	"plimsoll/internal/stat"
	"plimsoll/internal/trialset"
)

// noteCellOrder says of an import's cell what numbers are missing, and what its replicates say by their order: where that is no one level, there is no interval.
func noteCellOrder(c *finding.Cell, trials []record.Trial, metric string) {
	if !trialset.Imported(trials) {
		return
	}
	if gaps := integrity.Gaps(integrity.Numbers(trials)); gaps > 0 {
		c.Doubts = append(c.Doubts, note.New("replicates-missing", gaps))
	}
	in := trialset.InTime(trialset.Having(trials, metric))
	o := stat.OrderOf(stat.Logs(trialset.ValuesOf(in, metric)))
	if c.Lo == nil || o.Why == "" || math.IsNaN(o.Repeat) {
		return
	}
	c.Lo, c.Hi = nil, nil
	c.Doubts = append(c.Doubts, note.New("no-level", trialset.DisorderNote(o, "the runs", in)))
}
