package main

import (
	"bufio"
	"io"
	"net/http"
	"strings"
	"testing"
	"time"
)

// TestAgenda: of two servers the one that is free first serves, and a request waits where none is.
func TestAgenda(t *testing.T) {
	a, t0 := make(agenda, 2), time.Unix(100, 0)
	for i, c := range []struct{ at, takes, done time.Duration }{
		{0, 5, 5}, {1, 10, 11}, {2, 1, 6}, {3, 1, 7}, {20, 2, 22}, {20, 1, 21}, {20, 1, 22},
	} {
		if got := a.serve(t0.Add(c.at), c.takes).Sub(t0); got != c.done {
			t.Errorf("request %d is done at %d, want %d", i, got, c.done)
		}
	}
}

func TestServes(t *testing.T) {
	for _, hold := range []string{"timer", "cpu"} {
		in, stop := io.Pipe()
		out, said := io.Pipe()
		ended := make(chan error)
		go func() { ended <- run([]string{"-hold", hold, "-mean", "1us", "-times", "fixed"}, in, said) }()
		line, err := bufio.NewReader(out).ReadString('\n')
		if err != nil {
			t.Fatal(err)
		}
		url, ok := strings.CutPrefix(strings.TrimSpace(line), "listening ")
		if !ok {
			t.Fatalf("%s: says %q", hold, line)
		}
		r, err := http.Get(url)
		if err != nil {
			t.Fatal(err)
		}
		if body, err := io.ReadAll(r.Body); err != nil || string(body) != "ok" {
			t.Errorf("%s: answers %q, %v", hold, body, err)
		}
		_ = r.Body.Close()
		_ = stop.Close()
		if err := <-ended; err != nil {
			t.Errorf("%s: %v", hold, err)
		}
	}
}

// TestTruth: the time in M/M/1 is exponential with capacity minus load, so that p99 is 20 ms at 1000 - ln(100)/0.02.
func TestTruth(t *testing.T) {
	for _, c := range []struct{ args, want string }{
		{"-servers 1 -mean 1ms -limit 20ms", "769.7\n"},
		{"-servers 1 -mean 50ms -limit 20ms", "0"}, // never within it
	} {
		var out strings.Builder
		if err := run(strings.Fields(c.args), strings.NewReader(""), &out); err != nil {
			t.Fatal(err)
		}
		if !strings.HasPrefix(out.String(), c.want) {
			t.Errorf("%s: %q, want %q", c.args, out.String(), c.want)
		}
	}
	for _, args := range []string{"-mean 0", "-times often", "-hold on", "-servers 0", "more", "-times fixed -limit 1s"} {
		if run(strings.Fields(args), strings.NewReader(""), io.Discard) == nil {
			t.Errorf("%q is accepted", args)
		}
	}
}
