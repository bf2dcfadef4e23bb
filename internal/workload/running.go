package workload

import (
	"context"
	"errors"
	"fmt"
	"time"

	"plimsoll/internal/engine"
)

// stopping is how long a server may take to end.
const stopping = 5 * time.Second

// errStopped is how a server ended that was asked to.
var errStopped = errors.New("it was stopped")

// Running is a server that a driver has started for its trial. A nil one is of a server that is elsewhere, or not started
// yet: it has not ended, and there is nothing to close.
type Running struct {
	engine.Instance
	stop context.CancelFunc
	gone chan struct{}
	why  error // how it ended, once gone is closed
}

// StartEngine starts a server, which the end of ctx ends while it is starting. Afterwards it outlives ctx: Close ends it.
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

// Gone is closed once the server has ended.
func (r *Running) Gone() <-chan struct{} {
	if r == nil {
		return nil
	}
	return r.gone
}

// Ended says that the server ended before its trial did; nil while it runs. who begins the message: "http: the server".
func (r *Running) Ended(who string) error {
	select {
	case <-r.Gone():
		return fmt.Errorf("%s ended in mid-trial: %w", who, r.why)
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
