package pgbench

import (
	"context"
	"fmt"
	"net/url"
	"os/exec"
	"slices"
	"strconv"
	"strings"
	"testing"
	"time"

	"github.com/jackc/pgx/v5"

	"plimsoll/internal/client/load"
	"plimsoll/internal/record"
)

// TestLive: one server for all that a live one has to answer.
func TestLive(t *testing.T) {
	if testing.Short() {
		t.Skip("it needs PostgreSQL")
	}
	dsn := startServer(t, record.Params{paramScale: "1"})
	t.Run("bench", func(t *testing.T) { benchParts(t, dsn) })
	t.Run("builtins", func(t *testing.T) { builtinScripts(t, dsn) })
	t.Run("protocols", func(t *testing.T) { protocols(t, dsn) })
	t.Run("failures", func(t *testing.T) { failures(t, dsn) })
	t.Run("conflicts", func(t *testing.T) { conflicts(t, dsn) })
	t.Run("what ends a client", func(t *testing.T) { fatal(t, dsn) })
	t.Run("data are pgbench's", func(t *testing.T) { sameData(t, dsn) })
	t.Run("language is pgbench's", func(t *testing.T) { sameLanguage(t, dsn) })
}

// run is a short load of two clients.
func run(t *testing.T, dsn string, set record.Params) (*driver, load.Result) {
	t.Helper()
	set[paramScale] = "1"
	d, r, err := loaded(dsn, values(set), 2, 100*time.Millisecond)
	if err != nil {
		t.Fatal(err)
	}
	return d, r
}

// meet repeats a short load until its clients met in a conflict: on a busy machine they need not within one.
func meet(t *testing.T, dsn string, set record.Params, conflicts func(*driver) int64) (d *driver, r load.Result) {
	t.Helper()
	for range 50 {
		if d, r = run(t, dsn, set); conflicts(d) > 0 {
			break
		}
	}
	return d, r
}

func connect(t *testing.T, dsn string) *pgx.Conn {
	t.Helper()
	c, err := pgx.Connect(context.Background(), dsn)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { c.Close(context.Background()) })
	return c
}

// ask is a query's rows, a line each.
func ask(t *testing.T, c *pgx.Conn, query string) string {
	t.Helper()
	rows, err := c.Query(context.Background(), query)
	if err != nil {
		t.Fatal(err)
	}
	var out []string
	for rows.Next() {
		v, err := rows.Values()
		if err != nil {
			t.Fatal(err)
		}
		out = append(out, strings.Trim(fmt.Sprint(v), "[]"))
	}
	if rows.Err() != nil {
		t.Fatal(rows.Err())
	}
	return strings.Join(out, "\n")
}

// builtinScripts by each protocol: every transaction is done once, and touches the expected rows.
func builtinScripts(t *testing.T, dsn string) {
	c := connect(t, dsn)
	for _, script := range builtins() {
		for _, protocol := range []string{protocolPrepared, protocolExtended, protocolSimple} {
			before := ask(t, c, "select count(*) from pgbench_history")
			d, r := run(t, dsn, record.Params{paramScript: script, paramProtocol: protocol})
			ta := d.tally()
			if len(r.Errors) > 0 || r.Ops == 0 || ta.odd > 0 || ta.first != nil || ta.committed < r.Ops {
				t.Errorf("%s, %s: %d operations, errors %v, %+v", script, protocol, r.Ops, r.Errors, ta)
			}
			wrote := fmt.Sprintf("%s + %d", before, ta.committed)
			if script == scriptSelect {
				wrote = before
			}
			if ok := ask(t, c, "select count(*) = "+wrote+" from pgbench_history"); ok != "true" {
				t.Errorf("%s, %s: the history does not have %s", script, protocol, wrote)
			}
			if n := len(valuesOf(ta)); n != len(d.program.Scripts[0].Statements) {
				t.Errorf("%s, %s: %d values of statements", script, protocol, n)
			}
		}
	}
	// TPC-B's condition holds after tpcb-like and simple-update: the history has everything that accounts have.
	if ok := ask(t, c, "select (select sum(abalance) from pgbench_accounts) = (select sum(delta) from pgbench_history), "+
		"(select sum(bbalance) from pgbench_branches) = (select sum(tbalance) from pgbench_tellers)"); ok != "true true" {
		t.Errorf("the sums agree: %s", ok)
	}
	if err := sumsAgree(context.Background(), dsn, -1); err == nil || !strings.Contains(err.Error(), "do not agree") {
		t.Errorf("simple-update leaves branches as they were: %v", err)
	}
}

