package database

import (
	"context"
	"errors"
	"fmt"
	"maps"
	"strings"
	"time"

	"plimsoll/internal/engine"
	"plimsoll/internal/engine/postgres"
	"plimsoll/internal/record"
	"plimsoll/internal/workload"
)

// Server is the database server of one trial: one of our own with a copy of the data, a database of our own on one that is there, or
// one that another host has started.
type Server struct {
	env      workload.Env
	set      Set
	params   workload.Params
	path     string // where its data lie; "": in the scratch directory
	clients  int    // connections of the load
	settings engine.Settings
	install  engine.Install
	running  *workload.Running
	instance *postgres.Instance // of which running is
	external *external          // nil but for server=dsn
	copied   string             // how the data were copied: copied*
	facts    facts
	dsn      string
	doubts   []string
	watch    watch
	rate     int64 // at which its disk is held back, bytes a second; 0: not
	held     *held // while it is
}

var (
	_ workload.Server  = (*Server)(nil)
	_ workload.Keyer   = (*Server)(nil)
	_ workload.Doubter = (*Server)(nil)
)

// New is the server that the values ask for; nothing is started yet.
func New(env workload.Env, p workload.Params, set Set) (*Server, error) {
	s := &Server{env: env, params: p, set: set, path: p.Text(ParamPath), clients: connections(p, env.Load), rate: diskRate(p)}
	switch {
	case env.Target != "":
		s.dsn = env.Target
		return s, nil
	case p.Text(ParamServer) == ServerDSN:
		s.external = &external{set: set, base: strings.TrimSpace(p.Text(ParamDSN)), session: env.Session}
		return s, nil
	}
	params, err := s.resolve(nil)
	s.settings = engine.Settings{Params: params, Port: p.Int(ParamPort), CPUs: env.Work, Environ: env.Environ, Enter: env.Enter}
	return s, err
}

// NewServer is the target's half where other hosts make the load.
func NewServer(env workload.Env, p workload.Params, set Set) (*Server, error) {
	s, err := New(env, p, set)
	if err != nil {
		return nil, err
	}
	s.settings.Host, err = workload.Reachable(set.Name, p.Text(ParamAddress))
	return s, err
}

// engineParams are what of the values is the engine's; set wins over them.
func engineParams(p workload.Params, set record.Params) (engine.Params, error) {
	return engine.ParamsOf(postgres.Engine{}, "", p.Text, set)
}

// resolve is what is asked of the engine, with some values in the place of others.
func (s *Server) resolve(other record.Params) (engine.Params, error) {
	params, err := engineParams(s.params, other)
	if err != nil {
		return params, fmt.Errorf("%s: %w", s.set.Name, err)
	}
	return params, nil
}

// Prepare is as workload.Driver has it: Start of a driver's own.
func (s *Server) Prepare(ctx context.Context) error {
	_, err := s.Start(ctx)
	return err
}

// Start starts the server with its data, and returns how to connect. A server that runs stays.
func (s *Server) Start(ctx context.Context) (string, error) {
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
	s.watch.begin(ctx, s.dsn, s.env.Work)
	return s.dsn, nil
}

func (s *Server) begin(ctx context.Context) (string, error) {
	if s.external != nil {
		return s.external.begin(ctx, s.clients)
	}
	return s.startCopy(ctx)
}

// ready learns what the server is, finds out whether all can connect, and has it write what it holds: the time to its next checkpoint
// begins here in every trial.
func (s *Server) ready(ctx context.Context, dsn string) error {
	c, err := Connect(ctx, dsn)
	if err != nil {
		return err
	}
	defer c.Close(ctx)
	if s.facts, err = factsOf(ctx, c); err != nil {
		return err
	}
	if err := s.facts.enough(s.set.Name, s.clients, s.external != nil); err != nil {
		return err
	}
	if _, err := c.Exec(ctx, "checkpoint"); err != nil {
		if s.external == nil || ctx.Err() != nil {
			return fmt.Errorf("checkpoint before the load: %w", err)
		}
		s.doubts = append(s.doubts, "no checkpoint was made before the load, so that one may fall into it: "+err.Error())
	}
	return nil
}

// DSN is how to connect to the database.
func (s *Server) DSN() string { return s.dsn }

// notices is how long a server that has died may take to be missed.
const notices = time.Second

// Cause is the error of a client, with the server's own end as its cause where it has ended.
func (s *Server) Cause(err error) error {
	if s.running == nil || err == nil {
		return err
	}
	select {
	case <-s.running.Gone():
		return errors.Join(s.Verify(context.Background()), err)
	case <-time.After(notices):
		return err
	}
}

// Verify tells a server that ended before its trial did.
func (s *Server) Verify(context.Context) error { return s.running.Ended(s.set.Name + ": the server") }

// keyData is the trial's key of how its copy of the data was made.
const keyData = record.EnginePrefix + "data"

// Keys are the server's version, build and settings, and how its data were copied; none where another host has it.
func (s *Server) Keys() map[string]string {
	out := s.facts.keys()
	if s.instance != nil {
		maps.Copy(out, s.install.Keys())
		out[keyData] = s.copied
	}
	return out
}

// Doubts are what is to be said against the server.
func (s *Server) Doubts() []string {
	out := append([]string(nil), s.doubts...)
	if s.facts.untested() {
		out = append(out, fmt.Sprintf("PostgreSQL %s: tested with version %d only", s.facts.version, tested))
	}
	if s.external != nil {
		out = append(out, "the server's CPU use is not known")
	}
	return out
}

// Close stops the server, and removes what is ours of one that is there. It may be called more than once.
func (s *Server) Close() error {
	s.watch.end()
	if s.external != nil {
		return s.external.close()
	}
	return errors.Join(s.running.Close(), s.release())
}
