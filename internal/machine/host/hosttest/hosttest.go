// Package hosttest gives tests machines to read: recorded ones, published captures and hand-made trees.
package hosttest

import (
	"embed"
	"os"
	"path/filepath"
	"testing"

	"github.com/rogpeppe/go-internal/txtar"

	"plimsoll/internal/machine/host/hostfs"
)

//go:embed testdata/*.txtar
var archives embed.FS

func archive(t testing.TB, name string) *txtar.Archive {
	t.Helper()
	b, err := archives.ReadFile("testdata/" + name)
	if err != nil {
		t.Fatal(err)
	}
	return txtar.Parse(b)
}

// Sections returns an archive of published captures by name.
func Sections(t *testing.T, name string) map[string][]byte {
	t.Helper()
	out := map[string][]byte{}
	for _, f := range archive(t, name).Files {
		out[f.Name] = f.Data
	}
	return out
}

// Fixture unpacks one machine of testdata.
func Fixture(t *testing.T, name string) hostfs.Root {
	t.Helper()
	root := empty(t)
	if err := txtar.Write(archive(t, name+".txtar"), filepath.Dir(root.Sys)); err != nil {
		t.Fatal(err)
	}
	return root
}

// Tree makes a /sys by hand, of paths below it and their text.
func Tree(t *testing.T, files map[string]string) hostfs.Root {
	t.Helper()
	root := empty(t)
	for name, text := range files {
		path := root.SysPath(name)
		if err := os.MkdirAll(filepath.Dir(path), 0o777); err != nil {
			t.Fatal(err)
		}
		Write(t, path, text+"\n")
	}
	return root
}

func empty(t *testing.T) hostfs.Root {
	dir := t.TempDir()
	return hostfs.Root{Proc: filepath.Join(dir, "proc"), Sys: filepath.Join(dir, "sys"), Etc: filepath.Join(dir, "etc")}
}

// Seed adds to a fuzz target files that the kernel really writes, if they are here, and texts that it might write.
func Seed(f *testing.F, paths []string, texts ...string) {
	for _, p := range paths {
		if b, err := os.ReadFile(p); err == nil {
			f.Add(b)
		}
	}
	for _, s := range texts {
		f.Add([]byte(s))
	}
}

// Write writes a file, or fails the test.
func Write(t *testing.T, path, text string) {
	t.Helper()
	if err := os.WriteFile(path, []byte(text), 0o644); err != nil {
		t.Fatal(err)
	}
}

// Link makes a symbolic link, or fails the test.
func Link(t *testing.T, target, path string) {
	t.Helper()
	if err := os.Symlink(target, path); err != nil {
		t.Fatal(err)
	}
}

// Ptr returns a pointer to v.
func Ptr(v float64) *float64 { return &v }
