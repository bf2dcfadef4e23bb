package database

import (
	"cmp"
	"math"
	"slices"

	"plimsoll/internal/record"
	"plimsoll/internal/workload"
	"plimsoll/internal/workload/database/standby"
	"plimsoll/internal/workload/serveruse"
)

// mostEvents bounds the wait events with a series of their own.
const mostEvents = 12

// tracks returns the series of n steps from start on, CLOCK_MONOTONIC in ns. Series of zeros are omitted.
func (w *watched) tracks(start, step int64, n int) []workload.Track {
	if n == 0 || len(w.counted) < 2 {
		return nil
	}
	var out []workload.Track
	add := func(name, unit string, values []int64) {
		if slices.ContainsFunc(values, func(v int64) bool { return v != 0 }) {
			out = append(out, workload.Track{Name: name, Unit: unit, StepNs: step, Values: values})
		}
	}
	for _, c := range columns() {
		add(c.name, c.unit, w.sampled(c.of).Steps(start, step, n))
	}
	classes, vacuums := w.doings(start, step, n)
	for i, class := range record.WaitClasses() {
		add(record.DBWait(class), "", classes[i])
	}
	add(record.DBAutovacuum, "", vacuums)
	for _, e := range w.events(start, step, n) {
		add(record.DBEvent(e.event), "", e.values)
	}
	return out
}

// column is a counter that has a series.
type column struct {
	name, unit string
	of         func(counted) int64
}

func columns() []column {
	of := func(i int) func(counted) int64 { return func(c counted) int64 { return c.n[i] } }
	return []column{
		{record.DBCommits, "op", func(c counted) int64 { return c.n[countCommits] - c.own }},
		{record.DBRollbacks, "op", of(countRollbacks)},
		{record.DBBlocksRead, "", of(countRead)},
		{record.DBBlocksHit, "", of(countHit)},
		{record.DBDeadlocks, "", of(countDeadlocks)},
		{record.DBTempBytes, "B", of(countTemp)},
		{record.DBWALBytes, "B", of(countWAL)},
		{record.DBPageImages, "", of(countImages)},
		{record.DBWrittenByCP, "", of(countByCheckpointer)},
		{record.DBWrittenByBG, "", of(countByBackground)},
		{record.DBWrittenByOwn, "", of(countByBackends)},
		{record.DBCheckpoints, "", func(c counted) int64 { return c.n[countTimed] + c.n[countRequested] }},
	}
}

// sampled returns one counter.
func (w *watched) sampled(of func(counted) int64) serveruse.Sampled {
	return serveruse.Sampled{N: len(w.counted), At: func(i int) int64 { return w.counted[i].at },
		Count: func(i int) int64 { return of(w.counted[i]) }}
}

// doings returns the backends seen in each class, summed over the samples of a step, and the maximum of autovacuum
// workers in any of its samples.
func (w *watched) doings(start, step int64, n int) (classes [waitClasses][]int64, vacuums []int64) {
	for i := range classes {
		classes[i] = make([]int64, n)
	}
	vacuums = make([]int64, n)
	for _, l := range w.samples {
		k, ok := stepOf(l.at, start, step, n)
		if !ok {
			continue
		}
		for i, v := range l.classes {
			classes[i][k] += int64(v)
		}
		vacuums[k] = max(vacuums[k], int64(l.vacuums))
	}
	return classes, vacuums
}

func stepOf(at, start, step int64, n int) (int, bool) {
	k := (at - start) / step
	return int(k), at >= start && k < int64(n)
}

// waited is a wait event and its number of sightings in each step.
type waited struct {
	event  string
	total  int64
	values []int64
}

// events returns the most frequent wait events; the client's are only in their class.
func (w *watched) events(start, step int64, n int) []waited {
	byName := map[string]*waited{}
	for _, s := range w.seen {
		d := w.doing[s.doing]
		k, ok := stepOf(w.samples[s.sample].at, start, step, n)
		if !ok || record.WaitClasses()[d.class] == record.WaitClient {
			continue
		}
		e := byName[d.event]
		if e == nil {
			e = &waited{event: d.event, values: make([]int64, n)}
			byName[d.event] = e
		}
		e.values[k] += int64(s.n)
		e.total += int64(s.n)
	}
	var out []waited
	for _, e := range byName {
		out = append(out, *e)
	}
	slices.SortFunc(out, func(a, b waited) int {
		return cmp.Or(cmp.Compare(b.total, a.total), cmp.Compare(a.event, b.event))
	})
	return out[:min(len(out), mostEvents)]
}

