package pgbench

import (
	"context"
	"errors"
	"fmt"
	"io"
	"strconv"
	"sync/atomic"

	"github.com/jackc/pgx/v5"

	"plimsoll/internal/workload"
	"plimsoll/internal/workload/database"
)

// The rows per unit of scale.
const (
	branches = 1
	tellers  = 10
	accounts = 100_000
)

// bigScale is the scale from which pgbench numbers accounts by bigint.
const bigScale = 20_000

// setOf returns pgbench's data set.
func setOf(p workload.Params) database.Set {
	if p.Text(paramSchema) == schemaOwn {
		set := existingSet(p)
		set.Pool = p.Int(paramPool)
		return set
	}
	d := data{scale: int64(p.Int(paramScale)), fill: p.Int(paramFillfactor)}
	return database.Set{
		Name: Name, Pool: p.Int(paramPool), Key: fmt.Sprintf("scale=%d fillfactor=%d",
			d.scale, d.fill), Bytes: scaleBytes * d.scale * 100 / int64(d.fill),
		Fill: d.load, Check: d.check,
		Cost: database.SetCost{Fill: scaleCPU * float64(d.scale), FillAlone: scaleAloneCPU * float64(d.scale),
			Check: checkCPU},
	}
}

// The CPU seconds of the reference machine for one unit of scale, loaded over several connections, and indexed,
// vacuumed and summed over one; and those to check the sums after a trial.
const (
	scaleCPU      = .15
	scaleAloneCPU = .12
	checkCPU      = .05
)

// scaleBytes is the disk space of one unit of scale, with its index, at full pages.
const scaleBytes = 15_700_000

type data struct {
	scale int64
	fill  int
}

// tables returns the statements of `pgbench -i`: the filler pads rows to TPC-B's length.
func (d data) tables() []string {
	aid := "int"
	if d.scale >= bigScale {
		aid = "bigint"
	}
	storage := fmt.Sprintf(" with (fillfactor = %d)", d.fill)
	return []string{
		"create table pgbench_history (tid int, bid int, aid " + aid + ", delta int, mtime timestamp, filler char(22))",
		"create table pgbench_tellers (tid int not null, bid int, tbalance int, filler char(84))" + storage,
		"create table pgbench_accounts (aid " + aid + " not null, bid int, abalance int, filler char(84))" + storage,
		"create table pgbench_branches (bid int not null, bbalance int, filler char(88))" + storage,
	}
}

// finish returns the statements that run after the rows are loaded. They freeze the accounts, which COPY has not
// done here, unlike in pgbench.
func (data) finish() []string {
	return []string{
		"vacuum analyze pgbench_branches",
		"vacuum analyze pgbench_tellers",
		"vacuum (freeze, analyze) pgbench_accounts",
		"vacuum analyze pgbench_history",
		"alter table pgbench_branches add primary key (bid)",
		"alter table pgbench_tellers add primary key (tid)",
		"alter table pgbench_accounts add primary key (aid)",
	}
}

// load makes the tables and fills them.
func (d data) load(ctx context.Context, dsn string, jobs int) error {
	c, err := database.Connect(ctx, dsn)
	if err != nil {
		return err
	}
	defer c.Close(context.WithoutCancel(ctx))
	small := []string{
		fmt.Sprintf("insert into pgbench_branches (bid, bbalance) select n, 0 from generate_series(1, %d) n",
			branches*d.scale),
		fmt.Sprintf("insert into pgbench_tellers (tid, bid, tbalance) select n, (n - 1) / %d + 1, 0 from "+
			"generate_series(1, %d) n", tellers/branches, tellers*d.scale),
	}
	if err := all(ctx, c, append(d.tables(), small...)); err != nil {
		return err
	}
	if err := d.copyAccounts(ctx, dsn, jobs); err != nil {
		return err
	}
	return all(ctx, c, d.finish())
}

func all(ctx context.Context, c *pgx.Conn, statements []string) error {
	for _, s := range statements {
		if _, err := c.Exec(ctx, s); err != nil {
			return fmt.Errorf("%.60s: %w", s, err)
		}
	}
	return nil
}

// chunk is the number of accounts that a connection copies at a time: few enough that the rows are nearly in order
// with any number of connections, and enough to amortise the statement.
const chunk = 2_500

// copyAccounts fills the table of accounts over several connections, each of which takes the next chunk.
func (d data) copyAccounts(ctx context.Context, dsn string, jobs int) error {
	ctx, cancel := context.WithCancel(ctx)
	defer cancel()
	var next atomic.Int64
	ended := make(chan error, max(jobs, 1))
	for range max(jobs, 1) {
		go func() { ended <- d.copyChunks(ctx, dsn, &next) }()
	}
	var first error
	for range max(jobs, 1) {
		// The first error cancels the others, whose own errors are then meaningless.
		if err := <-ended; err != nil && first == nil {
			first = err
			cancel()
		}
	}
	return first
}

func (d data) copyChunks(ctx context.Context, dsn string, next *atomic.Int64) error {
	c, err := database.Connect(ctx, dsn)
	if err != nil {
		return err
	}
	defer c.Close(context.WithoutCancel(ctx))
	for {
		from := (next.Add(1) - 1) * chunk
		if from >= accounts*d.scale {
			return nil
		}
		rows := &accountRows{next: from + 1, last: min(from+chunk, accounts*d.scale)}
		if _, err := c.PgConn().CopyFrom(ctx, rows, "copy pgbench_accounts from stdin"); err != nil {
			return fmt.Errorf("copy accounts %d to %d: %w", from+1, rows.last, err)
		}
	}
}

// accountRows produces accounts in COPY's text form.
type accountRows struct {
	next, last int64
	held       []byte // produced and not yet read
}

// Read produces rows until they fill p.
func (r *accountRows) Read(p []byte) (int, error) {
	for len(r.held) < len(p) && r.next <= r.last {
		r.held = strconv.AppendInt(r.held, r.next, 10)
		r.held = append(r.held, '\t')
		r.held = strconv.AppendInt(r.held, (r.next-1)/accounts+1, 10)
		r.held = append(r.held, "\t0\t\n"...)
		r.next++
	}
	if len(r.held) == 0 {
		return 0, io.EOF
	}
	n := copy(p, r.held)
	r.held = append(r.held[:0], r.held[n:]...)
	return n, nil
}

// check counts the rows.
func (d data) check(ctx context.Context, dsn string) error {
	c, err := database.Connect(ctx, dsn)
	if err != nil {
		return err
	}
	defer c.Close(context.WithoutCancel(ctx))
	var got [3]int64
	err = c.QueryRow(ctx, "select (select count(*) from pgbench_branches), "+
		"(select count(*) from pgbench_tellers), (select count(*) from pgbench_accounts)").Scan(&got[0], &got[1], &got[2])
	if err != nil {
		return fmt.Errorf("count the rows: %w", err)
	}
	if want := [3]int64{branches * d.scale, tellers * d.scale, accounts * d.scale}; got != want {
		return fmt.Errorf("found %d branches, %d tellers and %d "+
			"accounts, not %d, %d and %d", got[0], got[1], got[2], want[0], want[1], want[2])
	}
	return nil
}

// errSums reports balances that do not agree.
var errSums = errors.New("the balances do not agree: transactions were lost, or done twice")
