package workload_test

import (
	"context"
	"errors"
	"testing"

	"plimsoll/internal/engine"
	"plimsoll/internal/workload"
)

// instance is a server that ends on request: no real one ends at a given moment of its start.
type instance struct {
	engine.Instance
	end     chan error
	running context.Context // that it was started with
}

func (i *instance) Wait() error                { return <-i.end }
func (i *instance) Stop(context.Context) error { close(i.end); return nil }

// starter is an engine whose start is the test's.
type starter struct {
	engine.Engine
	start func(context.Context) (engine.Instance, error)
}

func (s starter) Start(ctx context.Context, _ engine.Install, _ engine.Settings) (engine.Instance, error) {
	return s.start(ctx)
}

// start starts an instance under ctx.
func start(t *testing.T, ctx context.Context) (*workload.Running, *instance) {
	t.Helper()
	i := &instance{end: make(chan error)}
	r, err := workload.StartEngine(ctx, starter{start: func(ctx context.Context) (engine.Instance, error) {
		i.running = ctx
		return i, nil
	}}, engine.Install{}, engine.Settings{})
	if err != nil {
		t.Fatal(err)
	}
	return r, i
}

// TestRunningOutlivesItsStart: only Close ends it.
func TestRunningOutlivesItsStart(t *testing.T) {
	ctx, cancel := context.WithCancel(t.Context())
	r, i := start(t, ctx)
	cancel()
	if err := errors.Join(i.running.Err(), r.Ended("w: the server")); err != nil {
		t.Error(err)
	}
	if err := r.Close(); err != nil || i.running.Err() == nil {
		t.Errorf("%v, and its context: %v", err, i.running.Err())
	}
	<-r.Gone()
	if err := r.Ended("w: the server"); err == nil ||
		err.Error() != "w: the server exited during the run: it was stopped" {
		t.Error(err)
	}
}

func TestRunningThatEnds(t *testing.T) {
	r, i := start(t, t.Context())
	why := errors.New("killed")
	i.end <- why
	<-r.Gone()
	if err := r.Ended("w: the server"); !errors.Is(err, why) ||
		err.Error() != "w: the server exited during the run: killed" {
		t.Error(err)
	}
}

// TestStartThatIsGivenUp: the end of its context ends a start.
func TestStartThatIsGivenUp(t *testing.T) {
	ctx, cancel := context.WithCancel(t.Context())
	r, err := workload.StartEngine(ctx, starter{start: func(ctx context.Context) (engine.Instance, error) {
		cancel()
		<-ctx.Done()
		return nil, ctx.Err()
	}}, engine.Install{}, engine.Settings{})
	if r != nil || !errors.Is(err, context.Canceled) {
		t.Errorf("%v, %v", r, err)
	}
}

// TestNothingRuns: a server that was never started has not ended.
func TestNothingRuns(t *testing.T) {
	var r *workload.Running
	if err := errors.Join(r.Ended("w: the server"), r.Close()); err != nil || r.Gone() != nil {
		t.Error(err)
	}
}
