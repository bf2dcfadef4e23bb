// Package httpload loads HTTP/1.1 servers: one event loop a lane, on the lane's locked thread, over raw system
// calls. A request costs a write, a read, and its share of one wait for events. The load generator decides when
// requests are due (package load); latency counts from there.
// Each connection has one request in flight at a time; there is no pipelining and no HTTP/2. Over TLS the same loop
// runs crypto/tls in memory: it is slower and allocates, and Target.Path reports it.
package httpload

import (
	"crypto/tls"
	"errors"
	"fmt"
	"slices"
	"sync/atomic"
	"time"
)

// Config describes the server and the requests.
type Config struct {
	URLs     []string // of one server
	Weights  []int    // frequency of each, in an order drawn from the seed; nil: in turn
	Seed     uint64   // of that order
	Method   string   // "": GET, or POST if there is a body
	Header   []string // "Name: value"
	Body     []byte
	Socket   string        // path of a Unix socket to connect to, "@name" in the abstract namespace; "": TCP
	Protocol string        // "" or "HTTP/1.1"; no other is supported
	Timeout  time.Duration // from sending a request to its last byte; 0: DefaultTimeout
	Spin     bool          // an open loop waits by polling only, and takes a whole CPU
	TLS      *tls.Config   // nil: certificates are verified by the system's CAs
}

// DefaultTimeout is the default of Config.Timeout.
const DefaultTimeout = 10 * time.Second

// Target is a server and the rendered requests for it. Lanes share it.
type Target struct {
	origin   origin
	requests [][]byte
	order    []int32 // of requests; nil: in turn
	head     bool    // HEAD requests, whose answers have no body
	retries  bool    // a request may be resent if it may not have been read
	spin     bool
	timeout  int64 // ns
	tls      *tls.Config
	lanes    atomic.Int64 // made so far
}

// New resolves the server's name, once, and renders the requests. It returns an error only for a bad c.
func New(c Config) (*Target, error) {
	method, err := c.check()
	if err != nil {
		return nil, err
	}
	t := &Target{head: method == "HEAD", retries: idempotent(method), spin: c.Spin, timeout: int64(c.Timeout)}
	if c.Timeout == 0 {
		t.timeout = int64(DefaultTimeout)
	}
	if err := t.render(method, c); err != nil {
		return nil, err
	}
	if t.order, err = shuffled(c.Weights, len(c.URLs), c.Seed); err != nil {
		return nil, err
	}
	if err := t.origin.resolve(c.Socket); err != nil {
		return nil, err
	}
	if t.origin.secure {
		t.tls = tlsConfig(c.TLS, t.origin.name)
	}
	return t, nil
}

// check validates the configuration and returns the method.
func (c Config) check() (method string, err error) {
	switch {
	case len(c.URLs) == 0:
		return "", errors.New("http: no URL\nhint: give http://HOST:PORT/PATH")
	case c.Timeout < 0:
		return "", fmt.Errorf("http: timeout %v\nhint: give a positive one", c.Timeout)
	case c.Protocol != "" && c.Protocol != "HTTP/1.1":
		return "", fmt.Errorf("http: unsupported protocol %s: requests are HTTP/1.1, and HTTP/2 is not "+
			"supported\nhint: leave it out", c.Protocol)
	case c.TLS != nil && slices.Contains(c.TLS.NextProtos, "h2"):
		return "", errors.New("http: the TLS configuration offers h2, but HTTP/2 is not supported: requests are " +
			"HTTP/1.1\nhint: leave the protocols out")
	}
	return methodOf(c)
}

// render renders the requests, and checks that all go to one server.
func (t *Target) render(method string, c Config) error {
	for i, text := range c.URLs {
		o, path, err := parseURL(text)
		if err != nil {
			return err
		}
		if i > 0 && (o.host != t.origin.host || o.secure != t.origin.secure) {
			return fmt.Errorf("http: the URLs name two servers, %s and %s\nhint: load one at a time",
				t.origin.host, o.host)
		}
		t.origin = o
		request, err := render(method, o, path, c)
		if err != nil {
			return err
		}
		t.requests = append(t.requests, request)
	}
	return nil
}

// Path returns the I/O path of requests, for a trial's identity.
func (t *Target) Path() string {
	if t.origin.secure {
		return "tls (crypto/tls)"
	}
	return "epoll"
}
