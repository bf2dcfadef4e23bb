package database

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"maps"
	"net"
	"slices"
	"strings"
	"time"

	"github.com/jackc/pgx/v5"

	"plimsoll/internal/engine"
	"plimsoll/internal/engine/postgres"
	"plimsoll/internal/record"
	"plimsoll/internal/workload"
	"plimsoll/internal/workload/database/standby"
)

// Server is the database server of one trial: our own with a copy of the data, an existing one with our own
// database, or one that another host has started.
type Server struct {
	env      workload.Env
	set      Set
	params   workload.Params
	path     string // directory of its data; "": in the scratch
	clients  int    // connections of the load
	settings engine.Settings
	install  engine.Install
	running  *workload.Running
	instance *postgres.Instance // the same as running
	member   member
	standby  *standby.Copy     // nil: no standby of another host's server runs here
	follower *standby.Follower // nil: it has no standby
	there    bool              // an existing server
	external *external         // our database on it; nil if the data are the user's
	copied   string            // how the data were copied: copied*
	tuner    tuner
	applied  map[string]string // settings that the tuner brought into force
	facts    facts
	dsn      string
	doubts   []string
	watch    watch
	rate     int64 // limit of its disk rates, bytes/s; 0: none
	held     *held // while the limit is in force
}

var (
	_ workload.Server    = (*Server)(nil)
	_ workload.Keyer     = (*Server)(nil)
	_ workload.Doubter   = (*Server)(nil)
	_ workload.Extender  = (*Server)(nil)
	_ workload.Timeliner = (*Server)(nil)
	_ workload.Eventer   = (*Server)(nil)
)

// New returns the server that the values describe, not yet started.
func New(env workload.Env, p workload.Params, set Set) (*Server, error) {
	s := &Server{env: env, params: p, set: set, path: p.Text(ParamPath), clients: set.connections(p, env.Load),
		rate: diskRate(p)}
	switch {
	case env.Target != "" && p.Text(ParamServer) != ServerDSN:
		s.dsn = env.Target
		return s, nil
	case env.Target != "":
		var err error
		s.dsn, err = s.reached()
		return s, err
	case p.Text(ParamServer) == ServerDSN && set.Existing:
		s.there = true
		return s, nil
	case p.Text(ParamServer) == ServerDSN:
		s.there = true
		s.external = &external{set: set, base: s.base(), session: env.Session}
		return s, nil
	}
	params, err := s.resolve(nil)
	s.settings = engine.Settings{Params: params, Port: p.Int(ParamPort), CPUs: env.Work, Environ: env.Environ,
		Enter: env.Enter}
	return s, err
}

// NewServer returns the target's half when other hosts make the load.
func NewServer(env workload.Env, p workload.Params, set Set) (*Server, error) {
	s, err := New(env, p, set)
	if err != nil {
		return nil, err
	}
	s.settings.Host, err = workload.Reachable(set.Name, p.Text(ParamAddress))
	return s, err
}

// engineParams returns the engine's parameters; set takes precedence.
func engineParams(p workload.Params, set record.Params) (engine.Params, error) {
	return engine.ParamsOf(postgres.Engine{}, "", p.Text, set)
}

// resolve returns the engine's parameters, with some of them replaced.
func (s *Server) resolve(other record.Params) (engine.Params, error) {
	params, err := engineParams(s.params, other)
	if err != nil {
		return params, fmt.Errorf("%s: %w", s.set.Name, err)
	}
	return params, nil
}

// Prepare implements workload.Driver, by Start.
func (s *Server) Prepare(ctx context.Context) error {
	_, err := s.Start(ctx)
	return err
}

// Start starts the server with its data, and returns its DSN. A running server is kept.
func (s *Server) Start(ctx context.Context) (string, error) {
	if s.StandsBy() {
		return s.standBy(ctx)
	}
	if s.dsn != "" {
		return s.dsn, nil
	}
	dsn, err := s.begin(ctx)
	if err == nil {
		err = s.ready(ctx, dsn)
	}
	if err != nil {
		return "", fmt.Errorf("%s: %w", s.set.Name, err)
	}
	s.dsn = dsn
	s.watch.begin(ctx, s.dsn, loadName(s.env.Session), s.env.Work)
	return s.dsn, nil
}

func (s *Server) begin(ctx context.Context) (string, error) {
	if s.there && s.params.Text(paramApply) != "" {
		s.tuner = newTuner(s.set.Name, s.params, cmp.Or(s.env.Keep, s.env.Scratch), s.env.Environ)
		var err error
		if s.applied, err = s.tuner.apply(ctx); err != nil {
			return "", err
		}
	}
	switch {
	case s.external != nil:
		return s.external.begin(ctx, s.clients)
	case s.there:
		return existing{s.set, s.base()}.begin(ctx)
	}
	return s.startCopy(ctx)
}

