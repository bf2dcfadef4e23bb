package httpload

import (
	"bytes"
	"errors"
	"fmt"
	"math/rand/v2"
	"slices"
	"strconv"
	"strings"

	"plimsoll/internal/base/list"
)

// Request is one of several requests to a server.
type Request struct {
	Name   string // in errors; "": none
	URL    string
	Method string   // "": GET, or POST if there is a body
	Header []string // "Name: value"
	Body   []byte
}

// Check returns an error if the request cannot be sent, and the scheme and host of its server otherwise.
func (r Request) Check() (server string, err error) {
	_, o, err := r.render(false, Values{anyRows: true})
	if o.secure {
		return "https://" + o.inURL, err
	}
	return "http://" + o.inURL, err
}

// request is a request as the server gets it.
type request struct {
	name    string // in errors
	method  string
	path    string
	fields  []field
	body    []byte
	bytes   []byte  // in HTTP/1.1
	blocks  *blocks // in HTTP/2; nil for 1.1
	head    bool    // its answer has no body
	varied  *varied // nil: it is always the same
	line    int32   // of a mix, by which it is counted: see Target.lines
	retries bool    // it may be resent if it may not have been read

	scripted bool // it is a kind of a script's requests
}

// to names the request in an error, if it has a name.
func (r *request) to() string {
	if r.name == "" {
		return ""
	}
	return " to " + r.name
}

// all returns the requests of a configuration.
func (c Config) all() []Request {
	if len(c.Requests) > 0 {
		return c.Requests
	}
	return list.Map(c.URLs, func(url string) Request {
		return Request{URL: url, Method: c.Method, Header: c.Header, Body: c.Body}
	})
}

// render returns the request's bytes and its server.
func (r Request) render(once bool, v Values) (request, origin, error) {
	method, err := r.method()
	if err != nil {
		return request{}, origin{}, err
	}
	marked, restore := Split(r.URL)
	o, path, err := parseURL(marked)
	if err != nil {
		return request{}, o, errorIn(err, restore)
	}
	if host := restore(o.inURL); host != o.inURL {
		return request{}, o, fmt.Errorf("http: the server %s has a value\nhint: one run loads one server", host)
	}
	fields, err := r.fields(method, o)
	if err != nil {
		return request{}, o, err
	}
	out := request{name: r.Name, method: method, path: restore(path), fields: fields, body: r.Body, head: method == "HEAD",
		retries: idempotent(method)}
	if err := out.vary(v); err != nil {
		return request{}, o, err
	}
	if out.varied != nil {
		out.varied.compose(method, once)
	} else {
		out.bytes = out.text(once)
	}
	return out, o, nil
}

// errorIn returns an error with what the marks in it stand for.
func errorIn(err error, restore func(string) string) error {
	if text := restore(err.Error()); text != err.Error() {
		return errors.New(text)
	}
	return err
}

// method returns the request's method.
func (r Request) method() (string, error) {
	method := r.Method
	if method == "" {
		method = "GET"
		if len(r.Body) > 0 {
			method = "POST"
		}
	}
	if !isToken(method) || method != strings.ToUpper(method) {
		return "", fmt.Errorf("http: %q is not a method\nhint: such as GET or POST", method)
	}
	if method == "CONNECT" || method == "TRACE" {
		return "", fmt.Errorf("http: requests of method %s are not supported", method)
	}
	return method, nil
}

// idempotent reports whether a method is idempotent (RFC 9110, section 9.2.2).
func idempotent(method string) bool {
	return slices.Contains([]string{"GET", "HEAD", "PUT", "DELETE", "OPTIONS"}, method)
}

// notHeader returns the error of a line that is no header, without a value, which may be a secret.
func notHeader(name, value string, ok bool) error {
	const hint = "\nhint: write it as Name: value"
	switch {
	case !ok:
		return errors.New("http: a header has no colon" + hint)
	case !isToken(name):
		return errors.New("http: what precedes the colon is not a header's name" + hint)
	}
	at := strings.IndexFunc(value, isControl)
	return fmt.Errorf("http: the value of the header %s has a control character (0x%02x)%s", name, value[at], hint)
}

