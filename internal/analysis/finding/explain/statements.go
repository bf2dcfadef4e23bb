package explain

import (
	"cmp"
	"math"
	"slices"
	"strings"

	"plimsoll/internal/analysis/trialset"
	"plimsoll/internal/record"
	"plimsoll/internal/record/estimate"
	"plimsoll/internal/record/stat"
)

// statementDetails returns the statements of a script whose mean time differs, by the measured trials.
func statementDetails(s sides) []Detail {
	of := map[string]amounts{}
	whole := amounts{make([]float64, len(s.measuredA)), make([]float64, len(s.measuredB))}
	if min(len(whole.a), len(whole.b)) < estimate.MinReplicates {
		return nil
	}
	for _, m := range trialset.MetricsOf(s.measuredA, s.measuredB) {
		v := amounts{trialset.ValuesOf(s.measuredA, m.Name), trialset.ValuesOf(s.measuredB, m.Name)}
		if !strings.HasPrefix(m.Name, trialset.StatementPrefix) || len(v.a) != len(whole.a) || len(v.b) != len(whole.b) {
			continue
		}
		of[m.Name] = v
		whole.plus(v)
	}
	var out []Detail
	for name, v := range of {
		if v.diff()*whole.diff() <= 0 || v.diff()/whole.diff() < leastDetail {
			continue
		}
		d := stat.DifferenceOf(v.a, v.b, s.measuredPaired, stat.SDFloor*whole.largest())
		p := math.Min(1, d.P()*float64(len(of)))
		if p > explainAlpha {
			continue
		}
		a, b := v.means()
		x := Detail{Kind: DetailStatement, Name: trialset.StatementName(name, s.measuredA), A: a, B: b, Diff: d.Mean, P: p,
			Share: v.diff() / whole.diff(), Bounds: estimate.BoundsOf(d.Interval(explainAlpha))}
		out = append(out, x)
	}
	sortDetails(out)
	return out[:min(len(out), mostDetails)]
}

func (v amounts) plus(other amounts) {
	for i := range v.a {
		v.a[i] += other.a[i]
	}
	for i := range v.b {
		v.b[i] += other.b[i]
	}
}

// ScanChange is the rows of a table that a transaction reads by sequential scans, on both sides.
type ScanChange struct {
	Table string  `json:"table"`
	A     float64 `json:"a"`
	B     float64 `json:"b"`
}

// The least difference in scans that is named: in rows per transaction, and as a ratio.
const (
	leastScanned = 1000
	timesScanned = 2
)

// scanChanges returns the tables that are scanned much more on one side, by the measured trials.
func scanChanges(s sides) []ScanChange {
	by := map[string]*ScanChange{}
	for side, trials := range [][]record.Trial{s.measuredA, s.measuredB} {
		for _, t := range trials {
			if t.Database == nil {
				continue
			}
			for _, scan := range t.Database.Scans {
				c := by[scan.Table]
				if c == nil {
					c = &ScanChange{Table: scan.Table}
					by[scan.Table] = c
				}
				mean := scan.RowsRead / float64(len(trials))
				if side == 0 {
					c.A += mean
				} else {
					c.B += mean
				}
			}
		}
	}
	var out []ScanChange
	for _, c := range by {
		if most, least := max(c.A, c.B), min(c.A, c.B); most >= leastScanned && most >= timesScanned*least {
			out = append(out, *c)
		}
	}
	slices.SortFunc(out, func(a, b ScanChange) int {
		return cmp.Or(cmp.Compare(max(b.A, b.B), max(a.A, a.B)), cmp.Compare(a.Table, b.Table))
	})
	return out[:min(len(out), mostDetails)]
}
