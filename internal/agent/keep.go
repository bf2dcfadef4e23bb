package agent

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

	"plimsoll/internal/workload"
)

const (
	keepPrefix = "plimsoll-keep-"
	// keepLock is a file in such a directory: who uses it holds it shared, who removes it alone.
	keepLock = "lock"
	// keepUnused is how long nobody may have used one until it is taken for that of a run that was killed.
	keepUnused = 24 * time.Hour
	// keepPatience is how long agents that were told to leave may hold one.
	keepPatience = 2 * patience
	keepPoll     = 50 * time.Millisecond
)

// keep is a directory that outlives a trial and not its session.
type keep struct {
	dir  string
	lock *os.File
}

// keepDir is where the trials of a plan keep what they have together on this host.
func keepDir(plan string) (string, error) {
	if !regexp.MustCompile(`^[0-9a-f]{1,64}$`).MatchString(plan) {
		return "", fmt.Errorf("%.80q is no hash of a plan", plan)
	}
	return filepath.Join(os.TempDir(), keepPrefix+plan), nil
}

// openKeep makes that of a plan, where it is not there, and holds it. The first to make one removes those of runs
// that were killed long ago.
func openKeep(plan string) (*keep, error) {
	dir, err := keepDir(plan)
	if err != nil {
		return nil, err
	}
	for end := time.Now().Add(keepPatience); ; time.Sleep(keepPoll) {
		err := workload.MakeDir(dir)
		if err == nil {
			removeUnused()
		} else if !errors.Is(err, fs.ErrExist) {
			return nil, fmt.Errorf("making the session's directory: %w\nhint: TMPDIR says where", err)
		}
		k, err := hold(dir, unix.LOCK_SH)
		if err == nil {
			now := time.Now()
			return k, os.Chtimes(dir, now, now)
		}
		// Somebody may be removing it.
		if !errors.Is(err, fs.ErrNotExist) && !errors.Is(err, errHeld) || time.Now().After(end) {
			return nil, err
		}
	}
}

// errHeld says that others use a directory.
var errHeld = errors.New("it is in use")

// hold locks a directory of ours, shared or alone, without waiting.
func hold(dir string, how int) (*keep, error) {
	var st unix.Stat_t
	if err := unix.Lstat(dir, &st); err != nil {
		return nil, fmt.Errorf("looking at %s: %w", dir, err)
	}
	// Everybody may write into the directory that it is in: another's is not believed.
	if st.Mode&unix.S_IFMT != unix.S_IFDIR || int(st.Uid) != os.Geteuid() {
		return nil, fmt.Errorf("%s is not a directory of this user\nhint: TMPDIR names another place", dir)
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
	return &keep{dir: dir, lock: f}, nil
}

// same is an error, fs.ErrNotExist, where an open file is no longer the one of that name.
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

// close lets it go; it stays.
func (k *keep) close() {
	if k != nil {
		k.lock.Close()
	}
}

// gone ends the name of one that is being removed.
const gone = "-gone"

// remove removes it. It goes by another name first: who waits for it makes a new one.
func (k *keep) remove() error {
	defer k.close()
	if err := workload.RemoveAll(k.dir + gone); err != nil {
		return err
	}
	if err := os.Rename(k.dir, k.dir+gone); err != nil {
		return fmt.Errorf("removing what the trials had together: %w", err)
	}
	return workload.RemoveAll(k.dir + gone)
}

// removeKeep removes that of a plan, once its agents have left it.
func removeKeep(ctx context.Context, plan string) error {
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
			return errors.Join(k.remove(), removeScratch(plan))
		case ctx.Err() != nil || !errors.Is(err, errHeld) || time.Now().After(end):
			return fmt.Errorf("removing what the trials had together: %w\nhint: rm -r %s once nothing of the run is left", err, dir)
		}
	}
}

// removeScratch removes what trials of a plan have left that were killed, on hosts where no client could do so.
func removeScratch(plan string) error {
	entries, err := os.ReadDir(os.TempDir())
	if err != nil {
		return fmt.Errorf("removing what trials have left: %w", err)
	}
	var errs []error
	for _, e := range entries {
		info, err := e.Info()
		if err != nil || !e.IsDir() || !strings.HasPrefix(e.Name(), filepath.Base(scratchDir(plan))+"-") {
			continue
		}
		if st, ok := info.Sys().(*syscall.Stat_t); ok && int(st.Uid) == os.Geteuid() {
			errs = append(errs, workload.RemoveAll(filepath.Join(os.TempDir(), e.Name())))
		}
	}
	return errors.Join(errs...)
}

// removeUnused removes those of runs that were killed and not gone on with.
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
		// What is held, or another's, stays.
		if k, err := hold(filepath.Join(os.TempDir(), e.Name()), unix.LOCK_EX); err == nil {
			_ = k.remove()
		}
	}
}
