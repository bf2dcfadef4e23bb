package session

import (
	"context"
	"errors"
	"os"
	"path/filepath"
	"testing"

	"plimsoll/internal/input"
	"plimsoll/internal/usage"
)

// TestReadingEndsWithItsContext: nobody waits for a long session after leaving, and a file that is not resumed stays as
// it is.
func TestReadingEndsWithItsContext(t *testing.T) {
	path := filepath.Join(t.TempDir(), "s.plimsoll.jsonl")
	torn := []byte("{\"kind\":\"machine\"")
	if err := os.WriteFile(path, torn, 0o600); err != nil {
		t.Fatal(err)
	}
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	if _, err := ReadContext(ctx, path); !errors.Is(err, context.Canceled) {
		t.Errorf("read: %v", err)
	}
	if _, _, err := ResumeContext(ctx, path); !errors.Is(err, context.Canceled) {
		t.Errorf("resume: %v", err)
	}
	if text, err := os.ReadFile(path); string(text) != string(torn) {
		t.Errorf("it holds %q, %v", text, err)
	}
}

// TestNoFileIsNoSession: a device ends nowhere, and is not begun.
func TestNoFileIsNoSession(t *testing.T) {
	var none *input.NoFile
	var bad *usage.Error
	for _, read := range []func(string) error{
		func(path string) error { _, err := Read(path); return err },
		func(path string) error { _, _, err := Resume(path); return err },
	} {
		if err := read("/dev/zero"); !errors.As(err, &none) || !errors.As(err, &bad) {
			t.Errorf("%v", err)
		}
	}
}
