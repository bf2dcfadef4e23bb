package pgload

import (
	"context"
	"crypto/sha256"
	"encoding/binary"
	"errors"
	"fmt"
	"io"
	"maps"
	"net"

	"github.com/jackc/pgx/v5/pgconn"
	"github.com/jackc/pgx/v5/pgproto3"

	"plimsoll/internal/client/socket"
)

// Conn is one client's connection. It is for one goroutine at a time.
type Conn struct {
	wire   wire
	path   string
	front  *pgproto3.Frontend   // reads
	out    []byte               // queued and not sent
	names  map[string]Statement // by text
	status byte
	trips  int64
	ended  int64
	rows   []int64 // affected by each statement of the last exchange
	parse  pgproto3.Parse
	bind   pgproto3.Bind
	about  pgproto3.Describe
	run    pgproto3.Execute
	sync   pgproto3.Sync
	broken error
	named  bool // columns' names are requested and kept
	column columns
}

// columns are the names of a statement's columns.
type columns struct {
	text []byte
	ends []int
}

func (c *columns) take(fields []pgproto3.FieldDescription) {
	c.text, c.ends = c.text[:0], c.ends[:0]
	for i := range fields {
		c.text = append(c.text, fields[i].Name...)
		c.ends = append(c.ends, len(c.text))
	}
}

func (c *columns) name(i int) []byte {
	switch {
	case i >= len(c.ends):
		return nil
	case i == 0:
		return c.text[:c.ends[0]]
	}
	return c.text[c.ends[i-1]:c.ends[i]]
}

// wire transports the messages.
type wire interface {
	io.ReadWriteCloser
	// within makes reads and writes fail once ctx has ended.
	within(ctx context.Context)
}

// The values of Path.
const (
	PathSocket = "blocking socket"
	PathTLS    = "tls"
)

// Dial connects to the server of a DSN (a URL, or libpq's keywords), under that application_name unless the DSN or the
// environment has one. Once ctx has ended, every operation of the connection fails.
func Dial(ctx context.Context, dsn, name string) (*Conn, error) { return DialWith(ctx, dsn, name, nil) }

// DialWith is like Dial; the session begins with these settings, by name.
func DialWith(ctx context.Context, dsn, name string, settings map[string]string) (*Conn, error) {
	config, err := pgconn.ParseConfig(dsn)
	if err != nil {
		return nil, errors.New("the DSN cannot be parsed") // the cause may quote a password
	}
	for _, own := range driversOwn() {
		delete(config.RuntimeParams, own)
	}
	if name != "" && config.RuntimeParams[applicationName] == "" {
		config.RuntimeParams[applicationName] = name
	}
	maps.Copy(config.RuntimeParams, settings)
	watched := Watch(config)
	connecting, cancel := context.WithTimeout(ctx, ConnectWithin)
	defer cancel()
	pg, err := pgconn.ConnectConfig(connecting, config)
	if err != nil {
		return nil, fmt.Errorf("connect to the database: %w", watched.Cause(ctx, err))
	}
	h, err := pg.Hijack()
	if err != nil {
		return nil, fmt.Errorf("connect to the database: %w", err)
	}
	c := &Conn{status: h.TxStatus, path: PathTLS, wire: &encrypted{Conn: h.Conn}}
	if h.TLSConfig == nil {
		blocking, err := socket.Take(h.Conn)
		if err != nil {
			return nil, err
		}
		c.wire, c.path = plain{blocking}, PathSocket
	}
	c.wire.within(ctx)
	c.front = pgproto3.NewFrontend(c.wire, io.Discard)
	return c, nil
}

const applicationName = "application_name"

// driversOwn returns the settings in a DSN that are pgx's, so that no server knows them.
func driversOwn() []string {
	return []string{"default_query_exec_mode", "statement_cache_capacity", "description_cache_capacity"}
}

// Path returns how the connection reads and writes: PathSocket or PathTLS.
func (c *Conn) Path() string { return c.path }

// Trips returns the number of round trips of the connection, including those of Prepare.
func (c *Conn) Trips() int64 { return c.trips }

