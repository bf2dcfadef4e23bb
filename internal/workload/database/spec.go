// Package database is the common part of the workloads that load PostgreSQL: its data, copies of them, and the server's
// activity during a trial.
package database

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"maps"
	"os"
	"slices"
	"strings"

	"github.com/jackc/pgx/v5"

	"plimsoll/internal/base/secret"
	"plimsoll/internal/engine"
	"plimsoll/internal/engine/postgres"
	"plimsoll/internal/machine/forecast"
	"plimsoll/internal/record"
	"plimsoll/internal/workload"
)

// Complete adds the common part of database workloads to a Spec; set returns the data for given values.
func Complete(s workload.Spec, set func(workload.Params) Set) workload.Spec {
	s.Needs, s.Serves, s.Clusters = []string{(postgres.Engine{}).Name()}, true, true
	s.Metrics = append(s.Metrics, record.PacketMetrics("transaction")...)
	s.Charge, s.Waits, s.Keeps = workload.Started, true, true
	s.Lanes, s.Split = Lanes, Split
	s.Cost = func(p workload.Params, l record.LoadPoint, m record.Machine) forecast.Cost {
		return costOf(p, l, m, set(p))
	}
	s.Path = func(p workload.Params) (string, bool) { return p.Text(ParamPath), p.Text(ParamServer) != ServerDSN }
	s.Runs = func(p workload.Params) workload.Runs {
		if p.Text(ParamServer) == ServerDSN {
			return workload.External
		}
		return workload.Programs
	}
	own := s.Check
	s.Check = func(p workload.Params, m record.Machine) error {
		if own != nil {
			if err := own(p, m); err != nil {
				return err
			}
		}
		return cmp.Or(Check(s.Name, p), checkCluster(s.Name, p, m))
	}
	name := s.Name
	s.Restore = func(ctx context.Context, p workload.Params, keep string) error {
		if p.Text(paramApply) == "" {
			return nil
		}
		return newTuner(name, p, keep, os.Environ()).restore(ctx)
	}
	s.There = found
	s.Aim = aimed(name)
	s.PreflightClients = true // each takes a connection of the server's
	s.Preflight = func(ctx context.Context, p workload.Params, dir string) error { return Preflight(ctx, p, dir, set(p)) }
	return s
}

// Lanes returns one lane for each client of the load.
func Lanes(p workload.Params, l record.LoadPoint, _ int) int { return clientsOf(p, l) }

// Split reports whether server and clients have CPUs of their own.
func Split(p workload.Params) bool {
	return p.Text(record.ParamCPUSets) == record.CPUsSplit && p.Text(ParamServer) != ServerDSN
}

// connections returns the number of the load's connections: in a closed loop one per client, or a pool's. Without a
// load it is that of the parameters.
func (s Set) connections(p workload.Params, l record.LoadPoint) int {
	if s.Pool > 0 {
		return min(s.Pool, clientsOf(p, l))
	}
	return clientsOf(p, l)
}

// PasswordIn reports whether a DSN contains a password, rather than a reference to one.
func PasswordIn(dsn string) bool { return len(secret.Keys(dsn)) == 0 && holdsPassword(dsn) }

// clientsOf returns the number of clients, each of which has a connection unless they share a pool.
func clientsOf(p workload.Params, l record.LoadPoint) int {
	if l.Kind == "" && p.Number(record.ParamRate) == 0 {
		return p.Int(record.ParamClients)
	}
	return workload.Clients(l, p.Int(ParamConnections))
}

// Check returns an error if values of a workload of that name conflict.
func Check(name string, p workload.Params) error {
	there, dsn := p.Text(ParamServer) == ServerDSN, p.Set(ParamDSN)
	switch {
	case there && dsn == "":
		return fmt.Errorf("%s: server=%s without a DSN\nhint: --set "+
			"%s.%s=postgres://USER@HOST:PORT/DATABASE", name, ServerDSN, name, ParamDSN)
	case there && PasswordIn(dsn):
		return fmt.Errorf("%s: the DSN contains a password, which sessions would record\nhint: use PGPASSWORD, "+
			"~/.pgpass, a service file (service=NAME) or ${NAME} instead", name)
	case there:
		if _, err := postgres.Named(p.Text(postgres.ParamSettings)); err != nil {
			return fmt.Errorf("%s: %w", name, err)
		}
		return nil
	}
	params, err := engineParams(p, nil)
	if err == nil {
		_, err = postgres.MaxConnections(params)
	}
	if err == nil {
		err = checkStandby(name, p, params)
	}
	if err != nil {
		return fmt.Errorf("%s: %w", name, err)
	}
	return nil
}

// checkCluster returns an error for a cluster of several hosts that is no server with its standby.
func checkCluster(name string, p workload.Params, m record.Machine) error {
	switch {
	case m.Hosts < 2:
		return nil
	case p.Text(ParamServer) == ServerDSN:
		return fmt.Errorf("%s: --cluster applies only to servers started by plimsoll\nhint: leave it out: the machine "+
			"behind a DSN is one target", name)
	case m.Hosts > 2:
		return fmt.Errorf("%s: a cluster is a server and its standby, each on a host, and this one has %d hosts\nhint: "+
			"--cluster NAME=HOST,HOST",
			name, m.Hosts)
	}
	return nil
}

func hasStandby(p workload.Params) bool { return p.Text(ParamStandby) != StandbyOff }

