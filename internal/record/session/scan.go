package session

import (
	"context"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"

	"plimsoll/internal/base/input"
	"plimsoll/internal/base/usage"
	"plimsoll/internal/record"
)

// maxProblems is how many bad lines of one file are listed individually.
const maxProblems = 1000

// maxForeign bounds the bytes at the beginning of a file without a line of a session: such a file is not read further.
const maxForeign = 64 << 20

// reader collects a Log from files; its state spans all of them.
type reader struct {
	ctx      context.Context // cancels the reading
	log      *Log
	machines map[identity]bool
	plans    map[string]string // the file of each, by its hash
	events   map[record.Event]bool
	later    map[laterLine]bool
	owners   map[identity]int32          // numbers of the machines of trials
	words    map[string]string           // strings that many trials repeat
	latest   map[keyed]map[string]string // the last trial's keys of each cell
	salvaged *trialLines                 // decodes what was appended to bad lines; nil until then
	objects  int                         // at most, of the plans and machines of a file
	file     string                      // recorded in trials as the name of their file; "": none
}

func newReader(ctx context.Context) *reader {
	return &reader{
		ctx:      ctx,
		log:      &Log{runs: map[string]run{}, kept: &profiles{}},
		machines: map[identity]bool{},
		plans:    map[string]string{},
		events:   map[record.Event]bool{},
		later:    map[laterLine]bool{},
		owners:   map[identity]int32{},
		words:    map[string]string{},
		latest:   map[keyed]map[string]string{},
		objects:  maxObjects,
	}
}

// scan reads one file.
type scan struct {
	*reader
	path    string
	pending map[string][]seriesRef       // series whose trial has not been read yet
	named   map[string]string            // machine name -> the ID it last had here
	keys    map[string]map[string]string // of this segment's trials, by their text
	renamed map[string]string            // trial IDs of this segment that differ in the log
	segment int                          // index of this segment's first event in the log
	size    int64                        // of the file, bytes; 0 if unknown
	before  int                          // number of trials from earlier files
	merged  map[string]int               // reason -> index in the log's problems
	good    int                          // lines with a valid crc
	bad     int
	has     int   // objects of its plans and machines
	first   error // error of the first bad line
}

func (r *reader) readPath(path string) error {
	f, err := r.log.opened(path)
	if err != nil {
		return input.Wrap(err)
	}
	defer f.Close()
	return r.readFile(path, f)
}

func (r *reader) readFile(path string, f io.Reader) error {
	lines := newAhead(r.ctx, f)
	defer lines.stop()
	return r.readLines(path, sizeOf(f), lines)
}

// source has the lines of a file. each calls do with them in their order until it fails; it returns that error, or that
// of the file.
type source interface {
	each(do func(*parsed) error) error
}

// readLines reads the lines of a file of some bytes, 0 if unknown.
func (r *reader) readLines(path string, size int64, lines source) error {
	r.log.files = append(r.log.files, path)
	r.log.safe = 0
	s := &scan{
		reader: r, path: path, segment: len(r.log.Events),
		pending: map[string][]seriesRef{}, named: map[string]string{},
		renamed: map[string]string{}, merged: map[string]int{}, keys: map[string]map[string]string{},
		size: size, before: len(r.log.Trials),
	}
	err := lines.each(s.line)
	switch {
	case s.ctx.Err() != nil:
		return s.ctx.Err()
	case errors.Is(err, io.EOF):
		return s.finish()
	}
	return s.inputError(err)
}

// sizeOf returns the size of a file in bytes, or 0 if it is none.
func sizeOf(f io.Reader) int64 {
	file, ok := f.(interface{ Stat() (fs.FileInfo, error) })
	if !ok {
		return 0
	}
	info, err := file.Stat()
	if err != nil {
		return 0
	}
	return info.Size()
}

func (s *scan) inputError(err error) error {
	if errors.Is(err, ErrNewer) {
		return usage.With(fmt.Errorf("%s %w", s.path, err), "read it with that version, or a later one")
	}
	var pe *os.PathError
	if !errors.As(err, &pe) {
		err = fmt.Errorf("read %s: %w", s.path, err)
	}
	return err // not the user's: the same file may be read later
}

// line adds the valid part of one line. Its error, ErrNewer or the context's, ends the reading.
func (s *scan) line(l *parsed) error {
	if err := s.ctx.Err(); err != nil {
		return err
	}
	if s.good == 0 && l.offset > maxForeign {
		return io.EOF
	}
	if l.long {
		s.reject(l.rawLine, fmt.Errorf("longer than %d MiB", maxLine>>20))
		return nil
	}
	if len(l.text) == 0 {
		s.log.safe = l.next
		return nil
	}
	err := s.accept(l)
	switch {
	case errors.Is(err, ErrNewer):
		return err
	case err != nil:
		return s.salvage(l.rawLine, err)
	case l.kind != kindSeries:
		s.log.safe = l.next
	}
	return nil
}

// salvage recovers valid lines from a bad one to which they were appended.
func (s *scan) salvage(l rawLine, err error) error {
	parts := pieces(l.text)
	if len(parts) == 1 {
		s.reject(l, err)
		return nil
	}
	if s.salvaged == nil {
		s.salvaged = newTrialLines()
	}
	at := l.offset
	for i, part := range parts {
		p := parsed{rawLine: rawLine{text: part, offset: at, next: at + int64(len(part)), number: l.number, ended: true}}
		if i == len(parts)-1 {
			p.next, p.ended = l.next, l.ended
		}
		s.salvaged.parse(&p)
		if err := s.line(&p); err != nil {
			return err
		}
		at = p.next
	}
	return nil
}

// reject reports a bad line. The last one of a file is torn if it has no newline.
func (s *scan) reject(l rawLine, err error) {
	if s.bad++; s.bad == 1 {
		s.first = err
	}
	if l.ended {
		s.log.safe = l.next
		s.log.Bad++
	} else {
		s.log.Torn = true
		err = errors.New("the last line is cut short: the record being written when the run stopped is lost")
	}
	if s.bad > maxProblems {
		s.merge(l, "further lines that cannot be read")
		return
	}
	s.problem(l, err.Error())
	s.log.Problems[len(s.log.Problems)-1].Lost = l.ended // else its session ended while it was written
}

func (s *scan) problem(l rawLine, reason string) {
	s.log.Problems = append(s.log.Problems,
		Problem{File: s.path, Line: l.number, Offset: l.offset, Reason: reason})
}

// merge counts a problem with the first one of this file that has the same reason.
func (s *scan) merge(l rawLine, reason string) {
	if _, ok := s.merged[reason]; !ok && len(s.merged) >= maxProblems {
		reason = "further lines that were left out, or changed in reading"
	}
	if i, ok := s.merged[reason]; ok {
		s.log.Problems[i].More++
		return
	}
	s.merged[reason] = len(s.log.Problems)
	s.problem(l, reason)
}

func (s *scan) finish() error {
	s.closeSegment()
	if s.good > 0 {
		return nil
	}
	why := "it is empty"
	if s.bad > 0 {
		why = fmt.Sprintf("its first line %v", s.first)
	}
	return usage.With(fmt.Errorf("%s %w: %s", s.path, ErrNotSession, why),
		"plimsoll import reads the output of other tools")
}
