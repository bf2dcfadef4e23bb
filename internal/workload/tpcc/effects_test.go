package tpcc

import (
	"fmt"
	"maps"
	"slices"
	"testing"
	"time"

	"golang.org/x/sync/errgroup"
)

// testEffects: whether statements are pipelined or wait for each other, the same inputs leave the same rows.
func testEffects(t *testing.T, s site) {
	inputs := s.inputs(600, 0)
	ends := []map[string]string{}
	for i, way := range []string{statementsPipelined, statementsApart} {
		s := s.fresh(t, fmt.Sprint("effects", i))
		s.done(t, s.client(t, way, "read committed"), inputs)
		s.holds(t, false)
		ends = append(ends, s.digests(t, false))
	}
	if !maps.Equal(ends[0], ends[1]) {
		t.Errorf("pipelined %v\none at a time %v", ends[0], ends[1])
	}
	before := s.digests(t, false)
	for _, table := range tables() {
		if (before[table.name] == ends[0][table.name]) != (table.name == "item") {
			t.Errorf("%s was left as it was, or should have been", table.name)
		}
	}
}

// testRollback: an order with an unused item leaves nothing, and was carried out until then.
func testRollback(t *testing.T, s site) {
	s = s.fresh(t, "rollback")
	before := s.digests(t, true)
	var unused []input
	for _, in := range s.inputs(10_000, 3) {
		if in.kind == newOrder && in.unused {
			unused = append(unused, in)
		}
	}
	for _, way := range []string{statementsPipelined, statementsApart} {
		c := s.client(t, way, "read committed")
		s.done(t, c, unused)
		if c.order.number != 301 || c.conn.Status() != 'I' {
			t.Errorf("%s: the last order would have been %d; status %c", way, c.order.number, c.conn.Status())
		}
	}
	if after := s.digests(t, true); !maps.Equal(before, after) || len(unused) < 20 {
		t.Errorf("%d orders left %v, before it was %v", len(unused), after, before)
	}
}

// paid is a payment as history has it.
type paid struct{ w, d, cw, cd, customer, cents int }

// testShares: the database's rows have the shares of the specification, and the customers that names mean.
func testShares(t *testing.T, s site) {
	s = s.fresh(t, "shares")
	inputs := s.inputs(4000, 1)
	s.done(t, s.client(t, statementsPipelined, "read committed"), inputs)
	c := connected(t, s.dsn)
	ask := func(sql string) (n int) { scan(t, c, sql, &n); return n }
	lines, distant := ask("select count(*) from order_line1 where ol_o_id > 300"),
		ask("select count(*) from order_line1 where ol_o_id > 300 and ol_supply_w_id <> ol_w_id")
	near(t, "remote lines", distant, lines, 0.01)
	for what, pair := range map[string][2]string{
		"S_REMOTE_CNT": {"select sum(s_remote_cnt) from stock1", fmt.Sprint("select ", distant)},
		"S_ORDER_CNT":  {"select sum(s_order_cnt) from stock1", fmt.Sprint("select ", lines)},
		"S_YTD":        {"select sum(s_ytd) from stock1", "select sum(ol_quantity) from order_line1 where ol_o_id > 300"},
		"O_ALL_LOCAL": {"select count(*) from orders1 where o_all_local = 0",
			"select count(distinct (ol_w_id, ol_d_id, ol_o_id)) from order_line1 where ol_supply_w_id <> ol_w_id"},
		"stock of a line": {"select count(*) from stock1 where s_order_cnt > 0",
			"select count(distinct (ol_supply_w_id, ol_i_id)) from order_line1 where ol_o_id > 300"},
		"OL_DIST_INFO": {"select 0", "select count(*) from order_line1 join stock1 on s_w_id = ol_supply_w_id and " +
			"s_i_id = ol_i_id where ol_o_id > 300 and ol_dist_info <> (to_jsonb(stock1)->>('s_dist_' || " +
			"to_char(ol_d_id, 'FM00')))"},
		"OL_AMOUNT": {"select 0", "select count(*) from order_line1 join item1 on i_id = ol_i_id where ol_o_id > " +
			"300 and ol_amount <> ol_quantity * i_price"},
		"C_DATA of credit": {"select count(*) from customer1 where c_data like '%|%'",
			"select count(distinct c_id + 1000 * c_d_id + 100000 * c_w_id) from customer1 join history1 on h_c_w_id = c_w_id " +
				"and h_c_d_id = c_d_id and h_c_id = c_id where c_credit = 'BC' and h_date > '2021-01-01'"},
		"H_DATA": {"select 0", "select count(*) from history1 join warehouse1 on w_id = h_w_id join district1 on d_w_id = " +
			"h_w_id and d_id = h_d_id where h_date > '2021-01-01' and h_data <> w_name || '    ' || d_name"},
	} {
		if got, want := ask(pair[0]), ask(pair[1]); got != want {
			t.Errorf("%s: %d, want %d", what, got, want)
		}
	}
	near(t, "remote payments", ask("select count(*) from history1 where h_date > '2021-01-01' and h_c_w_id <> h_w_id"),
		ask("select count(*) from history1 where h_date > '2021-01-01'"), 0.15)
	s.sharesByName(t, inputs)
	s.holds(t, false)
}

