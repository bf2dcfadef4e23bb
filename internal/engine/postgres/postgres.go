// Package postgres is the engine `postgres`: a PostgreSQL server from the system's own programs, or of a release
// fetched by Maven, with a data directory, port, user and processes of its own beside any others.
package postgres

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"net"
	"net/netip"
	"os"
	"path/filepath"
	"runtime"
	"slices"
	"strings"
	"time"

	"github.com/jackc/pgx/v5/pgproto3"
	"golang.org/x/sys/unix"

	"plimsoll/internal/engine"
	"plimsoll/internal/record"
)

const (
	name = "postgres"
	// superuser is the owner of our clusters.
	superuser = "postgres"
)

// Engine is the engine `postgres`.
type Engine struct {
	Release string // to set up; "": the system's packages. Start takes the parameter's
}

// Name implements engine.Engine.
func (Engine) Name() string { return name }

// Doc implements engine.Engine.
func (Engine) Doc() string {
	return "the database server PostgreSQL, 13 and newer; releases beside the system's: " + strings.Join(releases(), ", ")
}

// The parameters.
const (
	ParamRelease   = engine.ParamRelease
	ParamBin       = "bin"
	ParamPreset    = "preset"
	ParamSettings  = "settings"
	ParamChecksums = "checksums"
	ParamCluster   = "cluster"
)

// The values of ParamPreset.
const (
	PresetStock   = "stock"
	PresetPercona = "percona"
)

// Params implements engine.Engine.
func (e Engine) Params() []record.Param {
	return []record.Param{
		{Name: ParamRelease, Minor: true, Kind: record.Enum, Default: cmp.Or(e.Release, ReleaseSystem),
			Choices: append([]string{ReleaseSystem}, releases()...), Phase: record.Server,
			Doc: "release of PostgreSQL: system is the installed one, plimsoll setup postgres@RELEASE sets up others"},
		{Name: ParamBin, Minor: true, Kind: record.Text, Phase: record.Server,
			Doc: "directory of the server's programs; default: PATH's, else the newest of the distribution's"},
		{Name: ParamPreset, Kind: record.Enum, Default: PresetStock, Choices: []string{PresetStock, PresetPercona},
			Phase: record.Server,
			Doc: "initial settings: stock are those of a new cluster, percona those of Percona's evaluation of " +
				"m6gd, scaled from its 128 GiB to this machine's memory"},
		{Name: ParamSettings, Kind: record.Text, Lines: true, Phase: record.Server,
			Doc: "further settings, one per line or separated by commas: name = value; each --set adds one; they override the " +
				"preset's"},
		{Name: ParamChecksums, Kind: record.Bool, Default: "false", Phase: record.Server, Doc: "page checksums"},
		{Name: ParamCluster, Minor: true, Kind: record.Text, Phase: record.Server,
			Doc: "directory of an existing cluster made by plimsoll, used in place; default: a new one in the " +
				"scratch directory"},
	}
}

// Check implements engine.Checker.
func (Engine) Check(p engine.Params) error {
	if r := p.Text(ParamRelease); r != ReleaseSystem && p.Text(ParamBin) != "" {
		return fmt.Errorf("%s=%s and %s=%s both say which programs run\nhint: leave out one of them", ParamRelease, r,
			ParamBin, p.Text(ParamBin))
	}
	_, err := parseSettings(p.Text(ParamSettings))
	return err
}

// Releases implements engine.Released.
func (Engine) Releases() []string { return releases() }

// At implements engine.Released.
func (e Engine) At(release string) engine.Findable {
	e.Release = release
	return e
}

// Setup implements engine.Setup.
func (e Engine) Setup(context.Context) ([]engine.Step, error) {
	if e.Release != "" {
		b, err := build(e.Release, runtime.GOARCH)
		if err != nil {
			return nil, err
		}
		return b.Steps()
	}
	return engine.InstallPackages(name,
		engine.Package{Apt: "postgresql", Dnf: "postgresql-server", Amazon: "postgresql15-server", Apk: "postgresql"})
}

// Instance is a running server.
type Instance struct {
	*engine.Server
	cluster string
	secret  string
}

// Primary returns what a standby has to know of it to follow it.
func (i *Instance) Primary() Primary {
	return Primary{Address: i.Addrs()[0], User: superuser, Secret: i.secret}
}

// DSN returns a URL for clients of one of its databases.
func (i *Instance) DSN(database string) string { return i.Primary().DSN(database) }

// Cluster returns the directory of its cluster.
func (i *Instance) Cluster() string { return i.cluster }

// shutWithin bounds the time in which a server flushes its memory.
const shutWithin = 10 * time.Minute

// Shut stops it so that its cluster is complete on disk, and can be copied.
func (i *Instance) Shut(ctx context.Context) error { return i.StopBy(ctx, unix.SIGINT, shutWithin) }

