package database

import (
	"context"
	"crypto/x509"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"maps"
	"strings"

	"github.com/jackc/pgx/v5"
	"github.com/jackc/pgx/v5/pgconn"
	"golang.org/x/sys/unix"

	"plimsoll/internal/client/pgload"
)

// errUnreadable omits the DSN, which may contain a password.
var errUnreadable = errors.New("the DSN cannot be parsed\nhint: postgres://USER@HOST:PORT/DATABASE, or words such " +
	"as \"host=HOST user=USER\"")

// errAmbiguous is the error of a URL that does not say where its password ends. What is taken for the host could be a
// part of it.
var errAmbiguous = errors.New("the DSN's user part is ambiguous\nhint: in the password of a URL, write @ as %40, / " +
	"as %2F and % as %25; ${NAME} in its place encodes itself, and host=… password=… needs no encoding")

// Connect connects to a database, to ask: by the simple protocol, which leaves nothing in a pooler's connections to the
// server. Its errors contain no password.
func Connect(ctx context.Context, dsn string) (*pgx.Conn, error) { return connect(ctx, dsn, nil) }

// connect is like Connect; the session begins with these settings.
func connect(ctx context.Context, dsn string, settings map[string]string) (*pgx.Conn, error) {
	if ambiguous(dsn) {
		return nil, errAmbiguous
	}
	config, err := pgx.ParseConfig(dsn)
	if err != nil {
		return nil, unreadable(err)
	}
	config.DefaultQueryExecMode = pgx.QueryExecModeSimpleProtocol
	// pgx quotes values by these, which a role or a database may have otherwise.
	config.RuntimeParams["client_encoding"] = "UTF8"
	config.RuntimeParams["standard_conforming_strings"] = "on"
	maps.Copy(config.RuntimeParams, settings)
	watched := pgload.Watch(&config.Config)
	connecting, cancel := context.WithTimeout(ctx, pgload.ConnectWithin)
	defer cancel()
	c, err := pgx.ConnectConfig(connecting, config)
	if err == nil {
		if err = c.Ping(connecting); err == nil { // a pooler may log in whom it has no connection for
			return c, nil
		}
		_ = c.Close(ctx) // it is closed already if it was waited for
	}
	err = watched.Cause(ctx, err)
	hint := connectHint(err)
	if broken(err) && config.TLSConfig != nil && len(config.TLSConfig.Certificates) > 0 {
		hint = "did the server reject the client's certificate? " + certificateHint
	}
	err = fmt.Errorf("connect to the database: %w", err)
	if hint != "" {
		err = fmt.Errorf("%w\nhint: %s", err, hint)
	}
	return nil, err
}

// unreadable returns the error of a DSN that cannot be parsed, with its cause only if that holds no part of the DSN but
// a file's name.
func unreadable(err error) error {
	var file *fs.PathError
	if errors.As(err, &file) {
		return fmt.Errorf("a file of the DSN cannot be read: %w\nhint: sslrootcert, sslcert and sslkey are files of the "+
			"host that connects", file)
	}
	if strings.Contains(err.Error(), "sslmode is invalid") {
		return errors.New("the DSN has an unknown sslmode\nhint: disable, allow, prefer (the default), require, verify-ca " +
			"or verify-full")
	}
	return errUnreadable
}

// connectHint returns the way out of a failed attempt to connect; "" if its message says enough.
func connectHint(err error) string {
	var refused *pgconn.PgError
	if errors.As(err, &refused) {
		return refusalHint(refused)
	}
	if errors.As(err, new(pgload.Silent)) {
		return "" // it has its own
	}
	if hint := tlsHint(err); hint != "" {
		return hint
	}
	return "is a PostgreSQL server listening there?"
}

// tlsHint returns the hint for a failed TLS handshake; "" if it did not fail.
func tlsHint(err error) string {
	var name x509.HostnameError
	var unknown x509.UnknownAuthorityError
	var invalid x509.CertificateInvalidError
	switch {
	case errors.As(err, &name):
		return "the DSN's host has to be a name in the server's certificate; sslmode=verify-ca does not compare names"
	case errors.As(err, &unknown):
		return "sslrootcert=FILE names the certificate of the server's authority; sslmode=require without it trusts any"
	case errors.As(err, &invalid):
		return "renew the server's certificate, or check the clock of the host that connects; sslmode=require does " +
			"not verify it"
	case strings.Contains(err.Error(), "server refused TLS connection"):
		return "that server has no TLS: ssl = on there, or sslmode=disable"
	case strings.Contains(err.Error(), "remote error: tls: "):
		return "the server rejected the client's certificate: " + certificateHint
	}
	return ""
}

const certificateHint = "sslcert=FILE and sslkey=FILE name one that its ssl_ca_file has signed"

// broken reports whether the server closed the connection before it said why: what it had sent is lost if the client
// still wrote.
func broken(err error) bool {
	return errors.Is(err, unix.ECONNRESET) || errors.Is(err, unix.EPIPE) || errors.Is(err, io.ErrUnexpectedEOF) ||
		errors.Is(err, io.EOF)
}

// refusalHint returns the hint for a server's refusal.
func refusalHint(refused *pgconn.PgError) string {
	switch refused.Code {
	case "28P01":
		return passwordHint
	case "28000":
		return authorizationHint(refused.Message)
	case "53300":
		return connectionsHint(refused.Message)
	case "08P01":
		switch {
		case strings.Contains(refused.Message, "max_client_conn"):
			return "fewer clients, or a larger max_client_conn of PgBouncer"
		case strings.Contains(refused.Message, "bouncer config error"):
			return "has PgBouncer's [databases] a line for this database? One for all is * = host=…"
		}
	case "3D000":
		return "is it the right database? A DSN names it: postgres://USER@HOST/DATABASE"
	}
	return ""
}

// connectionsHint returns the hint for SQLSTATE 53300, by whose limit was reached.
func connectionsHint(message string) string {
	switch {
	case strings.Contains(message, "for role"):
		return "fewer clients, or ALTER ROLE … CONNECTION LIMIT -1: the role has a limit of its own"
	case strings.Contains(message, "for database"):
		return "fewer clients, or ALTER DATABASE … CONNECTION LIMIT -1: the database has a limit of its own"
	}
	return "fewer clients, or a larger max_connections"
}

// PoolerHint says why a server does not know a statement that was prepared: pgload.Failed's Pooled.
const PoolerHint = "is there a pooler in transaction mode? Prepared statements need pool_mode = session, or " +
	"max_prepared_statements from PgBouncer 1.21 on"

const passwordHint = "provide the password by PGPASSWORD, ~/.pgpass or a service file (service=NAME), on the host " +
	"that connects"

// authorizationHint returns the hint for SQLSTATE 28000, which has many causes; only their words, in English, tell them
// apart.
func authorizationHint(message string) string {
	switch {
	case strings.Contains(message, "client certificate"):
		return "sslcert=FILE and sslkey=FILE name the client's certificate and its key"
	case strings.Contains(message, "certificate authentication failed"):
		return "the common name of the client's certificate has to be the role, or pg_ident.conf maps it"
	case strings.Contains(message, "pg_hba.conf") && strings.Contains(message, "no encryption"):
		return "sslmode=require if the server admits this role over TLS only; else add a line to its pg_hba.conf"
	case strings.Contains(message, "pg_hba.conf"):
		return "add a line for this role, database and address to the server's pg_hba.conf"
	case strings.Contains(message, "does not exist"), strings.Contains(message, "not permitted to log in"):
		return "is it the right role? A DSN names it: postgres://USER@HOST/DATABASE"
	}
	return passwordHint
}
