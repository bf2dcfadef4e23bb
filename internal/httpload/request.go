package httpload

import (
	"bytes"
	"fmt"
	"math/rand/v2"
	"slices"
	"strings"
)

// methodOf returns the method of all requests.
func methodOf(c Config) (string, error) {
	method := c.Method
	if method == "" {
		method = "GET"
		if len(c.Body) > 0 {
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

// render returns a request's bytes.
func render(method string, o origin, path string, c Config) ([]byte, error) {
	var b bytes.Buffer
	fmt.Fprintf(&b, "%s %s HTTP/1.1\r\n", method, path)
	host := false
	for _, line := range c.Header {
		name, value, ok := strings.Cut(line, ":")
		value = strings.TrimSpace(value)
		if !ok || !isToken(name) || strings.ContainsFunc(value, isControl) {
			return nil, fmt.Errorf("http: %q is not a header\nhint: write it as Name: value", line)
		}
		switch strings.ToLower(name) {
		case "content-length", "transfer-encoding", "connection", "upgrade":
			return nil, fmt.Errorf("http: the header %s is set automatically, by the body and for keep-alive", name)
		case "host":
			host = true
		}
		fmt.Fprintf(&b, "%s: %s\r\n", name, value)
	}
	if !host {
		fmt.Fprintf(&b, "Host: %s\r\n", o.host)
	}
	if len(c.Body) > 0 || method == "POST" || method == "PUT" || method == "PATCH" {
		fmt.Fprintf(&b, "Content-Length: %d\r\n", len(c.Body))
	}
	b.WriteString("\r\n")
	b.Write(c.Body)
	return b.Bytes(), nil
}

// isToken reports whether a text is a token (RFC 9110, section 5.6.2), as names and methods are. (Package httpguts
// has it too, but brings Unicode tables.)
func isToken[T string | []byte](s T) bool {
	for i := range len(s) {
		c := s[i]
		if !('a' <= c && c <= 'z' || 'A' <= c && c <= 'Z' || '0' <= c && c <= '9' || strings.IndexByte("!#$%&'*+-.^_`|~", c) >= 0) {
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
func (l *Lane) request() []byte {
	t := l.target
	if t.order == nil {
		r := t.requests[l.next]
		if l.next++; l.next == len(t.requests) {
			l.next = 0
		}
		return r
	}
	r := t.requests[t.order[l.next]]
	if l.next++; l.next == len(t.order) {
		l.next = 0
	}
	return r
}

// firstRequest returns a lane's first request, so that lanes do not all begin with the same one.
func (t *Target) firstRequest() int {
	return int(t.lanes.Add(1)-1) % max(len(t.requests), len(t.order))
}
