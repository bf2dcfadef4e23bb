package tpcc

import (
	"context"
	"errors"
	"fmt"
	"maps"
	"strings"
	"testing"

	"github.com/jackc/pgx/v5"
	"github.com/jackc/pgx/v5/pgconn"

	"plimsoll/internal/client/pgload"
	"plimsoll/internal/record"
)

// TestDatabase shares one server, whose database is never changed, among all that needs one.
func TestDatabase(t *testing.T) {
	d := served(t, record.Params{paramPopulation: populationSmall, paramWarehouses: "3", paramDataSeed: "7"})
	s := site{d.population, d.DSN()}
	s.dsn = s.empty(t, pristine)
	if err := s.fill(t.Context(), s.dsn, 2); err != nil {
		t.Fatal(err)
	}
	for name, test := range map[string]func(*testing.T, site){
		"rows": testRows, "jobs": testJobs, "conditions": testConditions, "what has no value": testNulls,
		"effects": testEffects, "rollback": testRollback,
		"shares": testShares, "trips": testTrips, "deadlock": testDeadlock, "unserializable": testUnserializable,
		"at once": testAtOnce, "gone": testGone, "allocations": testAllocations, "bench": testBench,
	} {
		t.Run(name, func(t *testing.T) { test(t, s) })
	}
	t.Run("verify", func(t *testing.T) { testVerify(t, d) })
}

// testVerify: a condition that does not hold after the load voids the trial, by its number and the first row that
// breaks it.
func testVerify(t *testing.T, d *driver) {
	if err := d.Verify(t.Context()); err != nil {
		t.Error(err)
	}
	exec(t, connected(t, d.DSN()), "update warehouse1 set w_ytd = w_ytd + 1 where w_id > 1")
	err := d.Verify(t.Context())
	for _, says := range []string{"after the load: ", "condition 1 (3.3.2.1: ", "condition 8 (3.3.2.8: ",
		" does not hold in copy 1, first for w_id=2 (of 2): w_ytd 30001.00, "} {
		if err == nil || !strings.Contains(err.Error(), says) {
			t.Errorf("%v does not say %q", err, says)
		}
	}
}

// pristine is the unmodified database; the one that the driver has made is watched, and cannot be copied.
const pristine = "pristine"

// site is a population in a database.
type site struct {
	population
	dsn string
}

// empty makes a database and gives its DSN.
func (s site) empty(t *testing.T, name string) string {
	t.Helper()
	exec(t, connected(t, beside(t, s.dsn, "postgres")), "create database "+name)
	return beside(t, s.dsn, strings.Fields(name)[0])
}

// fresh is a copy of the database as it was loaded.
func (s site) fresh(t *testing.T, name string) site {
	t.Helper()
	s.dsn = s.empty(t, name+" template "+pristine)
	return s
}

// client is one of the site's.
func (s site) client(t *testing.T, way, isolation string) *client {
	t.Helper()
	conn, err := pgload.Dial(t.Context(), s.dsn, "")
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { conn.Close() })
	c, err := newClient(conn, s.population, way == statementsApart, isolation)
	if err != nil {
		t.Fatal(err)
	}
	return c
}

// inputs are the first n of a seeded client.
func (s site) inputs(n int, client uint64) []input {
	t := terminal{skew: skew{constants: runConstants("a test", loadConstants(s.seed)), population: s.population},
		random: stream(1, forClient, client), deck: newDeck()}
	out := make([]input, n)
	for i := range out {
		t.draw(&out[i])
	}
	return out
}

// done has a client do all of them.
func (s site) done(t *testing.T, c *client, inputs []input) {
	t.Helper()
	for i := range inputs {
		if err := c.do(&inputs[i]); err != nil {
			t.Fatalf("%d, %+v: %v", i, inputs[i], err)
		}
	}
}

// holds checks that the conditions hold.
func (s site) holds(t *testing.T, loaded bool) {
	t.Helper()
	if err := s.check(t.Context(), s.dsn, loaded); err != nil {
		t.Error(err)
	}
}