// sharesByName compares history with the inputs, whose names stand for customers as the standard's percentile function
// finds them.
func (s site) sharesByName(t *testing.T, inputs []input) {
	c := connected(t, s.dsn)
	var want, got []paid
	byName, payments := 0, 0
	for _, in := range inputs {
		if in.kind != payment {
			continue
		}
		payments++
		p := paid{in.w, in.d, in.customer.w, in.customer.d, in.customer.id, in.cents}
		if p.customer == 0 {
			byName++
			scan(t, c, fmt.Sprintf(`select c_id from customer1 where c_w_id = %d and c_d_id = %d and c_last = '%s' and c_first =
				(select percentile_disc(0.5) within group (order by c_first) from customer1 where c_w_id = %[1]d and c_d_id = %[2]d and c_last = '%[3]s')`, p.cw, p.cd, in.customer.name), &p.customer)
		}
		want = append(want, p)
	}
	near(t, "payments by name", byName, payments, 0.6)
	rows, err := c.Query(t.Context(), "select h_w_id, h_d_id, h_c_w_id, h_c_d_id, h_c_id, (h_amount * 100)::int from "+
		"history1 where h_date > '2021-01-01'")
	if err != nil {
		t.Fatal(err)
	}
	for rows.Next() {
		var p paid
		if err := rows.Scan(&p.w, &p.d, &p.cw, &p.cd, &p.customer, &p.cents); err != nil {
			t.Fatal(err)
		}
		got = append(got, p)
	}
	order := func(a, b paid) int {
		return slices.Compare([]int{a.w, a.d, a.cw, a.cd, a.customer, a.cents},
			[]int{b.w, b.d, b.cw, b.cd, b.customer, b.cents})
	}
	slices.SortFunc(want, order)
	slices.SortFunc(got, order)
	if !slices.Equal(got, want) {
		t.Errorf("history has %d payments that are not the %d entered", len(got), len(want))
	}
}

