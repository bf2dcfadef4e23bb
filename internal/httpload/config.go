// Package httpload asks HTTP/1.1 servers: one event loop a lane, on the lane's locked thread, over raw
// system calls. A request costs a write, a read, and its share of one wait for events. What is due when
// is the load generator's to say (package load); latency counts from there.
package httpload

import (
	"crypto/tls"
	"errors"
	"fmt"
	"time"
)

// Config says what is asked, of whom.
type Config struct {
	URLs    []string // of one server; asked in turn
	Method  string   // "": GET, POST where there is a body
	Header  []string // "Name: value"
	Body    []byte
	Timeout time.Duration // of one request, from its sending to its last byte; 0: 10 s
	TLS     *tls.Config   // nil: the machine's own authorities; never offers HTTP/2
}

// DefaultTimeout is how long a request may take where nothing else is said.
const DefaultTimeout = 10 * time.Second

// Target is a server and the requests that it is to answer, ready to be sent.
type Target struct {
	origin   origin
	requests [][]byte
	head     bool // a HEAD request, whose answer has no body
	retries  bool // a request may be sent again where nobody knows whether it was read
	timeout  int64
	tls      *tls.Config
}

// New resolves the server's name, once, and renders the requests.
func New(c Config) (*Target, error) {
	if len(c.URLs) == 0 {
		return nil, errors.New("http: no URL\nhint: give http://HOST:PORT/PATH")
	}
	t := &Target{timeout: int64(c.Timeout)}
	if c.Timeout < 0 {
		return nil, fmt.Errorf("http: a timeout of %v\nhint: give a positive one", c.Timeout)
	}
	if c.Timeout == 0 {
		t.timeout = int64(DefaultTimeout)
	}
	method, err := methodOf(c)
	if err != nil {
		return nil, err
	}
	t.head, t.retries = method == "HEAD", idempotent(method)
	for i, text := range c.URLs {
		o, path, err := parseURL(text)
		if err != nil {
			return nil, err
		}
		if i > 0 && o.host != t.origin.host {
			return nil, fmt.Errorf("http: the URLs name two servers, %s and %s\nhint: load one at a time", t.origin.host, o.host)
		}
		t.origin = o
		request, err := render(method, o, path, c)
		if err != nil {
			return nil, err
		}
		t.requests = append(t.requests, request)
	}
	if err := t.origin.resolve(); err != nil {
		return nil, err
	}
	if t.origin.secure {
		t.tls = tlsConfig(c.TLS, t.origin.name)
	}
	return t, nil
}

// Path names the way that requests take, for a trial's identity.
func (t *Target) Path() string {
	if t.origin.secure {
		return "tls (crypto/tls)"
	}
	return "epoll"
}
