package database

import (
	"cmp"
	"slices"

	"plimsoll/internal/client/load"
	"plimsoll/internal/client/pgload"
	"plimsoll/internal/record"
)

// scanned is what sequential scans have read of a table since the server's start.
type scanned struct{ scans, rows int64 }

// scansOf reads the scans of all tables; none if the role, or the server, does not tell.
func scansOf(c *pgload.Conn) map[string]scanned {
	out := map[string]scanned{}
	err := c.Simple(scansQuery, func(_ int, columns [][]byte) error {
		if len(columns) != 3 {
			return nil
		}
		scans, ok1 := whole(columns[1])
		rows, ok2 := whole(columns[2])
		if ok1 && ok2 {
			out[string(columns[0])] = scanned{scans, rows}
		}
		return nil
	})
	if err != nil {
		return nil
	}
	return out
}

// mostOpen bounds the names of applications that are kept.
const mostOpen = 100

func (w *watched) openOf(application string, n int64) {
	if w.open == nil {
		w.open = map[string]int64{}
	}
	if _, ok := w.open[application]; ok || len(w.open) < mostOpen {
		w.open[application] += n
	}
}

const (
	mostStandout = 3
	leastRows    = 1000 // rows of a scan: that of a small table costs no more than an index
	leastScans   = .01  // of a table, per transaction
	leastOpen    = .5   // connections on average
)

// standout returns the tables that every hundredth transaction or more reads as a whole, and the transactions of others
// that stay open; nil if there are none. Both are over the time of watching.
func (w *watched) standout() *record.Database {
	out := record.Database{}
	if n := len(w.counted); n > 1 && !w.catalog.unread[countCommits] {
		of := func(c counted) int64 { return c.n[countCommits] + c.n[countRollbacks] - c.own }
		if transactions := float64(of(w.counted[n-1]) - of(w.counted[0])); transactions > 0 {
			out.Scans = scansBetween(w.scans[0], w.scans[1], transactions)
		}
	}
	for name, n := range w.open {
		if mean := float64(n) / float64(max(1, len(w.samples))); mean >= leastOpen {
			out.Open = append(out.Open, record.OpenTransactions{Name: name, Count: rounded(mean)})
		}
	}
	slices.SortFunc(out.Open, func(a, b record.OpenTransactions) int {
		return cmp.Or(cmp.Compare(b.Count, a.Count), cmp.Compare(a.Name, b.Name))
	})
	out.Open = out.Open[:min(len(out.Open), mostStandout)]
	if len(out.Scans)+len(out.Open) == 0 {
		return nil
	}
	return &out
}

func scansBetween(before, after map[string]scanned, transactions float64) []record.Scan {
	if before == nil {
		return nil
	}
	var out []record.Scan
	for table, b := range after {
		scans, rows := b.scans-before[table].scans, b.rows-before[table].rows
		if scans > 0 && rows >= leastRows*scans && float64(scans) >= leastScans*transactions {
			out = append(out, record.Scan{Table: table, PerOp: rounded(float64(scans) / transactions),
				RowsRead: rounded(float64(rows) / transactions)})
		}
	}
	slices.SortFunc(out, func(a, b record.Scan) int {
		return cmp.Or(cmp.Compare(b.RowsRead, a.RowsRead), cmp.Compare(a.Table, b.Table))
	})
	return out[:min(len(out), mostStandout)]
}

// Database implements workload.Databaser.
func (s *Server) Database(load.Result) *record.Database {
	s.watch.end()
	if s.watch.watcher == nil || s.StandsBy() {
		return nil
	}
	return s.watch.watcher.standout()
}
