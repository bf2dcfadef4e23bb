package httpload

import (
	"fmt"
	"net/http"
	"net/http/httptest"
	"strings"
	"sync/atomic"
	"testing"
	"time"
)

// TestFirstFailedBody: the beginning of the first failed answer's body is kept, of a status or a body that is not
// expected, whatever the pieces in which it comes, and nothing of a good one.
func TestFirstFailedBody(t *testing.T) {
	long := strings.Repeat("0123456789", 30)
	handler := func(n *atomic.Int64) http.HandlerFunc {
		return func(w http.ResponseWriter, _ *http.Request) {
			i := n.Add(1)
			status, body := http.StatusOK, "good "+long
			if i > 5 {
				body = fmt.Sprintf("bad %d %s", i, long)
				status = http.StatusUnprocessableEntity
			}
			if i > 5 && i%2 == 0 {
				status = http.StatusOK // and a body without what is expected
			}
			w.WriteHeader(status)
			for len(body) > 0 {
				k := min(len(body), 37)
				fmt.Fprint(w, body[:k])
				w.(http.Flusher).Flush()
				body = body[k:]
			}
		}
	}
	for name, expect := range map[string]Expect{"status": {}, "body": {Body: []byte("good")}} {
		for _, protocol := range []string{HTTP1, HTTP2} {
			var n atomic.Int64
			c := Config{Protocol: protocol, Streams: 2, Expect: expect}
			if protocol == HTTP2 {
				two := second(t, false, handler(&n))
				two.Expect, two.Streams = expect, 2
				c = two
			} else {
				s := httptest.NewServer(handler(&n))
				t.Cleanup(s.Close)
				c.URLs, c.Streams = []string{s.URL}, 0
			}
			got := ask(t, c, clients(1), 1, 100*time.Millisecond)
			first := 6
			if name == "status" {
				first = 7
			}
			want := fmt.Sprintf("bad %d %s", first, long)[:sampleBytes]
			if string(got.stats.FirstBody) != want {
				t.Errorf("%s, %s: %q, want %q", name, protocol, got.stats.FirstBody, want)
			}
		}
	}
}
