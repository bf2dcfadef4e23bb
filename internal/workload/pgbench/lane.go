package pgbench

import (
	"context"
	"errors"
	"fmt"
	"sync/atomic"
	"time"

	"golang.org/x/sys/unix"

	"plimsoll/internal/client/load"
	"plimsoll/internal/client/pgload"
	"plimsoll/internal/client/pgscript"
)

// lane is one client.
type lane struct {
	driver   *driver
	program  *program
	own      *session      // of a pool: the one that is taken
	reader   *session      // to the replica; nil: there is none
	pool     chan *session // nil: the client has a connection of its own
	conn     *pgload.Conn  // of the current transaction
	state    *pgscript.State
	prepared [][]pgload.Statement // in it
	tries    int
	args     pgload.Args
	text     []byte // of a value, or of a statement with its values
	row      func(i int, columns [][]byte) error
	running  atomic.Bool
	over     atomic.Bool

	clock    *load.Lane
	from     int64 // start of the measured time
	script   int   // current script
	keeping  *pgscript.Statement
	kept     keptRow
	queued   []*pgscript.Statement // of a pipeline
	pipeline bool

	tally *tally
}

func newLane(d *driver, i int) *lane {
	l := &lane{
		driver: d, program: d.program, tries: d.params.Int(paramTries),
		state: d.program.NewState(i, d.scale, d.env.Seed), tally: newTally(d.program),
	}
	if d.params.Set(paramReplica) != "" {
		l.tally.apart = newApart()
	}
	l.row = l.keep // once: evaluating a method value allocates
	return l
}

// Run does one transaction after the other until the load is over, or ctx ends.
func (l *lane) Run(ctx context.Context, clock *load.Lane) error {
	l.running.Store(true)
	defer l.over.Store(true)
	defer l.running.Store(false)
	// A thread that waits in the kernel for an answer checks this from time to time.
	defer context.AfterFunc(ctx, l.driver.stop)()
	l.clock = clock
	for {
		intended, ok := clock.Take()
		if !ok {
			return ctx.Err()
		}
		l.from, _ = l.clock.Window()
		sent := intended
		if clock.Open() {
			sent = clock.Now()
		}
		err := l.transaction(ctx, intended, sent)
		switch {
		case ctx.Err() != nil:
			return ctx.Err()
		case err != nil:
			return l.driver.Cause(fmt.Errorf("%s: %w", Name, err))
		}
	}
}

// transaction runs a script to its end, retrying as often as permitted. It returns an error if the client cannot go
// on.
func (l *lane) transaction(ctx context.Context, intended, sent int64) error {
	l.script = l.program.Choose(l.state)
	if l.tries > 1 {
		l.state.Mark()
	}
	if err := l.take(ctx); err != nil {
		return err
	}
	defer l.release()
	measured := intended >= l.from
	for try := 1; ; try++ {
		err := l.once(ctx, measured)
		if err == nil {
			if l.clock.Done(intended, sent, 1, 0) {
				l.server(l.clock.Last() - intended)
			}
			l.tally.done(measured)
			return nil
		}
		if ctx.Err() != nil {
			return ctx.Err() // the load is over, and this operation has no answer
		}
		var failed *pgload.Failed
		if !errors.As(err, &failed) || !l.recover() {
			l.clock.Fail(intended, classOf(err))
			return err
		}
		switch {
		case !failed.Retry():
			l.clock.Fail(intended, load.Status)
			l.tally.fail(measured, err)
			return nil
		case try >= l.tries:
			// Neither an error of the load nor a completed operation.
			l.clock.Done(intended, sent, 0, 0)
			l.tally.giveUp(measured, failed.Code)
			return nil
		}
		l.tally.retry(measured)
		l.state.Back()
	}
}

// recover leaves a failed transaction, and reports whether the connection is still usable.
func (l *lane) recover() bool {
	l.keeping, l.pipeline, l.queued = nil, false, l.queued[:0]
	l.conn.Columns(false)
	if !l.conn.Usable() {
		return false
	}
	return l.conn.Status() == 'I' || l.conn.Simple("rollback", nil) == nil
}

func classOf(err error) load.Class {
	if errors.Is(err, pgload.ErrClosed) {
		return load.ConnClosed
	}
	return load.Other
}

// once runs the script once.
func (l *lane) once(ctx context.Context, measured bool) error {
	s := l.program.Scripts[l.script]
	for at := 0; ; {
		next, after, err := s.Next(l.state, at)
		if err != nil {
			return err
		}
		at = after
		switch next.What {
		case pgscript.Over:
			return l.leave(s)
		case pgscript.Sleep:
			err = l.sleep(ctx, next.For)
		case pgscript.Begin:
			err = l.begin(s)
		case pgscript.End:
			err = l.end()
		case pgscript.Send:
			err = l.send(next.Statement, measured)
		}
		if err != nil {
			return err
		}
	}
}

// errOpen reports a script that ends inside a transaction.
var errOpen = errors.New("the script ends in the middle of a transaction\nhint: COMMIT or ROLLBACK")

