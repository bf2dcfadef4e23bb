package pgbench

import (
	"context"
	"fmt"
	"hash/fnv"
	"time"

	"plimsoll/internal/pgload"
	"plimsoll/internal/record"
	"plimsoll/internal/workload"
	"plimsoll/internal/workload/database"
	"plimsoll/internal/workload/database/standby"
	"plimsoll/internal/workload/fault"
)

// paramFault has the server killed in the window.
const paramFault = "fault"

// faultOf returns the share of the window after which the server is killed; 0: it is not.
func faultOf(p workload.Params) (float64, error) {
	all, err := fault.ParseList(p.Text(paramFault), fault.Kill)
	switch {
	case err != nil:
		return 0, err
	case len(all) == 0:
		return 0, nil
	case len(all) > 1:
		return 0, fmt.Errorf("%q has %s twice", p.Text(paramFault), fault.Kill)
	}
	return all[0].At, nil
}

// checkFault returns an error for a fault that could not be told, or after which nobody would know what was lost.
func checkFault(p workload.Params, program *program) error {
	at, err := faultOf(p)
	switch set := fmt.Sprintf("%s=%s", paramFault, p.Text(paramFault)); {
	case err != nil:
		return fmt.Errorf("%s: %s: %w\nhint: --set %s.%s=kill@50%%", Name, paramFault, err, Name, paramFault)
	case at == 0:
		return nil
	case p.Text(database.ParamStandby) == database.StandbyOff:
		return fmt.Errorf("%s: %s kills the server, and %s=%s leaves no standby to promote\nhint: --set %s.%s=%s", Name, set,
			database.ParamStandby, database.StandbyOff, Name, database.ParamStandby, database.StandbySync)
	case !program.tpcb:
		return fmt.Errorf("%s: %s needs %s=%s, whose transactions leave rows by which the lost ones are told\nhint: leave "+
			"out the script, or %s",
			Name, set, paramScript, scriptTPCB, paramFault)
	}
	return nil
}

// Prepare implements workload.Driver.
func (d *driver) Prepare(ctx context.Context) error {
	if err := d.Server.Prepare(ctx); err != nil {
		return err
	}
	at, err := faultOf(d.params)
	d.checks = at > 0
	switch {
	case err != nil || !d.checks || d.failover != nil:
		return err
	case d.env.Target != "": // whose host has it happen
		d.successor = &standby.Successor{DSN: d.DSN()}
		return nil
	}
	d.failover, err = d.Intend(ctx, at)
	return err
}

// Settle implements workload.Settler: the standby has to be promoted before what was lost is known.
func (d *driver) Settle(ctx context.Context) error {
	if !d.checks {
		return nil
	}
	err := d.failover.Wait(ctx)
	if err == nil {
		d.lost, err = d.missing(ctx)
	}
	if err != nil {
		return fmt.Errorf("%s: %w", Name, err)
	}
	d.checked = true
	return nil
}

// missing returns how many of the acknowledged transactions are not in the history. Rows count by what is in them, not
// by their number: one whose client does not know its end may be there in the place of one that is lost.
func (d *driver) missing(ctx context.Context) (int64, error) {
	there := map[uint64]int64{}
	c, err := pgload.Dial(ctx, d.DSN(), "")
	if err != nil {
		return 0, err
	}
	defer c.Close()
	rows := int64(0)
	err = c.Simple("select tid, bid, aid, delta from pgbench_history", func(_ int, columns [][]byte) error {
		there[markOf(columns)]++
		rows++
		return nil
	})
	if err != nil {
		return 0, fmt.Errorf("read the history: %w", err)
	}
	t := d.tally()
	return lostOf(there, rows, t.acknowledged, t.unsure, d.env.Target == "")
}

// lostOf returns how many of the acknowledged rows are not among those that are there. The rest are those of
// transactions that ended without an answer, unless others have left rows, too.
func lostOf(there map[uint64]int64, rows int64, acknowledged []uint64, unsure int64, alone bool) (lost int64,
	err error) {
	for _, mark := range acknowledged {
		if there[mark]--; there[mark] < 0 {
			lost++
		}
	}
	if extra := rows - (int64(len(acknowledged)) - lost); alone && extra > unsure {
		return 0, fmt.Errorf("the history has %d rows of which no client knows, but only %d transactions ended "+
			"without an answer", extra, unsure)
	}
	return lost, nil
}