// digests sum up each table's rows, whatever their order; without timed, that there is a time is all that is seen of
// it.
func (s site) digests(t *testing.T, timed bool) map[string]string {
	t.Helper()
	c := connected(t, s.dsn)
	text := "r::text"
	if !timed {
		text = `regexp_replace(r::text, '\d{4}-\d\d-\d\d [\d:.]+', 'a time', 'g')`
	}
	out := map[string]string{}
	for _, table := range tables() {
		var digest string
		scan(t, c,
			of(1, "select coalesce(sum(hashtextextended("+text+", 0)::numeric), 0)::text || ' of ' || "+
				"count(*) from {"+table.name+"} r"), &digest)
		out[table.name] = digest
	}
	return out
}

// testRows: the loaded rows have the specification's counts and shares, and are consistent.
func testRows(t *testing.T, s site) {
	s.holds(t, true)
	c := connected(t, s.dsn)
	ask := func(sql string) (n int) { scan(t, c, sql, &n); return n }
	for sql, want := range map[string]int{
		"select count(*) from item1": 1000, "select count(*) from stock1": 3000, "select count(*) from warehouse1": 3,
		"select count(*) from district1": 30,
		"select count(*) from customer1": 9000, "select count(*) from history1": 9000, "select count(*) from orders1": 9000,
		"select count(*) from new_orders1":                                                                   2700,
		"select count(*) from (select distinct o_w_id, o_d_id, o_c_id from orders1) o":                       9000,
		"select count(distinct c_last) from customer1 where c_w_id = 2 and c_d_id = 3":                       300,
		"select count(*) from district1 where d_next_o_id <> 301 or d_ytd <> 3000":                           0,
		"select count(*) from warehouse1 where w_ytd <> 30000 or w_tax > 0.2":                                0,
		"select count(*) from customer1 where c_balance <> -10 or c_ytd_payment <> 10":                       0,
		"select count(*) from customer1 where length(c_data) not between 300 and 500":                        0,
		"select count(*) from order_line1 where (ol_amount = 0) <> (ol_o_id <= 210)":                         0,
		"select count(*) from orders1 where (o_carrier_id is null) <> (o_id > 210)":                          0,
		"select count(*) from item1 where length(i_data) not between 26 and 50":                              0,
		"select count(*) from stock1 where s_quantity not between 10 and 100 or length(s_dist_10) <> 24":     0,
		"select count(*) from customer1 where c_zip !~ '^[0-9]{4}11111$' or c_phone !~ '^[0-9]{16}$'":        0,
		"select count(*) from customer1 where c_middle <> 'OE' or c_credit_lim <> 50000 or c_discount > 0.5": 0,
		"select count(*) from pg_indexes where schemaname = 'public'":                                        10,
		"select count(*) from pg_class where relname ~ '[a-z]1$' and relkind = 'r' and reltuples < 1":        0,
	} {
		if got := ask(sql); got != want {
			t.Errorf("%s: %d, want %d", sql, got, want)
		}
	}
	near(t, "bad credit", ask("select count(*) from customer1 where c_credit = 'BC'"), 9000, 0.1)
	near(t, "ORIGINAL goods", ask("select count(*) from stock1 where s_data like '%ORIGINAL%'"), 3000, 0.1)
	near(t, "ORIGINAL items", ask("select count(*) from item1 where i_data like '%ORIGINAL%'"), 1000, 0.1)
	lengths := make([]int, 11)
	for i := range lengths {
		lengths[i] = ask(fmt.Sprintf("select count(*) from orders1 where o_ol_cnt = %d", i+5))
	}
	evenly(t, "lengths of orders", lengths)
}

// testJobs: one connection loads the same rows as several.
func testJobs(t *testing.T, s site) {
	alone := s
	alone.dsn = s.empty(t, "alone")
	if err := s.fill(t.Context(), alone.dsn, 1); err != nil {
		t.Fatal(err)
	}
	if got, want := alone.digests(t, true), s.digests(t, true); !maps.Equal(got, want) {
		t.Errorf("%v, want %v", got, want)
	}
	if err := s.fill(t.Context(), alone.dsn, 2); err == nil || !strings.Contains(err.Error(), "create table warehouse1") {
		t.Errorf("a database that has the tables: %v", err)
	}
}

