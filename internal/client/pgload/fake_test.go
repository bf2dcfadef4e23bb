package pgload_test

import (
	"context"
	"crypto/tls"
	"errors"
	"io"
	"net"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/jackc/pgx/v5/pgproto3"

	"plimsoll/internal/client/pgload"
	"plimsoll/internal/engine"
)

// fake is a server that accepts one client, over TLS if there is a certificate, and then runs a function.
func fake(t *testing.T, certificate *tls.Config, then func(net.Conn, *pgproto3.Backend)) string {
	t.Helper()
	l, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	done := make(chan struct{})
	t.Cleanup(func() { l.Close(); <-done })
	go func() {
		defer close(done)
		c, err := l.Accept()
		if err != nil {
			return
		}
		defer func() { c.Close() }()
		b := pgproto3.NewBackend(c, c)
		m, err := b.ReceiveStartupMessage()
		if _, asks := m.(*pgproto3.SSLRequest); asks && certificate != nil {
			_, _ = c.Write([]byte("S"))
			c = tls.Server(c, certificate)
			b = pgproto3.NewBackend(c, c)
			_, err = b.ReceiveStartupMessage()
		}
		if err != nil {
			return
		}
		b.Send(&pgproto3.AuthenticationOk{})
		b.Send(&pgproto3.ReadyForQuery{TxStatus: 'I'})
		if b.Flush() == nil {
			then(c, b)
		}
	}()
	mode := "disable"
	if certificate != nil {
		mode = "require"
	}
	return "postgres://u@" + l.Addr().String() + "/d?sslmode=" + mode
}

// answer answers queries until the client leaves.
func answer(_ net.Conn, b *pgproto3.Backend) {
	for {
		m, err := b.Receive()
		if err != nil {
			return
		}
		if q, ok := m.(*pgproto3.Query); ok && q.String == "wait" {
			continue
		}
		b.Send(&pgproto3.NoticeResponse{Message: "hear"})
		b.Send(&pgproto3.DataRow{Values: [][]byte{[]byte("1"), nil}})
		b.Send(&pgproto3.CommandComplete{CommandTag: []byte("SELECT 1")})
		b.Send(&pgproto3.ReadyForQuery{TxStatus: 'I'})
		if b.Flush() != nil {
			return
		}
	}
}

func TestTLS(t *testing.T) {
	dir := t.TempDir()
	must(t, engine.SelfSign(dir, "127.0.0.1"))
	pair, err := tls.LoadX509KeyPair(engine.CertPath(dir), filepath.Join(dir, engine.KeyFile))
	must(t, err)
	ctx, cancel := context.WithCancel(context.Background())
	c := dial(t, ctx, fake(t, &tls.Config{Certificates: []tls.Certificate{pair}}, answer))
	if c.Path() != pgload.PathTLS {
		t.Errorf("the path is %s", c.Path())
	}
	var got []string
	for range 3 {
		must(t, c.Simple("select", rows(&got)))
	}
	if strings.Join(got, ",") != "0:1|null,0:1|null,0:1|null" {
		t.Errorf("rows %q", got)
	}
	time.AfterFunc(20*time.Millisecond, cancel)
	if err := c.Simple("wait", nil); err == nil {
		t.Error("a cancelled wait has no error")
	}
	must(t, c.Close())
}

// TestBadServers: servers that close silently or in the middle of a message, and ones that are not PostgreSQL.
func TestBadServers(t *testing.T) {
	first := func(do func(net.Conn, *pgproto3.Backend)) func(net.Conn, *pgproto3.Backend) {
		return func(c net.Conn, b *pgproto3.Backend) {
			if _, err := b.Receive(); err == nil {
				do(c, b)
			}
		}
	}
	for name, c := range map[string]struct {
		then func(net.Conn, *pgproto3.Backend)
		want error
	}{
		"closes":       {first(func(net.Conn, *pgproto3.Backend) {}), pgload.ErrClosed},
		"closes early": {func(net.Conn, *pgproto3.Backend) {}, pgload.ErrClosed},
		"half a row": {first(func(c net.Conn, _ *pgproto3.Backend) { _, _ = c.Write([]byte("D\x00\x00\x00\x20\x00")) }),
			pgload.ErrClosed},
		"no protocol": {first(func(c net.Conn, _ *pgproto3.Backend) {
			_, _ = io.WriteString(c, "HTTP/1.1 400 Bad Request\r\n\r\n")
		}), nil},
		"odd row": {first(func(c net.Conn, _ *pgproto3.Backend) { _, _ = c.Write([]byte("D\x00\x00\x00\x06\x00\x05")) }),
			nil},
	} {
		conn := dial(t, context.Background(), fake(t, nil, c.then))
		err := conn.Simple("select 1", nil)
		for try := 0; err == nil && try < 100; try++ { // a later write may be the first to notice the close
			err = conn.Simple("select 1", nil)
		}
		if err == nil || c.want != nil && !errors.Is(err, c.want) {
			t.Errorf("%s: %v, want %v", name, err, c.want)
		}
		if err := conn.Simple("select 1", nil); err == nil {
			t.Errorf("%s: it is used on", name)
		}
	}
}
