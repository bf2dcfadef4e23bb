package pgbench

import (
	"context"
	"fmt"
	"slices"
	"strings"

	"github.com/HdrHistogram/hdrhistogram-go"

	"plimsoll/internal/client/load"
	"plimsoll/internal/client/pgload"
	"plimsoll/internal/client/pgscript"
	"plimsoll/internal/record"
	"plimsoll/internal/workload"
	"plimsoll/internal/workload/database"
)

// paramPool is the number of connections that the clients share.
const paramPool = "pool"

// paramReplica is a server to which scripts that only read go.
const paramReplica = "replica_dsn"

// session is a connection with what is prepared in it.
type session struct {
	conn     *pgload.Conn
	prepared [][]pgload.Statement // of each script; zero if not yet prepared
}

func newSession(p *program, conn *pgload.Conn) *session {
	s := &session{conn: conn}
	for _, script := range p.Scripts {
		s.prepared = append(s.prepared, make([]pgload.Statement, len(script.Statements)))
	}
	return s
}

// The servers to which transactions go, and the beginnings of their metrics' names.
const (
	onPrimary = iota
	onReplica
	servers
)

func serverNames() [servers]string { return [servers]string{"primary", "replica"} }

// reads reports whether a script only reads: a server in recovery takes nothing else.
func reads(s *pgscript.Script) bool {
	return !slices.ContainsFunc(s.Statements, func(one *pgscript.Statement) bool {
		text := strings.ToLower(one.Text)
		switch one.Word {
		case "select", "table", "values", "show":
			return strings.Contains(text, "for update") || strings.Contains(text, "for no key update") ||
				strings.Contains(text, "for share") || strings.Contains(text, "for key share")
		case "begin", "start", "commit", "end", "rollback", "set", "":
			return false
		}
		return true
	})
}

// checkSessions returns an error if the load cannot be divided between a server and its replica, or share connections.
func checkSessions(p workload.Params, program *program) error {
	replica := p.Set(paramReplica)
	if replica == "" {
		return nil
	}
	reading := 0
	for _, s := range program.Scripts {
		if reads(s) {
			reading++
		}
	}
	switch {
	case database.PasswordIn(replica):
		return fmt.Errorf("%s: %s contains a password, which sessions would record\nhint: use PGPASSWORD, "+
			"~/.pgpass, a service file (service=NAME) or ${NAME} instead", Name, paramReplica)
	case p.Int(paramPool) > 0:
		return fmt.Errorf("%s: %s and %s: the pool is of one server\nhint: leave out one of them", Name, paramReplica,
			paramPool)
	case reading == 0 || reading == len(program.Scripts):
		return fmt.Errorf("%s: of %d scripts %d only read; with a replica both kinds are needed\nhint: plimsoll run pgbench "+
			"read.sql@9 write.sql@1 --dsn PRIMARY --replica-dsn REPLICA", Name, len(program.Scripts), reading)
	}
	return nil
}

// withReplica adds a replica on the host of its primary to the server that was found: it does part of the work.
func withReplica(found func(workload.Params) (workload.There, bool)) func(workload.Params) (workload.There, bool) {
	return func(p workload.Params) (workload.There, bool) {
		at, ok := found(p)
		replica := p.Set(paramReplica)
		if !ok || replica == "" {
			return at, ok
		}
		primary, _, err := database.AddressIn(p.Text(database.ParamDSN))
		host, address, err2 := database.AddressIn(replica)
		if err == nil && err2 == nil && host == primary && !slices.Contains(at.Addresses, address) {
			at.Addresses = append(at.Addresses, address)
		}
		return at, ok
	}
}

// pool makes the connections that the clients share, once.
func (d *driver) pool() (chan *session, error) {
	d.mu.Lock()
	defer d.mu.Unlock()
	if d.shared != nil || d.params.Int(paramPool) == 0 {
		return d.shared, nil
	}
	n := d.params.Int(paramPool)
	shared := make(chan *session, n)
	for range n {
		conn, err := d.Dial(d.ctx)
		if err != nil {
			return nil, err
		}
		d.conns = append(d.conns, conn)
		shared <- newSession(d.program, conn)
	}
	d.shared = shared
	return shared, nil
}

// replica connects a client to the replica; nil if there is none.
func (d *driver) replica() (*session, error) {
	if d.params.Set(paramReplica) == "" {
		return nil, nil
	}
	conn, err := d.DialTo(d.ctx, strings.TrimSpace(d.params.Text(paramReplica)))
	if err != nil {
		return nil, fmt.Errorf("the replica: %w", err)
	}
	recovers := false
	err = conn.Simple("select pg_is_in_recovery()", func(_ int, columns [][]byte) error {
		recovers = len(columns) == 1 && string(columns[0]) == "t"
		return nil
	})
	if err != nil {
		return nil, fmt.Errorf("the replica: %w", err)
	}
	d.mu.Lock()
	defer d.mu.Unlock()
	d.promoted = d.promoted || !recovers
	d.readers = append(d.readers, conn)
	return newSession(d.program, conn), nil
}

// take gives the lane the connection of its script, and waits for one of a pool.
func (l *lane) take(ctx context.Context) error {
	s := l.own
	switch {
	case l.pool != nil:
		select {
		case s = <-l.pool:
			l.own = s
		case <-ctx.Done():
			return ctx.Err()
		}
	case l.reader != nil && l.program.reads[l.script]:
		s = l.reader
	}
	l.conn, l.prepared = s.conn, s.prepared
	return nil
}

// release gives a pool its connection back.
func (l *lane) release() {
	if l.pool != nil {
		l.pool <- l.own
	}
}

// apart is a client's transactions of each server.
type apart struct {
	n       int64
	latency *hdrhistogram.Histogram // ns
}

// longest bounds a latency that is counted, ns: an hour.
const longest = 3_600_000_000_000

func newApart() []apart {
	out := make([]apart, servers)
	for i := range out {
		out[i].latency = hdrhistogram.New(1, longest, 3)
	}
	return out
}

// server counts a transaction on its server.
func (l *lane) server(took int64) {
	if l.tally.apart == nil {
		return
	}
	at := onPrimary
	if l.program.reads[l.script] {
		at = onReplica
	}
	a := &l.tally.apart[at]
	a.n++
	_ = a.latency.RecordValue(min(max(took, 0), longest)) // in range: cannot fail
}

// serverValues returns throughput and latency of each server.
func (t *tally) serverValues(r load.Result) []record.Value {
	var out []record.Value
	for i, a := range t.apart {
		if a.n == 0 || r.Ops == 0 {
			continue
		}
		name := serverNames()[i] + "_"
		out = append(out, record.Value{Metric: record.Metric{Name: name + record.Throughput, Unit: "op/s",
			Better: record.Higher},
			Value: float64(a.n) / float64(r.Ops) * r.OpsPerSecond})
		for _, q := range []struct {
			name string
			at   float64
		}{{record.LatencyP50, 50}, {record.LatencyP99, 99}} {
			out = append(out, record.Value{Metric: record.Metric{Name: name + q.name, Unit: "s", Better: record.Lower},
				Value: float64(a.latency.ValueAtQuantile(q.at)) * 1e-9})
		}
	}
	return out
}

// latencies returns each server's, by the name before _p50 and _p99.
func (t *tally) latencies() map[string]*hdrhistogram.Histogram {
	out := map[string]*hdrhistogram.Histogram{}
	for i, a := range t.apart {
		out[serverNames()[i]+"_"+record.Latency] = a.latency
	}
	return out
}
