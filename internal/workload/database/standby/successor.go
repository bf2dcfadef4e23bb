package standby

import (
	"cmp"
	"context"
	"fmt"
	"sync"

	"github.com/jackc/pgx/v5"

	"plimsoll/internal/workload/fault"
)

// Successor is the promotion of a standby as clients on another host notice it, all of them at once.
type Successor struct {
	DSN  string // leads to whichever server takes writes
	once sync.Once
	err  error
}

// Await returns once a server takes writes, or why none does.
func (s *Successor) Await(ctx context.Context) error {
	s.once.Do(func() { s.err = s.await(ctx) })
	return s.err
}

func (s *Successor) await(ctx context.Context) error {
	ctx, cancel := context.WithTimeoutCause(ctx, promotesWithin, fmt.Errorf("no server took writes within %v of the end of the first", promotesWithin))
	defer cancel()
	for {
		conn, err := pgx.Connect(ctx, s.DSN)
		if err == nil {
			return conn.Close(ctx)
		}
		if ended := fault.Sleep(ctx, looking); ended != nil {
			return cmp.Or(context.Cause(ctx), err)
		}
	}
}
