package process

import (
	"errors"
	"fmt"
	"os"
	"time"

	"golang.org/x/sys/unix"
)

const (
	// tailBytes is the size of the end of an output that is kept for messages.
	tailBytes = 4096
	// lingers bounds how long an output may stay open after the command and its group have ended: draining the pipe
	// takes far less.
	lingers = time.Second
	// readBytes is how much of an output is read at once.
	readBytes = 32 << 10
)

// Output reads everything that a command prints on one descriptor, even if it is discarded: otherwise a command
// blocked on its reader would be measured as slow.
type Output struct {
	Head []byte // the first bytes, up to the limit
	Tail []byte // the end
	Size int64  // bytes printed in all

	fd   int   // the pipe's end here, which does not block; -1: closed
	keep int   // bytes
	err  error // why reading ended early
}

// newOutput returns an output and the descriptor that feeds it, which the caller closes once the command has it.
func newOutput(keep int) (*Output, *os.File, error) {
	var ends [2]int
	if err := unix.Pipe2(ends[:], unix.O_CLOEXEC); err != nil {
		return nil, nil, fmt.Errorf("make a pipe for the output: %w", err)
	}
	s, w := &Output{fd: ends[0], keep: keep}, os.NewFile(uintptr(ends[1]), "output")
	if err := unix.SetNonblock(s.fd, true); err != nil {
		s.close()
		w.Close()
		return nil, nil, fmt.Errorf("make a pipe for the output: %w", err)
	}
	return s, w, nil
}

// read takes the bytes that are there now, at most len(buf), and closes the output at its end.
func (s *Output) read(buf []byte) {
	n, err := unix.Read(s.fd, buf)
	switch {
	case n > 0:
		s.add(buf[:n])
	case errors.Is(err, unix.EAGAIN), errors.Is(err, unix.EINTR):
	default:
		if err != nil {
			s.err = fmt.Errorf("read the output: %w", err)
		}
		s.close()
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

func (s *Output) close() {
	if s.fd >= 0 {
		_ = unix.Close(s.fd)
		s.fd = -1
	}
}

// follow reads the outputs until a descriptor is readable, or until all of them have ended if that is -1, or until a
// time; zero: none. One thread waits for all of this: to wake others takes longer than a short command.
func follow(until int, deadline time.Time, buf []byte, outputs ...*Output) error {
	fds := make([]unix.PollFd, 0, 1+len(outputs))
	for {
		fds = append(fds[:0], unix.PollFd{Fd: int32(until), Events: unix.POLLIN})
		open := false
		for _, s := range outputs {
			fds = append(fds, unix.PollFd{Fd: int32(s.fd), Events: unix.POLLIN}) // poll ignores one below 0
			open = open || s.fd >= 0
		}
		timeout, left := -1, time.Until(deadline)
		if !deadline.IsZero() {
			timeout = int(max(0, left).Milliseconds())
		}
		// A process that goes on writing has something to read at each poll, so that none of them times out.
		if until < 0 && !open || !deadline.IsZero() && left <= 0 {
			return nil
		}
		n, err := unix.Poll(fds, timeout)
		switch {
		case errors.Is(err, unix.EINTR):
			continue
		case err != nil:
			return fmt.Errorf("wait for the command: %w", err)
		case n == 0, fds[0].Revents != 0:
			return nil
		}
		for i, s := range outputs {
			if fds[1+i].Revents != 0 {
				s.read(buf)
			}
		}
	}
}