func (l *lane) leave(s *pgscript.Script) error {
	if l.conn.Status() != 'I' {
		last := s.Statements[len(s.Statements)-1]
		return &pgscript.Error{Name: s.Name, Line: last.Line, Err: errOpen}
	}
	return nil
}

// send executes one statement, or queues it in a pipeline.
func (l *lane) send(s *pgscript.Statement, measured bool) error {
	if l.pipeline {
		l.queued = append(l.queued, s)
		return l.queue(s)
	}
	begun := l.clock.Now()
	row := l.row
	keeps, one := s.Keeps()
	if keeps {
		l.conn.Columns(true)
		l.keeping = s
		l.kept.reset()
	} else {
		row = nil
	}
	err := l.exchange(s, row)
	if keeps {
		l.conn.Columns(false)
		l.keeping = nil
	}
	switch {
	case err != nil:
		return at(s, err)
	case one:
		if err := l.keepOne(s); err != nil {
			return at(s, err)
		}
	}
	l.tally.statement(l.script, s, measured, l.clock.Now()-begun)
	if l.program.builtin[l.script] {
		l.touched(s)
	}
	return nil
}

func (l *lane) exchange(s *pgscript.Statement, row func(int, [][]byte) error) error {
	if l.program.protocol == protocolSimple {
		l.text = s.AppendText(l.text[:0], l.state)
		return l.conn.SimpleBytes(l.text, row)
	}
	if err := l.queue(s); err != nil {
		return err
	}
	return l.conn.Exchange(row)
}

// queue adds a statement with its values to the next flush.
func (l *lane) queue(s *pgscript.Statement) error {
	if l.program.protocol == protocolExtended {
		l.conn.QueueText(s.Text, l.values(s))
		return nil
	}
	p, err := l.ready(s)
	if err == nil {
		l.conn.Queue(p, l.values(s))
	}
	return err
}

// ready returns the statement's prepared form, preparing it at its first use, since earlier statements may create
// the objects that it needs.
func (l *lane) ready(s *pgscript.Statement) (pgload.Statement, error) {
	at := &l.prepared[l.script][s.Number]
	if *at != (pgload.Statement{}) {
		return *at, nil
	}
	var err error
	*at, err = l.conn.Prepare(s.Text)
	return *at, err
}

// values returns the statement's parameters.
func (l *lane) values(s *pgscript.Statement) *pgload.Args {
	l.args.Reset()
	for i := range s.Params() {
		text, null := s.AppendParam(l.text[:0], l.state, i)
		if l.text = text; null {
			l.args.Null()
			continue
		}
		l.args.Bytes(text)
	}
	return &l.args
}

// keep sets variables from a row; for \gset, which uses the last row of the text's last command, it only stores the
// row.
func (l *lane) keep(command int, columns [][]byte) error {
	if _, one := l.keeping.Keeps(); one {
		l.kept.take(command, columns, l.conn)
		return nil
	}
	for i, text := range columns {
		if err := l.keeping.Keep(l.state, l.conn.Column(i), text); err != nil {
			return err
		}
	}
	return nil
}

// keepOne sets variables from the only row of a text's last command.
func (l *lane) keepOne(s *pgscript.Statement) error {
	rows := l.kept.rows
	if l.kept.command != l.conn.Commands()-1 {
		rows = 0
	}
	if rows != 1 {
		return fmt.Errorf("\\gset needs exactly one row, got %d", rows)
	}
	return l.kept.each(func(column, text []byte) error { return s.Keep(l.state, column, text) })
}

// touched counts built-in scripts' statements that did not read or change exactly one row.
func (l *lane) touched(s *pgscript.Statement) {
	switch s.Word {
	case "update", "select", "insert":
		if l.conn.Rows(0) != 1 {
			l.tally.odd++
		}
	}
}

// begin begins a pipeline. Statements are prepared before it, since their answers cannot be awaited within.
func (l *lane) begin(s *pgscript.Script) error {
	if l.program.protocol == protocolPrepared {
		for _, statement := range s.Statements {
			if _, err := l.ready(statement); err != nil {
				return at(statement, err)
			}
		}
	}
	l.pipeline = true
	return nil
}

// end sends a pipeline and waits for its answers.
func (l *lane) end() error {
	l.pipeline = false
	err := l.conn.Exchange(nil)
	var failed *pgload.Failed
	if errors.As(err, &failed) && failed.Statement < len(l.queued) {
		err = at(l.queued[failed.Statement], err)
	}
	l.queued = l.queued[:0]
	return err
}

// at wraps an error with its statement's position.
func at(s *pgscript.Statement, err error) error {
	return &pgscript.Error{Name: s.Script, Line: s.Line, Err: err}
}

// nap bounds how long a sleeping client goes without checking for the end.
const nap = 50 * time.Millisecond

func (l *lane) sleep(ctx context.Context, d time.Duration) error {
	for until := l.clock.Now() + int64(d); ; {
		left := until - l.clock.Now()
		if left <= 0 || ctx.Err() != nil {
			return ctx.Err()
		}
		ts := unix.NsecToTimespec(min(left, int64(nap)))
		_ = unix.Nanosleep(&ts, nil) // the loop resumes a sleep interrupted by a signal
	}
}
