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

// server is a broker started for a trial.
type server struct {
	settings engine.Settings
	scratch  string // the trial's
	path     string // directory of its log; "": in its scratch
	install  engine.Install
	running  *workload.Running
	instance *broker.Instance // the same as running
}

func newServer(env workload.Env, p workload.Params) (*server, error) {
	params, err := engineParams(p)
	if err != nil {
		return nil, err
	}
	return &server{scratch: env.Scratch, path: p.Text(paramPath),
		settings: engine.Settings{Params: params, Port: p.Int(paramPort), CPUs: env.Work, Environ: env.Environ, Enter: env.Enter}}, nil
}

// start starts the broker and returns its address.
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

// ended returns an error if the broker exited by itself.
func (s *server) ended() error { return full(s.settings.Scratch, s.running.Ended(Name+": the broker")) }

// keyArchive is the trial's key of whether the broker loaded its classes from an archive, which affects only its
// start.
const keyArchive = record.EnginePrefix + "class_archive"

// keys returns the broker's versions, and its runtime's properties.
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

// close stops the broker. It may be called more than once.
func (s *server) close() error { return s.running.Close() }

// usualHeat lasts until the runtime has compiled the path of a record: the speed of a fresh broker doubled over its
// first 10 s.
const usualHeat = 10 * time.Second

// heatOf returns the length of the JIT warm-up of a broker.
func heatOf(p workload.Params) (time.Duration, error) {
	if isExternal(p) {
		return workload.HeatOf(Name, p.Text(record.ParamHeat), 0)
	}
	return workload.HeatOf(Name, p.Text(record.ParamHeat), usualHeat)
}
