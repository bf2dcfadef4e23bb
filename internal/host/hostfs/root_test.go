package hostfs

import (
	"errors"
	"io/fs"
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
