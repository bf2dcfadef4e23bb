package session

import (
	"bytes"
	"cmp"
	"context"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"strconv"

	shellquote "github.com/kballard/go-shellquote"

	"plimsoll/internal/record"
)

// maxPending is how many bytes of series wait in memory for their trial.
const maxPending = 16 << 20

// Writer appends to a session file, exclusively. It must be used by one goroutine. A failed write ends it: the file is
// truncated to its last complete line, and every later call returns the same error. If somebody removes, renames,
// replaces, truncates or overwrites the file meanwhile, that ends it too, and what is left of the file stays.
type Writer struct {
	Note func(string) // receives notices of events that lost nothing; may be nil

	path    string
	f       file
	end     int64  // offset of the end of the last complete write
	head    []byte // start of the file
	tail    []byte // last bytes before end
	opening []byte // machine lines that this Writer has written
	runs    int    // in the file, as far as they are the work of Writers
	waiting []waiting
	err     error
}

// waiting is a series' line that is written with its trial.
type waiting struct {
	trial string
	line  []byte
}

// flushing is when an append has to be on disk.
type flushing bool

const (
	now   flushing = true
	later flushing = false
)

// file is the part of *os.File that a Writer needs.
type file interface {
	Write([]byte) (int, error)
	ReadAt([]byte, int64) (int, error)
	Seek(int64, int) (int64, error)
	Stat() (fs.FileInfo, error)
	Fd() uintptr
	Sync() error
	Truncate(size int64) error
	Close() error
}

// Machine opens a segment: everything that follows was measured there. It sets the format version.
func (w *Writer) Machine(m record.Machine) error {
	m.Format = record.Format
	line, err := w.record(kindMachine, m, later)
	w.opening = append(w.opening, line...)
	return err
}

// Plan writes a resolved plan; it is on disk with the first trial.
func (w *Writer) Plan(p record.PlanLine) error {
	_, err := w.record(kindPlan, p, later)
	return err
}

// Event writes an event; it is on disk with the next trial.
func (w *Writer) Event(e record.Event) error {
	_, err := w.record(kindEvent, e, later)
	return err
}

// End closes a run and returns once it is on disk.
func (w *Writer) End(e record.End) error {
	_, err := w.record(kindEnd, e, now)
	return err
}

// Series keeps a series until its trial is written. Series without a trial are dropped. If one is too large, it returns
// an error and the Writer remains usable.
func (w *Writer) Series(s record.Series) error {
	if w.err != nil {
		return w.err
	}
	line, err := encode(kindSeries, s)
	if err == nil && len(line) > maxLine {
		err = fmt.Errorf("it takes %d MiB, over the limit of %d", len(line)>>20, maxLine>>20)
	}
	if err != nil {
		return fmt.Errorf("series %s of run %s: %w", s.Name, s.Trial, err)
	}
	w.waiting = append(w.waiting, waiting{s.Trial, line})
	return w.spill()
}

// spill writes series ahead of their trial if too many wait; a reader ignores those without a trial.
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

// Trial writes a trial, or those of one process, with their series at once and returns once they are on disk. It
// shortens void and doubts of one whose line would exceed 8 KiB; if that is not enough, it returns an error, has
// written none, and the Writer remains usable.
func (w *Writer) Trial(trials ...record.Trial) error {
	if w.err != nil {
		return w.err
	}
	var lines [][]byte
	for _, t := range trials {
		if t.ID == "" {
			return errors.New("write a run: it has no id")
		}
		line, err := encodeTrial(t)
		if err != nil {
			return fmt.Errorf("write %s: %w", w.path, err)
		}
		lines = append(lines, line)
	}
	var batch []byte
	for i, t := range trials {
		batch = append(append(batch, w.takeSeries(t.ID)...), lines[i]...)
	}
	w.runs += len(trials) // finished, whether they can be saved or not
	return w.append(batch, now)
}

// takeSeries removes and returns a trial's waiting series.
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

func (w *Writer) record(kind string, rec any, flush flushing) ([]byte, error) {
	if w.err != nil {
		return nil, w.err
	}
	line, err := encode(kind, rec)
	if err == nil && len(line) > maxLine {
		err = fmt.Errorf("a %s line of %d MiB exceeds the limit of %d", kind, len(line)>>20, maxLine>>20)
	}
	if err != nil {
		return nil, fmt.Errorf("write %s: %w", w.path, err)
	}
	return line, w.append(line, flush)
}

// append writes whole lines at once; they count once it returns without an error.
func (w *Writer) append(batch []byte, flush flushing) error {
	at, err := w.ready()
	if err != nil {
		return err
	}
	if at > w.end {
		batch = append(w.apart(at), batch...)
	}
	n, err := w.f.Write(batch)
	if err == nil && flush == now {
		err = w.f.Sync()
	}
	if err != nil {
		return w.fail(err, n)
	}
	if err := w.wrote(batch); err != nil {
		return err
	}
	if flush == later {
		return nil
	}
	return w.intact()
}

