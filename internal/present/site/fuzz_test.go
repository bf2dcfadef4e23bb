package site

import (
	"bufio"
	"bytes"
	"context"
	"math"
	"net"
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"
)

// FuzzRequest sends anything to the door: only a request that has the token in its cookie, asks for this host and comes
// from no other site gets past it, no answer sets a header of a client's making, and what it asks is in finite numbers.
func FuzzRequest(f *testing.F) {
	const token = "the-token"
	for _, request := range []string{
		"GET /api/session?file=a&headroom=0.5&failures=1&demand=5e6 HTTP/1.1\r\nHost: localhost:8080\r\nCookie: " +
			"plimsoll-8080=the-token\r\n\r\n",
		"GET /api/compare?file=a&file=b&headroom=NaN&slo=p99%3D10ms HTTP/1.1\r\nHost: [::1]:8080\r\nCookie: " +
			"plimsoll-8080=the-token\r\nOrigin: http://[::1]:8080\r\n\r\n",
		"HEAD /?token=the-token&file=%0d%0aX:y HTTP/1.1\r\nHost: 127.0.0.1\r\nSec-Fetch-Site: cross-site\r\n\r\n",
		"GET //elsewhere/?token=the-token HTTP/1.1\r\nHost: 127.0.0.1\r\n\r\n",
		"POST / HTTP/1.1\r\nHost: LOCALHOST\r\nContent-Length: 1\r\n\r\nx",
	} {
		f.Add([]byte(request))
	}
	at := context.WithValue(f.Context(), http.LocalAddrContextKey, &net.TCPAddr{IP: net.IPv4(127, 0, 0, 1), Port: 8080})
	f.Fuzz(func(t *testing.T, sent []byte) {
		r, err := http.ReadRequest(bufio.NewReader(bytes.NewReader(sent)))
		if err != nil {
			return
		}
		var in *http.Request
		d := &door{token: token, next: http.HandlerFunc(func(_ http.ResponseWriter, r *http.Request) { in = r })}
		answer := httptest.NewRecorder()
		d.ServeHTTP(answer, r.WithContext(at))
		if to := answer.Header().Get("Location"); strings.HasPrefix(to, "//") ||
			strings.Contains(to, ":") && !strings.HasPrefix(to, "/") && !strings.HasPrefix(to, "?") {
			t.Fatalf("%q leads to %q", sent, to)
		}
		for name, values := range answer.Header() {
			if strings.ContainsAny(strings.Join(values, ""), "\r\n") || name == "" {
				t.Fatalf("%q sets %q to %q", sent, name, values)
			}
		}
		if in == nil {
			return
		}
		host, _ := splitHost(in.Host)
		if (in.Method != "GET" && in.Method != "HEAD") || !strings.Contains(string(sent), token) ||
			in.URL.Query().Has(tokenKey) ||
			!strings.EqualFold(host, "localhost") && !net.ParseIP(host).IsLoopback() {
			t.Fatalf("%q came in", sent)
		}
		asked(t, in)
	})
}

func asked(t *testing.T, r *http.Request) {
	t.Helper()
	q, err := questionOf(r.URL.Query())
	if err != nil {
		return
	}
	for _, v := range []*float64{q.Demand, q.Headroom} {
		if v != nil && (math.IsNaN(*v) || math.IsInf(*v, 0)) {
			t.Fatalf("%s asks for %g", r.URL, *v)
		}
	}
}
