package kafka

import (
	"context"
	"errors"
	"fmt"
	"time"

	"plimsoll/internal/engine"
	broker "plimsoll/internal/engine/kafka"
	"plimsoll/internal/record"
	"plimsoll/internal/workload"
)

// stopping is how long a broker may take to end.
const stopping = 5 * time.Second

// server is a broker that is started for a trial.
type server struct {
	settings engine.Settings
	install  engine.Install
	instance *broker.Instance
	gone     chan struct{} // closed once it has ended
	why      error         // how, once gone is closed
	stop     context.CancelFunc
}

func newServer(env workload.Env, p workload.Params) (*server, error) {
	params, err := engineParams(p)
	if err != nil {
		return nil, err
	}
	return &server{
		gone:     make(chan struct{}),
		settings: engine.Settings{Params: params, Scratch: env.Scratch, CPUs: env.Work, Environ: env.Environ, Enter: env.Enter},
	}, nil
}

// start starts it and says how it is reached.
func (s *server) start(ctx context.Context) (address, error) {
	var err error
	if s.install, err = (broker.Engine{}).Find(ctx, s.settings.Params); err != nil {
		return address{}, err
	}
	// The broker outlives the call that starts it; close ends it.
	running, stop := context.WithCancel(context.WithoutCancel(ctx))
	starting := context.AfterFunc(ctx, stop)
	s.stop = stop
	i, err := (broker.Engine{}).Start(running, s.install, s.settings)
	if err != nil {
		return address{}, err
	}
	starting()
	s.instance = i.(*broker.Instance)
	go func() {
		s.why = errors.Join(s.instance.Wait())
		close(s.gone)
	}()
	secure, err := s.instance.TLS()
	if err != nil {
		return address{}, fmt.Errorf("%s: %w", Name, err)
	}
	return address{seeds: s.instance.Addrs(), tls: secure}, nil
}

// ended says that it ended by itself; nil while it runs.
func (s *server) ended() error {
	select {
	case <-s.gone:
		return fmt.Errorf("%s: the broker ended in mid-trial: %w", Name, s.why)
	default:
		return nil
	}
}

// keys are its versions, and what its runtime says of itself.
func (s *server) keys() map[string]string {
	out := s.install.Keys()
	if s.instance == nil {
		return out
	}
	f := s.instance.Facts()
	if s.settings.Params.Bool(broker.ParamTLS) {
		out["engine.cipher"] = f.Cipher
	}
	return out
}

// close stops it. It may be called more than once.
func (s *server) close() error {
	if s.stop == nil {
		return nil
	}
	defer s.stop()
	if s.instance == nil {
		return nil
	}
	ctx, cancel := context.WithTimeout(context.Background(), stopping)
	defer cancel()
	return s.instance.Stop(ctx)
}

const (
	// heatAuto is the value of heat that leaves it to what is loaded.
	heatAuto = "auto"
	// usualHeat is until the runtime has compiled what a record goes through: the speed of a fresh broker doubled over its first 10 s.
	usualHeat = 10 * time.Second
	// mostHeat bounds the time that no trial measures.
	mostHeat = time.Hour
)

// heatOf is how long a broker is loaded before its trial.
func heatOf(p workload.Params) (time.Duration, error) {
	text := p.Text(paramHeat)
	if text == heatAuto {
		if p.Text(paramBrokers) != "" {
			return 0, nil
		}
		return usualHeat, nil
	}
	s, err := record.ParseDuration(text)
	if d := seconds(s); err == nil && d >= 0 && d <= mostHeat {
		return d, nil
	}
	return 0, fmt.Errorf("%s: %s=%s is not a time up to %v\nhint: --set %s.%s=10s, or %s", Name, paramHeat, text, mostHeat, Name, paramHeat, heatAuto)
}
