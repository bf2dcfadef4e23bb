package brokerfault

import (
	"context"
	"errors"
	"fmt"
	"time"

	"plimsoll/internal/workload/fault"
)

// starter starts brokers.
type starter interface {
	// Start starts a broker that is not running, until the context ends, and returns once it listens. Its process is there
	// when await is called, and becomes the broker when that returns.
	Start(ctx context.Context, broker int, await func(context.Context) error) error
}

// The bounds of a fault's parts.
const (
	rejoining = 90 * time.Second // until a broker that listens has all records
	looking   = 50 * time.Millisecond
)

// process is a broker's, made before the window and let go within it.
type process struct {
	broker    int
	begin     chan struct{} // closed to let it go
	listening chan error    // gets one value: it listens, or why it does not
	gone      chan struct{} // closed once Start has returned
	end       context.CancelFunc

	patience time.Duration // with what is to be done once it listens
	beside   func() bool   // whether another fault is under way, which holds this one up; nil: there is none
}

// fork makes the process of a broker, which becomes the broker so long after begin is closed. The broker runs until
// close.
func fork(ctx context.Context, c starter, broker int, after time.Duration) (*process, error) {
	ctx, cancel := context.WithCancel(context.WithoutCancel(ctx))
	p := &process{broker: broker, begin: make(chan struct{}), listening: make(chan error, 1), gone: make(chan struct{}),
		end: cancel, patience: rejoining}
	there := make(chan struct{})
	go func() {
		defer close(p.gone)
		p.listening <- c.Start(ctx, broker, func(ctx context.Context) error {
			close(there)
			select {
			case <-p.begin:
				return fault.Sleep(ctx, after)
			case <-ctx.Done():
				return context.Cause(ctx)
			}
		})
	}()
	select {
	case <-there:
		return p, nil
	case err := <-p.listening:
		cancel()
		return nil, fmt.Errorf("prepare to start broker %d: %w", broker, err)
	}
}

// close ends the broker.
func (p *process) close() {
	p.end()
	<-p.gone
}

// phase is what is waited for after a broker was let go.
type phase struct {
	done  func(context.Context) (bool, error) // looked at until it is true; its errors are passing
	fails string                              // begins the error if the broker does not start
	late  string                              // the error if it is not done in time
}

// await returns once the broker listens and the phase is done; started is called in between.
func (p *process) await(ctx context.Context, ph phase, started func() error) error {
	listening := p.listening
	var late <-chan time.Time
	var last error
	patience := p.patience
	for {
		done, err := ph.done(ctx)
		if err != nil {
			last = err
		} else if done {
			return nil
		}
		select {
		case err := <-listening:
			if err == nil {
				err = started()
			}
			if err != nil {
				return fmt.Errorf("broker %d %s: %w", p.broker, ph.fails, err)
			}
			listening, late = nil, time.After(p.patience)
		case <-late:
			if patience == p.patience && p.beside != nil && p.beside() {
				patience, late = 2*p.patience, time.After(p.patience)
				continue
			}
			return errors.Join(fmt.Errorf("broker %d %s", p.broker, fmt.Sprintf(ph.late, patience)), last)
		case <-time.After(looking):
		case <-ctx.Done():
			return context.Cause(ctx)
		}
	}
}
