package input

import (
	"errors"
	"io/fs"
	"net"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"golang.org/x/sys/unix"
)

func TestOnlyRegularFilesAreOpened(t *testing.T) {
	dir := t.TempDir()
	at := func(name string) string { return filepath.Join(dir, name) }
	if err := errors.Join(os.WriteFile(at("file"), []byte("text"), 0o600), unix.Mkfifo(at("pipe"), 0o600),
		os.Symlink("pipe", at("link"))); err != nil {
		t.Fatal(err)
	}
	l, err := net.Listen("unix", at("socket"))
	if err != nil {
		t.Fatal(err)
	}
	defer l.Close()
	for _, flags := range []int{os.O_RDONLY, os.O_RDWR | os.O_APPEND} {
		for _, path := range []string{at("pipe"), at("link"), at("socket"), dir, "/dev/zero", "/dev/null"} {
			f, err := OpenFile(path, flags)
			var none *NoFile
			if f != nil || !errors.As(err, &none) || none.Path != path {
				t.Errorf("%s: %v", path, err)
			}
		}
	}
	if _, err := Open(dir); !strings.HasSuffix(err.Error(), "hint: name a file in it") {
		t.Errorf("%v", err)
	}
	f, err := Open(at("file"))
	if err != nil {
		t.Fatal(err)
	}
	f.Close()
	if _, err := Open(at("none")); !errors.Is(err, fs.ErrNotExist) {
		t.Errorf("%v", err)
	}
}

func TestReadFileIsBounded(t *testing.T) {
	path := filepath.Join(t.TempDir(), "file")
	if err := os.WriteFile(path, []byte("four"), 0o600); err != nil {
		t.Fatal(err)
	}
	if text, err := ReadFile(path, 4); string(text) != "four" || err != nil {
		t.Errorf("%q, %v", text, err)
	}
	var long *TooLong
	if text, err := ReadFile(path, 3); text != nil || !errors.As(err, &long) {
		t.Errorf("%q, %v", text, err)
	}
}
