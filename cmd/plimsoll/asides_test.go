package main

import (
	"bytes"
	"context"
	"io"
	"os"
	"strings"
	"testing"
	"testing/synctest"

	"plimsoll/internal/record/session"
)

// TestNoRequestWaitsForStandardError: a pipe that nobody reads takes no turn of an analysis.
func TestNoRequestWaitsForStandardError(t *testing.T) {
	r, w, err := os.Pipe()
	if err != nil {
		t.Fatal(err)
	}
	defer r.Close()
	defer w.Close()
	a := newAsides(t.Context(), w)
	for range 10 * mostAsides { // far more than a pipe holds
		if n, err := a.Write([]byte(strings.Repeat("x", 999))); n != 999 || err != nil {
			t.Fatal(n, err)
		}
	}
}

// TestProblemsAreToldOnce: a file has one line, however many problems it has and how often it is read.
func TestProblemsAreToldOnce(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		ctx, stop := context.WithCancel(t.Context())
		var said bytes.Buffer
		a := newAsides(ctx, &said)
		for range 3 {
			a.of([]session.Problem{{File: "a", Line: 2, Reason: "torn"}, {File: "b", Reason: "bad", More: 4},
				{File: "a", Line: 9, Reason: "torn"}})
		}
		_, _ = io.WriteString(a, "other\n")
		synctest.Wait()
		want := "plimsoll: a:2 (byte 0): torn (and 1 more)\nplimsoll: b: bad (and 4 more)\nother\n"
		if said.String() != want {
			t.Errorf("%q, want %q", said.String(), want)
		}
		stop()
	})
}
