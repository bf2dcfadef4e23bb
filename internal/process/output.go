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
	// tailBytes is the size of the end of an output that is kept for messages.
	tailBytes = 4096
	// lingers bounds how long an output may stay open after the command and its group have ended: draining the pipe
	// takes far less.
	lingers = time.Second
)

// Output reads everything that a command prints on one descriptor, even if it is discarded: otherwise a command
// blocked on its reader would be measured as slow.
type Output struct {
	Head []byte // the first bytes, up to the limit
	Tail []byte // the end
	Size int64  // bytes printed in all

	r    *os.File
	keep int   // bytes
	err  error // why reading ended early
	done chan struct{}
}

// newOutput returns an output and the descriptor that feeds it, which the caller closes once the command has it.
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

// finish waits until the output has ended, or a process that left the group has held it open too long, and reports
// whether it ended. Afterwards the output's fields may be read.
func (s *Output) finish() (ended bool, err error) {
	// If the deadline cannot be set, the wait can only be longer.
	_ = s.r.SetReadDeadline(time.Now().Add(lingers))
	<-s.done
	_ = s.r.Close()
	if errors.Is(s.err, os.ErrDeadlineExceeded) {
		return false, nil
	}
	return true, s.err
}
