package session

import (
	"bytes"
	"io"
)

// firstBuffer is the initial size of the reading buffer in bytes; it doubles up to maxLine as needed.
const firstBuffer = 64 << 10

// maxSkipped bounds the bytes that are read to find the end of a line that is too long; what follows is not read.
const maxSkipped = 64 << 20

// splitter splits a stream into lines, reusing one buffer.
type splitter struct {
	r        io.Reader
	buf      []byte
	pos, end int   // buf[pos:end] is unread
	offset   int64 // of buf[pos] in the stream
	line     int   // number of the last line returned, from 1
	eof      bool
}

// rawLine is a line without its newline; text is valid until the next call.
type rawLine struct {
	text   []byte
	offset int64 // of its first byte
	next   int64 // offset after it and its newline
	number int   // from 1
	ended  bool  // with a newline
	long   bool  // over maxLine: text is empty
}

func newSplitter(r io.Reader) *splitter {
	return &splitter{r: r, buf: make([]byte, firstBuffer)}
}

// next returns the next line, or io.EOF after the last one.
func (s *splitter) next() (rawLine, error) {
	s.line++
	for seen := 0; ; {
		if i := bytes.IndexByte(s.buf[s.pos+seen:s.end], '\n'); i >= 0 {
			return s.take(seen+i, true), nil
		}
		seen = s.end - s.pos
		switch {
		case seen >= maxLine:
			return s.skip()
		case s.eof && seen == 0:
			return rawLine{}, io.EOF
		case s.eof:
			return s.take(seen, false), nil
		}
		if err := s.fill(); err != nil {
			return rawLine{}, err
		}
	}
}

// take consumes a line of n bytes and its newline, if any.
func (s *splitter) take(n int, ended bool) rawLine {
	l := rawLine{text: s.buf[s.pos : s.pos+n], offset: s.offset, number: s.line, ended: ended}
	if ended {
		n++
	}
	s.drop(n)
	l.next = s.offset
	return l
}

func (s *splitter) drop(n int) {
	s.pos += n
	s.offset += int64(n)
}

// skip consumes a line that is too long to hold.
func (s *splitter) skip() (l rawLine, err error) {
	l = rawLine{offset: s.offset, number: s.line, long: true}
	for !l.ended && err == nil {
		if s.offset-l.offset > maxSkipped { // a hole of a sparse file may have hundreds of GB
			s.eof = true
			break
		}
		n := s.end - s.pos
		if i := bytes.IndexByte(s.buf[s.pos:s.end], '\n'); i >= 0 {
			n, l.ended = i+1, true
		}
		s.drop(n)
		if s.eof {
			break
		}
		if !l.ended {
			err = s.fill()
		}
	}
	l.next = s.offset
	if s.eof && !l.ended {
		s.drop(s.end - s.pos)
	}
	return l, err
}

// fill reads once, after making room.
func (s *splitter) fill() error {
	if s.end == len(s.buf) {
		s.room()
	}
	n, err := s.r.Read(s.buf[s.end:])
	s.end += n
	if err == io.EOF {
		s.eof, err = true, nil
	}
	return err
}

func (s *splitter) room() {
	to := s.buf
	if s.pos == 0 {
		to = make([]byte, min(2*len(s.buf), maxLine))
	}
	s.end = copy(to, s.buf[s.pos:s.end])
	s.pos, s.buf = 0, to
}