// field is a header field.
type field struct{ name, value string }

// fields returns the header fields, Host and Content-Length included.
func (r Request) fields(method string, o origin) ([]field, error) {
	var out []field
	host := false
	for _, line := range r.Header {
		name, value, ok := strings.Cut(line, ":")
		value = strings.TrimSpace(value)
		if !ok || !isToken(name) || strings.ContainsFunc(value, isControl) {
			return nil, notHeader(name, value, ok)
		}
		switch strings.ToLower(name) {
		case "content-length", "transfer-encoding", "connection", "upgrade":
			return nil, fmt.Errorf("http: the header %s is set automatically, by the body and for keep-alive", name)
		case "host":
			host = true
		}
		out = append(out, field{name, value})
	}
	if !host {
		out = append(out, field{"Host", o.host})
	}
	if len(r.Body) > 0 || method == "POST" || method == "PUT" || method == "PATCH" {
		out = append(out, field{lengthName, strconv.Itoa(len(r.Body))})
	}
	return out, nil
}

// text returns the request in HTTP/1.1; once is whether its connection ends with the answer.
func (r *request) text(once bool) []byte {
	var b bytes.Buffer
	fmt.Fprintf(&b, "%s %s HTTP/1.1\r\n", r.method, r.path)
	for _, f := range r.fields {
		fmt.Fprintf(&b, "%s: %s\r\n", f.name, f.value)
	}
	if once {
		b.WriteString("Connection: close\r\n")
	}
	b.WriteString("\r\n")
	b.Write(r.body)
	return b.Bytes()
}

// isToken reports whether a text is a token (RFC 9110, section 5.6.2), as names and methods are. (Package httpguts
// has it too, but brings Unicode tables.)
func isToken[T string | []byte](s T) bool {
	for i := range len(s) {
		c := s[i]
		if !('a' <= c && c <= 'z' || 'A' <= c && c <= 'Z' || '0' <= c && c <= '9' ||
			strings.IndexByte("!#$%&'*+-.^_`|~", c) >= 0) {
			return false
		}
	}
	return len(s) > 0
}

func isControl(r rune) bool { return r < ' ' && r != '\t' || r == 0x7f }

// maxWeights bounds the sum of weights, which is the length of the random order.
const maxWeights = 1 << 16

// shuffled returns a random order in which each of n requests occurs as often as its weight; nil weights need none.
func shuffled(weights []int, n int, seed uint64) ([]int32, error) {
	if len(weights) == 0 {
		return nil, nil
	}
	if len(weights) != n {
		return nil, fmt.Errorf("http: %d weights for %d URLs\nhint: give one for each", len(weights), n)
	}
	var order []int32
	for i, w := range weights {
		if w < 1 || w > maxWeights-len(order) {
			return nil, fmt.Errorf("http: a weight of %d\nhint: give whole numbers from 1, at most %d together",
				w, maxWeights)
		}
		for range w {
			order = append(order, int32(i))
		}
	}
	// To a server's caches a shorter cycle would not be a random order.
	for least := len(order); len(order) < 4096; {
		order = append(order, order[:least]...)
	}
	r := rand.New(rand.NewPCG(seed, 0))
	r.Shuffle(len(order), func(i, j int) { order[i], order[j] = order[j], order[i] })
	return order, nil
}

// request returns the next request and advances.
func (l *Lane) request() *request {
	t := l.target
	if t.order == nil {
		r := &t.requests[l.next]
		if l.next++; l.next == len(t.requests) {
			l.next = 0
		}
		return r
	}
	r := &t.requests[t.order[l.next]]
	if l.next++; l.next == len(t.order) {
		l.next = 0
	}
	return r
}

// firstRequest returns lane n's first request, so that lanes do not all begin with the same one.
func (t *Target) firstRequest(n int64) int {
	return int(n) % max(len(t.requests), len(t.order))
}
