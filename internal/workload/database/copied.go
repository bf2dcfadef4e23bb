package database

import (
	"context"
	"fmt"
	"os"
	"path/filepath"

	"golang.org/x/sys/unix"

	"plimsoll/internal/engine"
	"plimsoll/internal/engine/postgres"
	"plimsoll/internal/record"
	"plimsoll/internal/workload"
	"plimsoll/internal/workload/database/standby"
)

// clusterDir is the directory of the engine's cluster within its own.
const clusterDir = "cluster"

// startCopy starts our own server on a copy of the data that the session keeps.
func (s *Server) startCopy(ctx context.Context) (string, error) {
	if err := s.find(ctx); err != nil {
		return "", err
	}
	kept, err := s.kept(ctx)
	if err != nil {
		return "", err
	}
	if err := s.makeScratch(); err != nil {
		return "", err
	}
	cluster := filepath.Join(s.settings.Scratch, clusterDir)
	if err := s.copyTo(ctx, filepath.Join(kept, clusterDir), cluster); err != nil {
		return "", err
	}
	if s.settings.Params, err = s.resolve(record.Params{postgres.ParamCluster: cluster}); err != nil {
		return "", err
	}
	if inMemory(cluster) {
		s.doubts = append(s.doubts, fmt.Sprintf("the data lie in memory (tmpfs) in %s, not on a disk",
			s.settings.Scratch))
	}
	return s.run(ctx)
}

// place returns the directory for the data of dir: itself, or one on the disk set by the user.
func (s *Server) place(dir string) (string, error) {
	return workload.PlaceDataDir(s.set.Name, s.path, dir)
}

// copyTo makes the trial's copy, and syncs it before the server starts: later writeback would fall into the measured
// time.
func (s *Server) copyTo(ctx context.Context, from, to string) error {
	// A failed Prepare may have left files.
	if err := os.RemoveAll(to); err != nil {
		return fmt.Errorf("copy the data: %w", err)
	}
	if !clones(filepath.Dir(from), filepath.Dir(to)) {
		size, err := sizeOf(from)
		if err != nil {
			return err
		}
		if err := room(filepath.Dir(to), size, "a copy of the data takes"); err != nil {
			return s.elsewhere(err)
		}
	}
	var err error
	if s.copied, err = copyTree(ctx, from, to); err != nil {
		return s.full(err, filepath.Dir(to))
	}
	return syncAll(filepath.Dir(to))
}

// elsewhere adds the hint to use another disk.
func (s *Server) elsewhere(err error) error {
	return fmt.Errorf("%w\nhint: --set %s.%s=DIRECTORY on a disk with more room", err, s.set.Name, ParamPath)
}

// run starts the server on its cluster.
func (s *Server) run(ctx context.Context) (string, error) {
	var err error
	if s.settings.Output, err = s.watch.listen(); err != nil {
		return "", err
	}
	if err := s.hold(s.settings.Scratch); err != nil {
		return "", err
	}
	if s.running, err = workload.StartEngine(ctx, postgres.Engine{}, s.install, s.settings); err != nil {
		return "", s.full(err, s.settings.Scratch)
	}
	s.instance = s.running.Instance.(*postgres.Instance)
	if s.held != nil && s.held.err != nil {
		return "", s.held.err
	}
	return s.instance.DSN(s.set.Name), s.follow(ctx)
}

// The directories of a server with a standby, beside each other: each server takes all that works below its own with
// it.
const (
	primaryDir = "primary"
	standbyDir = "standby"
)

// makeScratch makes the server's scratch directory.
func (s *Server) makeScratch() (err error) {
	if s.settings.Scratch, err = s.place(s.env.Scratch); err != nil || !hasStandby(s.params) {
		return err
	}
	s.settings.Scratch, err = beneath(s.settings.Scratch, primaryDir)
	return err
}

// beneath makes an empty directory in another.
func beneath(dir, name string) (string, error) {
	dir = filepath.Join(dir, name)
	err := os.RemoveAll(dir) // a failed Prepare may have left files
	if err == nil {
		err = workload.MakeDir(dir)
	}
	if err != nil {
		return "", fmt.Errorf("make a server's directory: %w", err)
	}
	return dir, nil
}

// follow starts the server's standby, and returns once it follows. One that stops to do so ends the server: clients
// that wait for it would do so for ever.
func (s *Server) follow(ctx context.Context) error {
	if !hasStandby(s.params) {
		return nil
	}
	confirms, end := s.params.Text(ParamStandby) == StandbySync, func() { _ = s.running.Close() }
	if s.member.self > 0 {
		var err error
		s.follower, err = standby.Admit(ctx, s.instance, s.member.other, confirms, end)
		return err
	}
	size, err := sizeOf(s.settings.Scratch)
	if err != nil {
		return err
	}
	if err := room(s.settings.Scratch, size, "the standby's copy of the data takes"); err != nil {
		return s.elsewhere(err)
	}
	settings := s.settings
	settings.Host, settings.Port = "", 0 // the load's clients do not connect to it
	if settings.Scratch, err = beneath(filepath.Dir(s.settings.Scratch), standbyDir); err != nil {
		return err
	}
	s.follower, err = standby.Start(ctx, s.instance, s.install, settings, confirms, end)
	if err != nil {
		return s.full(err, settings.Scratch)
	}
	return syncAll(settings.Scratch) // later writeback would fall into the measured time
}

// inMemory reports whether a path is on a file system without a disk.
func inMemory(path string) bool {
	var fs unix.Statfs_t
	return unix.Statfs(path, &fs) == nil && uint32(fs.Type) == unix.TMPFS_MAGIC
}

// loading is the settings of a server that is only filled: after a crash it is filled again, and its data are synced
// before they are kept.
const loading = `
fsync = off
synchronous_commit = off
full_page_writes = off
wal_level = minimal
max_wal_senders = 0
max_wal_size = 4GB
checkpoint_timeout = 1h
autovacuum = off
shared_buffers = 256MB
maintenance_work_mem = 256MB
`

// loader returns the settings of a server that fills a set in a directory.
func (s *Server) loader(dir string) (engine.Settings, error) {
	params, err := s.resolve(record.Params{postgres.ParamPreset: postgres.PresetStock, postgres.ParamSettings: loading})
	return engine.Settings{Params: params, Scratch: dir, Environ: s.env.Environ}, err
}
