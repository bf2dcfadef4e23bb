package httpload

import (
	"bytes"
	"errors"
)

// chunking parses a line of a chunked body: a chunk's size, its end, or a trailer (RFC 9112, section 7.1).
func (p *parser) chunking(b []byte) (n int, whole bool, err error) {
	line, n, ok, err := p.line(b)
	if !ok || err != nil {
		return n, false, err
	}
	line, ended := bytes.CutSuffix(line, []byte{'\r'})
	if !ended && p.stage != inTrailer {
		// A bare LF ends only lines of a head or trailer (section 2.2): here it may be a byte of an overlong chunk.
		return n, false, errors.New("a line of a chunked body does not end in CRLF")
	}
	switch p.stage {
	case inChunkSize:
		err = p.chunkSize(line)
	case inChunkEnd:
		if len(line) > 0 {
			err = errors.New("a chunk is longer than its size")
		}
		p.stage = inChunkSize
	case inTrailer:
		if p.trailing += len(line); p.trailing > maxHead {
			err = errors.New("the trailers exceed 64 KiB")
		}
		whole = len(line) == 0
	}
	p.pending = p.pending[:0]
	return n, whole && err == nil, err
}

// line returns the next line without its LF; ok is false until it is complete.
func (p *parser) line(b []byte) (line []byte, n int, ok bool, err error) {
	i := bytes.IndexByte(b, '\n')
	part := b
	if i >= 0 {
		part = b[:i]
	}
	if len(p.pending)+len(part) > maxLine {
		return nil, 0, false, errors.New("a line of a chunked body exceeds 4 KiB")
	}
	if i < 0 {
		p.pending = append(p.pending, b...)
		return nil, len(b), false, nil
	}
	line = part
	if len(p.pending) > 0 {
		p.pending = append(p.pending, line...)
		line = p.pending
	}
	return line, i + 1, true, nil
}

// chunkSize parses a size in hexadecimal digits; extensions follow a semicolon, optionally after white space.
func (p *parser) chunkSize(line []byte) error {
	if i := bytes.IndexByte(line, ';'); i >= 0 {
		line = trimRight(line[:i])
	}
	if len(line) == 0 {
		return errors.New("a chunk has no size")
	}
	var size int64
	for _, c := range line {
		d := digit(c)
		if d < 0 || size > maxChunk {
			return errors.New("a chunk's size is not a hexadecimal number")
		}
		size = 16*size + d
	}
	if p.stage, p.left = inChunk, size; size == 0 {
		p.stage = inTrailer
	}
	return nil
}

func digit(c byte) int64 {
	switch {
	case '0' <= c && c <= '9':
		return int64(c - '0')
	case 'a' <= c && c <= 'f':
		return int64(c-'a') + 10
	case 'A' <= c && c <= 'F':
		return int64(c-'A') + 10
	}
	return -1
}
