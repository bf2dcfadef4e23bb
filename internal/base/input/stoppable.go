package input

import (
	"context"
	"io"
)

// Stoppable returns a reader of r that ends with the context's cause once that has ended, also while r waits for
// somebody to write. It has one reader, and r is not read by anybody else.
func Stoppable(ctx context.Context, r io.Reader) io.Reader {
	return &stoppable{ctx: ctx, r: r, done: make(chan result, 1)}
}

// mostAtOnce bounds the memory of a reader.
const mostAtOnce = 1 << 20

type stoppable struct {
	ctx  context.Context
	r    io.Reader
	buf  []byte // of the reading that may outlive the context, which must not write to the caller's memory
	done chan result
}

type result struct {
	n   int
	err error
}

func (s *stoppable) Read(p []byte) (int, error) {
	if s.ctx.Err() != nil {
		return 0, context.Cause(s.ctx)
	}
	n := min(len(p), mostAtOnce)
	if len(s.buf) < n {
		s.buf = make([]byte, n)
	}
	buf := s.buf[:n]
	go func() {
		n, err := s.r.Read(buf)
		s.done <- result{n, err}
	}()
	select {
	case <-s.ctx.Done():
		return 0, context.Cause(s.ctx)
	case got := <-s.done:
		return copy(p, buf[:got.n]), got.err
	}
}
