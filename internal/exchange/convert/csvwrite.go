package convert

import (
	"cmp"
	"encoding/csv"
	"fmt"
	"io"
	"maps"
	"slices"
	"strconv"

	"plimsoll/internal/record"
	"plimsoll/internal/record/session"
)

// writeCSV writes the format of readCSV; anything that readCSV would reject is an error. It leaves out void trials, and
// those that do not count: CSV cannot mark them, so that readers would take them for replicates.
func writeCSV(w io.Writer, log *session.Log) (left int, err error) {
	trials := make([]record.Trial, 0, len(log.Trials))
	for _, t := range log.Trials {
		if t.Measures() {
			trials = append(trials, t)
		}
	}
	byCell(trials, log.Plans)
	pairUp(trials, log.Plans)
	c := newCSVWriter(w, trials)
	c.csv.Write(c.header())
	for _, t := range trials {
		if err := c.trial(t); err != nil {
			return 0, fmt.Errorf("run %s: %w", t.ID, err)
		}
	}
	c.csv.Flush()
	return len(log.Trials) - len(trials), c.csv.Error()
}

// byCell sorts the trials of each of our plans by replicate and cell: they ran in random order, and readers take what
// comes first for the baseline. Imports keep the order of their file.
func byCell(trials []record.Trial, of []record.PlanLine) {
	ours, plans := map[string]bool{}, map[string]int{}
	for _, p := range of {
		ours[p.Hash] = p.Plan.Imported == nil
	}
	for _, t := range trials {
		if _, ok := plans[t.Plan]; !ok {
			plans[t.Plan] = len(plans)
		}
	}
	slices.SortStableFunc(trials, func(a, b record.Trial) int {
		if a.Plan != b.Plan || !ours[a.Plan] {
			return cmp.Compare(plans[a.Plan], plans[b.Plan])
		}
		return cmp.Or(cmp.Compare(a.Replicate, b.Replicate), cmp.Compare(a.Cell, b.Cell))
	})
}

type csvWriter struct {
	csv    *csv.Writer
	better bool           // the direction of a metric differs from that implied by its name
	params []string       // names, ascending
	shift  map[string]int // by plan
	pairs  bool           // some trials have a pair
	means  bool           // some values are means of several runs
	read   bool           // some values were read off a chart
	batch  *Batch         // simulates the reader
}

func newCSVWriter(w io.Writer, trials []record.Trial) *csvWriter {
	c := &csvWriter{csv: csv.NewWriter(w), shift: shifts(trials), batch: newBatch(maxPlan)}
	params := map[string]bool{}
	for _, t := range trials {
		c.pairs = c.pairs || t.Pair != nil
		for name, value := range paramsOf(t) {
			if value != "" {
				params[name] = true
			}
		}
		for _, m := range t.Moments {
			c.means, c.read = c.means || m.N > 1 && !m.Within, c.read || m.Read
		}
		for _, v := range t.Values {
			c.better = c.better || direction(v.Name, v.Unit) != betterOf(v)
		}
	}
	c.params = slices.Sorted(maps.Keys(params))
	return c
}

// shifts returns the offset for the replicates and pairs of each plan: those of two plans did not run side by side, and
// must not share a number.
func shifts(trials []record.Trial) map[string]int {
	var plans []string
	count := map[string]int{}
	for _, t := range trials {
		if _, ok := count[t.Plan]; !ok {
			plans = append(plans, t.Plan)
		}
		count[t.Plan] = max(count[t.Plan], t.Replicate+1)
		if t.Pair != nil {
			count[t.Plan] = max(count[t.Plan], *t.Pair+1)
		}
	}
	out, next := map[string]int{}, 0
	for _, p := range plans {
		out[p], next = next, next+count[p]
	}
	return out
}

