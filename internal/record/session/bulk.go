package session

import (
	"bufio"
	"errors"
	"fmt"
	"io"

	"plimsoll/internal/record"
)

// bulkBuffer is the number of bytes written at once.
const bulkBuffer = 1 << 20

// Bulk appends many records that were not measured just now, as an import does.
type Bulk struct {
	out  *bufio.Writer
	runs int
}

// Bulk appends the records that fill adds, and returns once all of them are on disk, with one fsync. After an error
// none of them is in the file, and the Writer has ended.
func (w *Writer) Bulk(fill func(*Bulk) error) error {
	if w.err != nil {
		return w.err
	}
	at, err := w.ready()
	if err != nil {
		return err
	}
	to := &counted{to: w.f}
	b := &Bulk{out: bufio.NewWriterSize(to, bulkBuffer)}
	if at > w.end {
		err = b.append(w.apart(at))
	}
	if err == nil {
		err = fill(b)
	}
	if err == nil {
		err = b.out.Flush()
	}
	if err == nil {
		err = w.f.Sync()
	}
	if err != nil {
		return w.undo(err, at, to.n)
	}
	if err := w.ends(); err != nil {
		return err
	}
	w.tail = nil
	if w.end < at+int64(to.n) {
		return w.undo(errors.New("it was cut meanwhile"), at, to.n)
	}
	w.runs += b.runs
	return w.intact()
}

// counted counts the bytes written.
type counted struct {
	to io.Writer
	n  int
}

func (c *counted) Write(p []byte) (int, error) {
	n, err := c.to.Write(p)
	c.n += n
	return n, err
}

// undo truncates a partly written bulk.
func (w *Writer) undo(err error, at int64, n int) error {
	kept := "nothing was kept"
	if w.cut(n) != nil {
		kept = fmt.Sprintf("data after byte %d may be part of it", at)
	}
	w.err = fmt.Errorf("write %s: %w; %s", w.path, cause(err), kept)
	return w.err
}

// Machine opens a segment, as Writer.Machine does.
func (b *Bulk) Machine(m record.Machine) error {
	m.Format = record.Format
	return b.record(kindMachine, m)
}

// Plan adds a plan, before its first trial.
func (b *Bulk) Plan(p record.PlanLine) error { return b.record(kindPlan, p) }

// End adds the end of a run.
func (b *Bulk) End(e record.End) error { return b.record(kindEnd, e) }

func (b *Bulk) record(kind string, rec any) error {
	line, err := encode(kind, rec)
	if err == nil && len(line) > maxLine {
		err = fmt.Errorf("a %s line of %d MiB exceeds the limit of %d", kind, len(line)>>20, maxLine>>20)
	}
	if err != nil {
		return err
	}
	return b.append(line)
}

// Series adds a series, before its trial.
func (b *Bulk) Series(s record.Series) error { return b.record(kindSeries, s) }

// Trial adds a trial, whose line is at most 8 KiB.
func (b *Bulk) Trial(t record.Trial) error {
	if t.ID == "" {
		return errors.New("a run without an id")
	}
	line, err := encodeTrial(t)
	if err != nil {
		return err
	}
	b.runs++
	return b.append(line)
}

func (b *Bulk) append(line []byte) error {
	_, err := b.out.Write(line)
	return err
}