// protocols: features of scripts, with answers from the server.
func protocols(t *testing.T, dsn string) {
	const keeps = "select 41 as a, null as b, 'x y' as c \\gset p_\n\\set sum :p_a + 1\nselect 1 / (:sum = 42)::int, 1 " +
		"/ (:p_c = 'x y')::int, 1 / (:p_b is null)::int;\n"
	for name, c := range map[string]struct{ protocol, text string }{
		"gset, prepared": {protocolPrepared,
			strings.ReplaceAll(strings.ReplaceAll(keeps, ":p_c", ":p_c::text"), ":p_b", ":p_b::text")},
		"gset, extended": {protocolExtended,
			strings.ReplaceAll(strings.ReplaceAll(keeps, ":p_c", ":p_c::text"), ":p_b", ":p_b::text")},
		"gset, simple": {protocolSimple, strings.ReplaceAll(keeps, ":p_c", "':p_c'")},
		"aset": {protocolSimple, "select 1 as a \\; select 2 as b where false \\; select generate_series(3, " +
			"4) as c \\aset\n\\if :a + :c = 5\n\\else\nselect 1/0;\n\\endif\n\\set b 1\nselect :b;"},
		"gset, several": {protocolSimple, "select 0 as n \\; select 5 as n \\gset\nselect 1 / (:n = 5)::int;"},
		"gset, a slice": {protocolSimple,
			"select 1 as lo \\gset\nselect 1 / ((array[4,5,6])[1:2] = array[4,5] and :lo = 1)::int;"},
		"routine": {protocolSimple, "CREATE OR REPLACE FUNCTION pg_temp.f(a int) RETURNS int LANGUAGE sql BEGIN " +
			"ATOMIC; SELECT a; END;\nselect 1 / pg_temp.f(1);\n\\SLEEP -1 us"},
		"pipeline": {protocolPrepared,
			"\\set n random(1, 9)\n\\startpipeline\nbegin;\nselect :n::int;\nend;\n\\endpipeline\nselect 1;"},
		"pipeline, extended": {protocolExtended, "\\startpipeline\nselect 1;\nselect :client_id::int;\n\\endpipeline"},
		"temporary table": {protocolPrepared, "create temp table if not exists mine (n int);\ninsert into mine values " +
			"(:client_id);\nselect 1 / (count(*) > 0)::int from mine where n = :client_id;"},
		"sleep":        {protocolPrepared, "\\sleep 2 ms\nselect 1;"},
		"no statement": {protocolPrepared, "\\sleep 100 us\n"},
	} {
		d, r := run(t, dsn, record.Params{paramScript: c.text, paramProtocol: c.protocol})
		if len(r.Errors) > 0 || r.Ops == 0 || d.tally().first != nil {
			t.Errorf("%s: %d operations, errors %v: %v", name, r.Ops, r.Errors, d.tally().first)
		}
		if name == "sleep" && r.Ops > 2*55 {
			t.Errorf("%d transactions that sleep for 2 ms", r.Ops)
		}
	}
}

// failures are errors of the load by class, with the first one's words; the client goes on.
func failures(t *testing.T, dsn string) {
	for text, want := range map[string]string{
		"select 1;\n\nselect none from pgbench_tellers;": `script:3: prepare "select ` +
			`none from pgbench_tellers": ERROR: column "none" does not exist (SQLSTATE 42703)`,
		"begin;\ninsert into pgbench_tellers (tid, bid, tbalance) values (1, 1, 0);\nend;": `script:2: ERROR: ` +
			`duplicate key value`,
		"\\startpipeline\nselect 1;\nselect 1 / 0 * :client_id;\n\\endpipeline": `script:3: ERROR: division by zero`,
	} {
		d, r := run(t, dsn, record.Params{paramScript: text})
		first := d.tally().first
		if r.Ops != 0 || r.Errors[load.Status] == 0 || len(r.Errors) != 1 || first == nil ||
			!strings.Contains(first.Error(), want) {
			t.Errorf("%q: %d operations, errors %v: %v", text, r.Ops, r.Errors, first)
		}
		if doubts := strings.Join(d.Doubts(), "\n"); !strings.Contains(doubts, "failed transactions: "+first.Error()) {
			t.Errorf("%q: the doubts are %s", text, doubts)
		}
	}
}

