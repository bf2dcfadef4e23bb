// Package owed keeps what has to be put back: the values that were found before a first change, of a server that is
// somebody else's or of the machine. They are on disk before anything is changed, so that the next process knows them
// even if the one that changed it is killed.
package owed

import (
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
)

// Prefix begins the names of such files: a directory that holds one stays until its values have been put back.
const Prefix = "settings-"

// File holds values by the name of what has them.
type File string

// In returns the file of a name, which holds no slash, in a directory.
func In(dir, name string) File { return File(filepath.Join(dir, Prefix+name+".json")) }

// All returns the files in a directory.
func All(dir string) ([]File, error) {
	found, err := filepath.Glob(filepath.Join(dir, Prefix+"*.json"))
	var out []File
	for _, path := range found {
		out = append(out, File(path))
	}
	return out, err
}

// Found returns the values found before the first change; none if nothing has been changed.
func (f File) Found() (map[string]string, error) {
	out := map[string]string{}
	text, err := os.ReadFile(string(f))
	if errors.Is(err, fs.ErrNotExist) {
		return out, nil
	}
	if err == nil {
		err = json.Unmarshal(text, &out)
	}
	if err != nil {
		return nil, fmt.Errorf("read the settings found at the beginning: %w", err)
	}
	return out, nil
}

// Keep writes the values found, and returns once they and the file's name are on disk. It is called before any is
// changed.
func (f File) Keep(found map[string]string) error {
	text, err := json.Marshal(found)
	if err == nil {
		err = f.write(text)
	}
	if err != nil {
		return fmt.Errorf("keep the settings found: %w", err)
	}
	return nil
}

func (f File) write(text []byte) error {
	part := string(f) + ".part"
	to, err := os.OpenFile(part, os.O_CREATE|os.O_WRONLY|os.O_TRUNC, 0o600)
	if err != nil {
		return err
	}
	_, err = to.Write(text)
	if err = errors.Join(err, to.Sync(), to.Close()); err != nil {
		return err
	}
	if err := os.Rename(part, string(f)); err != nil {
		return err
	}
	dir, err := os.Open(filepath.Dir(part))
	if err != nil {
		return err
	}
	return errors.Join(dir.Sync(), dir.Close())
}

// Forget removes the values, once they have been put back.
func (f File) Forget() error {
	if err := os.Remove(string(f)); err != nil && !errors.Is(err, fs.ErrNotExist) {
		return fmt.Errorf("forget the settings that were put back: %w", err)
	}
	return nil
}
