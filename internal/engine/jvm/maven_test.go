package jvm

import (
	"errors"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"plimsoll/internal/engine"
)

func TestPropertyOfAPOM(t *testing.T) {
	pom := []byte("<project><properties><a>1.2</a><b.c>3</b.c></properties></project>")
	for name, want := range map[string]string{"a": "1.2", "b.c": "3", "d": ""} {
		if got := Property(pom, name); got != want {
			t.Errorf("%s is %q, want %q", name, got, want)
		}
	}
}

// TestDirIsOfTheSources: a change of the embedded sources changes the directory.
func TestDirIsOfTheSources(t *testing.T) {
	t.Setenv("XDG_CACHE_HOME", t.TempDir())
	seen := map[string]bool{}
	for _, b := range []Build{
		{Version: "1"}, {Version: "2"}, {Version: "1", Pom: []byte("x")},
		{Version: "1", Files: map[string][]byte{"a": []byte("y")}},
	} {
		dir, err := b.Dir()
		if err != nil || seen[dir] {
			t.Errorf("%+v: %s, %v, which another has", b, dir, err)
		}
		seen[dir] = true
	}
}

// TestPublishTakesThePlaceOfAnEarlierServer: an earlier setup is replaced as a whole, and Here finds the new one.
func TestPublishTakesThePlaceOfAnEarlierServer(t *testing.T) {
	t.Setenv("XDG_CACHE_HOME", t.TempDir())
	b := Build{Home: Home{Engine: "x"}, Version: "1", Files: map[string][]byte{"source": nil}}
	var missing *engine.Missing
	if _, err := b.Here(); !errors.As(err, &missing) {
		t.Errorf("before: %v", err)
	}
	dir, err := b.Dir()
	if err != nil {
		t.Fatal(err)
	}
	for _, content := range []string{"old", "new"} {
		work := engine.Partial(dir)
		if err := b.unpack(work); err != nil {
			t.Fatal(err)
		}
		b.After = func(dir string) error { return os.WriteFile(dir+"/"+content, nil, 0o600) }
		if err := b.publish(work, dir); err != nil {
			t.Fatal(err)
		}
	}
	if here, err := b.Here(); err != nil || here != dir {
		t.Errorf("after: %s, %v, want %s", here, err, dir)
	}
	for _, there := range []string{"/new", "/source", "/pom.xml"} {
		if _, err := os.Stat(dir + there); err != nil {
			t.Error(err)
		}
	}
	if _, err := os.Stat(dir + "/old"); err == nil {
		t.Error("the earlier one is still there")
	}
	if left, _ := filepath.Glob(dir + "?*"); len(left) > 0 {
		t.Errorf("%v is left", left)
	}
	b.After = func(string) error { return errors.New("half made") }
	if err := b.publish(dir, dir+"2"); err == nil || !strings.Contains(err.Error(), "x: half made") {
		t.Errorf("after a failure: %v", err)
	}
}
