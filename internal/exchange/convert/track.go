package convert

import (
	"errors"
	"fmt"
	"math"
	"strings"

	"plimsoll/internal/exchange/convert/reader"
	"plimsoll/internal/record"
	"plimsoll/internal/record/session"
)

// track is the timeline of one run in a CSV file: its rows with a time.
type track struct {
	trial  record.Trial
	line   int           // its first
	of     []trackSeries // in the order first read
	stated float64       // throughput of the run, in the base unit; 0 if the file does not state it
}

// trackSeries holds the rates of a metric by step.
type trackSeries struct {
	name, metric, unit string
	step, last         float64
	rates              []float64
}

// tracks are those of a file, by the cells that identify their runs.
type tracks struct {
	by    map[string]*track
	order []*track
}

// maxAt exceeds the seconds of any run.
const maxAt = 1e9

// find returns the track of a row's run. If there is none, it makes one of a trial that is not known yet.
func (t *tracks) find(c columns, row []string) *track {
	var id strings.Builder
	for _, at := range c.identity {
		id.WriteString(strings.TrimSpace(row[at]))
		id.WriteByte(0)
	}
	if t.by == nil {
		t.by = map[string]*track{}
	}
	if t.by[id.String()] == nil {
		t.by[id.String()] = &track{}
	}
	return t.by[id.String()]
}

// note keeps the throughput of a run whose timeline the file may have.
func (t *tracks) note(c columns, row []string, v record.Value) {
	if _, timed := c.index[colAt]; timed && v.Name == record.Throughput {
		t.find(c, row).stated = v.Value
	}
}

// take adds a row with a time.
func (t *tracks) take(c columns, row []string, o Options, line int) error {
	at, err := reader.Number(c.word(row, colAt))
	if err != nil || at < 0 || at > maxAt {
		return fmt.Errorf("at %s is not a number of seconds from 0\nhint: it is the time since the run's start at which a "+
			"step begins; leave it empty for values of the whole run", reader.Brief(c.word(row, colAt)))
	}
	if c.word(row, colSD)+c.word(row, colN)+c.word(row, colError) != "" {
		return errors.New("a step of a timeline has a deviation\nhint: leave out sd, n and reading_error where at is given")
	}
	run := t.find(c, row)
	if len(run.of) == 0 {
		if run.trial, err = c.trial(row, o); err != nil {
			return err
		}
		run.line = line
		t.order = append(t.order, run)
	}
	metric, unit := c.word(row, colMetric), c.word(row, colUnit)
	rate, err := reader.Number(c.word(row, colValue))
	if err != nil || rate < 0 {
		return fmt.Errorf("value %s of a step is not a number from 0", reader.Brief(c.word(row, colValue)))
	}
	v, err := inBase(metric, unit, record.Neutral, rate)
	if err != nil {
		return err
	}
	s, err := run.series(v.Metric)
	if err != nil {
		return err
	}
	return s.add(at, v.Value)
}

// series returns the series of a metric, which own runs have too: what was done, the bytes, and the errors.
func (t *track) series(m record.Metric) (*trackSeries, error) {
	name := map[[2]string]string{
		{record.Throughput, "op/s"}: "ops", {record.Throughput, "B/s"}: "bytes", {"errors", "op/s"}: "errors",
	}[[2]string{m.Name, m.Unit}]
	if name == "" {
		return nil, fmt.Errorf("%s in %s has no timeline\nhint: one has throughput in op/s or bytes a second, and errors in "+
			"op/s; leave at empty for other values, which are of the whole run", reader.Brief(m.Name), reader.Brief(m.Unit))
	}
	for i := range t.of {
		if t.of[i].name == name {
			return &t.of[i], nil
		}
	}
	t.of = append(t.of, trackSeries{name: name, metric: strings.Clone(m.Name), unit: strings.TrimSuffix(m.Unit, "/s")})
	return &t.of[len(t.of)-1], nil
}

// spacing is the share of a step by which the beginning of a step may be off.
const spacing = .01

// add adds the rate of the next step.
func (s *trackSeries) add(at, rate float64) error {
	switch n := len(s.rates); {
	case n == 0 && at != 0:
		return fmt.Errorf("the timeline begins at %g s\nhint: at is the beginning of a step, and that of the first is 0", at)
	case n == 1 && !(at >= leastStep):
		return fmt.Errorf("a step of %g s\nhint: list the steps of a run in their order, with none twice", at)
	case n == 1:
		s.step = at
	case n > 1 && math.Abs(at-s.step*float64(n)) > spacing*s.step:
		return fmt.Errorf("at %g s a step begins, and the one before it at %g s, with steps of %g s\nhint: list "+
			"all steps of "+
			"a run in their order, equally long; one in which nothing was done has the value 0", at, s.last, s.step)
	}
	s.rates, s.last = append(s.rates, rate), at
	return nil
}

// leastStep is the shortest step, s.
const leastStep = 1e-3

// emit passes on the timelines.
func (t *tracks) emit(o Options, emit func(Result) error) error {
	for _, run := range t.order {
		out, err := run.result()
		if err == nil {
			err = emit(out)
		}
		if err != nil {
			return o.at(run.line, "%w", err)
		}
	}
	return nil
}

// unevenTimeline is how far the mean of a timeline may be from the throughput of its run: steps at the ends may be cut.
const unevenTimeline = .05

// result returns the run's timeline, and its throughput unless the file states that.
func (t *track) result() (Result, error) {
	out := Result{Trial: t.trial}
	for i, s := range t.of {
		if len(s.rates) < 2 {
			return out, errors.New("a timeline of one step\nhint: leave at empty for values of the whole run")
		}
		if first := t.of[0]; s.step != first.step || len(s.rates) != len(first.rates) {
			return out, fmt.Errorf("the timelines of %s and %s have %d steps of %g s and %d of %g s\nhint: all timelines of a "+
				"run have the same steps", first.metric, s.metric, len(first.rates), first.step, len(s.rates), s.step)
		}
		counts, mean, err := s.counts()
		if err != nil {
			return out, err
		}
		data, err := session.EncodeWindows(counts)
		if err != nil {
			return out, err
		}
		out.Series = append(out.Series, record.Series{Name: s.name, Unit: s.unit, StepNs: int64(math.Round(s.step * 1e9)),
			Enc: record.EncWindows, Data: data})
		out.DurationS = s.step * float64(len(s.rates))
		if i > 0 || s.metric != record.Throughput {
			continue
		}
		if t.stated == 0 {
			v, err := measured(record.Throughput, s.unit+"/s", "", mean)
			if err != nil {
				return out, err
			}
			out.Values = append(out.Values, v)
			continue
		}
		agrees := reader.Meant{Of: "the timeline", Stated: t.stated, Follows: mean, Unit: s.unit + "/s",
			Slack: unevenTimeline}
		if err := agrees.Contradiction(); err != nil {
			return out, err
		}
	}
	return out, nil
}

// mostCounted bounds what a series counts, which a float64 holds exactly.
const mostCounted = 1 << 53

// counts returns whole numbers by step with the sum of the rates, and the mean rate.
func (s trackSeries) counts() (out []int64, mean float64, err error) {
	sum, had := 0.0, int64(0)
	for _, rate := range s.rates {
		sum += rate * s.step
		if !(sum < mostCounted) {
			return nil, 0, fmt.Errorf("the timeline of %s counts more than 2^53", s.metric)
		}
		next := int64(math.Round(sum))
		out, had = append(out, next-had), next
	}
	return out, sum / (s.step * float64(len(s.rates))), nil
}
