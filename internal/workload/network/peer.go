package network

import (
	"context"
	"errors"
	"fmt"
	"net/netip"
	"os"
	"strconv"

	"golang.org/x/sys/unix"

	"plimsoll/internal/client/netload"
	"plimsoll/internal/engine"
	"plimsoll/internal/record"
	"plimsoll/internal/workload"
)

// peer is the target's end as an engine: a process of this program that listens for those who know its key, and ends
// with the run.
type peer struct {
	key  string
	most int // connections
	tls  bool
}

// Name implements engine.Engine.
func (peer) Name() string { return "network" }

// Doc implements engine.Engine.
func (peer) Doc() string {
	return "the target's end of the workload network, in a process of this program"
}

// Params implements engine.Engine.
func (peer) Params() []record.Param { return nil }

// Find implements engine.Engine.
func (p peer) Find(context.Context, engine.Params) (engine.Install, error) {
	path, err := os.Executable()
	if err != nil {
		return engine.Install{}, fmt.Errorf("%s: find this program: %w", Name, err)
	}
	return engine.Install{Name: p.Name(), Path: path, From: "this program"}, nil
}

// Start implements engine.Engine.
func (p peer) Start(ctx context.Context, in engine.Install, s engine.Settings) (engine.Instance, error) {
	v, err := engine.Launch(ctx, s, func(at netip.AddrPort) (engine.Command, error) {
		c := engine.Command{Engine: p.Name(), Path: in.Path, ParentDeath: unix.SIGKILL,
			// A signal of Go's scheduler would interrupt each wait in the kernel every 10 ms.
			Env:  []string{netload.KeyVariable + "=" + p.key, "GODEBUG=asyncpreemptoff=1"},
			Args: []string{netload.Verb, "-listen", at.String(), "-connections", strconv.Itoa(p.most)}}
		if !p.tls {
			return c, nil
		}
		c.Args = append(c.Args, "-tls", s.Scratch)
		return c, engine.SelfSign(s.Scratch, at.Addr().String())
	})
	if err != nil {
		return nil, err
	}
	return v, nil
}

// server is a peer that is started for a run.
type server struct {
	peer
	settings engine.Settings
	running  *workload.Running
}

// serverOf returns the server of a load; env.Load is the load of all generators, env.Key known to them and to it.
func serverOf(env workload.Env, p workload.Params) *server {
	return &server{
		// A probe of the path may still end while the first connection begins.
		peer: peer{key: env.Key, most: workload.Clients(env.Load, p.Int(paramConnections)) + 1, tls: p.Bool(paramTLS)},
		settings: engine.Settings{Scratch: env.Scratch, Port: p.Int(paramPort), CPUs: env.Work, Environ: env.Environ,
			Enter: env.Enter},
	}
}

// newServer returns the target's half when other hosts make the load.
func newServer(env workload.Env, p workload.Params) (workload.Server, error) {
	if env.Key == "" {
		return nil, errors.New(Name + ": the run has no key by which its hosts know each other")
	}
	s := serverOf(env, p)
	var err error
	s.settings.Host, err = workload.Reachable(Name, p.Text(paramAddress))
	return s, err
}

// Start starts the peer and returns its address.
func (s *server) Start(ctx context.Context) (string, error) {
	in, err := s.Find(ctx, engine.Params{})
	if err != nil {
		return "", err
	}
	if s.running, err = workload.StartEngine(ctx, s.peer, in, s.settings); err != nil {
		return "", fmt.Errorf("%s: %w", Name, err)
	}
	return s.running.Addrs()[0], nil
}

// Verify returns an error if the peer ended before its run did.
func (s *server) Verify(context.Context) error { return s.running.Ended(Name + ": the target's end") }

// Close stops the peer. It may be called more than once.
func (s *server) Close() error { return s.running.Close() }

// aimed implements workload.Spec's Aim.
func aimed(p workload.Params, said []string) (workload.Aim, error) {
	return workload.AimAtOne(Name, p, said)
}
