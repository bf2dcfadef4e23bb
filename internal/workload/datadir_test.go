package workload

import (
	"os"
	"path/filepath"
	"testing"
)

// TestLinksOfOthersAreNotFollowed: the name of a run's directory can be guessed, and a server in it runs as another user.
func TestLinksOfOthersAreNotFollowed(t *testing.T) {
	if os.Geteuid() != 0 {
		t.Skip("only root can make a link of another user")
	}
	disk, dir := t.TempDir(), filepath.Join(t.TempDir(), "run")
	data := filepath.Join(dir, "data")
	for _, d := range []string{dir, data} {
		if err := MakeDir(d); err != nil {
			t.Fatal(err)
		}
	}
	ours, err := MakeDataDir(dir, disk)
	if err != nil {
		t.Fatal(err)
	}
	theirs := filepath.Join(disk, farPrefix+"results")
	if err := MakeDir(theirs); err != nil {
		t.Fatal(err)
	}
	const nobody = 65534
	for _, in := range []string{dir, data} {
		link := filepath.Join(in, linkPrefix+"x")
		if err := os.Symlink(theirs, link); err != nil {
			t.Fatal(err)
		}
		if err := os.Lchown(link, nobody, nobody); err != nil {
			t.Fatal(err)
		}
	}
	if err := RemoveAll(dir); err != nil {
		t.Fatal(err)
	}
	for path, there := range map[string]bool{theirs: true, ours: false, dir: false} {
		if _, err := os.Stat(path); err == nil != there {
			t.Errorf("%s: %v, want it to be there: %t", path, err, there)
		}
	}
}
