package pgload_test

import (
	"context"
	"errors"
	"io"
	"net"
	"strings"
	"testing"
	"time"

	"github.com/jackc/pgx/v5/pgproto3"

	"plimsoll/internal/base/simtest"
	"plimsoll/internal/client/pgload"
)

// TestSilent: who accepts a connection and says nothing is told from who does not accept one, with TLS asked for or
// not.
func TestSilent(t *testing.T) {
	l, err := net.Listen("tcp", "127.0.0.1:0")
	must(t, err)
	t.Cleanup(func() { l.Close() })
	go func() {
		for {
			c, err := l.Accept()
			if err != nil {
				return
			}
			go io.Copy(io.Discard, c)
		}
	}()
	for _, mode := range []string{"disable", "prefer", "require"} {
		dsn := "postgres://u:geheim@" + l.Addr().String() + "/d?connect_timeout=1&sslmode=" + mode
		_, err := pgload.Dial(context.Background(), dsn, "")
		var silent pgload.Silent
		if !errors.As(err, &silent) || silent.Within != time.Second || strings.Contains(err.Error(), "geheim") ||
			!strings.Contains(err.Error(), "accepted the connection but did not answer within 1s\nhint: ") {
			t.Errorf("%s: %v", mode, err)
		}
	}
	l.Close()
	if _, err := pgload.Dial(context.Background(), "postgres://u@"+l.Addr().String()+"/d", ""); err == nil ||
		errors.As(err, new(pgload.Silent)) {
		t.Errorf("nobody listens: %v", err)
	}
}

// TestNotAnswered: a pooler may log in a client and have no connection for it.
func TestNotAnswered(t *testing.T) {
	if !simtest.Night() {
		t.Skip("it waits for 10 s")
	}
	ctx, cancel := context.WithCancel(context.Background())
	defer cancel()
	c := dial(t, ctx, fake(t, nil, func(c net.Conn, _ *pgproto3.Backend) { io.Copy(io.Discard, c) }))
	if err := pgload.Answered(c, cancel); !errors.As(err, new(pgload.Silent)) {
		t.Error(err)
	}
	c = dial(t, context.Background(), fake(t, nil, answer))
	must(t, pgload.Answered(c, func() {}))
}
