package tpcc

import "io"

// reader makes rows on demand.
type reader struct {
	batch
	buf  []byte
	from int // start of the unread part of buf
	done bool
}

// readAhead is the number of bytes of rows made at once.
const readAhead = 64 << 10

// Read implements io.Reader.
func (r *reader) Read(p []byte) (int, error) {
	if r.from == len(r.buf) {
		r.buf, r.from = r.buf[:0], 0
		for !r.done && len(r.buf) < readAhead {
			var more bool
			r.buf, more = r.next(r.buf)
			r.done = !more
		}
		if len(r.buf) == 0 {
			return 0, io.EOF
		}
	}
	n := copy(p, r.buf[r.from:])
	r.from += n
	return n, nil
}