// pairUp sets the pairs of trials that were sides of one of our plans: their replicate. Pairs from an import's file are
// kept.
func pairUp(trials []record.Trial, plans []record.PlanLine) {
	type at struct {
		plan string
		of   int // a group, or a cell
	}
	sides := map[at]int{}
	for _, p := range plans {
		for _, c := range p.Plan.Cells {
			if p.Plan.Imported == nil {
				sides[at{p.Hash, c.Group}]++
			}
		}
	}
	// If one cell has two machines, the plan ran on them at different times.
	machine, apart := map[at]string{}, map[string]bool{}
	for _, t := range trials {
		cell := at{t.Plan, t.Cell}
		if had, ok := machine[cell]; ok && had != t.Keys[record.KeyMachine] {
			apart[t.Plan] = true
		}
		machine[cell] = t.Keys[record.KeyMachine]
	}
	for i, t := range trials {
		if sides[at{t.Plan, t.Group}] > 1 && !apart[t.Plan] {
			trials[i].Pair = &trials[i].Replicate
		}
	}
}

func betterOf(v record.Value) record.Better {
	if v.Better == "" {
		return record.Neutral
	}
	return v.Better
}

func (c *csvWriter) header() []string {
	out := append(neededColumns(), colLoadKind)
	if c.pairs {
		out = append(out, colPair)
	}
	if c.better {
		out = append(out, colBetter)
	}
	if c.means {
		out = append(out, colSD, colN)
	}
	if c.read {
		out = append(out, colError)
	}
	for _, name := range c.params {
		out = append(out, paramColumn+name)
	}
	return out
}

func (c *csvWriter) trial(t record.Trial) error {
	params := paramsOf(t)
	level, kind := levelOf(t.Load)
	machine, workload := t.Keys[record.KeyMachine], t.Keys[record.KeyWorkload]
	replicate := c.shift[t.Plan] + t.Replicate
	pair := ""
	if t.Pair != nil {
		n := c.shift[t.Plan] + *t.Pair
		t.Pair, pair = &n, strconv.Itoa(n)
	}
	if err := c.check(t, replicate); err != nil {
		return fmt.Errorf("%w\nhint: --format json has it", err)
	}
	for _, v := range t.Values {
		row := []string{machine, workload, strconv.Itoa(replicate), level, v.Name, strconv.FormatFloat(v.Value, 'g', -1, 64),
			v.Unit, kind}
		if c.pairs {
			row = append(row, pair)
		}
		if c.better {
			row = append(row, string(betterOf(v)))
		}
		if c.means {
			row = append(row, momentCells(t.Moments[v.Name])...)
		}
		if m := t.Moments[v.Name]; c.read && m.Read {
			row = append(row, strconv.FormatFloat(m.SD, 'g', -1, 64))
		} else if c.read {
			row = append(row, "")
		}
		for _, name := range c.params {
			row = append(row, params[name])
		}
		if err := c.csv.Write(row); err != nil {
			return err
		}
	}
	return nil
}

// momentCells returns the deviation and the number of a mean of runs. Parts of one run are left out: CSV cannot mark
// them, so that readers would take them for runs.
func momentCells(m record.Moments) []string {
	if m.N < 2 || m.Within {
		return []string{"", ""}
	}
	return []string{strconv.FormatFloat(m.SD, 'g', -1, 64), strconv.Itoa(m.N)}
}

// check validates a trial as a reader would.
func (c *csvWriter) check(t record.Trial, replicate int) error {
	if _, err := replicateOf(strconv.Itoa(replicate), Options{Replicate: Unnumbered}); err != nil {
		return err
	}
	if t.Pair != nil {
		if _, err := pairOf(strconv.Itoa(*t.Pair)); err != nil {
			return err
		}
	}
	level, kind := levelOf(t.Load)
	params := paramsOf(t)
	load, err := loadOf(level, kind, params)
	if err != nil {
		return err
	}
	t.Keys = newKeys(csvName, t.Keys[record.KeyMachine], t.Keys[record.KeyWorkload], params, load)
	t.Load, t.Replicate = load, replicate
	for _, v := range t.Values {
		if _, err := measured(v.Name, v.Unit, betterOf(v), v.Value); err != nil {
			return err
		}
	}
	return c.batch.add(Result{Trial: t})
}

// levelOf returns a load as CSV represents it, for loadOf.
func levelOf(l record.LoadPoint) (level, kind string) {
	if l.Unit == "" {
		return "", ""
	}
	return strconv.FormatFloat(l.Level, 'f', -1, 64), l.Unit
}
