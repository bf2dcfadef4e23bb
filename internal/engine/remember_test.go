package engine

import (
	"os"
	"path/filepath"
	"strings"
	"testing"
)

// TestRemembering: a remembering context runs each command line once, also one that fails; others run it each time.
func TestRemembering(t *testing.T) {
	dir := t.TempDir()
	path, log := filepath.Join(dir, "program"), filepath.Join(dir, "log")
	script := "#!/bin/sh\necho $1 >>" + log + "\necho version $1\n[ $1 != bad ]\n"
	if err := os.WriteFile(path, []byte(script), 0o700); err != nil {
		t.Fatal(err)
	}
	ctx := Remembering(t.Context())
	for range 3 {
		if got, err := Answer(ctx, "x", path, "one"); got != "version one\n" || err != nil {
			t.Errorf("%q, %v", got, err)
		}
		if _, err := Answer(ctx, "x", path, "bad"); err == nil || !strings.Contains(err.Error(), "version bad") {
			t.Error(err)
		}
	}
	for range 2 {
		if _, err := Answer(t.Context(), "x", path, "two"); err != nil {
			t.Error(err)
		}
	}
	text, err := os.ReadFile(log)
	if got := strings.Fields(string(text)); err != nil || strings.Join(got, " ") != "one bad two two" {
		t.Errorf("it ran %v, %v", got, err)
	}
}
