package session

import (
	"bytes"
	"errors"
	"fmt"
	"io/fs"

	"plimsoll/internal/record"
)

// maxPending is how many bytes of series wait in memory for their trial.
const maxPending = 16 << 20

// Writer appends to a session file that no other Writer can hold. It serves one
// goroutine. A failure to write ends it: the file is cut back to its last good line,
// and every later call returns the same error.
type Writer struct {
	path    string
	f       file
	end     int64 // offset of the last good end
	trials  int   // committed
	waiting []waiting
	err     error
}

// waiting is a series' line that is written with its trial.
type waiting struct {
	trial string
	line  []byte
}

// flushing says when an append has to be on disk.
type flushing bool

const (
	now   flushing = true
	later flushing = false
)

// file is what a Writer needs of an *os.File.
type file interface {
	Write([]byte) (int, error)
	Sync() error
	Truncate(size int64) error
	Close() error
}

// Machine opens a segment: what follows was measured there. The format version is set here.
func (w *Writer) Machine(m record.Machine) error {
	m.Format = record.Format
	return w.record(kindMachine, m, later)
}

// Plan writes a resolved plan; it is on disk with the first trial.
func (w *Writer) Plan(p record.PlanLine) error { return w.record(kindPlan, p, later) }

// Event writes an event; it is on disk with the next trial.
func (w *Writer) Event(e record.Event) error { return w.record(kindEvent, e, later) }

// End closes a run and returns once it is on disk.
func (w *Writer) End(e record.End) error {
	return w.record(kindEnd, e, now)
}

// Series keeps a series until its trial is written. Series whose trial never comes are
// dropped. The error of one that is too large leaves the Writer usable.
func (w *Writer) Series(s record.Series) error {
	if w.err != nil {
		return w.err
	}
	line, err := encode(kindSeries, s)
	if err == nil && len(line) > maxLine {
		err = fmt.Errorf("it takes %d MiB, and a line holds %d", len(line)>>20, maxLine>>20)
	}
	if err != nil {
		return fmt.Errorf("series %s of trial %s: %w", s.Name, s.Trial, err)
	}
	w.waiting = append(w.waiting, waiting{s.Trial, line})
	return w.spill()
}

// spill writes series ahead of their trial when too many wait; a reader ignores
// those whose trial does not come.
func (w *Writer) spill() error {
	size := 0
	for _, l := range w.waiting {
		size += len(l.line)
	}
	if size <= maxPending {
		return nil
	}
	batch := make([]byte, 0, size)
	for _, l := range w.waiting {
		batch = append(batch, l.line...)
	}
	w.waiting = nil
	return w.append(batch, later)
}

// Trial writes a trial behind its series in one go and returns once they are on
// disk. Void and doubts are shortened where the line would be over 8 KiB; the error of a
// trial that is still too large leaves the Writer usable.
func (w *Writer) Trial(t record.Trial) error {
	if w.err != nil {
		return w.err
	}
	if t.ID == "" {
		return errors.New("write a trial: it has no id")
	}
	line, err := encodeTrial(t)
	if err != nil {
		return fmt.Errorf("write %s: %w", w.path, err)
	}
	if err := w.append(append(w.takeSeries(t.ID), line...), now); err != nil {
		return err
	}
	w.trials++
	return nil
}

// takeSeries removes a trial's series from those that wait.
func (w *Writer) takeSeries(trial string) []byte {
	var batch bytes.Buffer
	rest := w.waiting[:0]
	for _, l := range w.waiting {
		if l.trial == trial {
			batch.Write(l.line)
		} else {
			rest = append(rest, l)
		}
	}
	clear(w.waiting[len(rest):])
	w.waiting = rest
	return batch.Bytes()
}

func (w *Writer) record(kind string, rec any, flush flushing) error {
	if w.err != nil {
		return w.err
	}
	line, err := encode(kind, rec)
	if err == nil && len(line) > maxLine {
		err = fmt.Errorf("a %s line of %d MiB, and one holds %d", kind, len(line)>>20, maxLine>>20)
	}
	if err != nil {
		return fmt.Errorf("write %s: %w", w.path, err)
	}
	return w.append(line, flush)
}

// append writes whole lines in one go; they count once it returns without an error.
func (w *Writer) append(batch []byte, flush flushing) error {
	_, err := w.f.Write(batch)
	if err == nil && flush == now {
		err = w.f.Sync()
	}
	if err != nil {
		return w.fail(err)
	}
	w.end += int64(len(batch))
	return nil
}

// fail cuts off what may not be on disk, also after a failed sync: what is
// still read back then comes from memory only.
func (w *Writer) fail(err error) error {
	torn := ""
	if w.f.Truncate(w.end) != nil || w.f.Sync() != nil {
		torn = ", though what stands behind them may be torn"
	}
	w.err = fmt.Errorf("write %s: %w; trials safe in it: %d%s\nhint: make room on that disk, then: plimsoll run --resume %s",
		w.path, cause(err), w.trials, torn, w.path)
	return w.err
}

// cause takes the path out of a system's error, where the message names it already.
func cause(err error) error {
	var pe *fs.PathError
	if errors.As(err, &pe) {
		return pe.Err
	}
	return err
}

// Close gives the file free for other writers. Series without a trial are dropped.
func (w *Writer) Close() error {
	if w.f == nil {
		return nil
	}
	err := w.f.Close()
	w.f, w.waiting = nil, nil
	if w.err == nil {
		w.err = fmt.Errorf("write %s: %w", w.path, fs.ErrClosed)
	}
	return err
}
