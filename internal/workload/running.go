package workload

import (
	"context"
	"errors"
	"fmt"
	"time"

	"plimsoll/internal/engine"
)

// stopping bounds the shutdown of a server.
const stopping = 5 * time.Second

// errStopped is the exit reason of a server that was stopped on request.
var errStopped = errors.New("it was stopped")

// Running is a server that a driver has started for its trial. A nil Running stands for an external server or
// one not started yet: it never ends, and Close does nothing.
type Running struct {
	engine.Instance
	stop context.CancelFunc
	gone chan struct{}
	why  error // exit reason, set before gone is closed
}

// StartEngine starts a server. Cancelling ctx aborts the start; afterwards the server outlives ctx and is
// ended by Close.
func StartEngine(ctx context.Context, e engine.Engine, in engine.Install, s engine.Settings) (*Running, error) {
	running, stop := context.WithCancel(context.WithoutCancel(ctx))
	release := context.AfterFunc(ctx, stop)
	i, err := e.Start(running, in, s)
	release()
	if err != nil {
		stop()
		return nil, err
	}
	r := &Running{Instance: i, stop: stop, gone: make(chan struct{})}
	go func() {
		if r.why = i.Wait(); r.why == nil {
			r.why = errStopped
		}
		close(r.gone)
	}()
	return r, nil
}

// Gone returns a channel that is closed once the server has ended.
func (r *Running) Gone() <-chan struct{} {
	if r == nil {
		return nil
	}
	return r.gone
}

// Ended returns an error if the server ended before its trial did. who begins the message: "http: the
// server".
func (r *Running) Ended(who string) error {
	select {
	case <-r.Gone():
		return fmt.Errorf("%s exited during the run: %w", who, r.why)
	default:
		return nil
	}
}

// Close stops the server. It may be called more than once.
func (r *Running) Close() error {
	if r == nil {
		return nil
	}
	defer r.stop()
	ctx, cancel := context.WithTimeout(context.Background(), stopping)
	defer cancel()
	return r.Stop(ctx)
}
