package database

import "fmt"

// The least that is noted of other clients' work: transactions, their share in the database's, and backends at work.
const (
	leastForeign      = 100
	leastForeignShare = .01
	leastBackends     = .05
)

// others notes other clients' work on the database until the end of the load, CLOCK_MONOTONIC in ns, whose connections
// ended that many transactions, in all.
func (w *watched) others(own, until int64) []string {
	var out []string
	if total, foreign := w.foreign(own); foreign >= leastForeign && float64(foreign) >= leastForeignShare*float64(total) {
		out = append(out,
			fmt.Sprintf("transactions of others: %d of %d in the database during the load, %.3g%%: the server's counters and "+
				"CPU use include them",
				foreign, total, 100*float64(foreign)/float64(total)))
	}
	if busy := w.busy(until); busy >= leastBackends {
		out = append(out,
			fmt.Sprintf("backends of others: %.2g were at work in the database on average during the load; wait shares do not "+
				"include them", busy))
	}
	return out
}

// foreign returns the transactions of the database during the watch, without the watcher's own, and those among them
// that are not the load's. Counts of backends that are still connected may be late, never early.
func (w *watched) foreign(own int64) (total, foreign int64) {
	if len(w.counted) < 2 || w.catalog.unread[countCommits] || w.catalog.uncounted {
		return 0, 0
	}
	of := func(c counted) int64 { return c.n[countCommits] + c.n[countRollbacks] - c.own }
	total = of(w.counted[len(w.counted)-1]) - of(w.counted[0])
	return total, total - own
}

// busy returns the mean number of other clients' backends at work until an instant.
func (w *watched) busy(until int64) float64 {
	sum, n := 0, 0
	for _, s := range w.samples {
		if s.at < until {
			sum += int(s.others)
			n++
		}
	}
	return float64(sum) / float64(max(1, n))
}
