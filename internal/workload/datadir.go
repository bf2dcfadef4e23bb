package workload

import (
	"crypto/rand"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"strings"

	"golang.org/x/sys/unix"
)

// ParamPath is the parameter, of workloads that keep data, that says below which directory these lie.
const ParamPath = "path"

// Enterable is the mode of a directory in which a server may work that runs as another user than we: it can reach what it
// is told of, and list nothing.
const Enterable = 0o711

const (
	// linkPrefix begins the name of a link to a directory that MakeDataDir has made.
	linkPrefix = "elsewhere-"
	// farPrefix begins the name of such a directory.
	farPrefix = "plimsoll-"
)

// MakeDir makes a directory that every user may enter, whatever the umask is.
func MakeDir(path string) error {
	if err := os.Mkdir(path, Enterable); err != nil {
		return err
	}
	return os.Chmod(path, Enterable)
}

// MakeDataDir is a directory below path, perhaps on another disk, for what belongs into dir. Its name is in dir, where RemoveAll finds
// it; asked for again, it is the same.
func MakeDataDir(dir, path string) (string, error) {
	path, err := filepath.Abs(path)
	if err != nil {
		return "", fmt.Errorf("make a directory in %s: %w", path, err)
	}
	links, err := links(dir)
	if err != nil {
		return "", err
	}
	for _, link := range links {
		if target, err := os.Readlink(link); err == nil && filepath.Dir(target) == path {
			return target, made(target)
		}
	}
	name := strings.ToLower(rand.Text())
	target := filepath.Join(path, farPrefix+name)
	// The link comes first: what is made before it is written down could stay for ever.
	if err := os.Symlink(target, filepath.Join(dir, linkPrefix+name)); err != nil {
		return "", fmt.Errorf("make a directory in %s: %w", path, err)
	}
	return target, made(target)
}

// CheckDataDir is the directory on whose disk the data of a workload of that name will lie: path, or where that is "", dir. The error says that it cannot be.
func CheckDataDir(name, path, dir string) (string, error) {
	if path == "" {
		return dir, nil
	}
	if st, err := os.Stat(path); err != nil || !st.IsDir() || unix.Access(path, unix.W_OK|unix.X_OK) != nil {
		return "", fmt.Errorf("%s is not a directory in which we can write\nhint: --set %s.%s=DIRECTORY, one that is there", path, name, ParamPath)
	}
	return path, nil
}

// PlaceDataDir is where what belongs into dir lies: in a directory below path (see MakeDataDir), or where that is "", in dir itself.
func PlaceDataDir(name, path, dir string) (string, error) {
	if path == "" {
		return dir, nil
	}
	at, err := MakeDataDir(dir, path)
	if err != nil {
		return "", fmt.Errorf("%w\nhint: --set %s.%s=DIRECTORY, one that is there and can be written", err, name, ParamPath)
	}
	return at, nil
}

func made(target string) error {
	if err := MakeDir(target); err != nil && !errors.Is(err, fs.ErrExist) {
		return fmt.Errorf("make a directory: %w", err)
	}
	return nil
}

// links are those of MakeDataDir in a directory; none where it is not there.
func links(dir string) ([]string, error) {
	entries, err := os.ReadDir(dir)
	if err != nil && !errors.Is(err, fs.ErrNotExist) {
		return nil, fmt.Errorf("look for links: %w", err)
	}
	var out []string
	for _, e := range entries {
		if e.Type() == fs.ModeSymlink && strings.HasPrefix(e.Name(), linkPrefix) {
			out = append(out, filepath.Join(dir, e.Name()))
		}
	}
	return out, nil
}

// RemoveAll removes a directory, those that MakeDataDir has made for it, and those that it has made for directories in it.
func RemoveAll(dir string) error {
	entries, err := os.ReadDir(dir)
	if err != nil && !errors.Is(err, fs.ErrNotExist) {
		return fmt.Errorf("remove what a trial has left: %w", err)
	}
	errs := []error{removeLinked(dir)}
	for _, e := range entries {
		if e.IsDir() {
			errs = append(errs, removeLinked(filepath.Join(dir, e.Name())))
		}
	}
	if err := errors.Join(errs...); err != nil {
		return err // the links stay, so that it can be tried again
	}
	return os.RemoveAll(dir)
}

func removeLinked(dir string) error {
	all, err := links(dir)
	errs := []error{err}
	for _, link := range all {
		target, err := os.Readlink(link)
		// Nothing is removed that does not go by a name of ours.
		if err == nil && strings.HasPrefix(filepath.Base(target), farPrefix) {
			errs = append(errs, os.RemoveAll(target))
		}
	}
	return errors.Join(errs...)
}
