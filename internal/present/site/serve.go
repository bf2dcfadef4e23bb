package site

import (
	"context"
	"crypto/rand"
	"errors"
	"fmt"
	"io"
	"log"
	"net"
	"net/http"
	"net/netip"
	"net/url"
	"os"
	"time"

	"plimsoll/internal/base/usage"
	"plimsoll/internal/record"
	"plimsoll/internal/record/session"
)

// Options say where a site is served, and to whom.
type Options struct {
	Dir       string
	At        netip.AddrPort
	HostNames []string // further names of the server
	NoToken   bool     // let in whoever reaches the address, which must be a loopback one
	Make      Analyses
	keep      store
}

// Analyses are what cmd makes of sessions.
type Analyses struct {
	Page    Page
	Session Analysis
	Compare Analysis
	TypeOf  func(record.Machine) string // instance type; "" if unknown
}

// Analysis returns a document about sessions, which it must not change. It ends with ctx.
type Analysis func(ctx context.Context, log *session.Log, q Question) (any, error)

// Page writes the report of some sessions, which open opens. It ends with ctx.
type Page func(ctx context.Context, w io.Writer, open func(path string) (*os.File, error), paths []string) error

// The bounds of a request. Large ones name thousands of sessions.
const (
	maxHeader  = 128 << 10
	headerTime = 10 * time.Second // to send a request
	pageTime   = 10 * time.Minute // to make a page
	writeTime  = time.Minute      // to read an answer
	idleTime   = 2 * time.Minute  // between two requests
	goodbye    = 5 * time.Second  // for requests in flight on shutdown
)

// Serve serves a site until ctx ends. It tells started its URL, with the token.
func Serve(ctx context.Context, o Options, errors io.Writer, started func(url string)) error {
	if o.NoToken && !o.At.Addr().IsLoopback() {
		return usage.Errorf("--no-token lets in whoever reaches %s, and others than this machine can\nhint: leave one of "+
			"--no-token and --addr away", o.At)
	}
	dir, err := os.OpenRoot(o.Dir)
	if err != nil {
		return usage.Errorf("%s cannot be served: %w\nhint: plimsoll serve DIR, with DIR containing session files", o.Dir,
			err)
	}
	defer dir.Close()
	l, err := net.Listen("tcp", o.At.String())
	if err != nil {
		return fmt.Errorf("serving: %w\nhint: --addr %s takes a free port", err, netip.AddrPortFrom(o.At.Addr(), 0))
	}
	ctx, stop := context.WithCancel(ctx)
	s := newSite(ctx, dir, o.Make, o.keep)
	defer s.index.background.Wait()
	defer stop()
	s.index.background.Go(func() { _ = s.index.refresh(ctx, 0) }) // who comes first hears of an error
	d := &door{names: o.HostNames, next: s}
	if !o.NoToken {
		d.token = rand.Text()
	}
	host := hostOf(l)
	if !o.At.Addr().IsLoopback() {
		name, _ := splitHost(host)
		d.names = append(d.names, name)
	}
	started(urlOf(host, d.token))
	return until(ctx, server(ctx, d, errors), l)
}

// hostOf returns the host and port in a listener's URL. An address that stands for all is replaced by the machine's
// name.
func hostOf(l net.Listener) string {
	at, err := netip.ParseAddrPort(l.Addr().String())
	if err != nil || !at.Addr().IsUnspecified() {
		return l.Addr().String()
	}
	name, err := os.Hostname()
	if err != nil {
		return l.Addr().String()
	}
	return net.JoinHostPort(name, fmt.Sprint(at.Port()))
}

func urlOf(host, token string) string {
	out := url.URL{Scheme: "http", Host: host, Path: "/"}
	if token != "" {
		out.RawQuery = url.Values{tokenKey: {token}}.Encode()
	}
	return out.String()
}

// server bounds slow clients. ReadTimeout is not among the bounds: it would end the context of a page that takes
// longer.
func server(ctx context.Context, h http.Handler, errors io.Writer) *http.Server {
	return &http.Server{
		Handler: h, BaseContext: func(net.Listener) context.Context {
			return ctx
		}, ErrorLog: log.New(errors, "plimsoll: ", 0),
		ReadHeaderTimeout: headerTime, IdleTimeout: idleTime, WriteTimeout: pageTime + writeTime, MaxHeaderBytes: maxHeader,
	}
}

// until serves until ctx ends.
func until(ctx context.Context, s *http.Server, l net.Listener) error {
	ended := make(chan error, 1)
	go func() { ended <- s.Serve(l) }()
	select {
	case err := <-ended:
		return fmt.Errorf("serving at %s: %w", l.Addr(), err)
	case <-ctx.Done():
	}
	last, cancel := context.WithTimeout(context.WithoutCancel(ctx), goodbye)
	defer cancel()
	if err := s.Shutdown(last); err != nil && !errors.Is(err, context.DeadlineExceeded) {
		return fmt.Errorf("serving at %s: %w", l.Addr(), err)
	}
	return s.Close()
}
