package process

import (
	"errors"
	"fmt"
	"io"
	"os"
	"sync"
	"time"
)

const (
	// tailBytes is how much of the end of an output is kept for messages.
	tailBytes = 4096
	// lingers is how long an output may stay open after the command and its
	// group have ended: what is in the pipe is read in far less.
	lingers = time.Second
)

// Output reads all that a command prints on one descriptor, whatever becomes of
// it: a command that waits for its reader would be measured as slow.
type Output struct {
	Head []byte // the first bytes, as many as were to be kept
	Tail []byte // the end
	Size int64  // bytes, all that was printed

	r    *os.File
	keep int   // bytes
	err  error // why reading ended before the output did
	done chan struct{}
}

// newOutput returns an output and the descriptor that feeds it, which the caller
// closes once the command has it.
func newOutput(keep int, buffers *sync.Pool) (*Output, *os.File, error) {
	r, w, err := os.Pipe()
	if err != nil {
		return nil, nil, fmt.Errorf("make a pipe for the output: %w", err)
	}
	s := &Output{r: r, keep: keep, done: make(chan struct{})}
	go s.drain(buffers)
	return s, w, nil
}

func (s *Output) drain(buffers *sync.Pool) {
	defer close(s.done)
	held, ok := buffers.Get().(*[32 << 10]byte)
	if !ok {
		held = new([32 << 10]byte)
	}
	defer buffers.Put(held)
	buf := held[:]
	for {
		n, err := s.r.Read(buf)
		s.add(buf[:n])
		if err != nil {
			if !errors.Is(err, io.EOF) {
				s.err = err
			}
			return
		}
	}
}

func (s *Output) add(p []byte) {
	s.Size += int64(len(p))
	s.Head = append(s.Head, p[:min(len(p), s.keep-len(s.Head))]...)
	s.Tail = append(s.Tail, p[max(0, len(p)-tailBytes):]...)
	if over := len(s.Tail) - tailBytes; over > 0 {
		s.Tail = append(s.Tail[:0], s.Tail[over:]...)
	}
}

// finish waits until the output has ended, or has been held open too long by
// a process that left the group, and says whether it ended. After it the
// output's fields may be read.
func (s *Output) finish() (ended bool, err error) {
	// Without a deadline the wait could only be longer.
	_ = s.r.SetReadDeadline(time.Now().Add(lingers))
	<-s.done
	_ = s.r.Close()
	if errors.Is(s.err, os.ErrDeadlineExceeded) {
		return false, nil
	}
	return true, s.err
}