// conflicts: serialization failures and deadlocks are counted, retried as often as set, and are no errors of the
// load.
func conflicts(t *testing.T, dsn string) {
	const serial = "begin isolation level serializable;\nselect tbalance from pgbench_tellers where tid = 1 + " +
		":client_id % 2;\n\\sleep 1 ms\nupdate pgbench_tellers set tbalance = tbalance + 1 where tid = 2 - " +
		":client_id % 2;\nend;"
	d, r := meet(t, dsn, record.Params{paramScript: serial}, func(d *driver) int64 { return d.tally().serialization })
	ta := d.tally()
	if len(r.Errors) > 0 || ta.serialization == 0 || ta.transactions != r.Ops+ta.serialization || ta.retries != 0 {
		t.Errorf("tried once: errors %v, %d operations, %+v", r.Errors, r.Ops, ta)
	}
	if doubts := strings.Join(d.Doubts(), "\n"); !strings.Contains(doubts, "were given up after 1 tries") {
		t.Errorf("the doubts are %s", doubts)
	}
	d, r = meet(t, dsn, record.Params{paramScript: serial, paramTries: "1000"},
		func(d *driver) int64 { return d.tally().retries })
	ta = d.tally()
	if len(r.Errors) > 0 || ta.serialization != 0 || ta.retries == 0 || ta.transactions != r.Ops || r.Ops == 0 {
		t.Errorf("tried again: errors %v, %d operations, %+v", r.Errors, r.Ops, ta)
	}
	// Two that lock two rows in opposite order.
	const lock = "begin;\nset local deadlock_timeout = '2ms';\nselect 1 from pgbench_tellers where tid = 3 + :client_id " +
		"% 2 for update;\n\\sleep 5 ms\nselect 1 from pgbench_tellers where tid = 4 - :client_id % 2 for update;\nend;"
	d, r = meet(t, dsn, record.Params{paramScript: lock}, func(d *driver) int64 { return d.tally().deadlocks })
	if ta = d.tally(); len(r.Errors) > 0 || ta.deadlocks == 0 || ta.first != nil {
		t.Errorf("deadlocks: errors %v, %d operations, %+v", r.Errors, r.Ops, ta)
	}
	if !slices.ContainsFunc(valuesOf(ta), func(v record.Value) bool {
		return v.Name == metricDeadlocks && v.Value > 0 && v.Value <= 100
	}) {
		t.Errorf("the values are %v", valuesOf(ta))
	}
}

// fatal: errors after which a client cannot go on.
func fatal(t *testing.T, dsn string) {
	for text, want := range map[string]string{
		"select 1;\n\\set x 1 / (:client_id - :client_id)": `pgbench: script:2: \set: /: division by zero`,
		"select n from generate_series(1, 2) n \\gset":     `script:1: \gset needs exactly one row, got 2`,
		"select 1 \\gset":                  `script:1: the column "?column?" cannot be a variable`,
		"select 1 as \"bad name!\" \\gset": `the column "bad name!" cannot be a variable`,
		"begin;\nselect 1;": "script:2: the script ends in the middle of a transaction\nhint: " +
			"COMMIT or ROLLBACK",
		"select pg_terminate_backend(pg_backend_pid());": "pgbench: script:1: FATAL: terminating connection",
	} {
		_, r, err := loaded(dsn, values(record.Params{paramScript: text}), 1, 200*time.Millisecond)
		if err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%q: %v, want %q", text, err, want)
		}
		if len(r.Errors) == 0 {
			t.Errorf("%q: no error is counted", text)
		}
	}
}

// programs of PostgreSQL's own, or a skipped test.
func pgbenchProgram(t *testing.T) string {
	t.Helper()
	path, err := exec.LookPath("pgbench")
	if err != nil {
		t.Skip("pgbench is not installed")
	}
	return path
}

func pageCount(t *testing.T, c *pgx.Conn, query string) int {
	t.Helper()
	n, err := strconv.Atoi(strings.Trim(ask(t, c, query), "[] \n"))
	if err != nil {
		t.Fatal(err)
	}
	return n
}

