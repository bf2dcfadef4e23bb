package convert

import (
	"fmt"
	"iter"
	"maps"
	"slices"

	"plimsoll/internal/exchange/convert/reader"
	"plimsoll/internal/record"
)

// Batch holds the trials of one input. Its memory grows with the distinct cells, plus 20 to 40 bytes a trial and 16 a
// value; text is kept once per cell.
type Batch struct {
	Source  record.Imported
	Unread  []string // what the input states and was not read, a sentence each
	loads   givenLoads
	cells   []cell
	byKey   map[string]int32 // cells by identity
	groups  map[string]int   // by identity without the machine
	metrics []metric
	byName  map[metricKey]int32
	units   map[metricKey]string // by workload and name only
	trials  column[trial]
	at      map[slot]int32
	pairs   map[slot]bool // pairs of cells that have a trial
	values  column[value]
	size    int // bytes of the cells in a plan's line
	most    int // of them

	told map[int32]told // by trial index, only for trials with more than values
}

// told is the data of a trial in addition to its values.
type told struct {
	outcomes  *record.LoadUse
	durationS float64
	doubts    []string
	series    []record.Series
	moments   map[string]record.Moments
	void      string
}

func (t told) nothing() bool {
	return len(t.moments) == 0 && t.outcomes == nil && t.durationS == 0 && len(t.doubts) == 0 && len(t.series) == 0 &&
		t.void == ""
}

// with returns t with the moments of an earlier part of the trial.
func (t told) with(earlier map[string]record.Moments) told {
	if len(earlier) > 0 {
		maps.Copy(earlier, t.moments)
		t.moments = earlier
	}
	return t
}

// momentsSize exceeds the bytes of a metric's moments in a trial's line, apart from its name.
const momentsSize = 100

// slot identifies a trial.
type slot struct{ cell, replicate int32 }

type trial struct {
	slot          // its replicate, of an unnumbered result, is that within the input
	counted bool  // the result is unnumbered
	last    int32 // index of the last value; none: -1
	pair    int32 // none: -1
}

// name returns what errors call a trial: its number in the input, or if there is none, the number of its run.
func (t trial) name() string {
	if t.counted {
		return fmt.Sprintf("run %d", record.RunNumber(int(t.replicate)))
	}
	return fmt.Sprintf("replicate %d", t.replicate)
}

// value is one of a trial's values, linked to the previous one.
type value struct {
	v      float64
	metric int32
	next   int32
}

func newBatch(mostPlan int) *Batch {
	return &Batch{most: mostPlan, byKey: map[string]int32{}, groups: map[string]int{},
		byName: map[metricKey]int32{}, units: map[metricKey]string{}, at: map[slot]int32{}, pairs: map[slot]bool{}}
}

// badValue is the error for one of the values passed to add.
type badValue struct {
	index int
	msg   string
}

func (e badValue) Error() string { return e.msg }

// add adds the values of a result; it copies whatever it keeps.
func (b *Batch) add(t Result) error {
	if len(t.Unread) > 0 {
		b.Unread = t.Unread
		if t.Keys == nil {
			return nil // nothing else is left of it
		}
	}
	at, err := b.cell(t.Trial)
	if err != nil {
		return err
	}
	where := slot{at, int32(t.Replicate)}
	if t.Replicate == Unnumbered {
		where.replicate = b.cells[at].unnumbered
		b.cells[at].unnumbered++
	}
	index, err := b.trialAt(where, t.Replicate == Unnumbered, t.Pair)
	if err != nil {
		return err
	}
	if more := (told{t.Generator, t.DurationS, t.Doubts, t.Series, t.Moments, t.Void}); !more.nothing() {
		if b.told == nil {
			b.told = map[int32]told{}
		}
		b.told[index] = more.with(b.told[index].moments)
	}
	for i, v := range t.Values {
		if err := b.value(index, v); err != nil {
			return badValue{i, err.Error()}
		}
	}
	return nil
}

// trialAt returns the trial of a cell's replicate, creating it if necessary. All of its rows must have the same pair,
// and each pair one trial of the cell.
func (b *Batch) trialAt(where slot, counted bool, said *int) (int32, error) {
	pair := int32(-1)
	if said != nil {
		pair = int32(*said)
	}
	if index, ok := b.at[where]; ok {
		if had := b.trials.at(int(index)).pair; had != pair {
			return 0, fmt.Errorf("replicate %d of %s has %s here, and %s in another row\nhint: all rows of a run must have "+
				"the same pair", where.replicate, b.cells[where.cell].name(), pairText(pair), pairText(had))
		}
		return index, nil
	}
	if pair >= 0 {
		if b.pairs[slot{where.cell, pair}] {
			return 0, fmt.Errorf("two replicates of %s have pair %d\nhint: a pair has one run of each side",
				b.cells[where.cell].name(), pair)
		}
		b.pairs[slot{where.cell, pair}] = true
	}
	index := int32(b.trials.len())
	b.trials.add(trial{where, counted, -1, pair})
	b.at[where] = index
	return index, nil
}

