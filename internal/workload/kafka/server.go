package kafka

import (
	"context"
	"fmt"
	"strconv"
	"time"

	"plimsoll/internal/engine"
	broker "plimsoll/internal/engine/kafka"
	"plimsoll/internal/record"
	"plimsoll/internal/workload"
)

// server is a broker that is started for a trial.
type server struct {
	settings engine.Settings
	scratch  string // the trial's
	path     string // below which it keeps its log; "": in its scratch
	install  engine.Install
	running  *workload.Running
	instance *broker.Instance // of which running is
}

func newServer(env workload.Env, p workload.Params) (*server, error) {
	params, err := engineParams(p)
	if err != nil {
		return nil, err
	}
	return &server{scratch: env.Scratch, path: p.Text(paramPath), settings: engine.Settings{Params: params, Port: p.Int(paramPort), CPUs: env.Work, Environ: env.Environ, Enter: env.Enter}}, nil
}

// start starts it and says how it is reached.
func (s *server) start(ctx context.Context) (address, error) {
	var err error
	if s.install, err = (broker.Engine{}).Find(ctx, s.settings.Params); err != nil {
		return address{}, err
	}
	if s.settings.Scratch, err = workload.PlaceDataDir(Name, s.path, s.scratch); err != nil {
		return address{}, fmt.Errorf("%s: %w", Name, err)
	}
	if s.running, err = workload.StartEngine(ctx, broker.Engine{}, s.install, s.settings); err != nil {
		return address{}, err
	}
	s.instance = s.running.Instance.(*broker.Instance)
	secure, err := s.instance.TLS()
	if err != nil {
		return address{}, fmt.Errorf("%s: %w", Name, err)
	}
	return address{seeds: s.instance.Addrs(), tls: secure}, nil
}

// ended says that it ended by itself; nil while it runs.
func (s *server) ended() error { return full(s.settings.Scratch, s.running.Ended(Name+": the broker")) }

// keyArchive is the trial's key of whether its broker took its classes from an archive, which is a matter of its start alone.
const keyArchive = record.EnginePrefix + "class_archive"

// keys are its versions, and what its runtime says of itself.
func (s *server) keys() map[string]string {
	out := s.install.Keys()
	if s.instance == nil {
		return out
	}
	f := s.instance.Facts()
	out[keyArchive] = strconv.FormatBool(f.Archive)
	if s.settings.Params.Bool(broker.ParamTLS) {
		out[record.EnginePrefix+"cipher"] = f.Cipher
	}
	return out
}

// close stops it. It may be called more than once.
func (s *server) close() error { return s.running.Close() }

// usualHeat is until the runtime has compiled what a record goes through: the speed of a fresh broker doubled over its first 10 s.
const usualHeat = 10 * time.Second

// heatOf is how long a broker is loaded before its trial.
func heatOf(p workload.Params) (time.Duration, error) {
	d, auto, err := workload.HeatOf(Name, p.Text(workload.ParamHeat))
	if auto && !isExternal(p) {
		d = usualHeat
	}
	return d, err
}
