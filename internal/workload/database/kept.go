package database

import (
	"cmp"
	"context"
	"crypto/sha256"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"time"

	"golang.org/x/sys/unix"

	"plimsoll/internal/engine"
	"plimsoll/internal/engine/postgres"
	"plimsoll/internal/record"
	"plimsoll/internal/workload"
)

const (
	setPrefix  = "set-"
	partPrefix = "part-"
	// fillLock is held by who fills a set: an agent that is killed lets it go.
	fillLock = "filling"
	fillPoll = 100 * time.Millisecond
)

// kept is the directory of the set that the session keeps on this host, which is made where it is not there yet. Nobody changes it
// afterwards.
func (s *Server) kept(ctx context.Context) (string, error) {
	root := cmp.Or(s.env.Keep, s.env.Scratch)
	unlock, err := lock(ctx, filepath.Join(root, fillLock))
	if err != nil {
		return "", err
	}
	defer unlock()
	at, err := s.place(root)
	if err != nil {
		return "", err
	}
	checksums := s.settings.Params.Bool(postgres.ParamChecksums)
	want, other := filepath.Join(at, s.setName(checksums)), filepath.Join(at, s.setName(!checksums))
	if exists(want) {
		return want, nil
	}
	part := filepath.Join(at, partPrefix+filepath.Base(want))
	if err := s.makeSet(ctx, part, other); err != nil {
		return "", errors.Join(s.full(err, at), discard(part))
	}
	return want, keepSet(part, want)
}

// setName names a set by all that its files depend on.
func (s *Server) setName(checksums bool) string {
	sum := sha256.Sum256(fmt.Appendf(nil, "%s\x00%s\x00%s\x00%s", s.set.Name, s.set.Key, s.install.Version, s.install.Path))
	return fmt.Sprintf("%s%x-checksums-%t", setPrefix, sum[:8], checksums)
}

// exists says whether a set is. It has its name only once it is whole.
func exists(path string) bool {
	_, err := os.Stat(path)
	return err == nil
}

// makeSet makes a set in a directory that nobody takes for one.
func (s *Server) makeSet(ctx context.Context, part, other string) error {
	// Who was killed in the middle of it has left it.
	if err := discard(part); err != nil {
		return err
	}
	if err := workload.MakeDir(part); err != nil {
		return fmt.Errorf("make room for the data: %w", err)
	}
	if exists(other) {
		return s.derive(ctx, part, other)
	}
	return s.fill(ctx, part)
}

// derive makes a set from one that differs in its checksums alone, so that both sides of a comparison have the same data.
func (s *Server) derive(ctx context.Context, part, other string) error {
	size, err := sizeOf(other)
	if err != nil {
		return err
	}
	if err := room(part, size, "a copy of the data with other checksums takes"); err != nil {
		return s.elsewhere(err)
	}
	cluster := filepath.Join(part, clusterDir)
	if _, err := copyTree(ctx, filepath.Join(other, clusterDir), cluster); err != nil {
		return err
	}
	params, err := s.resolve(record.Params{postgres.ParamCluster: cluster})
	if err != nil {
		return err
	}
	return (postgres.Engine{}).Adjust(ctx, s.install, engine.Settings{Params: params, Scratch: part, Environ: s.env.Environ})
}

// keepSet gives a set that is whole its name, once all of it is on disk.
func keepSet(part, name string) error {
	if err := syncAll(part); err != nil {
		return err
	}
	if err := os.Rename(part, name); err != nil {
		return fmt.Errorf("keep the data: %w", err)
	}
	return syncAll(filepath.Dir(name))
}

// discarding is how long the processes that still write into a directory may take to end.
const discarding = 10 * time.Second

// discard removes what was left half made. The server that made it may be about to end.
func discard(part string) error {
	err := os.RemoveAll(part)
	for end := time.Now().Add(discarding); err != nil && time.Now().Before(end); err = os.RemoveAll(part) {
		time.Sleep(fillPoll)
	}
	if err != nil {
		return fmt.Errorf("remove data that were left half made: %w", err)
	}
	return nil
}

// lock holds a file until it is unlocked. It waits until nobody else does.
func lock(ctx context.Context, path string) (unlock func(), err error) {
	f, err := os.OpenFile(path, os.O_CREATE|os.O_RDWR, 0o600)
	if err != nil {
		return nil, fmt.Errorf("hold the session's data: %w", err)
	}
	for {
		err := unix.Flock(int(f.Fd()), unix.LOCK_EX|unix.LOCK_NB)
		if err == nil {
			return func() { f.Close() }, nil
		}
		if !errors.Is(err, unix.EWOULDBLOCK) && !errors.Is(err, unix.EINTR) {
			f.Close()
			return nil, fmt.Errorf("hold the session's data: %w", err)
		}
		select {
		case <-ctx.Done():
			f.Close()
			return nil, ctx.Err()
		case <-time.After(fillPoll):
		}
	}
}

// syncAll has all of a file system written that holds a path: files that were made without being synced, too.
func syncAll(path string) error {
	f, err := os.Open(path)
	if err != nil {
		return fmt.Errorf("write the data to disk: %w", err)
	}
	defer f.Close()
	if err := unix.Syncfs(int(f.Fd())); err != nil {
		return fmt.Errorf("write the data in %s to disk: %w", path, err)
	}
	return nil
}

// sizeOf is how much of a disk a tree takes, in bytes.
func sizeOf(dir string) (int64, error) {
	var sum int64
	err := filepath.WalkDir(dir, func(path string, _ fs.DirEntry, err error) error {
		var st unix.Stat_t
		if err == nil {
			err = unix.Lstat(path, &st)
		}
		sum += st.Blocks * 512
		return err
	})
	if err != nil {
		return 0, fmt.Errorf("how large the data are: %w", err)
	}
	return sum, nil
}