// noneLost returns an error if a synchronous standby lacked what was acknowledged.
func (d *driver) noneLost() error {
	if d.lost > 0 && d.params.Text(database.ParamStandby) == database.StandbySync {
		return fmt.Errorf("%s: %d acknowledged transactions are not on the promoted standby, which confirmed each", Name,
			d.lost)
	}
	return nil
}

// faultValues returns what became of transactions.
func (d *driver) faultValues() []record.Value {
	if !d.checked {
		return nil
	}
	count := func(name string, n int64) record.Value {
		return record.Value{Metric: record.Metric{Name: name, Unit: "op", Better: record.Lower}, Value: float64(n)}
	}
	return []record.Value{count(record.FaultLostAcks, d.lost), count(record.FaultUnknown, d.tally().unsure)}
}

// faultMetrics are those of a killed server.
func faultMetrics() []record.Metric {
	return append(fault.Metrics(record.FaultPrefix, "with a fault", "the kill"),
		record.Metric{Name: record.FaultPromoted, Unit: "s", Better: record.Lower,
			Doc: "with a fault: from the kill until the standby took writes"},
		record.Metric{Name: record.FaultLostAcks, Unit: "op", Better: record.Lower,
			Doc: "with a fault: transactions that were acknowledged, and are not on the promoted standby; with standby=sync " +
				"one fails the run"},
		record.Metric{Name: record.FaultUnknown, Unit: "op", Better: record.Lower,
			Doc: "with a fault: transactions under way at the kill, whose clients do not know whether they are there"})
}

// succeeded reports whether there is a server that takes writes after one that was killed, and waits for it.
func (d *driver) succeeded(ctx context.Context) bool {
	if d.successor != nil {
		return d.successor.Await(ctx) == nil
	}
	return d.failover.Killed() && d.failover.Await(ctx) == nil
}

// redial connects a client to the server that takes writes. From another host that may still have been the first one, a
// moment before its end: then it asks again.
func (d *driver) redial(ctx context.Context) (*pgload.Conn, error) {
	conn, err := d.Dial(d.ctx)
	for err != nil && d.successor != nil && fault.Sleep(ctx, again) == nil && d.successor.Await(ctx) == nil {
		conn, err = d.Dial(d.ctx)
	}
	return conn, err
}

// again is the interval in which a client asks again.
const again = 100 * time.Millisecond

// moved takes a client whose connection was lost to the promoted standby; false if the server was not killed, or has no
// successor.
func (l *lane) moved(ctx context.Context) bool {
	if l.conn.Usable() || !l.driver.succeeded(ctx) {
		return false
	}
	conn, err := l.driver.redial(ctx)
	if err != nil {
		return false
	}
	_ = l.conn.Close()
	l.driver.mu.Lock()
	l.conn = conn
	l.driver.mu.Unlock()
	l.keeping, l.pipeline, l.queued = nil, false, l.queued[:0]
	for _, of := range l.prepared {
		clear(of)
	}
	return true
}

// acknowledge keeps what the current transaction has left in the history.
func (l *lane) acknowledge() {
	if !l.driver.checks {
		return
	}
	for _, s := range l.program.Scripts[l.script].Statements {
		if s.Word == "insert" {
			columns := make([][]byte, 0, 4)
			for i := range s.Params() {
				text, _ := s.AppendParam(nil, l.state, i)
				columns = append(columns, text)
			}
			l.tally.acknowledged = append(l.tally.acknowledged, markOf(columns))
		}
	}
}

// markOf returns a row of the history as one number.
func markOf(columns [][]byte) uint64 {
	h := fnv.New64a()
	for _, c := range columns {
		_, _ = h.Write(c)
		_, _ = h.Write([]byte{0})
	}
	return h.Sum64()
}
