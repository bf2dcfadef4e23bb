package session

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"os"
	"slices"

	"plimsoll/internal/base/input"
	"plimsoll/internal/record"
)

// Log holds the contents of one or several session files, in order.
type Log struct {
	Machines []record.Machine  // one per name and ID, as first described; names are unique
	Plans    []record.PlanLine // one per hash
	Trials   []record.Trial    // IDs are unique
	Events   []record.Event
	Ends     []record.End
	Problems []Problem // unreadable parts
	Bad      int       // lines that cannot be read, but for torn ones
	Torn     bool      // the last line of a file was cut short: its run was killed while writing
	Cut      bool      // an import was cut short: its runs are left out

	files []string
	open  Opener         // nil: input.Open
	runs  map[string]run // by trial ID
	refs  [][]seriesRef  // of the runs that have series
	kept  *profiles
	safe  int64 // offset in the last file after which appending may continue
}

// Problem is a part of a file that could not be read, or was changed in reading.
type Problem struct {
	File   string
	Line   int   // from 1; 0 if the reason does not concern a single line
	Offset int64 // in bytes, of the start of the bad part
	Reason string
	More   int  // further places in this file with the same reason
	Lost   bool // something that was recorded is missing from the log
}

func (p Problem) String() string {
	s := p.File
	if p.Line > 0 {
		s += fmt.Sprintf(":%d (byte %d)", p.Line, p.Offset)
	}
	s += ": " + p.Reason
	if p.More > 0 {
		s += fmt.Sprintf(" (and %d more such)", p.More)
	}
	return s
}

// The reasons why a file cannot be read at all.
var (
	ErrNotSession = errors.New("is not a plimsoll session")
	ErrNewer      = errors.New("was written by a newer plimsoll")
)

// ReadContext reads session files into one log. Bad lines are skipped and listed in Problems; the error is a
// *usage.Error for a file that is not there or cannot be one, has no valid line, or was written by a newer plimsoll,
// but not where the machine failed to read it (input.Failed). If the context ends it returns its error.
func ReadContext(ctx context.Context, paths ...string) (*Log, error) {
	return ReadBy(ctx, nil, paths...)
}

// Opener opens a session for reading.
type Opener func(path string) (*os.File, error)

// opened opens a file of the log.
func (l *Log) opened(path string) (*os.File, error) {
	if l.open == nil {
		return input.Open(path)
	}
	return l.open(path)
}

// ReadBy is ReadContext with files that open opens, now and for their series; nil is input.Open.
func ReadBy(ctx context.Context, open Opener, paths ...string) (*Log, error) {
	r := newReader(ctx)
	r.log.open = open
	names := fileNames(paths)
	for i, path := range paths {
		r.file = names[i]
		if err := r.readPath(path); err != nil {
			return nil, err
		}
	}
	return r.finish(), nil
}

// readOpen reads an open file; path is its name in problems.
func readOpen(ctx context.Context, path string, f io.Reader) (*Log, error) {
	r := newReader(ctx)
	if err := r.readFile(path, f); err != nil {
		return nil, err
	}
	return r.finish(), nil
}

func (r *reader) finish() *Log {
	r.countEnded()
	r.dropUnfinished()
	r.dropRepeated()
	r.log.uniqueNames()
	return r.log
}

// seriesRef locates a series' line.
type seriesRef struct {
	name   string
	offset int64
	file   int32
	length int32 // bytes, without the newline
}

// run is what is known of a trial besides its record.
type run struct {
	trialLine       // the first one with its ID
	owner     int32 // number of its machine
	uses      int32 // how many trials had its ID
	series    int32 // index of its series in the log's, from 1; 0 if it has none
}

// trialLine identifies a line of a trial's ID: equal for copies of it, and only for them.
type trialLine struct {
	sum uint32
	len int32
}

// laterLine is the line of a further run with an ID.
type laterLine struct {
	id string
	trialLine
}

