package database

import (
	"context"
	"crypto/rand"
	"errors"
	"fmt"
	"net/url"
	"regexp"
	"strings"
	"time"

	"github.com/jackc/pgx/v5"
)

// mark begins the comment that marks a database as ours, and commentForm is all of it, as a regular expression of Go
// and of PostgreSQL: a comment of somebody else's may begin so.
const (
	mark        = "plimsoll: "
	commentForm = `^` + mark + `session [0-9a-zA-Z]*, [0-9]{4}-[0-9]{2}-[0-9]{2}T[0-9]{2}:[0-9]{2}:[0-9]{2}Z; ` + dropped +
		`$`
	dropped = "is dropped when its run ends"
)

// makeWithin bounds the time to make a database.
const makeWithin = 30 * time.Second

// namePrefix begins the names of our databases.
const namePrefix = "plimsoll_"

// external is our own database on an existing server.
type external struct {
	set      Set
	base     string // DSN of the server
	session  string
	database string
	// holds stays connected to the database, so that nobody drops it as an orphan.
	holds *pgx.Conn
	made  bool
}

// begin makes the database and fills it, after checking that all clients can connect.
func (e *external) begin(ctx context.Context, clients int) (string, error) {
	c, err := Connect(ctx, e.base)
	if err != nil {
		return "", err
	}
	defer c.Close(context.WithoutCancel(ctx))
	f, err := factsOf(ctx, c)
	if err != nil {
		return "", err
	}
	if err := f.enough(e.set.Name, clients, true); err != nil {
		return "", err
	}
	if err := dropDead(ctx, c); err != nil {
		return "", err
	}
	e.database = nameOf(e.set.Name, e.session)
	if err := e.unused(ctx, c); err != nil {
		return "", err
	}
	dsn, err := withDatabase(e.base, e.database)
	if err != nil {
		return "", err
	}
	if err := e.make(ctx, c, dsn); err != nil {
		return "", err
	}
	return dsn, e.set.fillAt(ctx, dsn)
}

// nameOf returns the name of a session's database.
func nameOf(set, session string) string {
	const digits = 12
	if session == "" {
		session = strings.ToLower(rand.Text())
	}
	return namePrefix + strings.ReplaceAll(set, "-", "_") + "_" + session[:min(digits, len(session))]
}

// unused returns an error if there is a database of that name: one that is in use, or not ours, must not be touched.
func (e *external) unused(ctx context.Context, c *pgx.Conn) error {
	var comment string
	err := c.QueryRow(ctx, "select coalesce(shobj_description(oid, 'pg_database'), '') from pg_database where "+
		"datname = $1", e.database).Scan(&comment)
	switch {
	case errors.Is(err, pgx.ErrNoRows):
		return nil
	case err != nil:
		return fmt.Errorf("look up the database %s: %w", e.database, err)
	case regexp.MustCompile(commentForm).MatchString(comment):
		return fmt.Errorf("the database %s is in use by another run of this session\nhint: wait for it, or for its "+
			"agent to end", e.database)
	}
	return fmt.Errorf("the database %s exists and is not ours: it has no comment of ours, which begins with %q\nhint: "+
		"nothing in it was touched; rename it, or drop it", e.database, mark)
}

// make makes the database and marks it. Nobody else drops it before it is marked, and from then on this trial is
// connected to it.
func (e *external) make(ctx context.Context, c *pgx.Conn, dsn string) error {
	// Not cancellable: the server could go on, and make a database that nobody drops.
	making, cancel := context.WithTimeout(context.WithoutCancel(ctx), makeWithin)
	defer cancel()
	_, err := c.Exec(making, "create database "+quoted(e.database))
	if err != nil {
		return fmt.Errorf("create the database %s: %w\nhint: the role needs the privilege: alter role … createdb",
			e.database, err)
	}
	e.made = true
	if e.holds, err = Connect(ctx, dsn); err != nil {
		return err
	}
	text := e.comment(time.Now())
	if _, err := e.holds.Exec(ctx, fmt.Sprintf("comment on database %s is '%s'",
		quoted(e.database), strings.ReplaceAll(text, "'", "''"))); err != nil {
		return fmt.Errorf("mark the database %s: %w", e.database, err)
	}
	return nil
}

// comment marks the database.
func (e *external) comment(at time.Time) string {
	return fmt.Sprintf("%ssession %s, %s; %s", mark, e.session, at.UTC().Format(time.RFC3339), dropped)
}

// deadDatabases selects our marked databases to which nobody is connected.
const deadDatabases = `select datname from pg_database d where starts_with(datname, '` + namePrefix + `')
	and shobj_description(oid, 'pg_database') ~ '` + commentForm + `'
	and not exists (select from pg_stat_activity a where a.datid = d.oid)`

// dropDead drops the databases of trials that were killed.
func dropDead(ctx context.Context, c *pgx.Conn) error {
	rows, err := c.Query(ctx, deadDatabases)
	if err != nil {
		return fmt.Errorf("list orphaned databases: %w", err)
	}
	dead, err := pgx.CollectRows(rows, pgx.RowTo[string])
	if err != nil {
		return fmt.Errorf("list orphaned databases: %w", err)
	}
	for _, name := range dead {
		// The server refuses if somebody has connected since, or it is another role's: it stays then.
		if _, err := c.Exec(ctx, "drop database if exists "+quoted(name)); err != nil && ctx.Err() != nil {
			return err
		}
	}
	return nil
}

// dropping bounds the time to drop a database.
const dropping = 5 * time.Second

// close drops the database. It may be called more than once.
func (e *external) close() error {
	ctx, cancel := context.WithTimeout(context.Background(), dropping)
	defer cancel()
	if e.holds != nil {
		_ = e.holds.Close(ctx)
		e.holds = nil
	}
	if !e.made {
		return nil
	}
	c, err := Connect(ctx, e.base)
	if err != nil {
		return err
	}
	defer c.Close(ctx)
	if _, err := c.Exec(ctx, "drop database if exists "+quoted(e.database)+" with (force)"); err != nil {
		return fmt.Errorf("drop the database %s: %w", e.database, err)
	}
	e.made = false
	return nil
}

// withDatabase returns a DSN for another database of the same server.
func withDatabase(dsn, name string) (string, error) {
	if !isURL(dsn) {
		return dsn + " dbname=" + name, nil
	}
	u, err := url.Parse(dsn)
	if err != nil {
		return "", errUnreadable
	}
	u.Path = "/" + name
	q := u.Query()
	q.Del("dbname")
	q.Del("database")
	u.RawQuery = q.Encode()
	return u.String(), nil
}

// existing is a database with data of the user's, in which nothing is made, checked or dropped.
type existing struct {
	set Set
	dsn string
}

// begin returns the DSN, after the user's own statements have run there, if there are any.
func (e existing) begin(ctx context.Context) (string, error) {
	if e.set.Init == "" {
		return e.dsn, nil
	}
	c, err := Connect(ctx, e.dsn)
	if err != nil {
		return "", err
	}
	defer c.Close(context.WithoutCancel(ctx))
	if _, err := c.PgConn().Exec(ctx, e.set.Init).ReadAll(); err != nil {
		return "", fmt.Errorf("run init before the load: %w", err)
	}
	return e.dsn, nil
}

// preflight compiles what the load will execute, unless the user's own statements come before it.
func (set Set) preflight(ctx context.Context, c *pgx.Conn) error {
	if set.Compile == nil || set.Init != "" {
		return nil
	}
	return set.Compile(ctx, c)
}
