package netload

import (
	"encoding/binary"
	"errors"
	"fmt"
	"io"
	"syscall"
	"time"
	"unsafe"

	"golang.org/x/sys/unix"

	"plimsoll/internal/client/socket"
)

// batchSize is how many datagrams one system call moves at most.
const batchSize = 64

// quiet is the silence after which no datagram is on its way any more.
const quiet = 100 * time.Millisecond

// message is the kernel's mmsghdr.
type message struct {
	header unix.Msghdr
	length uint32
}

// batch is memory for datagrams that move together.
type batch struct {
	messages []message
	vectors  []unix.Iovec
	buffers  [][]byte
}

// newBatch returns a batch of datagrams of one size.
func newBatch(size int, seed uint64) *batch {
	b := &batch{messages: make([]message, batchSize), vectors: make([]unix.Iovec, batchSize)}
	for i := range batchSize {
		b.buffers = append(b.buffers, filled(size, seed+uint64(i)))
		b.vectors[i].Base = &b.buffers[i][0]
		b.vectors[i].SetLen(size)
		b.messages[i].header.Iov = &b.vectors[i]
		b.messages[i].header.SetIovlen(1)
	}
	return b
}

// move sends or receives as many datagrams as it can, and returns how many it did.
//
//go:noinline
func (b *batch) move(call uintptr, fd, flags int) (int, syscall.Errno) {
	done, _, err := unix.RawSyscall6(call, uintptr(fd), uintptr(unsafe.Pointer(&b.messages[0])),
		uintptr(len(b.messages)), uintptr(flags), 0, 0)
	return int(done), err
}

// sendAll sends the first n datagrams, whose numbers begin with first.
func (b *batch) sendAll(s *socket.Socket, n int, first uint64) error {
	for i := range n {
		stamp(b.buffers[i], first+uint64(i))
	}
	at := batch{messages: b.messages[:n]}
	for len(at.messages) > 0 {
		done, err := at.move(unix.SYS_SENDMMSG, s.FD, 0)
		switch {
		case err == 0:
			at.messages = at.messages[done:]
		case err == unix.ENOBUFS, socket.Again(err):
		default:
			return err
		}
		if err := s.Ended(); err != nil {
			return err
		}
	}
	return nil
}

// errQuiet is the error of a receiver that got nothing for its time limit.
var errQuiet = errors.New("no datagram arrived")

// receiveSome receives at least one datagram, at most all of the batch, and waits for the first no longer than limit.
func (b *batch) receiveSome(s *socket.Socket, limit time.Duration) (int, error) {
	for wait := (socket.Wait{}); ; {
		n, err := b.move(unix.SYS_RECVMMSG, s.FD, unix.MSG_WAITFORONE)
		switch {
		case err == 0:
			return n, nil
		case !socket.Again(err):
			return 0, err
		}
		if err := s.Ended(); err != nil {
			return 0, err
		}
		if wait.Over(limit) {
			return 0, errQuiet
		}
	}
}

// count adds received datagrams to a sequence, and returns how many were new.
func (b *batch) count(q *sequence, n, size int) (int, error) {
	fresh := 0
	for i := range n {
		if got := int(b.messages[i].length); got != size {
			return fresh, fmt.Errorf("a datagram of %d bytes arrived with %d", size, got)
		}
		number, ok := stamped(b.buffers[i][:size])
		if !ok {
			return fresh, errors.New("a datagram arrived with the two ends of different datagrams")
		}
		if q.add(number, size) {
			fresh++
		}
	}
	return fresh, nil
}

// receiptBytes is the size of a receipt: how many new datagrams have arrived.
const receiptBytes = stampBytes

// receipts sends the number of received datagrams back to their sender, at most once in a millisecond.
type receipts struct{ last time.Time }

func (r *receipts) send(s *socket.Socket, received int64) {
	now := time.Now()
	if now.Sub(r.last) < time.Millisecond {
		return
	}
	r.last = now
	var b [receiptBytes]byte
	binary.BigEndian.PutUint64(b[:], uint64(received))
	_, _ = unix.Write(s.FD, b[:]) // a lost one is made up for by the next
}

// receiptOf returns the newest receipt that has arrived, without waiting; was if there is none.
func receiptOf(s *socket.Socket, was int64) (int64, error) {
	var b [receiptBytes]byte
	for {
		n, _, err := unix.RawSyscall6(unix.SYS_RECVFROM, uintptr(s.FD), uintptr(unsafe.Pointer(&b[0])), uintptr(len(b)),
			unix.MSG_DONTWAIT, 0, 0)
		switch {
		case socket.Again(err):
			return was, nil
		case err != 0:
			return was, err
		case n == receiptBytes:
			was = max(was, int64(binary.BigEndian.Uint64(b[:])))
		}
	}
}

// exchange sends a request and waits for its answer. It returns false if none came within the time limit. Answers to
// earlier requests don't count.
func exchange(s *socket.Socket, request, answer []byte, number uint64, limit time.Duration) (bool, error) {
	stamp(request, number)
	if _, err := s.Write(request); err != nil {
		return false, err
	}
	for wait := (socket.Wait{}); ; {
		n, err := socket.Transfer(unix.SYS_READ, s.FD, answer)
		switch {
		case err == 0 && n == len(answer):
			if got, whole := stamped(answer); whole && got == number {
				return true, nil
			}
		case err == 0:
			return false, fmt.Errorf("an answer of %d bytes arrived with %d", len(answer), n)
		case !socket.Again(err):
			return false, err
		}
		if err := s.Ended(); err != nil {
			return false, err
		}
		if wait.Over(limit) {
			return false, nil
		}
	}
}

// respond answers requests until the socket's context ends, or until stop reports true after a silence.
func respond(s *socket.Socket, o Order, a *Account, stop func() bool) error {
	request, answer := make([]byte, o.Size), filled(o.Answer, 1)
	for wait := (socket.Wait{}); ; {
		n, err := socket.Transfer(unix.SYS_READ, s.FD, request)
		switch {
		case err == 0 && n == 0:
			return io.EOF
		case err == 0:
			number, ok := stamped(request[:n])
			if n != o.Size || !ok {
				return fmt.Errorf("a request of %d bytes arrived with %d, or with the ends of two", o.Size, n)
			}
			a.got(n)
			stamp(answer, number)
			if _, err := s.Write(answer); err != nil {
				return err
			}
			a.sent(1, len(answer))
			wait = socket.Wait{}
		case !socket.Again(err):
			return err
		case wait.Over(quiet) && stop():
			return nil
		}
		if err := s.Ended(); err != nil {
			return err
		}
	}
}
