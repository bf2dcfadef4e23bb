package httpload

import (
	"bytes"
	"io"
	"net/http"
	"net/http/httptest"
	"strings"
	"sync/atomic"
	"testing"
	"testing/iotest"
	"time"

	"plimsoll/internal/client/load"
)

func TestExpect(t *testing.T) {
	for text, want := range map[string][]int{"": {100, 200, 301, 399}, "2xx,304": {200, 299, 304}, "200-203": {200, 203},
		"404": {404}, " 2XX , 500 ": {204, 500}} {
		for _, status := range want {
			if err := (Expect{Status: text}).Check(Answer{Status: status}); err != nil {
				t.Errorf("%q: %v", text, err)
			}
		}
		for _, status := range []int{400, 503, 999} {
			if err := (Expect{Status: text}).Check(Answer{Status: status}); err == nil {
				t.Errorf("%q: %d is good", text, status)
			}
		}
	}
	for _, bad := range []string{"x", "99", "1000", "300-200", "2x", "0xx", "200,", "-1", "99xx"} {
		if err := (Expect{Status: bad}).Valid(); err == nil {
			t.Errorf("%q is accepted", bad)
		}
	}
}

// TestFinder: a text is found wherever the pieces end.
func TestFinder(t *testing.T) {
	for _, c := range []struct{ text, body string }{
		{"abcab", "xxabcabyy"}, {"abcab", "abcaabcab"}, {"abcab", "abcacab"}, {"a", "xyz"}, {"a", "xa"}, {"aab", "aaab"},
		{"", ""}, {"whole", "whole"}, {"longer than it", "longer"},
	} {
		want := bytes.Contains([]byte(c.body), []byte(c.text))
		for first := range len(c.body) + 1 {
			for second := first; second <= len(c.body); second++ {
				f := finder{text: []byte(c.text)}
				f.reset()
				for _, piece := range []string{c.body[:first], c.body[first:second], c.body[second:]} {
					f.feed([]byte(piece))
				}
				if f.found != want {
					t.Errorf("%q in %q|%q|%q: %v", c.text, c.body[:first], c.body[first:second], c.body[second:], f.found)
				}
			}
		}
	}
}

func FuzzFinder(f *testing.F) {
	f.Add([]byte("ab"), []byte("aab"), uint16(1))
	f.Fuzz(func(t *testing.T, text, body []byte, step uint16) {
		found := finder{text: text}
		for range 2 { // the second answer on a connection must not see the first
			found.reset()
			for rest := body; len(rest) > 0; {
				n := min(len(rest), int(step%64)+1)
				found.feed(rest[:n])
				rest = rest[n:]
			}
			if found.found != bytes.Contains(body, text) {
				t.Errorf("%q in %q in steps of %d: %v", text, body, step%64+1, found.found)
			}
		}
	})
}

// TestAnswersAreChecked: by status and by body, also if it is chunked; they are counted by status.
func TestAnswersAreChecked(t *testing.T) {
	var n atomic.Int64
	s := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		switch n.Add(1) % 4 {
		case 0:
			w.WriteHeader(201)
			io.WriteString(w, "all good")
		case 1:
			w.WriteHeader(404)
			io.WriteString(w, "all good")
		case 2:
			io.WriteString(w, "all bad")
		case 3:
			io.WriteString(w, "all go")
			w.(http.Flusher).Flush()
			io.WriteString(w, "od")
		}
	}))
	defer s.Close()
	got := ask(t, Config{URLs: []string{s.URL}, Expect: Expect{Status: "404,200", Body: []byte("good")}}, clients(1), 1,
		300*time.Millisecond)
	all := got.stats.Statuses[200] + got.stats.Statuses[201] + got.stats.Statuses[404]
	created, bad := got.Errors[load.Status], got.Errors[load.Protocol]
	if got.err != nil || all != got.Ops+errorsOf(got.Result) || created < 10 || bad < 10 || got.Ops < 20 ||
		created != got.stats.Statuses[201] || got.Ops+bad != got.stats.Statuses[200]+got.stats.Statuses[404] {
		t.Errorf("%d operations, errors %v, statuses 200: %d, 201: %d, 404: %d, %v", got.Ops, got.Errors,
			got.stats.Statuses[200], got.stats.Statuses[201], got.stats.Statuses[404], got.err)
	}
}

// TestAnswerIsReadToItsEndAndNotKept: the text may stand anywhere in a body, of which only the beginning is kept.
func TestAnswerIsReadToItsEndAndNotKept(t *testing.T) {
	body := strings.Repeat("x", 200<<10) + "needle" + strings.Repeat("y", 100<<10)
	for text, found := range map[string]bool{"": true, "needle": true, "thread": false} {
		e := Expect{Body: []byte(text)}
		got, err := e.Read(200, strings.NewReader(body), 1<<10)
		if err != nil || got.Length != int64(len(body)) || string(got.Begins) != body[:1<<10] {
			t.Errorf("%q: %d bytes kept of %d: %v", text, len(got.Begins), got.Length, err)
		}
		if err := e.Check(got); (err == nil) != found {
			t.Errorf("%q: %v", text, err)
		}
	}
	if _, err := (Expect{}).Read(200, iotest.ErrReader(io.ErrUnexpectedEOF), 1); err == nil {
		t.Error("a body without an end is taken")
	}
}