// finder returns the engine with the programs that a trial needs.
func finder(p workload.Params) engine.Engine {
	if hasStandby(p) {
		return postgres.Standby{}
	}
	return postgres.Engine{}
}

// checkStandby returns an error if a server started with these values could not have the standby.
func checkStandby(name string, p workload.Params, params engine.Params) error {
	if !hasStandby(p) {
		return nil
	}
	mode := fmt.Sprintf("%s=%s", ParamStandby, p.Text(ParamStandby))
	if diskRate(p) > 0 {
		return fmt.Errorf("%s: %s limits the disk of one server, and not its standby's\nhint: leave out one of them", mode,
			ParamDiskRate)
	}
	if err := postgres.CheckStandby(params, p.Text(ParamStandby) == StandbySync); err != nil {
		return fmt.Errorf("%s: %w\nhint: leave the setting out, or --set %s.%s=%s", mode, err, name, ParamStandby, StandbyOff)
	}
	return nil
}

// Preflight runs on the target and returns an error if the workload cannot run there. It leaves nothing behind. dir
// is the trial's future scratch.
func Preflight(ctx context.Context, p workload.Params, dir string, set Set) error {
	check := preflightLocal
	if p.Text(ParamServer) == ServerDSN {
		check = preflightExternal
	}
	if err := check(ctx, p, dir, set); err != nil {
		return fmt.Errorf("%s: %w", set.Name, err)
	}
	return nil
}

func preflightLocal(ctx context.Context, p workload.Params, dir string, set Set) error {
	params, err := engineParams(p, nil)
	if err != nil {
		return err
	}
	if _, err := finder(p).Find(ctx, params); err != nil {
		return err
	}
	most, err := postgres.MaxConnections(params)
	if err != nil {
		return err
	}
	if err := (facts{max: most, reserved: postgres.StockReserved}).enough(set.Name, set.connections(p, record.LoadPoint{}),
		false); err != nil {
		return err
	}
	if dir, err = workload.CheckDataDir(set.Name, p.Text(ParamPath), dir); err != nil {
		return err
	}
	if err := postgres.Reaches(dir); err != nil {
		return err
	}
	need := set.Bytes + clusterBytes
	if !clones(dir, dir) {
		need += set.Bytes
	}
	if hasStandby(p) && p.Hosts() < 2 { // else the other host has it
		need += set.Bytes + clusterBytes
	}
	if err := room(dir, need, "the data and a copy of them take about"); err != nil {
		return fmt.Errorf("%w\nhint: --set %s.%s=DIRECTORY on a disk with more room", err, set.Name, ParamPath)
	}
	return checkRate(set.Name, dir, diskRate(p))
}

// oldest is the first major version with everything that we query.
const oldest = 13

func preflightExternal(ctx context.Context, p workload.Params, _ string, set Set) error {
	c, err := Connect(ctx, strings.TrimSpace(p.Text(ParamDSN)))
	if err != nil {
		return err
	}
	defer c.Close(context.WithoutCancel(ctx))
	f, err := factsOf(ctx, c)
	if err != nil {
		return err
	}
	if f.major < oldest {
		return fmt.Errorf("the server is PostgreSQL %s, older than %d\nhint: use a newer one", f.version, oldest)
	}
	if err := preflightSettings(ctx, c, p); err != nil {
		return err
	}
	if set.Existing {
		if err := set.preflight(ctx, c); err != nil {
			return err
		}
		return f.enough(set.Name, set.connections(p, record.LoadPoint{}), true)
	}
	var may bool
	if err := c.QueryRow(ctx, "select rolcreatedb or rolsuper from pg_roles where rolname = current_user").
		Scan(&may); err != nil {
		return fmt.Errorf("read the role's privileges: %w", err)
	}
	if !may {
		return errors.New("the role may not create a database\nhint: alter role … createdb")
	}
	return f.enough(set.Name, set.connections(p, record.LoadPoint{}), true)
}

// preflightSettings returns an error if the server lacks one of the settings.
func preflightSettings(ctx context.Context, c *pgx.Conn, p workload.Params) error {
	wanted, err := postgres.Named(p.Text(postgres.ParamSettings))
	if err != nil || len(wanted) == 0 {
		return err
	}
	names := slices.Sorted(maps.Keys(wanted))
	now, err := settingsOf(ctx, c, names)
	if err != nil {
		return err
	}
	if err := known(names, now); err != nil || p.Text(paramApply) != "" {
		return err
	}
	return preflightSessions(ctx, strings.TrimSpace(p.Text(ParamDSN)), wanted, now)
}

// clusterBytes is the approximate size of an empty cluster with its write-ahead log.
const clusterBytes = 256 << 20

// room returns an error if so many bytes would leave too little free; what begins the message.
func room(dir string, bytes int64, what string) error {
	space, err := workload.SpaceIn(dir)
	if err != nil {
		return err
	}
	return fits(dir, bytes, space, what)
}

func fits(dir string, bytes int64, space workload.Space, what string) error {
	if bytes <= space.Usable() {
		return nil
	}
	return fmt.Errorf("%w in %s: %s %s, and of %s free %s stay free",
		workload.ErrNoSpace, dir, what, workload.Gigabytes(bytes), workload.Gigabytes(space.Free),
		workload.Gigabytes(space.Left()))
}