// refer adds the series of a trial.
func (l *Log) refer(id string, refs []seriesRef) {
	if len(refs) == 0 {
		return
	}
	l.refs = append(l.refs, refs)
	at := l.runs[id]
	at.series = int32(len(l.refs))
	l.runs[id] = at
}

// refsOf returns the series of a trial; false if there is no such trial.
func (l *Log) refsOf(id string) ([]seriesRef, bool) {
	at, ok := l.runs[id]
	if at.series == 0 {
		return nil, ok
	}
	return l.refs[at.series-1], ok
}

// Series reads the series of a trial from its file; a trial without series is not an error.
func (l *Log) Series(trialID string) ([]record.Series, error) { return l.seriesNamed(trialID, "") }

// seriesNamed reads the series of a trial with a name; all if the name is empty.
func (l *Log) seriesNamed(trialID, name string) ([]record.Series, error) {
	refs, ok := l.refsOf(trialID)
	if !ok {
		return nil, fmt.Errorf("no run %s in the session", trialID)
	}
	out := make([]record.Series, 0, len(refs))
	for _, ref := range refs {
		if name != "" && ref.name != name {
			continue
		}
		s, err := l.load(ref)
		if err != nil {
			return nil, fmt.Errorf("series %s of run %s at byte %d of %s: %w",
				ref.name, trialID, ref.offset, l.files[ref.file], err)
		}
		s.Trial = trialID
		out = append(out, s)
	}
	return out, nil
}

// load checks the crc again, because the file may have changed since.
func (l *Log) load(ref seriesRef) (s record.Series, err error) {
	line := make([]byte, ref.length)
	if err := l.readAt(line, ref); err != nil {
		return s, err
	}
	if _, _, err := check(line); err != nil {
		return s, err
	}
	return s, json.Unmarshal(line, &s)
}

func (l *Log) readAt(line []byte, ref seriesRef) error {
	f, err := l.opened(l.files[ref.file])
	if err != nil {
		return err
	}
	defer f.Close()
	_, err = f.ReadAt(line, ref.offset)
	return err
}

// countEnded reports the plans that are done and whose runs aren't all there.
func (r *reader) countEnded() {
	runs, least := map[string]int{}, map[string]int{}
	for i := range r.log.Trials {
		runs[r.log.Trials[i].Plan]++
	}
	for _, e := range r.log.Ends {
		if e.Reason == record.EndDone {
			least[e.Plan] = max(least[e.Plan], e.Trials)
		}
	}
	for _, p := range r.log.Plans {
		if n := least[p.Hash]; runs[p.Hash] < n {
			r.log.Problems = append(r.log.Problems, Problem{File: r.plans[p.Hash], Lost: true,
				Reason: fmt.Sprintf("%d of the %d runs that its end record counts are missing", n-runs[p.Hash], n)})
		}
	}
}

// dropUnfinished drops imports that were cut short, with their plans: an import counts only with its end, because part
// of its input would pass for all of it.
func (r *reader) dropUnfinished() {
	l, open := r.log, map[string]record.Plan{}
	for _, p := range l.Plans {
		if p.Plan.Imported != nil {
			open[p.Hash] = p.Plan
		}
	}
	for _, e := range l.Ends {
		delete(open, e.Plan)
	}
	if len(open) == 0 {
		return
	}
	l.Cut = true
	l.Trials = slices.DeleteFunc(l.Trials, func(t record.Trial) bool {
		_, drop := open[t.Plan]
		return drop
	})
	l.Plans = slices.DeleteFunc(l.Plans, func(p record.PlanLine) bool {
		_, drop := open[p.Hash]
		if drop {
			l.Problems = append(l.Problems, Problem{File: r.plans[p.Hash], Lost: true,
				Reason: fmt.Sprintf("the %s was cut short: left out; import it again", p.Plan.Name)})
		}
		return drop
	})
}
