package httpload

import (
	"fmt"
	"net/http"
	"net/http/httptest"
	"testing"
	"time"
)

// TestLinesApart: each target line of a mix has its count, its latency and its failures; those of one method, path and
// query are one line whatever their bodies, and the rare ones are together.
func TestLinesApart(t *testing.T) {
	s := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		switch r.URL.Path {
		case "/slow":
			time.Sleep(5 * time.Millisecond)
		case "/bad":
			w.WriteHeader(http.StatusConflict)
		}
	}))
	t.Cleanup(s.Close)
	c := Config{Seed: 1}
	add := func(weight int, method, path, body string) {
		c.Requests = append(c.Requests, Request{URL: s.URL + path, Method: method, Body: []byte(body)})
		c.Weights = append(c.Weights, weight)
	}
	add(40, "POST", "/two", "1")
	add(40, "POST", "/two", "2")
	add(30, "GET", "/slow", "")
	add(20, "GET", "/bad", "")
	for i := range mostLines {
		add(1, "GET", fmt.Sprintf("/rare?%d", i), "")
	}
	target, err := New(c)
	if err != nil {
		t.Fatal(err)
	}
	if n := len(target.named); n != mostLines+1 || target.named[0] != "POST /two" || target.named[n-1] != otherLines {
		t.Fatalf("%d lines: %q", n, target.named)
	}
	got := ask(t, c, clients(2), 2, 400*time.Millisecond)
	of, sum := map[string]Spot{}, int64(0)
	for _, one := range got.spots {
		of[one.Line], sum = one, sum+one.Done
	}
	two, slow, bad := of["POST /two"], of["GET /slow"], of["GET /bad"]
	if sum != got.Ops || two.Done < slow.Done || slow.Done == 0 || slow.Latency.Min() < 5e6 || of[otherLines].Done == 0 {
		t.Errorf("%d of %d: %+v", sum, got.Ops, of)
	}
	if bad.Done != 0 || bad.Failed["409"] == 0 || bad.Failed["409"] != errorsOf(got.Result) {
		t.Errorf("%+v of %v", bad, got.Errors)
	}
	one, err := New(Config{URLs: []string{s.URL, s.URL}})
	if err != nil || one.newSpots() != nil {
		t.Errorf("one line is counted apart: %v", err)
	}
}
