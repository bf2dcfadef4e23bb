package database

import (
	"context"
	"fmt"

	"github.com/jackc/pgx/v5"
)

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
