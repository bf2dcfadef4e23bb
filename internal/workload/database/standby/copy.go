package standby

import (
	"cmp"
	"context"
	"fmt"
	"time"

	"github.com/jackc/pgx/v5"

	"plimsoll/internal/engine"
	"plimsoll/internal/engine/postgres"
	"plimsoll/internal/record"
	"plimsoll/internal/workload"
	"plimsoll/internal/workload/fault"
	"plimsoll/internal/workload/serveruse"
)

// Copy is a standby that runs on this host, with its use of it. A nil one runs on another host, or there is none.
type Copy struct {
	running *workload.Running
	output  *engine.Output
	meter   *serveruse.Meter
}

// StartCopy starts a standby of a server from a copy of its data.
func StartCopy(ctx context.Context, of postgres.Primary, in engine.Install, s engine.Settings) (*Copy, error) {
	c := &Copy{output: &engine.Output{}}
	s.Output = c.output
	var err error
	if c.running, err = workload.StartEngine(ctx, postgres.Standby{Of: of}, in, s); err != nil {
		return nil, err
	}
	c.meter = serveruse.Begin(func() []serveruse.Server {
		return []serveruse.Server{{Name: postgres.StandbyName, PID: c.PID()}}
	})
	return c, nil
}

// askingIn is the interval in which a standby on another host asks whether its primary is there, and lets it in.
const askingIn = 100 * time.Millisecond

// Reach returns once a server on another host is there, and lets its standby in. Before that it may fill its data, for
// hours: whoever has started both knows whether it still does.
func Reach(ctx context.Context, of postgres.Primary) error {
	for {
		trying, cancel := context.WithTimeout(ctx, arrivesWithin)
		conn, err := pgx.Connect(trying, of.DSN("postgres"))
		cancel()
		if err == nil {
			return conn.Close(ctx)
		}
		if fault.Sleep(ctx, askingIn) != nil {
			return fmt.Errorf("the standby does not reach its primary: %w: %w", cmp.Or(context.Cause(ctx), ctx.Err()), err)
		}
	}
}

// PID returns its first process.
func (c *Copy) PID() int { return c.running.Roots()[0] }

// Gone returns a channel that is closed once it has ended.
func (c *Copy) Gone() <-chan struct{} {
	if c == nil {
		return nil
	}
	return c.running.Gone()
}

// Ended returns an error if it ended before its trial did; who begins the message.
func (c *Copy) Ended(who string) error {
	if c == nil {
		return nil
	}
	return c.running.Ended(who)
}

// withOutput adds what it printed last.
func (c *Copy) withOutput(err error) error {
	if c == nil {
		return err
	}
	return fmt.Errorf("%w%s", err, c.output.Last())
}

// Values returns its use of this host between two instants.
func (c *Copy) Values(from, to int64) []record.Value {
	if c == nil {
		return nil
	}
	c.End()
	return c.meter.Values(from, to)
}

// Tracks returns the series of n steps, likewise.
func (c *Copy) Tracks(start, step int64, n int) []workload.Track {
	if c == nil {
		return nil
	}
	c.End()
	return c.meter.Tracks(start, step, n)
}

// Doubts returns what could not be measured of it.
func (c *Copy) Doubts() []string {
	if c == nil {
		return nil
	}
	return c.meter.Doubts()
}

// End ends the metering. It may be called more than once.
func (c *Copy) End() {
	if c != nil {
		c.meter.End()
	}
}

// Close ends the standby. It may be called more than once.
func (c *Copy) Close() error {
	if c == nil {
		return nil
	}
	c.End()
	return c.running.Close()
}