// breaks returns changes that violate conditions, with their reversal.
func breaks() []struct {
	sql, undo string
	want      []int
} {
	type b = struct {
		sql, undo string
		want      []int
	}
	add := func(table, set, where string, want ...int) b {
		return b{fmt.Sprintf("update %s set %s = %[2]s + 1 where %[3]s", table, set, where),
			fmt.Sprintf("update %s set %s = %[2]s - 1 where %[3]s", table, set, where), want}
	}
	const order, district = "o_w_id = 2 and o_d_id = 3 and o_id = ", "d_w_id = 3 and d_id = 10"
	return []b{
		add("warehouse1", "w_ytd", "w_id = 2", 1, 8),
		add("district1", "d_ytd", district, 1, 9),
		add("district1", "d_next_o_id", district, 2),
		{"update new_orders1 set no_o_id = 302 where no_w_id = 1 and no_d_id = 1 and no_o_id = 300",
			"update new_orders1 set no_o_id = 300 where no_w_id = 1 and no_d_id = 1 and no_o_id = 302", []int{2, 3, 5}},
		{"delete from new_orders1 where no_w_id = 1 and no_d_id = 4 and no_o_id = 250",
			"insert into new_orders1 values (250, 4, 1)", []int{3, 5, 11}},
		{"insert into new_orders1 values (210, 4, 1)",
			"delete from new_orders1 where no_w_id = 1 and no_d_id = 4 and no_o_id = 210", []int{5, 11}},
		add("orders1", "o_ol_cnt", order+"7", 4, 6),
		{"update orders1 set o_carrier_id = 3 where " + order + "280",
			"update orders1 set o_carrier_id = null where " + order + "280", []int{5, 7}},
		{"update orders1 set o_carrier_id = null where " + order + "20",
			"update orders1 set o_carrier_id = 3 where " + order + "20", []int{5, 7}},
		{"update order_line1 set ol_delivery_d = null where ol_w_id = 2 and ol_d_id = 3 and ol_o_id = 20 and ol_number = 1",
			"update order_line1 set ol_delivery_d = '2020-01-01' where ol_w_id = 2 and ol_d_id = 3 and ol_o_id = 20 and " +
				"ol_number = 1", []int{7}},
		{"update order_line1 set ol_amount = ol_amount + 1 where ol_w_id = 2 and ol_d_id = 3 and ol_o_id = 20 and " +
			"ol_number = 1", "update order_line1 set ol_amount = ol_amount - 1 where ol_w_id = 2 and ol_d_id = 3 and ol_o_id " +
			"= 20 and ol_number = 1", []int{10, 12}},
		add("history1", "h_amount", "h_c_w_id = 1 and h_c_d_id = 1 and h_c_id = 1", 8, 9, 10),
		add("customer1", "c_balance", "c_w_id = 1 and c_d_id = 2 and c_id = 3", 10, 12),
		add("customer1", "c_ytd_payment", "c_w_id = 1 and c_d_id = 2 and c_id = 3", 12),
	}
}

// testConditions breaks each condition and sees that those and no others are reported, with the row.
func testConditions(t *testing.T, s site) {
	s = s.fresh(t, "conditions")
	c := connected(t, s.dsn)
	seen := map[int]bool{}
	for _, b := range breaks() {
		exec(t, c, b.sql)
		got := broken(t, s, true)
		if fmt.Sprint(numbers(got)) != fmt.Sprint(b.want) {
			t.Errorf("%s: %v, want %v", b.sql, got, b.want)
		}
		for _, v := range got {
			seen[v.Condition] = true
			if v.Violations < 1 || v.Violations > 1 && v.Condition != 7 || v.Copy != 1 || !strings.Contains(v.Key, "=") ||
				!strings.Contains(v.Error(), v.Key) || v.Says == "" {
				t.Errorf("%s: %+v", b.sql, v)
			}
		}
		exec(t, c, b.undo)
	}
	for n := 1; n <= 12; n++ {
		if !seen[n] {
			t.Errorf("no change broke condition %d", n)
		}
	}
	exec(t, c, "update district1 set d_next_o_id = 5 where d_id = 4")
	got := broken(t, s, false)
	if len(got) != 1 || got[0].Violations != 3 || got[0].Key != "d_w_id=1 d_id=4" {
		t.Errorf("%v", got)
	}
	exec(t, c, "update district1 set d_next_o_id = 301", "insert into orders1 select 301, 4, 1, 1, now(), 2, 0, 1",
		"update district1 set d_next_o_id = 302 where d_w_id = 1 and d_id = 4",
		"delete from new_orders1 where no_w_id = 1 and no_d_id = 4")
	if got := broken(t, s, false); fmt.Sprint(numbers(got)) != "[5]" {
		t.Errorf("condition 11 is asked of what has been loaded only: %v", got)
	}
}

