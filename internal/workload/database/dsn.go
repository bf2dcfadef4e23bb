package database

import (
	"context"
	"errors"
	"fmt"
	"net/url"
	"plimsoll/internal/workload"
	"plimsoll/internal/workload/there"
	"regexp"
	"strings"
	"time"

	"github.com/jackc/pgx/v5"
	"github.com/jackc/pgx/v5/pgconn"
)

// connectWithin bounds the time to connect to a server.
const connectWithin = 30 * time.Second

// errUnreadable omits the DSN, which may contain a password.
var errUnreadable = errors.New("the DSN cannot be parsed\nhint: postgres://USER@HOST:PORT/DATABASE, or words such " +
	"as \\\"host=HOST user=USER\\\"")

func isURL(dsn string) bool {
	return strings.HasPrefix(dsn, "postgres://") || strings.HasPrefix(dsn, "postgresql://")
}

// holdsPassword reports whether a DSN contains a password.
func holdsPassword(dsn string) bool {
	if !isURL(dsn) {
		return regexp.MustCompile(`(?i)(^|\s)(ssl)?password\s*=`).MatchString(dsn)
	}
	u, err := url.Parse(dsn)
	if err != nil {
		return true // to be safe
	}
	_, given := u.User.Password()
	for name := range u.Query() {
		given = given || strings.HasSuffix(strings.ToLower(name), "password")
	}
	return given
}

// Connect connects to a database. Its errors contain no password.
func Connect(ctx context.Context, dsn string) (*pgx.Conn, error) {
	config, err := pgx.ParseConfig(dsn)
	if err != nil {
		return nil, errUnreadable
	}
	connecting, cancel := context.WithTimeout(ctx, connectWithin)
	defer cancel()
	c, err := pgx.ConnectConfig(connecting, config)
	if err == nil {
		return c, nil
	}
	var refused *pgconn.PgError
	hint := "is a PostgreSQL server listening there?"
	if errors.As(err, &refused) {
		switch refused.Code {
		case "28P01", "28000":
			hint = "provide the password by PGPASSWORD, ~/.pgpass or a service file (service=NAME), on the host " +
				"that connects"
		case "53300":
			hint = "fewer clients, or a larger max_connections"
		default:
			hint = ""
		}
	}
	err = fmt.Errorf("connect to the database: %w", err)
	if hint != "" {
		err = fmt.Errorf("%w\nhint: %s", err, hint)
	}
	return nil, err
}

// found returns the processes that listen at the addresses of the DSN.
func found(p workload.Params) (workload.There, bool) {
	if p.Text(ParamServer) != ServerDSN {
		return workload.There{}, false
	}
	config, err := pgx.ParseConfig(strings.TrimSpace(p.Text(ParamDSN)))
	if err != nil {
		return workload.There{}, false
	}
	_, address := pgconn.NetworkAddress(config.Host, config.Port)
	return there.At(p, address), true
}