// ready reads the server's properties, checks that all clients can connect, and makes a checkpoint: the time to the
// next one begins here in every trial.
func (s *Server) ready(ctx context.Context, dsn string) error {
	own := ofSessions(s.params)
	c, err := connect(ctx, dsn, own)
	if err != nil {
		return err
	}
	defer c.Close(ctx)
	if err := shows(ctx, c, own); err != nil {
		return err
	}
	if s.facts, err = factsOf(ctx, c, slices.Collect(maps.Keys(own))...); err != nil {
		return err
	}
	if s.there && between(ctx, c) {
		s.doubts = append(s.doubts, "a pooler, a proxy or NAT is between the clients and the server: of a pool's "+
			"connections, "+
			"plimsoll's own, which watches the server, takes one")
	}
	if s.follower != nil {
		s.facts.others-- // its watch has one of those reserved for superusers
	}
	if err := s.facts.enough(s.set.Name, s.clients, s.there); err != nil {
		return err
	}
	if s.there && s.external == nil {
		return nil // others use it, too: its checkpoints come when they would without us
	}
	if _, err := c.Exec(ctx, "checkpoint"); err != nil {
		if !s.there || ctx.Err() != nil {
			return fmt.Errorf("checkpoint before the load: %w", err)
		}
		s.doubts = append(s.doubts, "there was no checkpoint before the load, so one may fall into it: "+err.Error())
	}
	return nil
}

// Checkpoint has the server make a checkpoint and waits for it, so that the time and the log to the next one begin
// anew. It is for after a load that no trial counts, on a server that plimsoll started.
func (s *Server) Checkpoint(ctx context.Context) error {
	c, err := connect(ctx, s.DSN(), nil)
	if err != nil {
		return fmt.Errorf("%s: checkpoint after the load before the trial: %w", s.set.Name, err)
	}
	defer c.Close(ctx)
	if _, err := c.Exec(ctx, "checkpoint"); err != nil {
		return fmt.Errorf("%s: checkpoint after the load before the trial: %w", s.set.Name, err)
	}
	return nil
}

// base returns the DSN that the user has given.
func (s *Server) base() string { return strings.TrimSpace(s.params.Text(ParamDSN)) }

// between reports whether another program's connection reaches the server: it comes from another port than ours.
func between(ctx context.Context, c *pgx.Conn) bool {
	own := 0
	if at, ok := c.PgConn().Conn().LocalAddr().(*net.TCPAddr); ok {
		own = at.Port
	}
	port := own
	if c.QueryRow(ctx, "select greatest(coalesce(inet_client_port(), 0), 0)").Scan(&port) != nil {
		return false // a fork without that function
	}
	return port != own
}

// DSN returns the connection string of the database.
func (s *Server) DSN() string { return s.dsn }

// notices bounds the time until a server's death is noticed.
const notices = time.Second

// Cause returns a client's error, with its cause if the server has ended, or is about to since its standby does not
// follow.
func (s *Server) Cause(err error) error {
	if s.running == nil || err == nil {
		return err
	}
	if why := s.follower.Err(); why != nil { // the server may take long to end
		if errors.Is(err, why) {
			return err
		}
		return errors.Join(s.Verify(context.Background()), err)
	}
	select {
	case <-s.running.Gone():
		return errors.Join(s.Verify(context.Background()), err)
	case <-time.After(notices):
		return err
	}
}

// Verify returns an error if the server or its standby ended before its trial did, or no longer has the settings that
// were applied.
func (s *Server) Verify(ctx context.Context) error {
	if err := cmp.Or(s.follower.Err(), s.standby.Ended("the standby")); err != nil {
		return fmt.Errorf("%s: %w", s.set.Name, err)
	}
	if len(s.applied) == 0 {
		return s.running.Ended(s.set.Name + ": the server")
	}
	now, err := s.tuner.now(ctx, slices.Collect(maps.Keys(s.applied)))
	if err == nil {
		err = differs(s.applied, now)
	}
	if err != nil {
		return fmt.Errorf("%s: the settings after the load: %w", s.set.Name, err)
	}
	return nil
}

// keyData is the trial's key of how its copy of the data was made.
const keyData = record.EnginePrefix + "data"

// Keys returns the server's version, build and settings, and how its data were copied; none if another host has it.
func (s *Server) Keys() map[string]string {
	if s.StandsBy() {
		return s.install.Keys()
	}
	out := s.facts.keys()
	if s.instance != nil {
		maps.Copy(out, s.install.Keys())
		out[keyData] = s.copied
	}
	return out
}

// Doubts returns warnings about the server, and if it could not be watched.
func (s *Server) Doubts() []string {
	if s.StandsBy() {
		return s.standby.Doubts()
	}
	s.watch.end()
	s.follower.End()
	out := slices.Concat(s.doubts, s.watch.doubts, s.follower.Doubts())
	if s.facts.untested() {
		out = append(out, fmt.Sprintf("PostgreSQL %s is untested: tested with version %d only",
			s.facts.version, tested))
	}
	return out
}

// Close stops our own server, or removes our database from an existing one. It may be called more than once.
func (s *Server) Close() error {
	s.watch.end()
	if s.external != nil {
		return s.external.close()
	}
	s.follower.End()
	return errors.Join(s.running.Close(), s.follower.Close(), s.standby.Close(), s.release())
}
