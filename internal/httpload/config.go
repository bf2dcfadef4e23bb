// Package httpload asks HTTP/1.1 servers: one event loop a lane, on the lane's locked thread, over raw
// system calls. A request costs a write, a read, and its share of one wait for events. What is due when
// is the load generator's to say (package load); latency counts from there.
//
// Each connection carries one request at a time; nothing is pipelined. HTTP/2 is not spoken. Over TLS the
// same loop runs crypto/tls on memory: it is slower and allocates, and Target.Path says so.
package httpload

import (
	"crypto/tls"
	"errors"
	"fmt"
	"slices"
	"sync/atomic"
	"time"
)

// Config says what is asked, of whom.
type Config struct {
	URLs     []string // of one server
	Weights  []int    // how often each of them is asked, in an order drawn from the seed; nil: in turn
	Seed     uint64   // of that order
	Method   string   // "": GET, POST where there is a body
	Header   []string // "Name: value"
	Body     []byte
	Socket   string        // path of a Unix socket to connect to, "@name" in the abstract namespace; "": TCP
	Protocol string        // "" or "HTTP/1.1"; there is no other
	Timeout  time.Duration // of one request, from its sending to its last byte; 0: DefaultTimeout
	Spin     bool          // an open load waits by looking only, and takes a whole CPU
	TLS      *tls.Config   // nil: certificates are verified by the machine's own authorities
}

// DefaultTimeout is how long a request may take where nothing else is said.
const DefaultTimeout = 10 * time.Second

// Target is a server and the requests that it is to answer, ready to be sent. Lanes share it.
type Target struct {
	origin   origin
	requests [][]byte
	order    []int32 // of requests; nil: in turn
	head     bool    // HEAD requests, whose answers have no body
	retries  bool    // a request may be sent again where nobody knows whether it was read
	spin     bool
	timeout  int64 // ns
	tls      *tls.Config
	lanes    atomic.Int64 // made so far
}

// New resolves the server's name, once, and renders the requests. Its errors are of what c says.
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

// check says what cannot be, and which method is meant.
func (c Config) check() (method string, err error) {
	switch {
	case len(c.URLs) == 0:
		return "", errors.New("http: no URL\nhint: give http://HOST:PORT/PATH")
	case c.Timeout < 0:
		return "", fmt.Errorf("http: a timeout of %v\nhint: give a positive one", c.Timeout)
	case c.Protocol != "" && c.Protocol != "HTTP/1.1":
		return "", fmt.Errorf("http: the protocol %s is not spoken here, HTTP/2 neither: requests are HTTP/1.1\nhint: leave it out", c.Protocol)
	case c.TLS != nil && slices.Contains(c.TLS.NextProtos, "h2"):
		return "", errors.New("http: TLS is to offer h2, and HTTP/2 is not spoken here: requests are HTTP/1.1\nhint: leave the protocols out")
	}
	return methodOf(c)
}

// render makes the requests, and finds that one server is asked.
func (t *Target) render(method string, c Config) error {
	for i, text := range c.URLs {
		o, path, err := parseURL(text)
		if err != nil {
			return err
		}
		if i > 0 && (o.host != t.origin.host || o.secure != t.origin.secure) {
			return fmt.Errorf("http: the URLs name two servers, %s and %s\nhint: load one at a time", t.origin.host, o.host)
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

// Path names the way that requests take, for a trial's identity.
func (t *Target) Path() string {
	if t.origin.secure {
		return "tls (crypto/tls)"
	}
	return "epoll"
}
