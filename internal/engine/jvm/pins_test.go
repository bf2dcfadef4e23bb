package jvm

import (
	"errors"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"plimsoll/internal/engine"
)

// pinnedBuild is set up from one jar and a file that is made of it.
func pinnedBuild(t *testing.T) (Build, string) {
	t.Helper()
	t.Setenv("XDG_CACHE_HOME", t.TempDir())
	dir := t.TempDir()
	put(t, filepath.Join(dir, LibDir, "a.jar"), "jar")
	sum, err := sumOf(filepath.Join(dir, LibDir, "a.jar"))
	if err != nil {
		t.Fatal(err)
	}
	b := Build{Home: Home{Engine: "x"}, Version: "1", Pins: []byte(sum + "  a.jar\n")}
	at, err := b.Dir()
	if err != nil {
		t.Fatal(err)
	}
	work := engine.Partial(at)
	if err := b.unpack(work); err != nil {
		t.Fatal(err)
	}
	put(t, filepath.Join(work, LibDir, "a.jar"), "jar")
	put(t, filepath.Join(work, "made"), "made")
	if err := b.pinned(work); err != nil {
		t.Fatal(err)
	}
	if err := b.publish(work, at); err != nil {
		t.Fatal(err)
	}
	if _, err := b.Here(); err != nil {
		t.Fatal(err)
	}
	return b, at
}

func put(t *testing.T, path, content string) {
	t.Helper()
	if err := os.MkdirAll(filepath.Dir(path), 0o755); err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(path, []byte(content), 0o644); err != nil {
		t.Fatal(err)
	}
}

// TestOnlyWhatWasSetUpIsHere: whatever is done to it afterwards is named.
func TestOnlyWhatWasSetUpIsHere(t *testing.T) {
	for name, c := range map[string]struct {
		do   func(t *testing.T, dir string)
		says string
	}{
		"a jar changed": {func(t *testing.T, dir string) { put(t, filepath.Join(dir, LibDir, "a.jar"), "jaR") },
			"lib/a.jar in"},
		"a jar and its line changed": {func(t *testing.T, dir string) {
			put(t, filepath.Join(dir, LibDir, "a.jar"), "jaR")
			if err := (Build{}).seal(dir); err != nil {
				t.Fatal(err)
			}
		}, "lib/a.jar in"},
		"a jar removed": {func(t *testing.T, dir string) { os.Remove(filepath.Join(dir, LibDir, "a.jar")) }, "is missing"},
		"a jar removed with its line": {func(t *testing.T, dir string) {
			os.Remove(filepath.Join(dir, LibDir, "a.jar"))
			if err := (Build{}).seal(dir); err != nil {
				t.Fatal(err)
			}
		}, "is missing"},
		"a jar added": {func(t *testing.T, dir string) { put(t, filepath.Join(dir, LibDir, "b.jar"), "") },
			"lib/b.jar in"},
		"a jar made a link": {func(t *testing.T, dir string) { os.Symlink("a.jar", filepath.Join(dir, LibDir, "b.jar")) },
			"does not belong there"},
		"what is made changed": {func(t *testing.T, dir string) { put(t, filepath.Join(dir, "made"), "") }, "made in"},
		"the list removed":     {func(t *testing.T, dir string) { os.Remove(filepath.Join(dir, sumsFile)) }, sumsFile},
		"the list is no list": {func(t *testing.T, dir string) { put(t, filepath.Join(dir, sumsFile), "?") },
			"is not a list of sums"},
		"the file of the build": {func(t *testing.T, dir string) { put(t, filepath.Join(dir, pomFile), "?") }, pomFile},
	} {
		t.Run(name, func(t *testing.T) {
			b, dir := pinnedBuild(t)
			c.do(t, dir)
			_, err := b.Here()
			var missing *engine.Missing
			if !errors.As(err, &missing) || missing.Changed == "" || !strings.Contains(err.Error(), c.says) ||
				!strings.HasSuffix(err.Error(), "\nhint: plimsoll setup x") {
				t.Errorf("%v, want one with %q", err, c.says)
			}
		})
	}
}

// TestWhatIsMadeLaterIsListed, unless another file was changed meanwhile.
func TestWhatIsMadeLaterIsListed(t *testing.T) {
	b, dir := pinnedBuild(t)
	from := filepath.Join(t.TempDir(), "later")
	put(t, from, "later")
	if err := b.Add(from, filepath.Join(dir, "later")); err != nil {
		t.Fatal(err)
	}
	if _, err := b.Here(); err != nil {
		t.Error(err)
	}
	put(t, from, "again")
	put(t, filepath.Join(dir, "made"), "changed")
	if err := b.Add(from, filepath.Join(dir, "again")); err == nil {
		t.Error("what was changed was listed anew")
	}
}

// TestFetchedIsPinned: before anything of it runs.
func TestFetchedIsPinned(t *testing.T) {
	b, _ := pinnedBuild(t)
	for name, jars := range map[string]map[string]string{
		"none": {}, "another": {"a.jar": "other jar"}, "one more": {"a.jar": "jar", "b.jar": "jar"},
	} {
		work := t.TempDir()
		put(t, filepath.Join(work, LibDir, ".keep"), "")
		os.Remove(filepath.Join(work, LibDir, ".keep"))
		for jar, content := range jars {
			put(t, filepath.Join(work, LibDir, jar), content)
		}
		if err := b.pinned(work); err == nil || !strings.Contains(err.Error(), "fetched by Maven") {
			t.Errorf("%s: %v", name, err)
		}
	}
}

func FuzzParseSums(f *testing.F) {
	f.Add(strings.Repeat("0", 64) + "  lib/a.jar\n")
	f.Add("")
	f.Fuzz(func(t *testing.T, text string) {
		sums, err := parseSums(text)
		for name, sum := range sums {
			if err == nil && (name == "" || len(sum) != 64) {
				t.Errorf("%q is %q", name, sum)
			}
		}
	})
}

// BenchmarkVerify measures the cost of each start, with as many bytes as Kafka has.
func BenchmarkVerify(b *testing.B) {
	dir := b.TempDir()
	if err := os.WriteFile(filepath.Join(dir, "a"), make([]byte, 117<<20), 0o600); err != nil {
		b.Fatal(err)
	}
	b.SetBytes(117 << 20)
	for b.Loop() {
		if _, err := sumsOf(dir); err != nil {
			b.Fatal(err)
		}
	}
}