// testDeadlock: the victim of a deadlock is rolled back and begun anew with the same input, and counted.
func testDeadlock(t *testing.T, s site) {
	s = s.fresh(t, "deadlock")
	c, other := s.client(t, statementsPipelined, "read committed"), connected(t, s.dsn)
	in := s.order()
	// The other waits for ever, so that it is the client that finds the deadlock.
	if _, err := other.Exec(t.Context(), "set deadlock_timeout = '1h'; set lock_timeout = 0"); err != nil {
		t.Fatal(err)
	}
	tx, err := other.Begin(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	if _,
		err := tx.Exec(t.Context(), fmt.Sprintf("update district1 set d_tax = d_tax where d_w_id = %d and d_id = %d", in.w,
		in.d)); err != nil {
		t.Fatal(err)
	}
	ended := make(chan error, 1)
	go func() { ended <- c.do(&in) }()
	s.waiting(t, 1)
	if _,
		err := tx.Exec(t.Context(), fmt.Sprintf("update stock1 set s_ytd = s_ytd where s_w_id = %d and s_i_id = %d",
		in.lines[0].supplier, in.lines[0].item)); err != nil {
		t.Fatal(err)
	}
	if err := tx.Commit(t.Context()); err != nil {
		t.Fatal(err)
	}
	// Begun anew, it may lock the row of stock again before the other has been woken.
	if err := <-ended; err != nil || c.retries < 1 {
		t.Errorf("%v, %d retries", err, c.retries)
	}
	s.holds(t, false)
}

// order is an input of New-Order that is not rolled back.
func (s site) order() (in input) {
	for _, in = range s.inputs(100, 5) {
		if in.kind == newOrder && !in.unused {
			break
		}
	}
	return in
}

// testUnserializable: a transaction that waits for a row which another then has changed is begun anew with the same
// input, and counted.
func testUnserializable(t *testing.T, s site) {
	s = s.fresh(t, "unserializable")
	c, other, in := s.client(t, statementsPipelined, serializable), connected(t, s.dsn), s.order()
	tx, err := other.Begin(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	if _,
		err := tx.Exec(t.Context(), fmt.Sprintf("update district1 set d_tax = d_tax where d_w_id = %d and d_id = %d", in.w,
		in.d)); err != nil {
		t.Fatal(err)
	}
	ended := make(chan error, 1)
	go func() { ended <- c.do(&in) }()
	s.waiting(t, 1)
	if err := tx.Commit(t.Context()); err != nil {
		t.Fatal(err)
	}
	if err := <-ended; err != nil || c.retries != 1 {
		t.Errorf("%v, %d retries", err, c.retries)
	}
	s.holds(t, false)
}

// waiting waits until so many backends wait for a lock.
func (s site) waiting(t *testing.T, n int) {
	t.Helper()
	c := connected(t, s.dsn)
	for deadline := time.Now().Add(30 * time.Second); ; time.Sleep(5 * time.Millisecond) {
		var got int
		scan(t, c, "select count(*) from pg_stat_activity where datname = current_database() and wait_event_type = 'Lock'",
			&got)
		if got >= n {
			return
		}
		if time.Now().After(deadline) {
			t.Fatal("nothing waits for a lock")
		}
	}
}

// testAtOnce: concurrent clients never deadlock if statements are pipelined; serialization failures are retried; the
// rows stay consistent.
func testAtOnce(t *testing.T, s site) {
	for _, c := range []struct {
		way, isolation string
		again          bool // it may be
	}{{statementsPipelined, "read committed", false}, {statementsApart, "read committed", false},
		{statementsPipelined, "serializable", true}} {
		t.Run(c.way+" "+c.isolation, func(t *testing.T) {
			s := s.fresh(t, fmt.Sprintf("once%d", len(c.way)+len(c.isolation)))
			var all errgroup.Group
			clients := make([]*client, 4)
			for i := range clients {
				clients[i] = s.client(t, c.way, c.isolation)
				inputs := s.inputs(80, uint64(20+i))
				for k := range inputs { // all of one warehouse, so that they meet
					inputs[k] = crowded(inputs[k])
				}
				all.Go(func() error {
					for k := range inputs {
						if err := clients[i].do(&inputs[k]); err != nil {
							return err
						}
					}
					return nil
				})
			}
			if err := all.Wait(); err != nil {
				t.Fatal(err)
			}
			retries := int64(0)
			for _, client := range clients {
				retries += client.retries
			}
			if retries > 0 && !c.again {
				t.Errorf("%d retries", retries)
			}
			s.holds(t, false)
		})
	}
}

// crowded is an input for the first warehouse and two of its districts.
func crowded(in input) input {
	in.w, in.d = 1, in.d%2+1
	in.customer.w, in.customer.d = in.customer.w%2+1, in.customer.d%2+1
	if in.kind == newOrder || in.kind == orderStatus {
		in.customer.w, in.customer.d = in.w, in.d
	}
	return in
}
