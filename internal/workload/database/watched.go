package database

import (
	"fmt"
	"slices"
	"strings"

	"plimsoll/internal/record"
)

// watched is the samples of a watcher.
type watched struct {
	catalog  catalog
	counted  []counted
	samples  []sample
	seen     []seen
	doing    []doing
	ids      map[string]int // of doing
	vacuums  []vacuum       // current
	happened []record.Event // to autovacuum
	key      []byte
	backends int32                 // of the load, in the last sample
	open     map[string]int64      // connections of others seen idle in a transaction, by application_name
	scans    [2]map[string]scanned // by table, when watching began and ended
}

// counted is one sample of the server's counters.
type counted struct {
	at   int64 // CLOCK_MONOTONIC, ns
	n    [counters]int64
	own  int64 // the watcher's own transactions, included in n
	cost int64 // CPU time of the watcher and its backend so far, ns
}

// sample is one sample of the backends' activity: their number in each class.
type sample struct {
	at      int64
	classes [waitClasses]int32
	vacuums int32
	others  int32 // other clients' backends at work
}

// waitClasses is the number of record.WaitClasses.
const waitClasses = 8

// doing is one activity of a backend.
type doing struct {
	class int
	event string // "LWLock.WALInsert"; "" if it does not wait
}

// seen is the number of backends with one activity in a sample.
type seen struct {
	sample, doing, n int32
}

// vacuum is an autovacuum worker, identified by its query.
type vacuum struct {
	words   string
	present bool // in the current sample
}

func (w *watched) begin() {
	w.backends = 0
	w.samples = append(w.samples, sample{})
	for i := range w.vacuums {
		w.vacuums[i].present = false
	}
}

// row takes one row of the activity query. It allocates only for new activities and when its lists grow.
func (w *watched) row(_ int, columns [][]byte) error {
	if len(columns) != 6 {
		return fmt.Errorf("%d columns of activity, expected 6", len(columns))
	}
	n, ok := whole(columns[5])
	if !ok {
		return fmt.Errorf("%.40q is not a count", columns[5])
	}
	now := &w.samples[len(w.samples)-1]
	switch of, _ := whole(columns[0]); of {
	case ofVacuum:
		now.vacuums += int32(n)
		w.vacuuming(columns[4])
		return nil
	case ofOthers:
		if strings.HasPrefix(string(columns[1]), "idle in transaction") {
			w.openOf(string(columns[4]), n)
			return nil
		}
		now.others += int32(n)
		return nil
	}
	if w.backends += int32(n); w.catalog.blind {
		return nil
	}
	id := w.idOf(columns[1], columns[2], columns[3])
	now.classes[w.doing[id].class] += int32(n)
	if w.doing[id].event != "" {
		w.seen = append(w.seen, seen{int32(len(w.samples) - 1), int32(id), int32(n)})
	}
	return nil
}

func (w *watched) idOf(state, kind, event []byte) int {
	w.key = append(append(append(append(append(w.key[:0], state...), 0), kind...), '.'), event...)
	id, ok := w.ids[string(w.key)]
	if ok {
		return id
	}
	d := doing{class: slices.Index(record.WaitClasses(), classOf(string(state), string(kind), string(event)))}
	if len(kind) > 0 {
		d.event = string(kind) + "." + string(event)
	}
	if w.ids == nil {
		w.ids = map[string]int{}
	}
	w.doing = append(w.doing, d)
	w.ids[string(w.key)] = len(w.doing) - 1
	return len(w.doing) - 1
}

func (w *watched) vacuuming(words []byte) {
	for i := range w.vacuums {
		if w.vacuums[i].words == string(words) {
			w.vacuums[i].present = true
			return
		}
	}
	w.vacuums = append(w.vacuums, vacuum{string(words), true})
	w.happened = append(w.happened, record.Event{Name: record.EventAutovacuumBegin, Detail: string(words)})
}

func (w *watched) finish(at int64) {
	w.samples[len(w.samples)-1].at = at
	for i := len(w.happened) - 1; i >= 0 && w.happened[i].TimeNs == 0; i-- {
		w.happened[i].TimeNs = at
	}
	w.vacuums = slices.DeleteFunc(w.vacuums, func(v vacuum) bool {
		if !v.present {
			w.happened = append(w.happened, record.Event{Name: record.EventAutovacuumEnd, Detail: v.words, TimeNs: at})
		}
		return !v.present
	})
}
