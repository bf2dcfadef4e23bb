package pgload

import (
	"context"
	"fmt"
	"net"
	"sync/atomic"
	"time"

	"github.com/jackc/pgx/v5/pgconn"

	"plimsoll/internal/client/load"
)

// ConnectWithin bounds the time to connect, with the login.
const ConnectWithin = 10 * time.Second

// Silent is the error of a server, or of a pooler before it, that accepts a connection and does not go on to answer.
type Silent struct{ Within time.Duration }

func (s Silent) Error() string {
	return fmt.Sprintf("%v within %v\nhint: if a pooler is there, has it a connection to the server for each client "+
		"(PgBouncer: pool_size, max_client_conn)? Else the server, or what is before it, is stuck", load.ErrSilent, s.Within)
}

// Timeout reports that it is one, as net.Error has it.
func (Silent) Timeout() bool { return true }

// Watched knows whether somebody accepted a configuration's connection.
type Watched struct {
	within   time.Duration
	accepted bool
}

// Watch makes a configuration tell whether its connection is accepted. It may be used once.
func Watch(config *pgconn.Config) *Watched {
	w := &Watched{within: ConnectWithin}
	if limit := config.ConnectTimeout; limit > 0 {
		w.within = min(w.within, limit)
	}
	dial := config.DialFunc
	config.DialFunc = func(ctx context.Context, network, address string) (net.Conn, error) {
		late := ctx.Err() != nil // an attempt after the time has run out tells nothing
		c, err := dial(ctx, network, address)
		w.accepted = err == nil || late && w.accepted
		return c, err
	}
	return w
}

// Cause returns Silent for the error of an attempt to connect that was accepted and ran out of time, while ctx had not
// ended; other errors as they are.
func (w *Watched) Cause(ctx context.Context, err error) error {
	if w.accepted && pgconn.Timeout(err) && ctx.Err() == nil {
		return Silent{w.within}
	}
	return err
}

// Answered asks a question by a connection, which its abandon breaks off, for ConnectWithin at most: a pooler may log
// in a client that it has no connection to the server for. Its error is Silent if there was no answer by then.
func Answered(c *Conn, abandon func()) error {
	var late atomic.Bool
	timer := time.AfterFunc(ConnectWithin, func() { late.Store(true); abandon() })
	defer timer.Stop()
	err := c.Simple("select 1", nil)
	if err != nil && late.Load() {
		return Silent{ConnectWithin}
	}
	return err
}