// sameData: tables, types, keys, sizes and rows are those of the real `pgbench -i` on the same server.
func sameData(t *testing.T, dsn string) {
	program := pgbenchProgram(t)
	c := connect(t, dsn)
	for _, name := range []string{"theirs", "ours"} {
		ask(t, c, "create database "+name)
	}
	other := func(name string) string {
		u, err := url.Parse(dsn)
		if err != nil {
			t.Fatal(err)
		}
		u.Path = "/" + name
		return u.String()
	}
	if out, err := exec.Command(program, "-i", "-q", "-s", "1", other("theirs")).CombinedOutput(); err != nil {
		t.Fatalf("%v: %s", err, out)
	}
	d := data{scale: 1, fill: 100}
	if err := d.load(context.Background(), other("ours"), 2); err != nil {
		t.Fatal(err)
	}
	if err := d.check(context.Background(), other("ours")); err != nil {
		t.Error(err)
	}
	theirs, ours := connect(t, other("theirs")), connect(t, other("ours"))
	// PostgreSQL extends a table that several connections load by more pages than they fill, and vacuum gives them back
	// from a sixteenth of the table on.
	const pages = "select sum(relpages)::text from pg_class where relname = 'pgbench_accounts'"
	if a, b := pageCount(t, theirs, pages), pageCount(t, ours, pages); b < a || b > a+a/16 {
		t.Errorf("pgbench_accounts has %d pages, that of pgbench %d", b, a)
	}
	// A connection that a busy machine holds up has its chunk of the few that there are here come last: 0.85.
	for _, query := range []string{
		"select c.relname, c.relkind::text, c.relpersistence::text, c.reloptions::text, c.reltuples from pg_class c where " +
			"relname like 'pgbench%' order by 1",
		"select attrelid::regclass::text, attname::text, format_type(atttypid, atttypmod), attnotnull from pg_attribute " +
			"where attrelid::regclass::text like 'pgbench%' and attnum > 0 order by attrelid::regclass::text, attnum",
		"select conrelid::regclass::text, conname::text, pg_get_constraintdef(oid) from pg_constraint where " +
			"conrelid::regclass::text like 'pgbench%' order by 1, 2",
		"select * from pgbench_branches order by bid",
		"select * from pgbench_tellers order by tid",
		"select count(*), min(aid), max(aid), sum(bid), sum(abalance), min(filler), max(octet_length(filler)), " +
			"count(filler) from pgbench_accounts",
		"select correlation > 0.8 from pg_stats where tablename = 'pgbench_accounts' and attname = 'aid'",
		"select count(*) from pgbench_history",
	} {
		if a, b := ask(t, theirs, query), ask(t, ours, query); a != b || a == "" {
			t.Errorf("%s\npgbench: %s\nours:    %s", query, a, b)
		}
	}
}

// sameLanguage: expressions have the same values as in the real pgbench.
func sameLanguage(t *testing.T, dsn string) {
	program := pgbenchProgram(t)
	var script strings.Builder
	expressions := []string{
		"hash(10, 5432)", "hash_murmur2(-1, 7)", "hash_fnv1a(123456789012, -3)", "1 + 2 * 3 - 4 / 3% 5", "7 & 12 | 1 # 6",
		"1 << 3 >> 1", "~ 5", "-7 / 2", "-7% 3",
		"int(2.5)", "int(-3.5)", "int(0.5)", "abs(-2.25)", "greatest(1, 2.5, 2)", "least(3, 1, 2)", "sqrt(2)", "pow(2, 10)",
		"ln(10)", "exp(1)", "pi()", "mod(-7, 3)", "1e20 * 10", "0.1 + 0.2", "100000.0 * 3",
		"case when 1 > 2 then 3 when null then 4 else 5 end", "case when false then 1 end", "not (1 = 2 and true)",
		"2 is not null", "null isnull", "true or 1 / 0 = 1", "1 <> 1.0", "3 >= 3 and not 2 > 3", "- - 5", "1.0 / 3",
		"double(7)",
	}
	for i, e := range expressions {
		fmt.Fprintf(&script, "\\set v%d %s\n", i, e)
	}
	script.WriteString("insert into answers values ('")
	for i := range expressions {
		fmt.Fprintf(&script, ":v%d|", i)
	}
	script.WriteString("');\n")
	c := connect(t, dsn)
	ask(t, c, "create table answers (text text)")
	cmd := exec.Command(program, "-n", "-t", "1", "-M", "simple", "-f", "/dev/stdin", dsn)
	cmd.Stdin = strings.NewReader(script.String())
	if out, err := cmd.CombinedOutput(); err != nil {
		t.Fatalf("%v: %s", err, out)
	}
	run(t, dsn, record.Params{paramScript: script.String(), paramProtocol: protocolSimple})
	answers := strings.Split(ask(t, c, "select distinct text from answers"), "\n")
	if len(answers) > 1 {
		a, b := strings.Split(answers[0], "|"), strings.Split(answers[1], "|")
		for i, e := range expressions {
			if a[i] != b[i] {
				t.Errorf("%s is %s and %s", e, a[i], b[i])
			}
		}
	}
	if n := ask(t, c, "select count(*) > 1 from answers"); n != "true" {
		t.Error("only one of us has answered")
	}
}
