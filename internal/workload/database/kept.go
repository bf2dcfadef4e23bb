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
	// fillLock is held while a set is filled: the kernel releases it if the agent is killed.
	fillLock = "filling"
	fillPoll = 100 * time.Millisecond
)

// kept returns the directory of the set that the session keeps on this host, making it if needed. It is immutable
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

// setName returns the name of a set, by everything that its files depend on.
func (s *Server) setName(checksums bool) string {
	sum := sha256.Sum256(fmt.Appendf(nil, "%s\x00%s\x00%s\x00%s", s.set.Name, s.set.Key, s.install.Version,
		s.install.Path))
	return fmt.Sprintf("%s%x-checksums-%t", setPrefix, sum[:8], checksums)
}

// exists reports whether a set does. It gets its name only once it is complete.
func exists(path string) bool {
	_, err := os.Stat(path)
	return err == nil
}

// makeSet makes a set in a directory with a temporary name.
func (s *Server) makeSet(ctx context.Context, part, other string) error {
	// A killed agent may have left it.
	if err := discard(part); err != nil {
		return err
	}
	if err := workload.MakeDir(part); err != nil {
		return fmt.Errorf("make space for the data: %w", err)
	}
	if exists(other) {
		return s.derive(ctx, part, other)
	}
	return s.fill(ctx, part)
}

// derive makes a set from one that differs only in its checksums, so that both sides of a comparison have the same
// data.
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
	return (postgres.Engine{}).Adjust(ctx, s.install,
		engine.Settings{Params: params, Scratch: part, Environ: s.env.Environ})
}

// keepSet gives a complete set its name, once all of it is synced.
func keepSet(part, name string) error {
	if err := syncAll(part); err != nil {
		return err
	}
	if err := os.Rename(part, name); err != nil {
		return fmt.Errorf("keep the data: %w", err)
	}
	return syncAll(filepath.Dir(name))
}

// discarding bounds the wait for processes that still write into a directory.
const discarding = 10 * time.Second

// discard removes an incomplete set. The server that made it may be about to end.
func discard(part string) error {
	err := os.RemoveAll(part)
	for end := time.Now().Add(discarding); err != nil && time.Now().Before(end); err = os.RemoveAll(part) {
		time.Sleep(fillPoll)
	}
	if err != nil {
		return fmt.Errorf("remove incomplete data: %w", err)
	}
	return nil
}

// lock holds a file until it is unlocked. It waits while others hold it.
func lock(ctx context.Context, path string) (unlock func(), err error) {
	f, err := os.OpenFile(path, os.O_CREATE|os.O_RDWR, 0o600)
	if err != nil {
		return nil, fmt.Errorf("lock the session's data: %w", err)
	}
	for {
		err := unix.Flock(int(f.Fd()), unix.LOCK_EX|unix.LOCK_NB)
		if err == nil {
			return func() { f.Close() }, nil
		}
		if !errors.Is(err, unix.EWOULDBLOCK) && !errors.Is(err, unix.EINTR) {
			f.Close()
			return nil, fmt.Errorf("lock the session's data: %w", err)
		}
		select {
		case <-ctx.Done():
			f.Close()
			return nil, ctx.Err()
		case <-time.After(fillPoll):
		}
	}
}

// syncAll syncs the file system that holds a path, including files written without a sync.
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

// sizeOf returns the disk space of a tree in bytes.
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
		return 0, fmt.Errorf("measure the data: %w", err)
	}
	return sum, nil
}
