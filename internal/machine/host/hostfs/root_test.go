package hostfs

import (
	"errors"
	"io/fs"
	"os"
	"syscall"
	"testing"
)

func TestNotHere(t *testing.T) {
	for err, want := range map[error]bool{
		fs.ErrNotExist: true, syscall.EOPNOTSUPP: true, errors.Join(errors.New("x"), syscall.ENOENT): true,
		fs.ErrPermission: false, syscall.EIO: false,
	} {
		if NotHere(err) != want {
			t.Errorf("NotHere(%v) is not %v", err, want)
		}
	}
	if NotHere(nil) {
		t.Error("no error is not an absence")
	}
}

// TestReadFileOfSysctl: files of /proc/sys end after their first read, however short it was.
func TestReadFileOfSysctl(t *testing.T) {
	const name = "proc/sys/kernel/pid_max"
	want, err := os.ReadFile("/" + name)
	if err != nil {
		t.Skip(err)
	}
	if got, err := fs.ReadFile(System(), name); err != nil || string(got) != string(want) || len(want) < 3 {
		t.Errorf("%q, %v, want %q", got, err, want)
	}
	if _, err := fs.ReadFile(System(), "home/x"); !errors.Is(err, fs.ErrNotExist) {
		t.Errorf("a file of another tree: %v", err)
	}
}
