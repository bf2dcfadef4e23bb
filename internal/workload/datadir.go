package workload

import (
	"crypto/rand"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"syscall"

	"golang.org/x/sys/unix"
)

// ParamPath is the parameter that sets below which directory a workload's data lie.
const ParamPath = "path"

// Enterable is the mode of a directory for a server that may run as another user: it can reach paths that it
// knows, but list nothing.
const Enterable = 0o711

const (
	// linkPrefix begins the name of a link to a directory made by MakeDataDir.
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

// MakeDataDir makes a directory below path, perhaps on another disk, for files that belong to dir, and links
// to it from dir, so that RemoveAll finds it. A second call returns the same directory.
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
		if target, err := readOurs(link); err == nil && filepath.Dir(target) == path {
			return target, made(target)
		}
	}
	name := strings.ToLower(rand.Text())
	target := filepath.Join(path, farPrefix+name)
	// The link comes first: a directory made before it is recorded could stay for ever.
	if err := os.Symlink(target, filepath.Join(dir, linkPrefix+name)); err != nil {
		return "", fmt.Errorf("make a directory in %s: %w", path, err)
	}
	return target, made(target)
}

// CheckDataDir returns the directory on whose disk the workload's data will lie: path, or dir if path is "".
// It returns an error if path is not a writable directory.
func CheckDataDir(name, path, dir string) (string, error) {
	if path == "" {
		return dir, nil
	}
	if st, err := os.Stat(path); err != nil || !st.IsDir() || unix.Access(path, unix.W_OK|unix.X_OK) != nil {
		return "", fmt.Errorf("%s is not a writable directory\nhint: --set %s.%s=DIRECTORY, an existing one",
			path, name, ParamPath)
	}
	return path, nil
}

// PlaceDataDir returns the directory for the data of dir: one below path (see MakeDataDir), or dir itself if
// path is "".
func PlaceDataDir(name, path, dir string) (string, error) {
	if path == "" {
		return dir, nil
	}
	at, err := MakeDataDir(dir, path)
	if err != nil {
		return "", fmt.Errorf("%w\nhint: --set %s.%s=DIRECTORY, an existing one that can be written to",
			err, name, ParamPath)
	}
	return at, nil
}

func made(target string) error {
	if err := MakeDir(target); err != nil && !errors.Is(err, fs.ErrExist) {
		return fmt.Errorf("create a directory: %w", err)
	}
	return nil
}

// links returns what has the name of a link of MakeDataDir's in a directory; none if it does not exist. Whether it is
// one, readOurs tells.
func links(dir string) ([]string, error) {
	entries, err := os.ReadDir(dir)
	if err != nil && !errors.Is(err, fs.ErrNotExist) {
		return nil, fmt.Errorf("read links: %w", err)
	}
	var out []string
	for _, e := range entries {
		if e.Type() == fs.ModeSymlink && strings.HasPrefix(e.Name(), linkPrefix) {
			out = append(out, filepath.Join(dir, e.Name()))
		}
	}
	return out, nil
}

func isOurs(info fs.FileInfo) bool {
	st, ok := info.Sys().(*syscall.Stat_t)
	return ok && int(st.Uid) == os.Geteuid()
}

// RemoveAll removes a directory of this user's, those that MakeDataDir has made for it, and those that it has made for
// directories in it. The files named last go after all others. What else has its name, as a link to somewhere, is
// unlinked; another user's directory is an error: names of runs can be guessed, and who can make files in the temporary
// directory must not say what is removed.
func RemoveAll(dir string, last ...string) error {
	info, err := os.Lstat(dir)
	switch {
	case errors.Is(err, fs.ErrNotExist):
		return nil
	case err != nil:
		return fmt.Errorf("remove the run's files: %w", err)
	case !info.IsDir():
		return os.Remove(dir)
	case !isOurs(info):
		return fmt.Errorf("remove the run's files: %s belongs to another user", dir)
	}
	err = removeAll(dir, info, last)
	if errors.Is(err, fs.ErrNotExist) {
		return nil // another who clears it was quicker
	}
	return err
}

