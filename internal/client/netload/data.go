package netload

import (
	"crypto/tls"
	"errors"
	"io"
	"net"
	"syscall"
	"time"
	"unsafe"

	"golang.org/x/sys/unix"

	"plimsoll/internal/client/socket"
)

// data is the path of a connection's bytes: a blocking socket, with TLS or without.
type data struct {
	*socket.Socket
	tls *tls.Conn // nil: none

	wire int64 // bytes that the socket has taken: with TLS more than the payload

	// sample is called about every millisecond while a write waits; nil: a write waits in the kernel, which is cheaper.
	sample func()
}

// newData takes a connection out of Go's poller. With a configuration it is encrypted, by the client or by the peer.
func newData(c net.Conn, o Order, secure *tls.Config, client bool) (*data, error) {
	s, err := socket.Take(c)
	if err != nil {
		return nil, err
	}
	s.Limit = o.Timeout
	d := &data{Socket: s}
	if o.Transport == TCP {
		err = o.set(s.FD, undelayed, controlled, buffered)
	}
	if err == nil && secure != nil {
		d.tls = tls.Client(plain{d}, secure)
		if !client {
			d.tls = tls.Server(plain{d}, secure)
		}
		err = d.tls.Handshake()
	}
	if err != nil {
		return nil, errors.Join(err, s.Close())
	}
	d.wire = 0 // without the handshake
	return d, nil
}

func (d *data) path() io.ReadWriter {
	if d.tls != nil {
		return d.tls
	}
	return plain{d}
}

// send writes a whole block.
func (d *data) send(block []byte) error {
	_, err := d.path().Write(block)
	return err
}

// receive reads a whole block. The error is io.EOF at the end of the stream, and io.ErrUnexpectedEOF within a block.
func (d *data) receive(block []byte) error {
	_, err := io.ReadFull(d.path(), block)
	return err
}

// confirmed returns how much of the payload in whole blocks, sent, was acknowledged by the other end's kernel. With TLS
// it is an estimate, by the share of payload in what was written.
func (d *data) confirmed(sent int64) int64 {
	unacknowledged, err := unix.IoctlGetInt(d.FD, unix.SIOCOUTQ)
	if err != nil {
		return sent
	}
	acknowledged := max(0, d.wire-int64(unacknowledged))
	if d.tls != nil && d.wire > 0 {
		return int64(float64(acknowledged) * float64(sent) / float64(d.wire))
	}
	return acknowledged
}

// finish ends the stream to the other end.
func (d *data) finish() error {
	if d.tls != nil {
		if err := d.tls.CloseWrite(); err != nil {
			return err
		}
	}
	return unix.Shutdown(d.FD, unix.SHUT_WR)
}

// plain is a socket as a net.Conn, for TLS. The socket has its own time limits.
type plain struct{ d *data }

func (p plain) Read(b []byte) (int, error) { return p.d.Socket.Read(b) }

func (p plain) Write(b []byte) (int, error) {
	if p.d.sample != nil {
		return p.d.writeFinely(b)
	}
	n, err := p.d.Socket.Write(b)
	p.d.wire += int64(n)
	return n, err
}

// Sampled is the interval of samples of a slow stream. A thread that waits for space is woken once a third of the
// buffer is free, so that bytes would seem to leave in bursts. A socket's own time limit is too coarse: ticks of up to
// 10 ms.
const Sampled = time.Millisecond

// writeFinely writes all of b, and samples while it waits.
func (d *data) writeFinely(b []byte) (int, error) {
	wait := socket.Wait{}
	for done := 0; ; {
		n, err := transferNow(d.FD, b[done:])
		switch {
		case err == 0:
			done, wait = done+n, socket.Wait{}
			d.wire += int64(n)
		case !socket.Again(err):
			return done, err
		default:
			fds := []unix.PollFd{{Fd: int32(d.FD), Events: unix.POLLOUT}}
			if _, err := unix.Ppoll(fds, &unix.Timespec{Nsec: int64(Sampled)}, nil); err != nil && err != unix.EINTR {
				return done, err
			}
		}
		d.sample()
		if done == len(b) {
			return done, nil
		}
		if err := d.Ended(); err != nil {
			return done, err
		}
		if err == unix.EAGAIN && d.Limit > 0 && wait.Over(d.Limit) {
			return done, socket.ErrStalled
		}
	}
}

// transferNow writes what fits into the socket's buffer.
func transferNow(fd int, b []byte) (int, syscall.Errno) {
	n, _, err := unix.RawSyscall6(unix.SYS_SENDTO, uintptr(fd), uintptr(unsafe.Pointer(unsafe.SliceData(b))),
		uintptr(len(b)), unix.MSG_DONTWAIT|unix.MSG_NOSIGNAL, 0, 0)
	return int(n), err
}

func (p plain) Close() error                   { return p.d.Socket.Close() }
func (plain) LocalAddr() net.Addr              { return nil }
func (plain) RemoteAddr() net.Addr             { return nil }
func (plain) SetDeadline(time.Time) error      { return nil }
func (plain) SetReadDeadline(time.Time) error  { return nil }
func (plain) SetWriteDeadline(time.Time) error { return nil }

// cpuTime returns the CPU time of the calling thread in nanoseconds; 0 if it is unknown.
func cpuTime() int64 {
	var ts unix.Timespec
	if unix.ClockGettime(unix.CLOCK_THREAD_CPUTIME_ID, &ts) != nil {
		return 0
	}
	return ts.Nano()
}

// ended reports whether an error is the orderly end of a stream, or that the other end has closed.
func ended(err error) bool {
	return errors.Is(err, io.EOF) || errors.Is(err, syscall.ECONNRESET) || errors.Is(err, syscall.EPIPE)
}