// ready returns the file's actual size, after which to write the next line.
func (w *Writer) ready() (int64, error) {
	if err := w.intact(); err != nil {
		return 0, err
	}
	st, err := w.f.Stat()
	if err != nil {
		return 0, w.fail(err, 0)
	}
	return st.Size(), nil
}

// apart reports that others have appended, and returns the separator from their data: the end of an unterminated line,
// and the machines, which open a segment.
func (w *Writer) apart(size int64) []byte {
	w.note(fmt.Sprintf("%s: another program has appended %d bytes to it; this run continues after them, and "+
		"nothing is lost", w.path, size-w.end))
	last := make([]byte, 1)
	if _, err := w.f.ReadAt(last, size-1); err == nil && last[0] == '\n' {
		last = nil
	} else {
		last[0] = '\n'
	}
	return append(last, w.opening...)
}

func (w *Writer) note(msg string) {
	if w.Note != nil {
		w.Note(msg)
	}
}

// wrote records lines that were just written.
func (w *Writer) wrote(batch []byte) error {
	before := w.end
	if err := w.ends(); err != nil {
		return err
	}
	if before == 0 && w.end == int64(len(batch)) {
		w.head = bytes.Clone(batch[:min(len(batch), edgeBytes)])
	}
	w.tail = bytes.Clone(batch[max(0, len(batch)-edgeBytes):])
	if w.end < before+int64(len(batch)) { // the file was cut after it was compared, just before the lines were appended
		return w.lost(wasCut)
	}
	return nil
}

// ends records where the last write ended, because others may have appended just before it.
func (w *Writer) ends() error {
	at, err := w.f.Seek(0, io.SeekCurrent)
	if err != nil {
		return w.fail(err, 0)
	}
	w.end = at
	return nil
}

// Unwritten is the error of a session that can no longer be written; its hint says how to go on.
type Unwritten struct {
	Err  error // what the system says
	text string
}

func (e Unwritten) Error() string { return e.text }
func (e Unwritten) Unwrap() error { return e.Err }

// fail truncates the last n bytes written, which may not be on disk, even after a failed sync: reads would then return
// them from memory only.
func (w *Writer) fail(err error, n int) error {
	torn := ""
	if w.cut(n) != nil {
		torn = ", but the data after them may be torn"
	}
	w.err = Unwritten{cause(err),
		fmt.Sprintf("write %s: %v; runs safe in it: %s%s\nhint: make room on that disk, then: plimsoll run --resume %s",
			w.path, cause(err), w.safe(), torn, shellquote.Join(w.path))}
	return w.err
}

// safe returns the number of trials in the file, in words.
func (w *Writer) safe() string {
	n, err := w.Count("")
	if err != nil {
		return "unknown"
	}
	return strconv.Itoa(n)
}

// errBehind reports that the part to truncate is no longer the end of the file.
var errBehind = errors.New("others have appended to it")

// cut truncates the last n bytes written. Data that others have appended stay.
func (w *Writer) cut(n int) error {
	if n == 0 {
		return nil
	}
	end, err := w.f.Seek(0, io.SeekCurrent)
	if err != nil {
		return err
	}
	if st, err := w.f.Stat(); err != nil || st.Size() != end {
		return cmp.Or(err, errBehind)
	}
	return errors.Join(w.f.Truncate(end-int64(n)), w.f.Sync())
}

// Count reads the file and returns the number of its trials of a plan, or of all with "".
func (w *Writer) Count(plan string) (int, error) {
	st, err := w.f.Stat()
	if err != nil {
		return 0, err
	}
	log, err := readOpen(context.Background(), w.path, io.NewSectionReader(w.f, 0, st.Size()))
	if errors.Is(err, ErrNotSession) {
		return 0, nil
	}
	if err != nil {
		return 0, err
	}
	n := 0
	for _, t := range log.Trials {
		if plan == "" || t.Plan == plan {
			n++
		}
	}
	return n, nil
}

// cause strips the path from a system's error if the message contains it already.
func cause(err error) error {
	var pe *fs.PathError
	if errors.As(err, &pe) {
		return pe.Err
	}
	return err
}

// Discard removes and closes a file that this Writer has created and not yet written to.
func (w *Writer) Discard() error {
	var err error
	if w.f != nil {
		if why, unread := w.meddled(); why == "" && unread == nil {
			err = os.Remove(w.path)
		}
	}
	return errors.Join(err, w.Close())
}

// Close releases the file for other writers. Series without a trial are dropped.
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
