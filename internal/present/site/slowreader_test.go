package site

import (
	"bytes"
	"context"
	"io"
	"net/http"
	"net/http/httptest"
	"net/url"
	"os"
	"path/filepath"
	"testing"
	"time"

	"plimsoll/internal/record/session"
)

// large exceeds what the kernel takes for a client that does not read.
const large = 64 << 20

// siteOfLarge is a site whose reports are large.
func siteOfLarge(t *testing.T) *site {
	t.Helper()
	dir := t.TempDir()
	if err := os.WriteFile(filepath.Join(dir, "one"+session.Suffix), nil, 0o600); err != nil {
		t.Fatal(err)
	}
	root, err := os.OpenRoot(dir)
	if err != nil {
		t.Fatal(err)
	}
	s := newSite(t.Context(), root,
		Analyses{Page: func(_ context.Context, w io.Writer, _ func(string) (*os.File, error), _ []string) error {
			_, err := w.Write(make([]byte, large))
			return err
		}}, store{})
	t.Cleanup(func() {
		s.index.background.Wait()
		root.Close()
	})
	return s
}

// hurried is the answer to a client that has so much less time to read it.
type hurried struct {
	http.ResponseWriter
	by time.Duration
}

func (h hurried) SetWriteDeadline(at time.Time) error {
	return http.NewResponseController(h.ResponseWriter).SetWriteDeadline(at.Add(-h.by))
}

// TestSlowReaders: who asks for much and reads nothing of it is left after writeTime, of which the test waits for a
// part; the server's WriteTimeout has room for the making of a page.
func TestSlowReaders(t *testing.T) {
	if testing.Short() {
		t.Skip("it takes two seconds")
	}
	const rest = 2 * time.Second // a server that stands still meanwhile has written by then
	s, answered := siteOfLarge(t), make(chan struct{})
	h := server(t.Context(), http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		defer close(answered)
		s.ServeHTTP(hurried{w, writeTime - rest}, r)
	}), io.Discard)
	at := listening(t, h)
	began := time.Now()
	c := served{t: t, url: &url.URL{Host: at}}.knock(one)
	defer c.Close()
	select {
	case <-answered:
	case <-time.After(time.Minute):
		t.Fatal("the server still writes to a client that does not read")
	}
	if took := time.Since(began); took < rest {
		t.Errorf("it was left after %v", took)
	}
	got, err := io.ReadAll(c)
	if len(got) == 0 || len(got) >= large {
		t.Errorf("%d bytes of an answer that was given up, %v", len(got), err)
	}
}

// timed is an answer that knows the time its client has to read it.
type timed struct {
	httptest.ResponseRecorder
	until time.Time
	early bool // something was written before that was known
}

func (a *timed) SetWriteDeadline(at time.Time) error {
	a.until = at
	return nil
}

func (a *timed) Write(p []byte) (int, error) {
	a.early = a.early || a.until.IsZero()
	return a.ResponseRecorder.Write(p)
}

func (a *timed) WriteString(s string) (int, error) { return a.Write([]byte(s)) }

// TestEveryAnswerIsLimited: pages, files, data and errors alike.
func TestEveryAnswerIsLimited(t *testing.T) {
	s := siteOfLarge(t)
	for _, target := range []string{"/", "/compare", "/history", one, "/report?file=none", "/api/sessions",
		"/api/session?file=none", "/api/history", "/assets/explorer.js", "/assets/none", "/else"} {
		a := timed{ResponseRecorder: httptest.ResponseRecorder{Body: new(bytes.Buffer)}}
		s.ServeHTTP(&a, httptest.NewRequestWithContext(t.Context(), "GET", target, nil))
		if a.early || a.until.IsZero() || a.Body.Len() == 0 || a.until.After(time.Now().Add(writeTime)) {
			t.Errorf("%s: status %d, the limit of %d bytes is %v, written to before %t", target, a.Code, a.Body.Len(), a.until,
				a.early)
		}
	}
}
