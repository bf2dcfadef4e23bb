package note

import (
	"flag"
	"os"
	"testing"
)

var update = flag.Bool("update", false, "write docs/notes.md anew")

// TestPage: docs/notes.md is the catalogue.
func TestPage(t *testing.T) {
	const path = "../../docs/notes.md"
	if *update {
		if err := os.WriteFile(path, []byte(Page()), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	got, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	if string(got) != Page() {
		t.Errorf("%s is not the catalogue\nhint: go test ./internal/note -update", path)
	}
}
