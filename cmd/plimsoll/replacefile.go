package main

import (
	"io"
	"io/fs"
	"os"
	"path/filepath"
)

// replaceFile writes a file at once or not at all: what stood there before stays
// until the new one is safe.
func replaceFile(path string, mode fs.FileMode, write func(io.Writer) error) error {
	tmp, err := os.CreateTemp(filepath.Dir(path), ".plimsoll-*")
	if err != nil {
		return err
	}
	defer os.Remove(tmp.Name())
	defer removedOnSignal(tmp.Name())()
	err = write(tmp)
	if err == nil {
		err = tmp.Chmod(mode)
	}
	if err == nil {
		err = tmp.Sync()
	}
	if cerr := tmp.Close(); err == nil {
		err = cerr
	}
	if err == nil {
		err = os.Rename(tmp.Name(), path)
	}
	return err
}
