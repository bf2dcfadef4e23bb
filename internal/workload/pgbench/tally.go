package pgbench

import (
	"context"
	"fmt"
	"strconv"

	"plimsoll/internal/client/pgload"
	"plimsoll/internal/client/pgscript"
	"plimsoll/internal/record"
	"plimsoll/internal/workload/database"
)

// tally is a client's counts, of the measured time only, except for committed and odd.
type tally struct {
	statements    [][]timed // of each script
	transactions  int64     // done, failed or given up
	retries       int64
	serialization int64 // given up after serialization failures
	deadlocks     int64 // given up as victims of deadlocks
	failed        int64
	first         error
	committed     int64   // over the whole load
	apart         []apart // of each server; nil: there is one
	odd           int64   // statements of built-in scripts that did not touch exactly one row, over the whole load
}

// timed is the total time of a statement.
type timed struct {
	word string
	n    int64
	ns   int64
}

func newTally(p *program) *tally {
	t := &tally{}
	for _, s := range p.Scripts {
		var list []timed
		for _, statement := range s.Statements {
			list = append(list, timed{word: statement.Word})
		}
		t.statements = append(t.statements, list)
	}
	return t
}

func (t *tally) statement(script int, s *pgscript.Statement, measured bool, ns int64) {
	if measured {
		at := &t.statements[script][s.Number]
		at.n++
		at.ns += ns
	}
}

func (t *tally) done(measured bool) {
	t.committed++
	if measured {
		t.transactions++
	}
}

func (t *tally) retry(measured bool) {
	if measured {
		t.retries++
	}
}

func (t *tally) giveUp(measured bool, code string) {
	switch {
	case !measured:
		return
	case code == pgDeadlock:
		t.deadlocks++
	default:
		t.serialization++
	}
	t.transactions++
}

// pgDeadlock is the SQLSTATE of a deadlock's victim.
const pgDeadlock = "40P01"

func (t *tally) fail(measured bool, err error) {
	if t.first == nil {
		t.first = err
	}
	if measured {
		t.transactions++
		t.failed++
	}
}

func (t *tally) givenUp() int64 { return t.serialization + t.deadlocks }

func (t *tally) add(from *tally) {
	for i, list := range from.statements {
		for j, s := range list {
			t.statements[i][j].n += s.n
			t.statements[i][j].ns += s.ns
		}
	}
	t.transactions += from.transactions
	t.retries += from.retries
	t.serialization += from.serialization
	t.deadlocks += from.deadlocks
	t.failed += from.failed
	t.committed += from.committed
	t.odd += from.odd
	if from.apart != nil && t.apart == nil {
		t.apart = newApart()
	}
	for i, a := range from.apart {
		t.apart[i].n += a.n
		t.apart[i].latency.Merge(a.latency)
	}
	if t.first == nil {
		t.first = from.first
	}
}

// maxStatements bounds the statements with latencies in a trial: its line has to stay small.
const maxStatements = 16

// values returns the statements' mean latencies, and, if there were any, the shares of transactions given up or
// retried; weights has the number of statements or transactions behind each, 0 or not.
func (t *tally) values() (out []record.Value, weights map[string]float64) {
	weights = map[string]float64{}
	state := func(name, unit string, sum float64, n int64) {
		weights[name] = float64(n)
		if sum > 0 {
			out = append(out, record.Value{Metric: record.Metric{Name: name, Unit: unit, Better: record.Lower},
				Value: sum / float64(n)})
		}
	}
	stated := 0
	for i, list := range t.statements {
		for j, s := range list {
			if stated++; stated <= maxStatements && s.n > 0 {
				state(t.statementName(i, j), "s", float64(s.ns)*1e-9, s.n)
			}
		}
	}
	if n := t.transactions; n > 0 {
		state(metricSerialization, "%", 100*float64(t.serialization), n)
		state(metricDeadlocks, "%", 100*float64(t.deadlocks), n)
		state(metricRetries, "op", float64(t.retries), n)
	}
	return out, weights
}

// statementName returns a name such as statement_2_update; with several scripts the script's number precedes it, as
// in statement_script1_2_update.
func (t *tally) statementName(script, statement int) string {
	name := metricStatement + "_"
	if len(t.statements) > 1 {
		name += "script" + strconv.Itoa(script+1) + "_"
	}
	name += strconv.Itoa(statement + 1)
	if word := t.statements[script][statement].word; word != "" {
		name += "_" + word[:min(len(word), longestWord)]
	}
	return name
}

// longestWord bounds the part of a statement's first word in a name.
const longestWord = 12

// left warns of statements without a value.
func (t *tally) left() []string {
	n := 0
	for _, list := range t.statements {
		n += len(list)
	}
	if n <= maxStatements {
		return nil
	}
	return []string{fmt.Sprintf("the scripts have %d statements; latencies are reported for the first %d",
		n, maxStatements)}
}

// sumsAgree checks TPC-B's consistency condition: the sum of the accounts' changes equals those of tellers, branches
// and history, with one history row for each transaction; committed is −1 if their number is unknown.
func sumsAgree(ctx context.Context, dsn string, committed int64) error {
	c, err := database.Connect(ctx, dsn)
	if err != nil {
		return err
	}
	defer c.Close(context.WithoutCancel(ctx))
	var branches, tellers, history, n int64
	err = c.QueryRow(ctx, "select (select coalesce(sum(bbalance), 0) from pgbench_branches), "+
		"(select coalesce(sum(tbalance), 0) from pgbench_tellers), coalesce(sum(delta), 0), count(*) from pgbench_history").
		Scan(&branches, &tellers, &history, &n)
	switch {
	case err != nil:
		return fmt.Errorf("sum the balances: %w", err)
	case branches != tellers || branches != history:
		return fmt.Errorf("%w: branches %d, tellers %d, history %d", errSums, branches, tellers, history)
	case committed >= 0 && n != committed:
		return fmt.Errorf("%d transactions were committed, but the history has %d", committed, n)
	}
	return nil
}

// keptRow holds the last row of the last command that returned rows. It is refilled without allocating.
type keptRow struct {
	command int   // index among the text's commands
	rows    int64 // returned by it
	text    []byte
	ends    []int // end of each column's name and value in text; a null value ends at −1
}

func (k *keptRow) reset() { k.command, k.rows = 0, 0 }

func (k *keptRow) take(command int, columns [][]byte, c *pgload.Conn) {
	if command != k.command {
		k.command, k.rows = command, 0
	}
	k.rows++
	k.text, k.ends = k.text[:0], k.ends[:0]
	for i, value := range columns {
		k.text = append(k.text, c.Column(i)...)
		k.ends = append(k.ends, len(k.text))
		if value == nil {
			k.ends = append(k.ends, -1)
			continue
		}
		k.text = append(k.text, value...)
		k.ends = append(k.ends, len(k.text))
	}
}

// each calls call with the name and the value of each column; nil is null.
func (k *keptRow) each(call func(name, value []byte) error) error {
	from := 0
	for i := 0; i < len(k.ends); i += 2 {
		name := k.text[from:k.ends[i]]
		from = k.ends[i]
		var value []byte
		if end := k.ends[i+1]; end >= 0 {
			value, from = k.text[from:end:end], end
		}
		if err := call(name, value); err != nil {
			return err
		}
	}
	return nil
}