// removeAll removes the directory that the file information is of, which others may still write to.
func removeAll(dir string, info fs.FileInfo, last []string) error {
	in, err := os.OpenRoot(dir)
	if err != nil {
		return fmt.Errorf("remove the run's files: %w", err)
	}
	defer in.Close()
	opened, err := in.Stat(".")
	if err != nil {
		return fmt.Errorf("remove the run's files: %w", err)
	}
	if !os.SameFile(info, opened) {
		return fmt.Errorf("remove the run's files: %s was replaced meanwhile", dir)
	}
	for range 20 {
		left, err := removeIn(in, last)
		if err != nil {
			return err
		}
		if left > 0 {
			continue
		}
		for _, name := range last {
			if err := in.RemoveAll(name); err != nil {
				return err
			}
		}
		if err := os.Remove(dir); !errors.Is(err, unix.ENOTEMPTY) {
			return err
		}
	}
	return fmt.Errorf("remove the run's files: %s is still written to", dir)
}

// removeIn removes what is in a directory but for the files named last, and returns how many entries that were.
func removeIn(dir *os.Root, last []string) (int, error) {
	entries, err := fs.ReadDir(dir.FS(), ".")
	if err != nil {
		return 0, fmt.Errorf("remove the run's files: %w", err)
	}
	entries = slices.DeleteFunc(entries, func(e fs.DirEntry) bool { return slices.Contains(last, e.Name()) })
	errs := []error{removeLinked(dir.Name())}
	for _, e := range entries {
		if e.IsDir() {
			errs = append(errs, removeLinked(filepath.Join(dir.Name(), e.Name())))
		}
	}
	if err := errors.Join(errs...); err != nil {
		return 0, err // the links stay, so that the removal can be retried
	}
	for _, e := range entries {
		errs = append(errs, dir.RemoveAll(e.Name()))
	}
	return len(entries), errors.Join(errs...)
}

func removeLinked(dir string) error {
	all, err := links(dir)
	errs := []error{err}
	for _, link := range all {
		target, err := readOurs(link)
		// Only directories with a name of ours are removed.
		if err == nil && strings.HasPrefix(filepath.Base(target), farPrefix) {
			errs = append(errs, os.RemoveAll(target))
		}
	}
	return errors.Join(errs...)
}

// readOurs returns where a link of this user's leads; an error for one of another user, who may have made the directory
// or runs a server in it. Link and owner are read by one descriptor: who may write to the directory could put another
// in its place.
func readOurs(link string) (string, error) {
	fd, err := unix.Open(link, unix.O_PATH|unix.O_NOFOLLOW|unix.O_CLOEXEC, 0)
	if err != nil {
		return "", err
	}
	defer unix.Close(fd)
	var st unix.Stat_t
	if err := unix.Fstat(fd, &st); err != nil {
		return "", err
	}
	if st.Mode&unix.S_IFMT != unix.S_IFLNK || int(st.Uid) != os.Geteuid() {
		return "", fmt.Errorf("%s is no link of this user's", link)
	}
	to := make([]byte, unix.PathMax)
	n, err := unix.Readlinkat(fd, "", to)
	return string(to[:max(n, 0)]), err
}

// Space is the size and the free space of a file system, in bytes.
type Space struct{ All, Free int64 }

// SpaceIn returns the space of the file system that holds dir.
func SpaceIn(dir string) (Space, error) {
	var fs unix.Statfs_t
	if err := unix.Statfs(dir, &fs); err != nil {
		return Space{}, fmt.Errorf("read the free space in %s: %w", dir, err)
	}
	return Space{All: int64(fs.Blocks) * fs.Bsize, Free: int64(fs.Bavail) * fs.Bsize}, nil
}

// ErrNoSpace is wrapped by the error of a preflight for data that do not fit.
var ErrNoSpace = errors.New("not enough space")

// The space that a load leaves free on a file system.
const (
	leaveShare = 0.05
	leaveBytes = 1 << 30
)

// Left returns the bytes that a load leaves free, since others use the same file system: a twentieth of it,
// at least 1 GiB.
func (s Space) Left() int64 { return max(int64(leaveShare*float64(s.All)), leaveBytes) }

// Usable returns the bytes that a load may take; zero or negative if there is too little.
func (s Space) Usable() int64 { return s.Free - s.Left() }

// Gigabytes formats a number of bytes.
func Gigabytes(n int64) string { return fmt.Sprintf("%.2f GB", float64(n)/1e9) }
