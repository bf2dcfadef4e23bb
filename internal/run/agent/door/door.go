// Package door proves that an address is a target's own. A target says where generators send their load, and could name
// anybody's address. So its agent listens at that address, on a port of its own: whoever answers there knows the key
// that the client drew for this trial, and gave to nobody but the hosts that take part. What is proven are the words of
// the target as well as its host: nobody on the way can change a port.
package door

import (
	"context"
	"crypto/hmac"
	"crypto/rand"
	"crypto/sha256"
	"errors"
	"fmt"
	"io"
	"net"
	"net/netip"
	"time"
)

const (
	// within bounds connecting and asking. A link of half a second each way passes.
	within = 10 * time.Second
	// challengeBytes is the length of a question.
	challengeBytes = 32
)

// Door is an open door. A nil Door is closed.
type Door struct{ l net.Listener }

// Open opens a door at an address of this host, that proves what it has said.
func Open(at netip.Addr, key, said string) (*Door, error) {
	l, err := net.Listen("tcp", netip.AddrPortFrom(at, 0).String())
	if err != nil {
		return nil, fmt.Errorf("prove that %s is this host's: %w", at, err)
	}
	go serve(l, key, said)
	return &Door{l}, nil
}

func serve(l net.Listener, key, said string) {
	for {
		c, err := l.Accept()
		if err != nil {
			return
		}
		go func() {
			defer c.Close()
			_ = c.SetDeadline(time.Now().Add(within))
			question := make([]byte, challengeBytes)
			if _, err := io.ReadFull(c, question); err == nil {
				_, _ = c.Write(answer(key, said, question))
			}
		}()
	}
}

// Port returns its port; 0 if it is closed.
func (d *Door) Port() uint16 {
	if d == nil {
		return 0
	}
	return uint16(d.l.Addr().(*net.TCPAddr).Port)
}

// Close closes it.
func (d *Door) Close() {
	if d != nil {
		_ = d.l.Close()
	}
}

// Ask returns an error unless who holds the key answers at the door and has said this. A key that is empty proves
// nothing.
func Ask(ctx context.Context, at netip.Addr, port uint16, key, said string) error {
	ctx, cancel := context.WithTimeout(ctx, within)
	defer cancel()
	if err := ask(ctx, at, port, key, said); err != nil {
		return fmt.Errorf("the target says that it is at %s, and cannot prove it: %w", at, err)
	}
	return nil
}

func ask(ctx context.Context, at netip.Addr, port uint16, key, said string) error {
	if key == "" || port == 0 {
		return errors.New("it names no port for that")
	}
	c, err := (&net.Dialer{}).DialContext(ctx, "tcp", netip.AddrPortFrom(at, port).String())
	if err != nil {
		return err
	}
	defer c.Close()
	if until, ok := ctx.Deadline(); ok {
		_ = c.SetDeadline(until)
	}
	question := make([]byte, challengeBytes)
	_, _ = rand.Read(question) // it never fails
	if _, err := c.Write(question); err != nil {
		return err
	}
	got := make([]byte, sha256.Size)
	if _, err := io.ReadFull(c, got); err != nil {
		return err
	}
	if !hmac.Equal(got, answer(key, said, question)) {
		return fmt.Errorf("what answers at port %d has not said so", port)
	}
	return nil
}

// answer returns what proves that who said this holds the key. The question has a fixed length, so that nothing said is
// taken for a part of it.
func answer(key, said string, question []byte) []byte {
	h := hmac.New(sha256.New, []byte(key))
	_, _ = h.Write(append(question[:challengeBytes:challengeBytes], said...)) // it never fails
	return h.Sum(nil)
}
