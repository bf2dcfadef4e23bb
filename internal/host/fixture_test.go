package host

import (
	"path/filepath"
	"testing"

	"github.com/rogpeppe/go-internal/txtar"
)

// fixture unpacks one machine of testdata.
func fixture(t *testing.T, name string) Root {
	t.Helper()
	archive, err := txtar.ParseFile(filepath.Join("testdata", name+".txtar"))
	if err != nil {
		t.Fatal(err)
	}
	dir := t.TempDir()
	if err := txtar.Write(archive, dir); err != nil {
		t.Fatal(err)
	}
	return Root{Proc: filepath.Join(dir, "proc"), Sys: filepath.Join(dir, "sys"), Etc: filepath.Join(dir, "etc")}
}

func ptr(v float64) *float64 { return &v }