// valueDigits is the precision of values in a trial's line: shares of some hundred samples.
const valueDigits = 4

// extra returns the values of the time between two instants, during which the load did so many operations.
func (w *watched) extra(start, end, ops int64) []record.Value {
	if len(w.counted) < 2 || end <= start {
		return nil
	}
	var out []record.Value
	add := func(m record.Metric, v float64) {
		m.Doc = ""
		out = append(out, record.Value{Metric: m, Value: rounded(v)})
	}
	of := func(i int) func(counted) int64 { return func(c counted) int64 { return c.n[i] } }
	if ops > 0 && !w.catalog.unread[countWAL] {
		add(metricOf(record.WALBytesPerOp), w.sampled(of(countWAL)).Rise(start, end)/float64(ops))
	}
	if ops > 0 && w.catalog.wal && !w.catalog.unread[countImages] {
		add(metricOf(record.PageImagesPerOp), w.sampled(of(countImages)).Rise(start, end)/float64(ops))
	}
	if hit, read := w.sampled(of(countHit)).Rise(start, end), w.sampled(of(countRead)).Rise(start, end); hit+read > 0 {
		add(metricOf(record.CacheHit), 100*hit/(hit+read))
	}
	classes, _ := w.doings(start, end-start, 1)
	total := int64(0)
	for _, c := range classes {
		total += c[0]
	}
	for i, class := range record.WaitClasses() {
		if total > 0 {
			add(metricOf(record.WaitShare(class)), 100*float64(classes[i][0])/float64(total))
		}
	}
	add(metricOf(record.WatchCPU), 100*w.sampled(func(c counted) int64 { return c.cost }).
		Rise(start, end)/float64(end-start))
	return out
}

// rounded returns v with its significant digits only, so that a trial's line stays short.
func rounded(v float64) float64 {
	if v == 0 || math.IsInf(v, 0) || math.IsNaN(v) {
		return v
	}
	unit := math.Pow(10, math.Floor(math.Log10(math.Abs(v)))+1-valueDigits)
	if unit < 1 {
		return math.Round(v*math.Round(1/unit)) / math.Round(1/unit)
	}
	return math.Round(v/unit) * unit
}

// WatchMetrics returns the metrics that watching a server adds to a workload's own.
func WatchMetrics() []record.Metric {
	out := []record.Metric{
		{Name: record.WALBytesPerOp, Unit: "B", Better: record.Lower,
			Doc: "bytes of WAL per operation, whoever wrote them"},
		{Name: record.PageImagesPerOp, Better: record.Lower,
			Doc: "full-page images in the WAL per operation, as after a checkpoint; from version 14 on"},
		{Name: record.CacheHit, Unit: "%", Better: record.Neutral,
			Doc: "share of block reads found in shared buffers"},
		{Name: record.Checkpoints, Better: record.Neutral, Doc: "checkpoints that began in the measured time"},
	}
	for _, class := range record.WaitClasses() {
		out = append(out, record.Metric{Name: record.WaitShare(class), Unit: "%", Better: record.Neutral,
			Doc: waitDoc(class)})
	}
	out = append(out, record.Metric{Name: record.WatchCPU, Unit: "%", Better: record.Neutral,
		Doc: "CPU use of watching, including the server's part, of one CPU"})
	return append(out, standby.Metrics()...)
}

func waitDoc(class string) string {
	const of = "share of the load's backends, sampled: "
	switch class {
	case record.WaitCPU:
		return of + "running, or waiting for a CPU"
	case record.WaitIO:
		return of + "waiting for files other than the WAL"
	case record.WaitWAL:
		return of + "waiting for the WAL to be written or synced"
	case record.WaitLock:
		return of + "waiting for rows, transactions or tables"
	case record.WaitLWLock:
		return of + "waiting for shared memory structures"
	case record.WaitStandby:
		return of + "waiting for a synchronous standby to confirm a commit"
	case record.WaitClient:
		return of + "waiting for the client's next message"
	}
	return of + "waiting for anything else"
}

func metricOf(name string) record.Metric {
	all := WatchMetrics()
	return all[slices.IndexFunc(all, func(m record.Metric) bool { return m.Name == name })]
}
