package httpload

import (
	"bytes"
	"errors"
)

// The limits on an answer's head.
const (
	maxHead  = 64 << 10 // bytes
	maxChunk = 1 << 40  // bytes of one chunk
	maxLine  = 4 << 10  // a chunk's size with its extensions
)

// parser frames the answers of one connection (RFC 9112). It keeps nothing of a body, and of a head only partial
// reads.
type parser struct {
	stage    stage
	left     int64  // bytes of the body, or of the current chunk
	pending  []byte // an incomplete head or line
	noBody   bool   // the answer is to a HEAD request
	began    bool   // a byte of this answer has arrived
	close    bool   // the connection ends with this answer
	trailing int
	answer   answer
}

type stage uint8

const (
	inHead stage = iota
	inBody
	inChunkSize
	inChunk
	inChunkEnd
	inTrailer
	untilClose
)

// reset prepares for the next answer.
func (p *parser) reset(head bool) {
	p.stage, p.left, p.pending = inHead, 0, p.pending[:0]
	p.noBody, p.began, p.close, p.trailing = head, false, false, 0
	p.answer.reset()
}

// feed parses bytes, and returns how many belong to the answer and whether it is complete.
func (p *parser) feed(b []byte) (n int, whole bool, err error) {
	p.began = p.began || len(b) > 0
	for n < len(b) {
		k, done, err := p.step(b[n:])
		n += k
		if done || err != nil {
			return n, done, err
		}
	}
	return n, false, nil
}

// step parses one unit: a head, a line, or a stretch of the body.
func (p *parser) step(b []byte) (n int, whole bool, err error) {
	switch p.stage {
	case inHead:
		return p.head(b)
	case inBody, inChunk:
		k := min(int64(len(b)), p.left)
		p.answer.take(b[:k])
		p.left -= k
		if p.left > 0 {
			return int(k), false, nil
		}
		if p.stage == inChunk {
			p.stage = inChunkEnd
			return int(k), false, nil
		}
		return int(k), true, nil
	case untilClose:
		p.answer.take(b)
		return len(b), false, nil
	}
	return p.chunking(b)
}

// head parses up to the empty line that ends a head.
func (p *parser) head(b []byte) (n int, whole bool, err error) {
	text := b
	before := len(p.pending)
	if before > 0 {
		p.pending = append(p.pending, b...)
		text = p.pending
	}
	end, size := headEnd(text, max(0, before-3))
	if end < 0 {
		if len(text) > maxHead+3 { // beyond the limit wherever it ends
			return 0, false, errors.New("the head exceeds 64 KiB")
		}
		if before == 0 {
			p.pending = append(p.pending, b...)
		}
		return len(b), false, nil
	}
	if end > maxHead {
		return 0, false, errors.New("the head exceeds 64 KiB")
	}
	n = end + size - before
	f, err := parseHead(text[:end])
	p.pending = p.pending[:0]
	if err != nil {
		return n, false, err
	}
	whole, err = p.frame(f)
	if p.answer.script != nil && err == nil && p.answer.status > 0 {
		p.answer.script.Head(p.answer.slot, p.answer.status, text[:end])
	}
	return n, whole, err
}

// headEnd returns the position of the empty line, and its size including the previous line's end; −1 if there is
// none yet. Lines may end with LF alone (RFC 9112, section 2.2).
func headEnd(b []byte, from int) (at, size int) {
	for i := from; ; i++ {
		k := bytes.IndexByte(b[i:], '\n')
		if k < 0 {
			return -1, 0
		}
		i += k
		start := i
		if i > 0 && b[i-1] == '\r' {
			start--
		}
		switch rest := b[i+1:]; {
		case len(rest) > 0 && rest[0] == '\n':
			return start, i + 2 - start
		case len(rest) > 1 && rest[0] == '\r' && rest[1] == '\n':
			return start, i + 3 - start
		}
	}
}

// frame determines the length of the body (RFC 9112, section 6.3).
func (p *parser) frame(f framing) (whole bool, err error) {
	switch {
	case f.status == 101:
		return false, errors.New("an answer 101 switches protocols")
	case f.status < 200:
		return false, nil // interim: the answer follows
	}
	p.answer.status, p.close = f.status, f.close
	switch {
	case p.noBody || f.status == 204 || f.status == 304:
		return true, nil
	case f.chunked:
		p.stage = inChunkSize
	case f.length >= 0:
		if p.stage, p.left = inBody, f.length; f.length == 0 {
			return true, nil
		}
	default:
		p.stage, p.close = untilClose, true
	}
	return false, nil
}

// untilEnd reports whether the end of the connection completes the answer.
func (p *parser) untilEnd() bool { return p.stage == untilClose }
