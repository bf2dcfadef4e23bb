package process

import (
	"context"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"
)

// TestInput: each run reads the file from its start, and counts what it leaves behind.
func TestInput(t *testing.T) {
	in := filepath.Join(t.TempDir(), "in")
	if err := os.WriteFile(in, []byte("one\ntwo\n"), 0o600); err != nil {
		t.Fatal(err)
	}
	p := &Program{Name: "exec", Path: "sh", Argv: []string{"sh", "-c", "cat; sleep 30 >/dev/null 2>&1 &"}, Input: in,
		Env: os.Environ(), Timeout: time.Minute, Keep: 1 << 10}
	if err := p.Find(); err != nil {
		t.Fatal(err)
	}
	for range 2 {
		o, err := p.Run(context.Background())
		if err != nil || string(o.Out.Head) != "one\ntwo\n" || o.Left != 1 {
			t.Errorf("%q, %d left, %v", o.Out.Head, o.Left, err)
		}
	}
	for _, bad := range []string{in + "x", t.TempDir()} {
		err := (&Program{Name: "exec", Path: "sh", Input: bad}).Find()
		if err == nil || !strings.Contains(err.Error(), "input") {
			t.Errorf("%s: %v", bad, err)
		}
	}
}
