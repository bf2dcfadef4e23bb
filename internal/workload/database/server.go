package database

import (
	"context"
	"errors"
	"fmt"
	"time"

	"github.com/jackc/pgx/v5"

	"plimsoll/internal/engine"
	"plimsoll/internal/engine/postgres"
	"plimsoll/internal/record"
	"plimsoll/internal/workload"
)

// stopping is how long a server may take to end.
const stopping = 5 * time.Second

// Server is the database server of one trial.
type Server struct {
	env      workload.Env
	set      Set
	settings engine.Settings
	install  engine.Install
	instance *postgres.Instance
	dsn      string
	ended    chan error // how the server ended, once it has
	stop     context.CancelFunc
	watch    watch
}

// New is the server that the values ask for; nothing is started yet.
func New(env workload.Env, p workload.Params, set Set) (*Server, error) {
	params, err := engineParams(p, set.Name)
	if err != nil {
		return nil, err
	}
	return &Server{
		env: env, set: set, ended: make(chan error, 1),
		settings: engine.Settings{Params: params, Scratch: env.Scratch, CPUs: env.Work, Environ: env.Environ, Enter: env.Enter},
	}, nil
}

func engineParams(p workload.Params, name string) (engine.Params, error) {
	own := record.Params{}
	for _, d := range (postgres.Engine{}).Params() {
		if v := p.Text(d.Name); v != "" && d.Name != postgres.ParamCluster {
			own[d.Name] = v
		}
	}
	params, err := engine.Resolve(postgres.Engine{}, own)
	if err != nil {
		return params, fmt.Errorf("%s: %w", name, err)
	}
	return params, nil
}

// Start starts the server and fills its database, and returns how to connect.
func (s *Server) Start(ctx context.Context) (string, error) {
	var err error
	if s.settings.Output, err = s.watch.listen(); err != nil {
		return "", err
	}
	if s.install, err = (postgres.Engine{}).Find(ctx, s.settings.Params); err != nil {
		return "", err
	}
	// The server outlives the call that starts it; Close ends it.
	running, stop := context.WithCancel(context.WithoutCancel(ctx))
	starting := context.AfterFunc(ctx, stop)
	s.stop = stop
	instance, err := (postgres.Engine{}).Start(running, s.install, s.settings)
	if err != nil {
		return "", fmt.Errorf("%s: %w", s.set.Name, err)
	}
	starting()
	s.instance = instance.(*postgres.Instance)
	go func() { s.ended <- s.instance.Wait() }()
	return s.fill(ctx)
}

func (s *Server) fill(ctx context.Context) (string, error) {
	c, err := pgx.Connect(ctx, s.instance.DSN("postgres"))
	if err != nil {
		return "", fmt.Errorf("%s: %w", s.set.Name, err)
	}
	defer c.Close(ctx)
	if _, err := c.Exec(ctx, "create database "+s.set.Name); err != nil {
		return "", fmt.Errorf("%s: %w", s.set.Name, err)
	}
	s.dsn = s.instance.DSN(s.set.Name)
	if err := s.set.Fill(ctx, s.dsn, 2); err != nil {
		return "", fmt.Errorf("%s: fill the database: %w", s.set.Name, err)
	}
	if s.set.Check != nil {
		if err := s.set.Check(ctx, s.dsn); err != nil {
			return "", fmt.Errorf("%s: %w", s.set.Name, err)
		}
	}
	if _, err := c.Exec(ctx, "checkpoint"); err != nil {
		return "", fmt.Errorf("%s: %w", s.set.Name, err)
	}
	s.watch.begin(ctx, s.dsn, s.env.Work)
	return s.dsn, nil
}

// DSN is how to connect to the database.
func (s *Server) DSN() string { return s.dsn }

// Verify tells a server that ended before its trial did.
func (s *Server) Verify(context.Context) error {
	select {
	case err := <-s.ended:
		s.ended <- err
		return fmt.Errorf("%s: the server ended in mid-trial: %w", s.set.Name, errors.Join(err))
	default:
		return nil
	}
}

// Keys are the server's versions.
func (s *Server) Keys() map[string]string { return s.install.Keys() }

// Close stops the server. It may be called more than once.
func (s *Server) Close() error {
	s.watch.end()
	if s.instance == nil {
		return nil
	}
	ctx, cancel := context.WithTimeout(context.Background(), stopping)
	defer cancel()
	err := s.instance.Stop(ctx)
	s.stop()
	return err
}
