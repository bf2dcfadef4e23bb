package network

import (
	"context"
	"fmt"
	"time"

	"plimsoll/internal/client/load"
	"plimsoll/internal/client/netload"
)

// lane is one connection on its own thread.
type lane struct {
	number int // of this generator's connections, from 1
	conn   *netload.Conn
	begun  bool
	whole  bool    // it has finished, so that the ends can be compared
	wire   float64 // bytes on the wire for one of payload
	steps  steps
	peer   netload.Account
}

// datagrams is how many datagrams a closed loop sends at once.
const datagrams = 64

// Run does operations until the load ends.
func (l *lane) Run(ctx context.Context, g *load.Lane) error {
	some := datagrams
	if l.conn.Paced {
		some = 1
	}
	for ctx.Err() == nil {
		intended, ok := g.Take()
		if !ok {
			break
		}
		if !l.begun {
			l.begun = true
			if err := l.begin(ctx, g); err != nil {
				return err
			}
		}
		sent := g.Now()
		moved, err := l.conn.Next(some)
		if ctx.Err() != nil {
			return ctx.Err()
		}
		if err != nil {
			return fmt.Errorf("%s: %w", Name, err)
		}
		if moved.Lost {
			g.Fail(intended, load.Timeout)
			continue
		}
		g.Done(intended, sent, moved.Ops, moved.Bytes)
		l.conn.Took(time.Duration(g.Last() - sent))
		l.steps.end(g.Last(), moved.Ops, moved.Bytes-moved.Stepped)
	}
	if !l.begun || ctx.Err() != nil {
		return ctx.Err()
	}
	l.wire = l.conn.WirePerByte()
	if err := l.conn.Finish(); err != nil && ctx.Err() == nil {
		return fmt.Errorf("%s: %w", Name, err)
	}
	l.whole = ctx.Err() == nil
	return ctx.Err()
}

// begin prepares what depends on the window.
func (l *lane) begin(ctx context.Context, g *load.Lane) error {
	if l.conn.Mode == netload.Stream {
		start, _ := g.Window()
		l.steps.from(start, g.Duration())
		l.conn.Stepped = func(bytes int64) { l.steps.sample(g.Now(), bytes) }
	}
	if err := l.conn.Begin(ctx); err != nil {
		return fmt.Errorf("%s: %w", Name, err)
	}
	return nil
}