// Start implements engine.Engine. The Instance is a *Instance.
func (Engine) Start(ctx context.Context, in engine.Install, s engine.Settings) (engine.Instance, error) {
	c, err := newCluster(ctx, in, s)
	if err != nil {
		return nil, fmt.Errorf("%s: %w", name, err)
	}
	return c.launch(ctx, in, s)
}

// launch starts a server on a cluster, with settings that win over the others.
func (c cluster) launch(ctx context.Context, in engine.Install, s engine.Settings, further ...setting) (engine.Instance,
	error) {
	v, err := engine.Launch(ctx, s, func(at netip.AddrPort) (engine.Command, error) {
		args, err := arguments(c, s.Params, at, further...)
		return engine.Command{
			Engine: name, Path: filepath.Join(in.Path, "postgres"), Args: args, As: c.as, Env: []string{"LC_ALL=C"},
			// An immediate shutdown without a flush: the scratch directory is discarded. The server ends its own
			// processes.
			ParentDeath: unix.SIGQUIT, Interrupt: unix.SIGQUIT,
		}, err
	})
	if err != nil {
		return nil, err
	}
	i := &Instance{Server: v, cluster: c.dir, secret: c.secret}
	if err := accepts(ctx, i); err != nil {
		_ = i.Stop(context.WithoutCancel(ctx))
		return nil, fmt.Errorf("%s: %w", name, err)
	}
	return i, nil
}

// arguments returns the command line: our settings come last, and win.
func arguments(c cluster, p engine.Params, at netip.AddrPort, further ...setting) ([]string, error) {
	all, err := effective(p)
	if err != nil {
		return nil, err
	}
	args := []string{"-D", c.data(), "-c", "log_checkpoints=on"} // from 15 on the default
	for _, s := range slices.Concat(all, []setting{
		{"listen_addresses", at.Addr().String()},
		{"port", fmt.Sprint(at.Port())},
		{"unix_socket_directories", ""},
		{"hba_file", c.hba()},
		{"logging_collector", "off"},
		{"log_destination", "stderr"},
		{"ssl", "off"},
	}, further) {
		args = append(args, "-c", s.name+"="+s.value)
	}
	return args, nil
}

// acceptsWithin bounds the time from listening to accepting clients.
const acceptsWithin = time.Minute

// accepts waits until the server accepts clients: it listens while it is still starting up.
func accepts(ctx context.Context, i *Instance) error {
	ctx, end := engine.Alive(ctx, i.Server)
	defer end()
	for deadline := time.Now().Add(acceptsWithin); ; time.Sleep(20 * time.Millisecond) {
		err := admits(ctx, i.Addrs()[0])
		if err == nil {
			return nil
		}
		if ctx.Err() != nil {
			return context.Cause(ctx)
		}
		if time.Now().After(deadline) {
			return fmt.Errorf("it did not accept clients within %v of listening: %w", acceptsWithin, err)
		}
	}
}

// asked bounds the question whether a server accepts clients.
const asked = 10 * time.Second

// startingUp is the error code of a server that accepts no clients yet (cannot_connect_now).
const startingUp = "57P03"

// admits returns an error unless a server goes on to ask a client who it is, as pg_isready does: whatever a client's
// environment says of servers does not matter.
func admits(ctx context.Context, address string) error {
	conn, err := (&net.Dialer{Timeout: asked}).DialContext(ctx, "tcp", address)
	if err != nil {
		return err
	}
	defer conn.Close()
	if err := conn.SetDeadline(time.Now().Add(asked)); err != nil {
		return err
	}
	client := pgproto3.NewFrontend(conn, conn)
	client.Send(&pgproto3.StartupMessage{ProtocolVersion: pgproto3.ProtocolVersionNumber,
		Parameters: map[string]string{"user": superuser, "database": superuser}})
	if err := client.Flush(); err != nil {
		return err
	}
	answer, err := client.Receive()
	if err != nil {
		return err
	}
	if e, refused := answer.(*pgproto3.ErrorResponse); refused && e.Code == startingUp {
		return errors.New(e.Message)
	}
	return nil
}

// hbaText admits everybody who has a password, and standbys, which the first "all" does not include.
const hbaText = "host all all all scram-sha-256\nhost replication all all scram-sha-256\n"

// makeDir makes a directory that only its user may enter.
func makeDir(path string) error {
	if err := os.MkdirAll(path, 0o700); err != nil {
		return fmt.Errorf("create the directory of the cluster: %w", err)
	}
	return nil
}

// clean returns the environment of the helpers, without variables that point to other servers.
func clean(environ []string) []string {
	var out []string
	for _, e := range environ {
		if !strings.HasPrefix(e, "PG") && !strings.HasPrefix(e, "LC_") && !strings.HasPrefix(e, "LANG") {
			out = append(out, e)
		}
	}
	return append(out, "LC_ALL=C")
}
