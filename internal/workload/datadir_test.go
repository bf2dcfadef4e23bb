package workload

import (
	"os"
	"path/filepath"
	"strconv"
	"testing"
)

// TestLinksOfOthersAreNotFollowed: the name of a run's directory can be guessed, and a server in it runs as another
// user.
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

// TestOnlyOurDirectoryIsRemoved: the name of a run's directory can be guessed, and what another user puts there leads
// nowhere.
func TestOnlyOurDirectoryIsRemoved(t *testing.T) {
	elsewhere, dir := t.TempDir(), filepath.Join(t.TempDir(), "run")
	kept := filepath.Join(elsewhere, "kept")
	if err := os.WriteFile(kept, nil, 0o600); err != nil {
		t.Fatal(err)
	}
	gone := func(when string) {
		t.Helper()
		if _, err := os.Lstat(dir); !os.IsNotExist(err) {
			t.Errorf("%s: %v", when, err)
		}
		if _, err := os.Stat(kept); err != nil {
			t.Errorf("%s: %v", when, err)
		}
	}
	if err := RemoveAll(dir); err != nil {
		t.Error(err)
	}
	for _, to := range []string{elsewhere, "../" + filepath.Base(elsewhere), "nowhere"} {
		if err := os.Symlink(to, dir); err != nil {
			t.Fatal(err)
		}
		if err := RemoveAll(dir, "lock"); err != nil {
			t.Error(err)
		}
		gone("a link to " + to)
	}
	deep := filepath.Join(dir, "data", "deep")
	if err := os.MkdirAll(deep, 0o700); err != nil {
		t.Fatal(err)
	}
	for path, to := range map[string]string{filepath.Join(deep, "link"): elsewhere, filepath.Join(dir, "link"): kept,
		filepath.Join(dir, "lock"): kept} {
		if err := os.Symlink(to, path); err != nil {
			t.Fatal(err)
		}
	}
	if err := RemoveAll(dir, "lock"); err != nil {
		t.Error(err)
	}
	gone("links in it")
}

// TestDirectoriesOfOthersStay: of another user's, nothing is removed, nor by a link of ours in it.
func TestDirectoriesOfOthersStay(t *testing.T) {
	if os.Geteuid() != 0 {
		t.Skip("only root can make a directory of another user")
	}
	disk, dir := t.TempDir(), filepath.Join(t.TempDir(), "run")
	if err := MakeDir(dir); err != nil {
		t.Fatal(err)
	}
	far, err := MakeDataDir(dir, disk)
	if err != nil {
		t.Fatal(err)
	}
	if err := os.Chown(dir, 65534, 65534); err != nil {
		t.Fatal(err)
	}
	if err := RemoveAll(dir); err == nil {
		t.Error("another user's directory is removed")
	}
	for _, path := range []string{dir, far} {
		if _, err := os.Stat(path); err != nil {
			t.Error(err)
		}
	}
}

// TestRemovedWhileItIsWrittenTo: what comes while it is cleared goes too, before its lock, and who is slower than
// another has nothing to do.
func TestRemovedWhileItIsWrittenTo(t *testing.T) {
	dir := filepath.Join(t.TempDir(), "run")
	if err := MakeDir(dir); err != nil {
		t.Fatal(err)
	}
	for i := range 200 {
		if err := os.WriteFile(filepath.Join(dir, strconv.Itoa(i)), nil, 0o600); err != nil {
			t.Fatal(err)
		}
	}
	wrote := make(chan int)
	go func() {
		for i := 0; ; i++ {
			if os.Mkdir(filepath.Join(dir, "side-"+strconv.Itoa(i)), 0o700) != nil || i == 20 {
				wrote <- i
				return
			}
		}
	}()
	done := make(chan error)
	for range 2 {
		go func() { done <- RemoveAll(dir, "lock") }()
	}
	for range 2 {
		if err := <-done; err != nil {
			t.Error(err)
		}
	}
	<-wrote
	if err := RemoveAll(dir, "lock"); err != nil {
		t.Error(err)
	}
	if _, err := os.Stat(dir); !os.IsNotExist(err) {
		t.Errorf("%v, want it to be gone", err)
	}
}