func pairText(pair int32) string {
	if pair < 0 {
		return "no pair"
	}
	return fmt.Sprintf("pair %d", pair)
}

func (b *Batch) value(index int32, v record.Value) error {
	t := b.trials.at(int(index))
	c := &b.cells[t.cell]
	m, err := b.metric(c, v.Metric)
	if err != nil {
		return err
	}
	size := c.size + b.metrics[m].size
	for name := range b.told[index].moments {
		size += momentsSize + 6*len(name) // escaped at most
	}
	for i := t.last; i >= 0; i = b.values.at(int(i)).next {
		had := b.values.at(int(i))
		if had.metric == m {
			return fmt.Errorf("%s of %s of %s is listed twice\nhint: number the replicates, or tell the cells apart "+
				"with param.NAME columns", reader.Brief(v.Name), t.name(), c.name())
		}
		size += b.metrics[had.metric].size
		if isLatency(v.Name) {
			if err := inOrder(record.Value{Metric: b.metrics[had.metric].Metric, Value: had.v}, v); err != nil {
				return err
			}
		}
	}
	if size > maxTrial {
		return fmt.Errorf("a run of %s takes %d bytes, over the limit of %d\nhint: shorten its names, or import "+
			"fewer metrics", c.name(), size, maxTrial)
	}
	b.values.add(value{v.Value, m, t.last})
	t.last = int32(b.values.len() - 1)
	return nil
}

// Len returns the number of trials.
func (b *Batch) Len() int { return b.trials.len() }

// Trials returns all trials, in the order first read. plan is the hash to set in them.
func (b *Batch) Trials(plan string) iter.Seq[record.Trial] {
	return func(yield func(record.Trial) bool) {
		for i := range b.trials.len() {
			t := b.trial(plan, *b.trials.at(i))
			more := b.told[int32(i)]
			t.Generator, t.DurationS, t.Doubts, t.Moments = more.outcomes, more.durationS, more.doubts, more.moments
			t.Void = more.void
			if why := meanMisfit(t.Values); why != "" {
				t.Doubts = append(slices.Clone(t.Doubts), why)
			}
			if t.Keys[record.KeyImported] == csvName {
				t.Void = failure(reader.Account{}, t)
			}
			if !yield(t) {
				return
			}
		}
	}
}

// Series returns the series of one of the batch's trials.
func (b *Batch) Series(t record.Trial) []record.Series {
	var out []record.Series
	for _, s := range b.told[b.indexOf(int32(t.Cell), int32(t.Replicate))].series {
		s.Trial = t.ID
		out = append(out, s)
	}
	return out
}

// indexOf returns the index of a trial by its cell and its number.
func (b *Batch) indexOf(cell, replicate int32) int32 {
	before := b.cells[cell].before
	if at, ok := b.at[slot{cell, replicate - before}]; ok && b.trials.at(int(at)).counted {
		return at
	}
	return b.at[slot{cell, replicate}]
}

func (b *Batch) trial(plan string, t trial) record.Trial {
	c := &b.cells[t.cell]
	if t.counted {
		t.replicate += c.before
	}
	slot := record.Slot{Plan: plan, Cell: int(t.cell), Group: c.group, Replicate: int(t.replicate)}
	out := record.Trial{ID: slot.ID(), Keys: c.keys, Slot: slot, Load: c.load, Values: b.valuesOf(c, t)}
	if t.pair >= 0 {
		pair := int(t.pair)
		out.Pair = &pair
	}
	return out
}

func (b *Batch) valuesOf(c *cell, t trial) []record.Value {
	var found []value
	for i := t.last; i >= 0; i = b.values.at(int(i)).next {
		found = append(found, *b.values.at(int(i)))
	}
	slices.SortFunc(found, func(x, y value) int { return b.rank(c, x.metric) - b.rank(c, y.metric) })
	out := make([]record.Value, len(found))
	for i, f := range found {
		out[i] = record.Value{Metric: b.metrics[f.metric].Metric, Value: f.v}
	}
	return out
}