// Ended returns the number of transactions that ended on the connection, committed or not, as the server counts them:
// each statement outside a transaction block is one, and so is Prepare.
func (c *Conn) Ended() int64 { return c.ended }

// Status returns the transaction status: 'I' outside a transaction, 'T' within, 'E' within a failed one.
func (c *Conn) Status() byte { return c.status }

// Usable reports whether the connection is still usable: the server has not closed it, and all of its messages were
// valid.
func (c *Conn) Usable() bool { return c.broken == nil }

// Rows returns the number of rows that statement i of the last exchange returned or changed.
func (c *Conn) Rows(i int) int64 {
	if i >= len(c.rows) {
		return 0
	}
	return c.rows[i]
}

// Commands returns the number of commands that the last exchange completed: a text of the simple protocol may hold
// several.
func (c *Conn) Commands() int { return len(c.rows) }

// Statement is a prepared statement.
type Statement struct{ name string }

// Prepare prepares a statement on the server, with parameters $1, $2 and so on, once. A pooler may hand the server's
// connection on with its statements: their names follow from their texts, so that no name stands for another text.
func (c *Conn) Prepare(sql string) (Statement, error) {
	if s, ok := c.names[sql]; ok {
		return s, nil
	}
	s := Statement{fmt.Sprintf("plimsoll_%.12x", sha256.Sum256([]byte(sql)))}
	c.encode(&pgproto3.Parse{Name: s.name, Query: sql})
	if err := c.Exchange(nil); err != nil {
		return Statement{}, fmt.Errorf("prepare %.80q: %w", sql, err)
	}
	if c.names == nil {
		c.names = map[string]Statement{}
	}
	c.names[sql] = s
	return s, nil
}

// Queue queues a statement's execution.
func (c *Conn) Queue(s Statement, a *Args) { c.queue(s.name, a) }

// QueueText is like Queue for a statement that the server parses and plans for this one execution.
func (c *Conn) QueueText(sql string, a *Args) {
	c.parse.Query = sql
	c.encode(&c.parse)
	c.queue("", a)
}

// Columns sets whether the server is to name the columns of statements queued from now on, for Column.
func (c *Conn) Columns(named bool) { c.named = named }

// Column returns the name of a column of the current row, while Exchange or Simple hands out rows and Columns has
// requested names; it is valid as long as the row is.
func (c *Conn) Column(i int) []byte { return c.column.name(i) }

func (c *Conn) queue(name string, a *Args) {
	c.bind.PreparedStatement, c.bind.Parameters = name, a.values()
	c.encode(&c.bind)
	if c.named {
		c.about.ObjectType = 'P'
		c.encode(&c.about)
	}
	c.encode(&c.run)
}

func (c *Conn) encode(m pgproto3.FrontendMessage) {
	out, err := m.Encode(c.out)
	if err != nil {
		c.broken = errors.Join(c.broken, err)
		return
	}
	c.out = out
}

// Exchange sends the queued statements and waits for all answers: one round trip. row, which may be nil, is called
// for each row, with the index of its statement among the queued ones and its columns as text, which are valid until
// it returns. Outside a transaction the queued statements form one, which an error rolls back. The error of a
// statement is a *Failed, after which the connection is still usable; after other errors it is not.
func (c *Conn) Exchange(row func(i int, columns [][]byte) error) error {
	c.encode(&c.sync)
	return c.exchange(row)
}

// Simple sends a text by the simple protocol, which may hold several statements, and waits for the answer, as
// Exchange does. Nothing may be queued.
func (c *Conn) Simple(sql string, row func(i int, columns [][]byte) error) error {
	c.out = append(queryHead(c.out, len(sql)), sql...)
	c.out = append(c.out, 0)
	return c.exchange(row)
}

// SimpleBytes is like Simple for a text that the caller may reuse.
func (c *Conn) SimpleBytes(sql []byte, row func(i int, columns [][]byte) error) error {
	c.out = append(queryHead(c.out, len(sql)), sql...)
	c.out = append(c.out, 0)
	return c.exchange(row)
}

