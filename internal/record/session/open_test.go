package session

import (
	"errors"
	"io/fs"
	"os"
	"strings"
	"testing"

	"plimsoll/internal/base/usage"
	"plimsoll/internal/record"
)

// TestCreateRefuses: what stands in the way of a new session stays as it is, and the hint works for it.
func TestCreateRefuses(t *testing.T) {
	t.Chdir(t.TempDir())
	w, err := Create("old" + Suffix)
	if err == nil {
		err = errors.Join(w.Machine(record.Machine{}), w.Close())
	}
	if err = errors.Join(err, os.WriteFile("README.md", []byte("mine\n"), 0o600), os.Mkdir("dir", 0o700)); err != nil {
		t.Fatal(err)
	}
	for path, says := range map[string]string{
		"old" + Suffix: "file exists\nhint: --resume old.plimsoll.jsonl continues it; -o OTHER starts a new one",
		"README.md":    "file exists\nhint: -o OTHER: it isn't a session, and is left as it is",
		"dir":          "dir is a directory, not a file\nhint: -o dir/NAME.plimsoll.jsonl",
		"none/":        "hint: mkdir -p none/, then -o none/NAME.plimsoll.jsonl",
		"none/a":       "hint: mkdir -p none",
		"-":            "a session is a file, not standard output\nhint: -o FILE",
	} {
		w, err := Create(path)
		if w != nil || err == nil || !strings.Contains(err.Error(), says) || path != "none/a" && !usage.Is(err) {
			t.Errorf("%s: %v, want %q", path, err, says)
		}
	}
	if text, err := os.ReadFile("README.md"); err != nil || string(text) != "mine\n" {
		t.Errorf("%q, %v", text, err)
	}
	for path, says := range map[string]string{"dir": "dir is a directory, not a file\nhint: name a file in it",
		"none": "none: no such file or directory"} {
		_, _, err := ResumeContext(t.Context(), path)
		if err == nil || err.Error() != says || !usage.Is(err) || path == "none" && !errors.Is(err, fs.ErrNotExist) {
			t.Errorf("%s: %v, want %q", path, err, says)
		}
	}
}
