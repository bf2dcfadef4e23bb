// Package postgres is the engine `postgres`: a PostgreSQL server of the system's own programs, with a data directory,
// a port, a user and processes of ours beside whatever runs there.
package postgres

import (
	"context"
	"fmt"
	"net"
	"net/netip"
	"net/url"
	"os"
	"path/filepath"
	"strings"
	"time"

	"golang.org/x/sys/unix"

	"plimsoll/internal/engine"
	"plimsoll/internal/record"
)

const (
	name = "postgres"
	// superuser is the role that owns a cluster of ours.
	superuser = "postgres"
)

// Engine is the engine `postgres`.
type Engine struct{}

// Name is as engine.Engine has it.
func (Engine) Name() string { return name }

// Doc is as engine.Engine has it.
func (Engine) Doc() string { return "the database server PostgreSQL, 13 and newer" }

// The parameters.
const (
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

// Params is as engine.Engine has it.
func (Engine) Params() []record.Param {
	return []record.Param{
		{Name: ParamBin, Minor: true, Kind: record.Text, Phase: record.Server,
			Doc: "directory of the server's programs; by default PATH's, else the newest of the distribution's"},
		{Name: ParamPreset, Kind: record.Enum, Default: PresetStock, Choices: []string{PresetStock, PresetPercona}, Phase: record.Server,
			Doc: "settings to begin with: stock as a new cluster has them, percona as in Percona's evaluation of m6gd, " +
				"scaled from its 128 GiB to this machine's memory"},
		{Name: ParamSettings, Kind: record.Text, Phase: record.Server, Doc: "further settings, one a line: name = value; they win over the preset's"},
		{Name: ParamChecksums, Kind: record.Bool, Default: "false", Phase: record.Server, Doc: "data pages have checksums"},
		{Name: ParamCluster, Minor: true, Kind: record.Text, Phase: record.Server,
			Doc: "directory of a cluster of ours, which is used in place; by default a new one is made in the scratch directory"},
	}
}

// Check is as engine.Checker has it.
func (Engine) Check(p engine.Params) error {
	_, err := parseSettings(p.Text(ParamSettings))
	return err
}

// Setup is as engine.Setup has it.
func (Engine) Setup(context.Context) ([]engine.Step, error) {
	return engine.InstallPackages(name, engine.Package{Apt: "postgresql", Dnf: "postgresql-server", Apk: "postgresql"})
}

// Instance is a server that runs.
type Instance struct {
	*engine.Server
	cluster string
	secret  string
}

// DSN is how clients connect to one of its databases, as a URL.
func (i *Instance) DSN(database string) string {
	u := url.URL{Scheme: "postgres", User: url.UserPassword(superuser, i.secret), Host: i.Addrs()[0], Path: database, RawQuery: "sslmode=disable"}
	return u.String()
}

// Cluster is the directory of its cluster.
func (i *Instance) Cluster() string { return i.cluster }

// shutWithin is how long a server has to write what it holds in memory.
const shutWithin = 10 * time.Minute

// Shut stops it so that its cluster is whole on disk, and can be copied.
func (i *Instance) Shut(ctx context.Context) error { return i.StopBy(ctx, unix.SIGINT, shutWithin) }

// Start is as engine.Engine has it. The Instance is a *Instance.
func (Engine) Start(ctx context.Context, in engine.Install, s engine.Settings) (engine.Instance, error) {
	c, err := newCluster(ctx, in, s)
	if err != nil {
		return nil, fmt.Errorf("%s: %w", name, err)
	}
	v, err := engine.Launch(ctx, s, func(at netip.AddrPort) (engine.Command, error) {
		args, err := arguments(c, s.Params, at)
		return engine.Command{
			Engine: name, Path: filepath.Join(in.Path, "postgres"), Args: args, As: c.as, Env: []string{"LC_ALL=C"},
			// Both at once and without writing what is in memory: the scratch directory is thrown away. It ends its own processes.
			ParentDeath: unix.SIGQUIT, Interrupt: unix.SIGQUIT,
		}, err
	})
	if err != nil {
		return nil, err
	}
	i := &Instance{Server: v, cluster: c.dir, secret: c.secret}
	if err := c.accepts(ctx, i); err != nil {
		_ = i.Stop(context.WithoutCancel(ctx))
		return nil, fmt.Errorf("%s: %w", name, err)
	}
	return i, nil
}

// arguments are the command line: what we need, last, so that it wins.
func arguments(c cluster, p engine.Params, at netip.AddrPort) ([]string, error) {
	all, err := effective(p)
	if err != nil {
		return nil, err
	}
	args := []string{"-D", c.data(), "-c", "log_checkpoints=on"} // from 15 on the default
	for _, s := range append(all,
		setting{"listen_addresses", at.Addr().String()},
		setting{"port", fmt.Sprint(at.Port())},
		setting{"unix_socket_directories", ""},
		setting{"hba_file", c.hba()},
		setting{"logging_collector", "off"},
		setting{"log_destination", "stderr"},
		setting{"ssl", "off"},
	) {
		args = append(args, "-c", s.name+"="+s.value)
	}
	return args, nil
}

// acceptsWithin is how long a server may take until it lets clients in, once it listens.
const acceptsWithin = time.Minute

// accepts waits until the server lets clients in: it listens while it is still starting up.
func (c cluster) accepts(ctx context.Context, i *Instance) error {
	host, port, err := net.SplitHostPort(i.Addrs()[0])
	if err != nil {
		return err
	}
	ready := c.tool("pg_isready", time.Second*10, "-q", "-h", host, "-p", port)
	for deadline := time.Now().Add(acceptsWithin); ; time.Sleep(20 * time.Millisecond) {
		_, err := ready.Run(ctx)
		if err == nil || ctx.Err() != nil {
			return err
		}
		if time.Now().After(deadline) {
			return fmt.Errorf("it lets no client in, %v after it listened: %w", acceptsWithin, err)
		}
	}
}

// hbaText lets in whom the password is known to.
const hbaText = "host all all all scram-sha-256\n"

// makeDir makes a directory that only its user may enter.
func makeDir(path string) error {
	if err := os.MkdirAll(path, 0o700); err != nil {
		return fmt.Errorf("make the directory of the cluster: %w", err)
	}
	return nil
}

// clean is the environment of the helpers: without what would lead them to other servers.
func clean(environ []string) []string {
	var out []string
	for _, e := range environ {
		if !strings.HasPrefix(e, "PG") && !strings.HasPrefix(e, "LC_") && !strings.HasPrefix(e, "LANG") {
			out = append(out, e)
		}
	}
	return append(out, "LC_ALL=C")
}