// queryHead appends the header of a query message, whose text ends with a zero byte.
func queryHead(out []byte, length int) []byte {
	return binary.BigEndian.AppendUint32(append(out, 'Q'), uint32(4+length+1))
}

func (c *Conn) exchange(row func(i int, columns [][]byte) error) error {
	c.rows = c.rows[:0]
	if c.broken != nil {
		return c.broken
	}
	_, err := c.wire.Write(c.out)
	c.out = c.out[:0]
	c.trips++
	if err != nil {
		// The reason why the server closed the connection precedes the end of its stream.
		if failed := c.answers(nil); errors.As(failed, new(*Failed)) {
			err = failed
		}
		return c.breakOff(err)
	}
	return c.answers(row)
}

// answers reads until the server is ready for the next query.
func (c *Conn) answers(row func(i int, columns [][]byte) error) error {
	var failed *Failed
	var refused error
	for at := 0; ; {
		m, err := c.front.Receive()
		if err != nil {
			if failed != nil {
				err = failed
			}
			return c.breakOff(err)
		}
		switch m := m.(type) {
		case *pgproto3.RowDescription:
			if c.named {
				c.column.take(m.Fields)
			}
		case *pgproto3.DataRow:
			if row != nil && refused == nil {
				refused = row(at, m.Values)
			}
		case *pgproto3.CommandComplete:
			c.rows = append(c.rows, rowsOf(m.CommandTag))
			at++
		case *pgproto3.EmptyQueryResponse:
			c.rows = append(c.rows, 0)
			at++
		case *pgproto3.ErrorResponse:
			failed = &Failed{Statement: at, PgError: pgconn.ErrorResponseToPgError(m)}
		case *pgproto3.CopyInResponse, *pgproto3.CopyOutResponse, *pgproto3.CopyBothResponse:
			return c.breakOff(errors.New("COPY is not supported in a load"))
		case *pgproto3.ReadyForQuery:
			if c.status = m.TxStatus; c.status == 'I' {
				c.ended++
			}
			if failed != nil {
				return failed
			}
			return refused
		}
	}
}

func (c *Conn) breakOff(err error) error {
	if errors.Is(err, io.EOF) || errors.Is(err, io.ErrUnexpectedEOF) {
		err = ErrClosed
	}
	c.broken = err
	return err
}

// ErrClosed is the error of a connection that the server closed without a message.
var ErrClosed = errors.New("the server closed the connection")

// Failed is the error of a statement that the server rejected.
type Failed struct {
	Statement int // index among the queued ones
	*pgconn.PgError
}

func (f *Failed) Error() string {
	text := fmt.Sprintf("%s: %s (SQLSTATE %s)", f.Severity, f.Message, f.Code)
	if f.Detail != "" {
		text += ": " + f.Detail
	}
	return text
}

func (f *Failed) Unwrap() error { return f.PgError }

// Pooled reports whether the server's connection is shared: it has not the prepared statements that this client has
// made (26000), or those of another client (42P05).
func (f *Failed) Pooled() bool { return f.Code == "26000" || f.Code == "42P05" }

// Retry reports whether the transaction may succeed if retried: after a serialization failure (40001) or as the
// victim of a deadlock (40P01).
func (f *Failed) Retry() bool { return f.Code == "40001" || f.Code == "40P01" }

// rowsOf parses the number at the end of "SELECT 1" or "INSERT 0 1".
func rowsOf(tag []byte) int64 {
	n, scale := int64(0), int64(1)
	for i := len(tag) - 1; i >= 0 && tag[i] >= '0' && tag[i] <= '9'; i-- {
		n += int64(tag[i]-'0') * scale
		scale *= 10
	}
	return n
}

// Close ends the connection. It may be called again.
func (c *Conn) Close() error {
	if c.broken == nil {
		c.out = c.out[:0]
		c.encode(&pgproto3.Terminate{})
		_, _ = c.wire.Write(c.out)
		c.broken = net.ErrClosed
	}
	return c.wire.Close()
}
