package web

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"strconv"
	"time"

	"plimsoll/internal/engine"
	"plimsoll/internal/record"
	"plimsoll/internal/workload"
)

// stopping is how long a server may take to end.
const stopping = 5 * time.Second

// server is an engine that is started for a trial.
type server struct {
	env      workload.Env
	engine   engine.Engine
	settings engine.Settings
	install  engine.Install
	instance engine.Instance
	secure   bool
	ended    chan error // how the server ended, once it has
	stop     context.CancelFunc
}

// newServer is the target's half where other hosts make the load.
func newServer(env workload.Env, p workload.Params) (workload.Server, error) {
	s, err := serverOf(env, p)
	if err != nil {
		return nil, err
	}
	s.settings.Host, err = workload.Reachable(Name, p.Text(paramAddress))
	return s, err
}

func serverOf(env workload.Env, p workload.Params) (*server, error) {
	e, _, err := engineOf(p)
	if err != nil {
		return nil, err
	}
	own := paramsFor(e, p)
	if slices.ContainsFunc(e.Params(), func(d record.Param) bool { return d.Name == engine.ParamSeed }) {
		// One seed for all trials would give all of them the same chance.
		own[engine.ParamSeed] = strconv.FormatUint(env.Seed%engine.MaxSeed, 10)
	}
	params, err := engine.Resolve(e, own)
	if err != nil {
		return nil, fmt.Errorf("%s: %w", Name, err)
	}
	return &server{
		env: env, engine: e, secure: p.Bool(engine.ParamTLS), ended: make(chan error, 1),
		settings: engine.Settings{
			Params: params, Scratch: env.Scratch, Port: p.Int(paramPort), Threads: p.Int(paramServerCPUs), CPUs: env.Work, Environ: env.Environ, Enter: env.Enter,
		},
	}, nil
}

// Start starts the server and returns its URL without a path.
func (s *server) Start(ctx context.Context) (string, error) {
	var err error
	if s.install, err = s.engine.Find(ctx, s.settings.Params); err != nil {
		return "", err
	}
	// The server outlives the call that starts it; Close ends it.
	running, stop := context.WithCancel(context.WithoutCancel(ctx))
	starting := context.AfterFunc(ctx, stop)
	s.stop = stop
	if s.instance, err = s.engine.Start(running, s.install, s.settings); err != nil {
		return "", fmt.Errorf("%s: %w", Name, err)
	}
	starting()
	go func() { s.ended <- s.instance.Wait() }()
	scheme := "http"
	if s.secure {
		scheme = "https"
	}
	return scheme + "://" + s.instance.Addrs()[0], nil
}

// Verify tells a server that ended before its trial did.
func (s *server) Verify(context.Context) error {
	select {
	case err := <-s.ended:
		s.ended <- err
		return fmt.Errorf("%s: the server ended in mid-trial: %w", Name, errors.Join(err))
	default:
		return nil
	}
}

// Close stops the server. It may be called more than once.
func (s *server) Close() error {
	if s.instance == nil {
		return nil
	}
	ctx, cancel := context.WithTimeout(context.Background(), stopping)
	defer cancel()
	err := s.instance.Stop(ctx)
	s.stop()
	return err
}

// Keys are the versions of the server and of what it runs on.
func (s *server) Keys() map[string]string { return s.install.Keys() }
