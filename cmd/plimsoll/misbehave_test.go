package main

import (
	"bufio"
	"crypto/tls"
	"fmt"
	"io"
	"maps"
	"net"
	"net/http"
	"net/http/httptest"
	"slices"
	"strings"
	"time"

	"github.com/rogpeppe/go-internal/testscript"
)

const (
	decent = "HTTP/1.1 200 OK\r\nContent-Length: 2\r\n\r\nok"
	// slowness is longer than the timeout that scripts set for such a server.
	slowness = 30 * time.Second
	// thought is how long it takes over every answer, so that a generator is never loaded by asking one client after the
	// other.
	thought = time.Millisecond
)

// manners are how a server answers request n of a connection, from 1. False ends the connection.
func manners() map[string]func(c net.Conn, n int) bool {
	always := func(text string) func(net.Conn, int) bool {
		return func(c net.Conn, _ int) bool {
			_, err := io.WriteString(c, text)
			return err == nil
		}
	}
	return map[string]func(net.Conn, int) bool{
		"decent":  always(decent),
		"signed":  always(decent), // and speaks TLS
		"garbage": always("SSH-2.0-OpenSSH_9.2\r\n\r\n"),
		"storm":   always("HTTP/1.1 500 Internal Server Error\r\nContent-Length: 0\r\n\r\n"),
		"locked":  always("HTTP/1.1 401 Unauthorized\r\nContent-Length: 0\r\n\r\n"),
		"interim": always("HTTP/1.1 100 Continue\r\n\r\nHTTP/1.1 103 Early Hints\r\nLink: </a>\r\n\r\n" + decent),
		"chatter": always(decent + decent),
		"gusts": func(c net.Conn, n int) bool {
			text := decent
			if n%2 == 0 {
				text = "HTTP/1.1 500 Internal Server Error\r\nContent-Length: 0\r\n\r\n"
			}
			_, err := io.WriteString(c, text)
			return err == nil
		},
		"old": func(c net.Conn, _ int) bool {
			_, _ = io.WriteString(c, "HTTP/1.0 200 OK\r\n\r\nuntil the end")
			return false
		},
		"truncated": func(c net.Conn, _ int) bool {
			_, _ = io.WriteString(c, "HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n40\r\nonly a part of it")
			return false
		},
		"reset": func(c net.Conn, _ int) bool {
			_ = c.(*net.TCPConn).SetLinger(0)
			return false
		},
		"close": func(c net.Conn, n int) bool {
			if n > 3 {
				return false
			}
			_, err := io.WriteString(c, decent)
			return err == nil
		},
		"slow": func(net.Conn, int) bool {
			time.Sleep(slowness)
			return false
		},
	}
}

// misbehave KIND starts a server of bad manners, whose URL is then $URL. What says that it asks once (Connection:
// close), as plimsoll does before the load, is answered well; "refuse" closes the door after it. It ends with the
// script.
func misbehave(ts *testscript.TestScript, neg bool, args []string) {
	all := manners()
	if neg || len(args) != 1 || all[args[0]] == nil && args[0] != "refuse" {
		ts.Fatalf("usage: misbehave refuse|%s", strings.Join(slices.Sorted(maps.Keys(all)), "|"))
	}
	l, err := net.Listen("tcp", "127.0.0.1:0")
	ts.Check(err)
	ts.Defer(func() { l.Close() })
	scheme := "http"
	if args[0] == "signed" {
		secret := httptest.NewUnstartedServer(nil) // for its certificate, which nobody trusts
		secret.StartTLS()
		ts.Defer(secret.Close)
		l, scheme = tls.NewListener(l, &tls.Config{Certificates: secret.TLS.Certificates}), "https"
	}
	ts.Setenv("URL", fmt.Sprintf("%s://%s/", scheme, l.Addr()))
	go func() {
		for {
			c, err := l.Accept()
			if err != nil {
				return
			}
			if args[0] == "refuse" {
				l.Close()
			}
			go converse(c, all[args[0]])
		}
	}()
}

// converse answers the requests of a connection.
func converse(c net.Conn, manner func(net.Conn, int) bool) {
	defer c.Close()
	in := bufio.NewReader(c)
	for n := 1; ; n++ {
		req, err := http.ReadRequest(in)
		if err != nil {
			return
		}
		if req.Close {
			_, _ = io.WriteString(c, decent)
			return
		}
		time.Sleep(thought)
		if !manner(c, n) {
			return
		}
	}
}
