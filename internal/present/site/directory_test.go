package site

import (
	"errors"
	"os"
	"path/filepath"
	"testing"
	"time"

	"plimsoll/internal/record/session"
)

// TestDirectoryIsMadeAgain: what is served is what has the name, also after a checkout.
func TestDirectoryIsMadeAgain(t *testing.T) {
	path := filepath.Join(t.TempDir(), "d")
	fill := func(name string) {
		if err := errors.Join(os.Mkdir(path, 0o700),
			os.WriteFile(filepath.Join(path, name+session.Suffix), nil, 0o600)); err != nil {
			t.Fatal(err)
		}
	}
	fill("a")
	root, err := os.OpenRoot(path)
	if err != nil {
		t.Fatal(err)
	}
	d := &directory{root: root}
	has := func(want string) {
		t.Helper()
		all, err := files(d.now())
		if want == "" && err == nil && len(all) > 0 || want != "" && (err != nil || len(all) != 1 ||
			all[0].Name != want+session.Suffix) {
			t.Errorf("%v, %v, want %q", all, err, want)
		}
	}
	has("a")
	if err := os.RemoveAll(path); err != nil {
		t.Fatal(err)
	}
	has("")
	fill("b")
	has("b")
	has("b")
}

// TestLeftoversAreSwept: what a killed start of an earlier version left is removed, and nothing else.
func TestLeftoversAreSwept(t *testing.T) {
	dir := t.TempDir()
	old := time.Now().Add(-time.Hour)
	for _, name := range []string{"explore-1", "explorer-ab.json", "other"} {
		path := filepath.Join(dir, name)
		if err := errors.Join(os.WriteFile(path, []byte("x"), 0o600), os.Chtimes(path, old, old)); err != nil {
			t.Fatal(err)
		}
	}
	if err := os.WriteFile(filepath.Join(dir, "explore-2"), nil, 0o600); err != nil { // perhaps of one that runs
		t.Fatal(err)
	}
	s := store{filepath.Join(dir, "explorer-own.json"), "p"}
	s.save(map[string]*entry{})
	var got []string
	left, err := os.ReadDir(dir)
	for _, e := range left {
		got = append(got, e.Name())
	}
	want := []string{"explore-2", "explorer-ab.json", "explorer-own.json", "other"}
	if err != nil || len(got) != len(want) {
		t.Fatalf("%v, %v, want %v", got, err, want)
	}
}
