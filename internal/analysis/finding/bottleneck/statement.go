package bottleneck

import (
	"cmp"
	"fmt"
	"slices"
	"strings"

	"plimsoll/internal/analysis/trialset"
	"plimsoll/internal/record"
	"plimsoll/internal/record/figure"
)

// Statement is the one statement of a script that takes half of a transaction's time or more.
type Statement struct {
	Name string  `json:"name"` // its number in the script, from 1, with its text
	S    float64 `json:"s"`    // mean latency, seconds
	Of   float64 `json:"of_s"` // of all statements of a transaction together
}

// statementOf returns the dominant statement of a cell; nil if none is, or if the transactions are of several scripts.
func statementOf(trials []record.Trial) *Statement {
	sums := map[string]float64{}
	whole := 0.
	for _, t := range trials {
		for _, v := range t.Values {
			if strings.HasPrefix(v.Name, trialset.StatementPrefix+"script") {
				return nil
			}
			if strings.HasPrefix(v.Name, trialset.StatementPrefix) {
				sums[v.Name] += v.Value / float64(len(trials))
				whole += v.Value / float64(len(trials))
			}
		}
	}
	for name, s := range sums {
		if len(sums) > 1 && s > halfOfTime*whole {
			return &Statement{Name: trialset.StatementName(name, trials), S: s, Of: whole}
		}
	}
	return nil
}

// databaseOf returns the means of what stands out in the databases of a cell; nil if nothing does in half of the trials
// or more.
func databaseOf(trials []record.Trial) *record.Database {
	n := float64(len(trials))
	scans, open := map[string]record.Scan{}, map[string]record.OpenTransactions{}
	for _, t := range trials {
		if t.Database == nil {
			continue
		}
		for _, s := range t.Database.Scans {
			was := scans[s.Table]
			scans[s.Table] = record.Scan{Table: s.Table, PerOp: was.PerOp + s.PerOp/n, RowsRead: was.RowsRead + s.RowsRead/n}
		}
		for _, o := range t.Database.Open {
			open[o.Name] = record.OpenTransactions{Name: o.Name, Count: open[o.Name].Count + o.Count/n}
		}
	}
	out := record.Database{}
	for _, s := range scans {
		out.Scans = append(out.Scans, s)
	}
	for _, o := range open {
		if o.Count >= halfOfTime {
			out.Open = append(out.Open, o)
		}
	}
	slices.SortFunc(out.Scans, func(a, b record.Scan) int {
		return cmp.Or(cmp.Compare(b.RowsRead, a.RowsRead), cmp.Compare(a.Table, b.Table))
	})
	slices.SortFunc(out.Open, func(a, b record.OpenTransactions) int {
		return cmp.Or(cmp.Compare(b.Count, a.Count), cmp.Compare(a.Name, b.Name))
	})
	if len(out.Scans)+len(out.Open) == 0 {
		return nil
	}
	return &out
}

// detailsOf states what stands out beside the resources: the statement that takes the time, the tables that are read as
// a whole, the transactions of others that stay open.
func detailsOf(s *Statement, d *record.Database) []string {
	var out []string
	if s != nil {
		unit := figure.ScaleFor("s", s.S, s.Of)
		out = append(out, fmt.Sprintf("statement %s takes %s of %s", s.Name, unit.Number(s.S, figure.Digits),
			unit.Text(s.Of, figure.Digits)))
	}
	if d == nil {
		return out
	}
	for i, scan := range d.Scans {
		if i > 0 && scan.RowsRead < d.Scans[0].RowsRead/10 {
			break
		}
		out = append(out, fmt.Sprintf("a transaction reads about %s rows of the table %s by sequential "+
			"scan", figure.Exact(figure.RoundTo(scan.RowsRead, 2)), scan.Table))
	}
	for _, o := range d.Open {
		whose := "a client without application_name"
		if o.Name != "" {
			whose = o.Name
		}
		out = append(out, fmt.Sprintf("%s of %s idle in a transaction, which keeps its locks",
			figure.Count(int(o.Count+.5), "connection"), whose))
	}
	return out
}
