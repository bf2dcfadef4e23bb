package pgload

import (
	"context"
	"errors"
	"fmt"
	"net"
	"syscall"
	"time"

	"golang.org/x/sys/unix"

	"plimsoll/internal/client/socket"
)

// plain is a connection without TLS.
type plain struct{ *socket.Socket }

func (p plain) within(ctx context.Context) { p.Within(ctx) }

func (p plain) Read(b []byte) (int, error) {
	n, err := p.Socket.Read(b)
	return n, wrap(err)
}

func (p plain) Write(b []byte) (int, error) {
	n, err := p.Socket.Write(b)
	return n, wrap(err)
}

// wrap words an error of the kernel.
func wrap(err error) error {
	if err == nil {
		return nil // before anything that takes memory
	}
	var code syscall.Errno
	switch {
	case errors.Is(err, unix.ECONNRESET), errors.Is(err, unix.EPIPE):
		return ErrClosed
	case errors.As(err, &code):
		return fmt.Errorf("talk to the database: %w", err)
	}
	return err
}

// encrypted is a connection encrypted by Go's library.
type encrypted struct {
	net.Conn
	release func() bool
}

func (e *encrypted) within(ctx context.Context) {
	e.release = context.AfterFunc(ctx, func() { _ = e.SetDeadline(time.Now()) })
}

func (e *encrypted) Close() error {
	if e.release != nil {
		e.release()
	}
	return e.Conn.Close()
}
