package tpcc

import (
	"errors"
	"fmt"
	"strconv"

	"plimsoll/internal/client/pgload"
)

// client does transactions over one connection. Everything is allocated once, so that a transaction allocates
// nothing of its own.
type client struct {
	conn   *pgload.Conn
	apart  bool         // one statement at a time
	copies []statements // of each copy of the tables
	sql    *statements  // of the current transaction's copy

	// snapshot begins a read-only transaction of more than one statement.
	begin, snapshot, commit, rollback pgload.Statement

	args    pgload.Args
	scratch []byte
	order   orderWork
	people  peopleWork
	parcels parcelWork

	retries int64 // of transactions after serialization failures or deadlocks
	skipped int64 // districts in which a Delivery found no order
}

// newClient prepares a connection. Its plans are the same throughout a trial, from its first transaction on.
func newClient(conn *pgload.Conn, p population, apart bool, isolation string) (*client, error) {
	c := &client{conn: conn, apart: apart, copies: make([]statements, p.copies)}
	c.bindRows()
	// Every statement finds its rows by keys, even in tables that are small when it is planned and full of dead rows
	// later.
	if err := conn.Simple("set plan_cache_mode = force_generic_plan; set enable_seqscan = off", nil); err != nil {
		return nil, fmt.Errorf("prepare the connection: %w", err)
	}
	for to, sql := range map[*pgload.Statement]string{
		&c.begin: "begin isolation level " + isolation, &c.commit: "commit", &c.rollback: "rollback",
		&c.snapshot: "begin isolation level repeatable read read only",
	} {
		var err error
		if *to, err = conn.Prepare(sql); err != nil {
			return nil, err
		}
	}
	for i := range c.copies {
		if err := c.copies[i].prepare(conn, i+1); err != nil {
			return nil, err
		}
	}
	return c, nil
}

// bindRows binds the row callbacks, once.
func (c *client) bindRows() {
	c.order.onRow, c.order.onItem, c.order.onStock = c.orderRow, c.itemRow, c.stockRow
	c.order.onCustomer, c.order.onNumber = c.orderCustomerRow, c.numberRow
	c.people.onName, c.people.onPlace = c.nameRow, c.placeRow
	c.people.onStatus, c.people.onLast, c.people.onShown = c.statusRow, c.lastRow, c.shownRow
	c.parcels.onOldest, c.parcels.onBuyer, c.parcels.onAmount = c.oldestRow, c.buyerRow, c.amountRow
	c.parcels.onCount = c.countRow
}

// do carries out one transaction, repeating it with the same input as long as it conflicts with another.
func (c *client) do(in *input) error {
	c.sql = &c.copies[in.copy-1]
	c.args.Reset()
	for {
		err := c.once(in)
		var failed *pgload.Failed
		if err == nil || !errors.As(err, &failed) {
			return err
		}
		if c.conn.Status() != 'I' {
			if undo := c.alone(c.rollback); undo != nil {
				return &lostError{err}
			}
		}
		if !failed.Retry() {
			return err
		}
		c.retries++
	}
}

// lostError is the error of a connection that is no longer usable.
type lostError struct{ error }

func (e *lostError) Unwrap() error { return e.error }

func (c *client) once(in *input) error {
	switch in.kind {
	case newOrder:
		return c.newOrder(in)
	case payment:
		return c.payment(in)
	case orderStatus:
		return c.orderStatus(in)
	case delivery:
		return c.delivery(in)
	}
	return c.stockLevel(in)
}

// queue queues a statement with the prepared arguments.
func (c *client) queue(s pgload.Statement) {
	c.conn.Queue(s, &c.args)
	c.args.Reset()
}

// step is a round trip of one statement.
func (c *client) step(s pgload.Statement, row func(int, [][]byte) error) error {
	c.queue(s)
	return c.conn.Exchange(row)
}

// alone is a round trip of one statement without arguments.
func (c *client) alone(s pgload.Statement) error {
	return c.step(s, nil)
}

// ints appends arguments.
func (c *client) ints(values ...int) *client {
	for _, v := range values {
		c.args.Int(int64(v))
	}
	return c
}

// cents appends an amount as an argument.
func (c *client) cents(v int) *client {
	c.scratch = appendCents(c.scratch[:0], v)
	c.args.Bytes(c.scratch)
	return c
}

// array appends an argument of n elements; put appends one of them.
func (c *client) array(n int, put func(out []byte, i int) []byte) *client {
	c.scratch = append(c.scratch[:0], '{')
	for i := range n {
		if i > 0 {
			c.scratch = append(c.scratch, ',')
		}
		c.scratch = put(c.scratch, i)
	}
	c.scratch = append(c.scratch, '}')
	c.args.Bytes(c.scratch)
	return c
}

// touched returns an error if statement i of the last exchange affected an unexpected number of rows.
func (c *client) touched(in *input, i int, want int, what string) error {
	if got := c.conn.Rows(i); got != int64(want) {
		return fmt.Errorf("%s of warehouse %d, district %d, copy %d: %s "+
			"affected %d rows, not %d", in.kind, in.w, in.d, in.copy, what, got, want)
	}
	return nil
}

// number parses a whole number, or a decimal without its point.
func number(text []byte) int {
	v, sign := 0, 1
	for _, b := range text {
		switch {
		case b == '-':
			sign = -1
		case b >= '0' && b <= '9':
			v = v*10 + int(b-'0')
		}
	}
	return sign * v
}

func appendCents(out []byte, v int) []byte {
	if v < 0 {
		out, v = append(out, '-'), -v
	}
	out = strconv.AppendInt(out, int64(v/100), 10)
	return append(out, '.', byte('0'+v/10%10), byte('0'+v%10))
}

func appendInt(out []byte, v int) []byte { return strconv.AppendInt(out, int64(v), 10) }