// testNulls: a missing value is not a balance of 0, and a customer without deliveries has conditions too.
func testNulls(t *testing.T, s site) {
	s = s.fresh(t, "nulls")
	c := connected(t, s.dsn)
	const nobody = "(c_w_id, c_d_id, c_id) in (select o_w_id, o_d_id, o_c_id from orders1 where o_w_id = 1 and o_d_id = " +
		"1 and o_id = 300)"
	for _, b := range []struct {
		sql, undo string
		want      []int
	}{
		{"update customer1 set c_balance = c_balance + 0.01 where " + nobody,
			"update customer1 set c_balance = -10 where " + nobody, []int{10, 12}},
		{"update customer1 set c_balance = null where " + nobody, "update customer1 set c_balance = -10 where " + nobody,
			[]int{10, 12}},
		{"update warehouse1 set w_ytd = null where w_id = 1", "update warehouse1 set w_ytd = 30000", []int{1, 8}},
		{"update orders1 set o_ol_cnt = null where o_w_id = 1 and o_d_id = 1 and o_id = 5",
			"update orders1 o set o_ol_cnt = (select count(*) from order_line1 where ol_w_id = o_w_id and ol_d_id = o_d_id " +
				"and ol_o_id = o_id) where o_w_id = 1 and o_d_id = 1 and o_id = 5", []int{4, 6}},
		{"delete from history1 where h_c_w_id = 1 and h_c_d_id = 1 and h_c_id = 1",
			"insert into history1 values (1, 1, 1, 1, 1, now(), 10, '')", []int{8, 9, 10}},
		{"delete from district1 where d_w_id = 2", "", []int{1, 4}},
	} {
		exec(t, c, b.sql)
		if got := broken(t, s, true); fmt.Sprint(numbers(got)) != fmt.Sprint(b.want) {
			t.Errorf("%s: %v, want %v", b.sql, got, b.want)
		}
		if b.undo != "" {
			exec(t, c, b.undo)
		}
	}
}

func exec(t *testing.T, c *pgx.Conn, statements ...string) {
	t.Helper()
	for _, sql := range statements {
		if tag, err := c.Exec(t.Context(), sql); err != nil || tag.RowsAffected() == 0 && !strings.HasPrefix(sql, "create ") {
			t.Fatalf("%s: %v, %v", sql, tag, err)
		}
	}
}

// broken are the conditions that do not hold.
func broken(t *testing.T, s site, loaded bool) []Broken {
	t.Helper()
	err := s.check(t.Context(), s.dsn, loaded)
	many, ok := err.(interface{ Unwrap() []error })
	if err != nil && !ok {
		t.Fatal(err)
	}
	var out []Broken
	if ok {
		for _, e := range many.Unwrap() {
			var b Broken
			if !errors.As(e, &b) {
				t.Fatal(e)
			}
			out = append(out, b)
		}
	}
	return out
}

func numbers(all []Broken) (out []int) {
	for _, b := range all {
		out = append(out, b.Condition)
	}
	return out
}

// testGone: a look that cannot be taken is no condition that holds.
func testGone(t *testing.T, s site) {
	var refused *pgconn.PgError
	if err := s.check(context.Background(), beside(t, s.dsn, "nowhere"), false); !errors.As(err, &refused) {
		t.Errorf("%v", err)
	}
	if err := s.check(context.Background(), beside(t, s.dsn, "postgres"), false); !errors.As(err, &refused) {
		t.Errorf("%v", err)
	}
}
