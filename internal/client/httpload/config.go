// Package httpload loads servers of HTTP/1.1 and HTTP/2: one event loop a lane, on the lane's locked thread, over raw
// system calls. A request costs a write, a read, and its share of one wait for events. The load generator decides when
// requests are due (package load); latency counts from there. A connection of HTTP/1.1 has one request in flight at a
// time, without pipelining, one of HTTP/2 several. Over TLS the same loop runs crypto/tls in memory: it is slower and
// allocates, and Target.Path reports it.
package httpload

import (
	"crypto/tls"
	"errors"
	"fmt"
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
	Requests []Request // requests that differ by more than their URLs, instead of URLs, Method, Header and Body
	Values   Values    // of the requests' texts
	Expect   Expect    // of each answer
	Address  string    // IP:PORT of the server if its name has several; "": that of the first URL's host
	// Addresses are the servers' if several serve the same, IP:PORT: the target's connections go to them in turn. The
	// requests are those for the first URL's host. nil: there is one server.
	Addresses []string
	Socket    string        // path of a Unix socket to connect to, "@name" in the abstract namespace; "": TCP
	Protocol  string        // "" or HTTP1, or HTTP2
	Streams   int           // HTTP/2: most requests in flight per connection; 0: one
	Once      bool          // a connection serves one request (HTTP/1.1), whose latency includes connecting
	Resume    bool          // TLS sessions are resumed
	Timeout   time.Duration // from sending a request to its last byte; 0: DefaultTimeout
	Spin      bool          // an open loop waits by polling only, and takes a whole CPU
	TLS       *tls.Config   // nil: certificates are verified by the system's CAs
	// Script makes the script of lane n, which makes the lane's requests (HTTP/1.1). Requests then are the kinds of its
	// operations, by which they are counted. nil: there is no script.
	Script func(n int) Script
}

// The values of Config.Protocol. Without TLS the client of HTTP/2 sends its preface at once (RFC 9113, section 3.3).
const (
	HTTP1 = "1.1"
	HTTP2 = "2"
)

// DefaultTimeout is the default of Config.Timeout.
const DefaultTimeout = 10 * time.Second

// Target is a server and the rendered requests for it. Lanes share it.
type Target struct {
	origin   origin
	servers  []origin // that connections go to, in turn
	requests []request
	order    []int32  // of requests; nil: in turn
	named    []string // lines of a mix: see lines; nil: all requests are of one
	spin     bool
	timeout  int64 // ns
	two      bool  // HTTP/2
	static   *[lastStatic + 1]entry
	streams  int  // per connection
	keeps    bool // connections are kept alive
	good     *[statuses]bool
	expected []byte // in each body
	tls      *tls.Config
	script   func(n int) Script
	values   Values
	serial   atomic.Int64 // number of requests with values so far
	clients  atomic.Int64 // streams made so far
	conns    atomic.Int64 // connections made so far
	lanes    atomic.Int64 // made so far
}

// New resolves the server's name, once, and renders the requests. It returns an error only for a bad c.
func New(c Config) (*Target, error) {
	if err := c.check(); err != nil {
		return nil, err
	}
	t := &Target{spin: c.Spin, timeout: int64(c.Timeout), values: c.Values, two: c.Protocol == HTTP2,
		streams: max(c.Streams, 1), script: c.Script,
		keeps: !c.Once}
	if c.Timeout == 0 {
		t.timeout = int64(DefaultTimeout)
	}
	requests := c.all()
	if err := t.render(requests); err != nil {
		return nil, err
	}
	var err error
	t.expected = c.Expect.Body
	if t.good, err = c.Expect.good(); err != nil {
		return nil, err
	}
	if t.order, err = shuffled(c.Weights, len(requests), c.Seed); err != nil {
		return nil, err
	}
	if t.lines(c.Weights); c.Script != nil {
		t.kinds(c.Requests)
	}
	if t.servers, err = t.origin.servers(c); err != nil {
		return nil, err
	}
	if t.origin.secure {
		t.tls = tlsConfig(c, t.origin.name)
	}
	return t, nil
}

// check validates the parts of the configuration that all requests have in common.
func (c Config) check() error {
	switch {
	case len(c.URLs) == 0 && len(c.Requests) == 0:
		return errors.New("http: no URL\nhint: give http://HOST:PORT/PATH")
	case c.Timeout < 0:
		return fmt.Errorf("http: timeout %v\nhint: give a positive one", c.Timeout)
	case c.Protocol != "" && c.Protocol != HTTP1 && c.Protocol != HTTP2:
		return fmt.Errorf("http: unsupported protocol %s\nhint: %s or %s", c.Protocol, HTTP1, HTTP2)
	case c.Streams > 1 && c.Protocol != HTTP2:
		return errors.New("http: several streams of a connection are HTTP/2's\nhint: --set http.protocol=2")
	case c.Script != nil && (c.Protocol == HTTP2 || c.Once || len(c.Requests) == 0):
		return errors.New("http: a script's requests are HTTP/1.1's, of kept connections, and have kinds")
	case len(c.Addresses) > 0 && (c.Socket != "" || c.Address != ""):
		return errors.New("http: several servers have addresses, and one has an address or a socket\nhint: give either")
	case c.Once && c.Protocol == HTTP2:
		return errors.New("http: connections that are not kept alive are HTTP/1.1's\nhint: leave keepalive or the " +
			"protocol out")
	}
	return nil
}

// render renders the requests, and checks that all go to one server.
func (t *Target) render(all []Request) error {
	for i, r := range all {
		rendered, o, err := r.render(!t.keeps, t.values)
		if err != nil {
			return err
		}
		if i > 0 && (o.inURL != t.origin.inURL || o.secure != t.origin.secure) {
			return fmt.Errorf("http: the URLs name two servers, %s and %s\nhint: load one at a time",
				t.origin.inURL, o.inURL)
		}
		t.origin = o
		t.requests = append(t.requests, rendered)
	}
	if t.two {
		t.static = staticTable()
		t.compress()
	}
	return nil
}

// Path returns the I/O path of requests, for a trial's identity.
func (t *Target) Path() string {
	path := "epoll"
	if t.origin.secure {
		path = "tls (crypto/tls)"
	}
	if t.two {
		path += ", HTTP/2"
	}
	return path
}
