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

// flagOrder flags what the order of replicates says of a ratio that it widened; false where it leaves no interval to speak of.
func flagOrder(c *finding.Comparison, s trialset.Sample, r stat.LogRatio, rule stat.Rule) bool {
	o := s.OrderOf(c.Metric)
	if o.Why != "" {
		c.Flag("no-level-no-verdict", s.Disorder(o))
		return false
	}
	const much = 1.5
	if o.Widen < much {
		return true
	}
	plain, _ := s.RatioBy(c.Metric, rule.Opts)
	if wider := r.Hull.HalfWidth() / plain.Hull.HalfWidth(); wider >= much {
		c.Flag("resembling-replicates", o.Repeat, wider)
	}
	return true
}

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
	c.Doubts = append(c.Doubts, note.New("no-level", trialset.DisorderNote(o, "the replicates", in)))
}
