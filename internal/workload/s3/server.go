package s3

import (
	"context"
	"fmt"

	"plimsoll/internal/engine"
	store "plimsoll/internal/engine/minio"
	"plimsoll/internal/workload"
)

// server is a store started for a trial.
type server struct {
	settings engine.Settings
	scratch  string // the trial's
	path     string // directory of its drives; "": in its scratch
	install  engine.Install
	running  *workload.Running
	instance *store.Instance // the same as running
}

func newServer(env workload.Env, p workload.Params) (*server, error) {
	params, err := engineParams(p)
	if err != nil {
		return nil, err
	}
	return &server{scratch: env.Scratch, path: p.Text(paramPath), settings: engine.Settings{Params: params,
		Threads: p.Int(paramServerCPUs), CPUs: env.Work, Environ: env.Environ, Enter: env.Enter}}, nil
}

// start starts the store.
func (s *server) start(ctx context.Context) (err error) {
	if s.install, err = (store.Engine{}).Find(ctx, s.settings.Params); err != nil {
		return err
	}
	if s.settings.Scratch, err = workload.PlaceDataDir(Name, s.path, s.scratch); err != nil {
		return fmt.Errorf("%s: %w", Name, err)
	}
	if s.running, err = workload.StartEngine(ctx, store.Engine{}, s.install, s.settings); err != nil {
		return fmt.Errorf("%s: %w", Name, err)
	}
	s.instance, _ = s.running.Instance.(*store.Instance)
	return nil
}

// erasureSet returns the data and parity shards of an object, as 2+2; "" without parity.
func (s *server) erasureSet() string {
	drives, parity := s.settings.Params.Int(store.ParamDrives), parityOf(s.settings.Params)
	if parity < 1 {
		return ""
	}
	return fmt.Sprintf("%d+%d", drives-parity, parity)
}

// parityOf returns the parity shards of an object.
func parityOf(p engine.Params) int {
	if n := p.Int(store.ParamParity); n >= 0 {
		return n
	}
	return store.UsualParity(p.Int(store.ParamDrives))
}

// ended returns an error if the store ended before its trial did.
func (s *server) ended() error { return s.running.Ended(Name + ": the store") }

// close stops the store. It may be called more than once.
func (s *server) close() error { return s.running.Close() }
