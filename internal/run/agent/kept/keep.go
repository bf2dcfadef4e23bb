package kept

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"syscall"
	"time"

	"golang.org/x/sys/unix"

	"plimsoll/internal/machine/host/owed"
	"plimsoll/internal/workload"
)

const (
	keepPrefix = "plimsoll-keep-"
	// keepLock is a file in such a directory: users hold it shared, a remover exclusively.
	keepLock = "lock"
	// keepUnused is the age from which an unheld directory counts as that of a killed run.
	keepUnused = 24 * time.Hour
	// keepPatience bounds the wait for agents that are about to exit to release a directory.
	keepPatience = 20 * time.Second
	keepPoll     = 50 * time.Millisecond
)

// Keep is a directory that outlives a trial but not its session.
type Keep struct {
	Dir  string
	lock *os.File
}

// keepDir returns the directory that the trials of a plan share on this host.
func keepDir(plan string) (string, error) {
	if !regexp.MustCompile(`^[0-9a-f]{1,64}$`).MatchString(plan) {
		return "", fmt.Errorf("%.80q is not a plan hash", plan)
	}
	return filepath.Join(os.TempDir(), keepPrefix+plan), nil
}

// Open creates a plan's directory if necessary, and holds it. Whoever creates one also removes those of runs killed
// long ago.
func Open(plan string) (*Keep, error) {
	dir, err := keepDir(plan)
	if err != nil {
		return nil, err
	}
	for end := time.Now().Add(keepPatience); ; time.Sleep(keepPoll) {
		err := workload.MakeDir(dir)
		if err == nil {
			removeUnused()
		} else if !errors.Is(err, fs.ErrExist) {
			return nil, fmt.Errorf("creating the session's directory: %w\nhint: set TMPDIR to put it elsewhere", err)
		}
		k, err := hold(dir, unix.LOCK_SH)
		if err == nil {
			now := time.Now()
			return k, os.Chtimes(dir, now, now)
		}
		// Another process may be removing it.
		if !errors.Is(err, fs.ErrNotExist) && !errors.Is(err, errHeld) || time.Now().After(end) {
			return nil, err
		}
	}
}

// errHeld reports that others hold a directory.
var errHeld = errors.New("it is in use")

// hold locks one of our directories, shared or exclusively, without waiting.
func hold(dir string, how int) (*Keep, error) {
	var st unix.Stat_t
	if err := unix.Lstat(dir, &st); err != nil {
		return nil, fmt.Errorf("looking at %s: %w", dir, err)
	}
	// Its parent is world-writable, so do not trust a directory of another user.
	if st.Mode&unix.S_IFMT != unix.S_IFDIR || int(st.Uid) != os.Geteuid() {
		return nil, fmt.Errorf("%s is not a directory of this user\nhint: set TMPDIR to use another place", dir)
	}
	path := filepath.Join(dir, keepLock)
	f, err := os.OpenFile(path, os.O_CREATE|os.O_RDWR, 0o600)
	if err != nil {
		return nil, fmt.Errorf("holding the session's directory: %w", err)
	}
	err = unix.Flock(int(f.Fd()), how|unix.LOCK_NB)
	if errors.Is(err, unix.EWOULDBLOCK) {
		err = errHeld
	}
	if err == nil {
		err = same(f, path)
	}
	if err != nil {
		f.Close()
		return nil, fmt.Errorf("holding %s: %w", dir, err)
	}
	return &Keep{Dir: dir, lock: f}, nil
}

// same returns fs.ErrNotExist if the file at path is no longer the open one.
func same(f *os.File, path string) error {
	open, err := f.Stat()
	if err != nil {
		return err
	}
	named, err := os.Stat(path)
	if err == nil && !os.SameFile(open, named) {
		err = fs.ErrNotExist
	}
	return err
}

// Close releases the directory without removing it.
func (k *Keep) Close() {
	if k != nil {
		k.lock.Close()
	}
}

// gone is the suffix of a directory that is being removed.
const gone = "-gone"

// remove removes the directory. It renames it first, so that those who wait for it create a new one.
func (k *Keep) remove() error {
	defer k.Close()
	if err := workload.RemoveAll(k.Dir + gone); err != nil {
		return err
	}
	if err := os.Rename(k.Dir, k.Dir+gone); err != nil {
		return fmt.Errorf("removing the directory shared by runs: %w", err)
	}
	return workload.RemoveAll(k.Dir + gone)
}

// Remove removes a plan's directory once its agents have exited, after the last use of it.
func Remove(ctx context.Context, plan string, last func(dir string) error) error {
	dir, err := keepDir(plan)
	if err != nil {
		return err
	}
	for end := time.Now().Add(keepPatience); ; time.Sleep(keepPoll) {
		k, err := hold(dir, unix.LOCK_EX)
		switch {
		case errors.Is(err, fs.ErrNotExist):
			return nil
		case err == nil:
			return errors.Join(last(dir), k.remove(), removeScratch(plan))
		case ctx.Err() != nil || !errors.Is(err, errHeld) || time.Now().After(end):
			return fmt.Errorf("removing the directory shared by runs: %w\nhint: rm -r %s once no process of plimsoll is left",
				err, dir)
		}
	}
}

// removeScratch removes the files of a plan's killed trials, on hosts where no client could.
func removeScratch(plan string) error {
	entries, err := os.ReadDir(os.TempDir())
	if err != nil {
		return fmt.Errorf("removing files left by runs: %w", err)
	}
	var errs []error
	for _, e := range entries {
		info, err := e.Info()
		if err != nil || !e.IsDir() || !strings.HasPrefix(e.Name(), filepath.Base(ScratchDir(plan))+"-") {
			continue
		}
		if st, ok := info.Sys().(*syscall.Stat_t); ok && int(st.Uid) == os.Geteuid() {
			errs = append(errs, workload.RemoveAll(filepath.Join(os.TempDir(), e.Name())))
		}
	}
	return errors.Join(errs...)
}

// removeUnused removes the directories of runs that were killed and never resumed, but for those with settings that
// only their own session can put back.
func removeUnused() {
	entries, err := os.ReadDir(os.TempDir())
	if err != nil {
		return
	}
	for _, e := range entries {
		info, err := e.Info()
		if err != nil || !strings.HasPrefix(e.Name(), keepPrefix) || time.Since(info.ModTime()) < keepUnused {
			continue
		}
		dir := filepath.Join(os.TempDir(), e.Name())
		if left, _ := owed.All(dir); len(left) > 0 {
			continue
		}
		// Leaves those that are held, or belong to another user.
		if k, err := hold(dir, unix.LOCK_EX); err == nil {
			_ = k.remove()
		}
	}
}
