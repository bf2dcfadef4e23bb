package postgres

import (
	"context"
	"errors"
	"fmt"
	"net"
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"time"

	"plimsoll/internal/engine"
	"plimsoll/internal/record"
)

// StandbyName is the name by which a standby is known to its primary.
const StandbyName = record.Standby

// Standby is the engine of a hot standby: it copies a running server, and follows it.
type Standby struct {
	Engine
	Of Primary
}

// Find implements engine.Engine: a copy takes one more program.
func (b Standby) Find(ctx context.Context, p engine.Params) (engine.Install, error) {
	in, err := b.Engine.Find(ctx, p)
	if err != nil {
		return in, err
	}
	if !has(in.Path, copyProgram) {
		return in, fmt.Errorf("%s: a standby takes %s, which %s lacks\nhint: the package of PostgreSQL's clients has it; a "+
			"%s beside the system's comes without", name, copyProgram, in.Path, ParamRelease)
	}
	return in, nil
}

// copyProgram copies a running server.
const copyProgram = "pg_basebackup"

// copyWithin bounds the copy of a primary's data.
const copyWithin = 2 * time.Hour

// Start implements engine.Engine. Its scratch directory is neither below its primary's nor above it: each takes all
// that works in its own with it when it ends. The Instance is a *Instance.
func (b Standby) Start(ctx context.Context, in engine.Install, s engine.Settings) (engine.Instance, error) {
	c, err := b.copy(ctx, in, s)
	if err != nil {
		return nil, fmt.Errorf("%s: copy the primary to a standby: %w", name, err)
	}
	return c.launch(ctx, in, s, setting{"cluster_name", StandbyName})
}

// copy makes the standby's cluster. Its slot at the primary keeps the log that it has not read yet.
func (b Standby) copy(ctx context.Context, in engine.Install, s engine.Settings) (cluster, error) {
	as, err := unprivileged()
	if err != nil {
		return cluster{}, err
	}
	environ := s.Environ
	if environ == nil {
		environ = os.Environ()
	}
	c := cluster{bin: in.Path, dir: filepath.Join(s.Scratch, "cluster"), as: as, environ: clean(environ)}
	if err := makeDir(c.dir); err != nil {
		return c, err
	}
	host, port, err := net.SplitHostPort(b.Of.Address)
	if err != nil {
		return c, err
	}
	passfile := filepath.Join(c.dir, "pgpass")
	for path, text := range map[string]string{c.hba(): hbaText,
		passfile: "*:*:*:" + b.Of.User + ":" + b.Of.Secret + "\n"} {
		if err := os.WriteFile(path, []byte(text), 0o600); err != nil {
			return c, err
		}
	}
	if err := engine.HandOver(s.Scratch, as); err != nil {
		return c, err
	}
	// The connection that it is told to follow by names the file with the password, not the password.
	c.environ = append(c.environ, "PGPASSFILE="+passfile, "PGREQUIREAUTH="+authentication) // from 16 on
	_, err = c.tool(copyProgram, copyWithin, "-h", host, "-p", port, "-U", b.Of.User, "-w",
		"-D", c.data(), "-R", "-C", "-S", StandbyName, "-X", "stream", "-c", "fast").Run(ctx)
	return c, err
}

// streams is the number of connections that a standby's copy takes: the files, and the log written meanwhile.
const streams = 2

// CheckStandby returns an error if a server with these parameters could not have a standby; sync tells that it is to
// confirm commits.
func CheckStandby(p engine.Params, sync bool) error {
	all, err := effective(p)
	if err != nil {
		return err
	}
	last := map[string]string{}
	for _, s := range all {
		last[s.name] = strings.ToLower(s.value)
	}
	least := func(name string, most int) error {
		n, err := strconv.Atoi(last[name])
		if last[name] == "" || err != nil || n >= most {
			return nil // another value is the server's to judge
		}
		return fmt.Errorf("%s = %s is too low: a standby and its copy need %d", name, last[name], most)
	}
	switch wal, commit := last["wal_level"], last["synchronous_commit"]; {
	case wal == "minimal":
		err = errors.New("wal_level = minimal leaves out of the log what a standby needs")
	case !on(last["hot_standby"]):
		err = errors.New("hot_standby = off: the standby must take read-only connections, which show whether it follows")
	case last["synchronous_standby_names"] != "" || last["primary_conninfo"] != "" || last["primary_slot_name"] != "":
		err = errors.New("synchronous_standby_names, primary_conninfo and primary_slot_name are set by plimsoll " +
			"for a standby")
	case sync && !on(commit) && !strings.HasPrefix(commit, "remote_"):
		err = fmt.Errorf("with synchronous_commit = %s no commit waits for the standby", commit)
	default:
		err = errors.Join(least("max_wal_senders", streams), least("max_replication_slots", 1))
	}
	if err != nil {
		return fmt.Errorf("%s: %w", name, err)
	}
	return nil
}

// on reports whether a setting that is on by default is.
func on(value string) bool {
	return value == "on" || value == "1" || strings.HasPrefix("true", value) || strings.HasPrefix("yes", value)
}
