package procs

import (
	"os"
	"path/filepath"
	"strings"
	"testing"
)

// FuzzRevision reads anything as a program: its revision is short and of one line.
func FuzzRevision(f *testing.F) {
	const magic = "\xff Go buildinf:\x08\x02"
	f.Add([]byte(magic + strings.Repeat("\x00", 16) + "\x08go1.26.8\x30path\tp\nbuild\tvcs.revision=0123456789abcdef\n" +
		"build\tvcs.modified=true\n"))
	f.Add([]byte("\x7fELF"))
	f.Add([]byte("MZ"))
	path := filepath.Join(f.TempDir(), "program")
	f.Fuzz(func(t *testing.T, text []byte) {
		if err := os.WriteFile(path, text, 0o600); err != nil {
			t.Fatal(err)
		}
		if got := revision(path); len(got) > 100 || strings.ContainsAny(got, "\n") {
			t.Fatalf("%q", got)
		}
	})
}
