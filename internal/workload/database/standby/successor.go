package standby

import (
	"cmp"
	"context"
	"fmt"
	"sync"
	"time"

	"github.com/jackc/pgx/v5"

	"plimsoll/internal/workload/fault"
)

// Successor is the promotion of a standby as clients on another host notice it: one of them asks at a time.
type Successor struct {
	DSN string // leads to whichever server takes writes
	mu  sync.Mutex
}

// Await returns once a server takes writes, or why none does.
func (s *Successor) Await(ctx context.Context) error {
	s.mu.Lock()
	defer s.mu.Unlock()
	ctx, cancel := context.WithTimeoutCause(ctx, promotesWithin,
		fmt.Errorf("no server took writes within %v of the end of the first", promotesWithin))
	defer cancel()
	return reach(ctx, s.DSN, looking)
}

// reach returns once a client is let in, which it tries in that interval.
func reach(ctx context.Context, dsn string, every time.Duration) error {
	for {
		trying, cancel := context.WithTimeout(ctx, arrivesWithin)
		conn, err := pgx.Connect(trying, dsn)
		cancel()
		if err == nil {
			return conn.Close(ctx)
		}
		if fault.Sleep(ctx, every) != nil {
			return fmt.Errorf("%w: %w", cmp.Or(context.Cause(ctx), ctx.Err()), err)
		}
	}
}
