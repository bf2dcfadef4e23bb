package tpcc

import (
	"context"
	"errors"
	"fmt"
	"runtime"
	"slices"
	"strconv"
	"strings"
	"sync"

	"github.com/jackc/pgx/v5/pgconn"
)

// mostCheckers bounds the connections that check conditions: a server's default is 100 in all.
const mostCheckers = 64

// checkers returns the number of connections that check conditions: a query takes one CPU, and the server runs on this
// host with nothing else to do.
func checkers() int { return min(runtime.NumCPU(), mostCheckers) }

// Broken is a consistency condition that does not hold.
type Broken struct {
	Condition  int    // 1 to 12
	Copy       int    // of the tables, from 1
	Key        string // first row that violates it, such as "w_id=1"
	Says       string // the contradiction
	Violations int    // number of violating rows
	doc        string
}

func (b Broken) Error() string {
	return fmt.Sprintf("consistency condition %d (3.3.2.%[1]d: %s) does not hold in copy %d, first for %s (of %d): "+
		"%s", b.Condition, b.doc, b.Copy, b.Key, b.Violations, b.Says)
}

// check evaluates the conditions, 11 only for freshly loaded data. It returns the violated conditions, in order, as
// Broken, or the error of a failed query.
func (p population) check(ctx context.Context, dsn string, loaded bool) error {
	var mu sync.Mutex
	var broken []Broken
	var tasks []func(context.Context, *pgconn.PgConn) error
	for copy := 1; copy <= p.copies; copy++ {
		for _, c := range conditions() {
			if c.loaded && !loaded {
				continue
			}
			tasks = append(tasks, func(ctx context.Context, conn *pgconn.PgConn) error {
				b, holds, err := p.violation(ctx, conn, c, copy)
				if err == nil && !holds {
					mu.Lock()
					defer mu.Unlock()
					broken = append(broken, b)
				}
				return err
			})
		}
	}
	if err := inParallel(ctx, dsn, checkers(), tasks); err != nil {
		return fmt.Errorf("consistency conditions: %w", err)
	}
	slices.SortFunc(broken, func(a, b Broken) int { return (a.Condition-b.Condition)*1e6 + a.Copy - b.Copy })
	errs := make([]error, len(broken))
	for i, b := range broken {
		errs[i] = b
	}
	return errors.Join(errs...)
}

func (p population) violation(ctx context.Context, conn *pgconn.PgConn, c condition, copy int) (Broken, bool, error) {
	sql := strings.ReplaceAll(of(copy, c.violating), "$delivered", strconv.Itoa(p.customers-p.undelivered))
	// Materialised, so that the planner does not choose a plan that is fast to the first row and slow to the last;
	// statistics of groups mislead it to nested loops over all customers.
	sql = "with v(key, says) as materialized (" + sql + ") select *, count(*) over () from v limit 1"
	if err := execute(ctx, conn, "set work_mem = '64MB'", "set enable_nestloop = off"); err != nil {
		return Broken{}, false, err
	}
	results, err := conn.Exec(ctx, sql).ReadAll()
	if err != nil {
		return Broken{}, false, fmt.Errorf("condition %d: %w", c.number, err)
	}
	if len(results[0].Rows) == 0 {
		return Broken{}, true, nil
	}
	row := results[0].Rows[0]
	n, err := strconv.Atoi(string(row[2]))
	return Broken{Condition: c.number, Copy: copy, Key: string(row[0]), Says: string(row[1]), Violations: n, doc: c.doc},
		false, err
}
