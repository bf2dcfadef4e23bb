package kafka

import (
	"strings"
	"testing"

	"golang.org/x/sys/unix"
)

// demand demands an error with all of some words.
func demand(t *testing.T, err error, words ...string) {
	t.Helper()
	if err == nil {
		t.Fatalf("no error, want one with %q", words)
	}
	for _, w := range words {
		if !strings.Contains(err.Error(), w) {
			t.Errorf("the error %q does not have %q", err, w)
		}
	}
}

func kill(pid int) error { return unix.Kill(pid, unix.SIGKILL) }
