package database

import (
	"crypto/x509"
	"errors"
	"fmt"
	"strings"
	"testing"

	"github.com/jackc/pgx/v5"
	"github.com/jackc/pgx/v5/pgconn"
)

// TestConnectHint: each failure has its own way out, and a refusal that says enough has none.
func TestConnectHint(t *testing.T) {
	refused := func(code, message string) error { return &pgconn.PgError{Code: code, Message: message} }
	for _, c := range []struct {
		err  error
		says string
	}{
		{x509.HostnameError{Certificate: &x509.Certificate{}, Host: "db1"}, "a name in the server's certificate"},
		{x509.UnknownAuthorityError{}, "sslrootcert=FILE"},
		{x509.CertificateInvalidError{Reason: x509.Expired}, "renew the server's certificate"},
		{errors.New("server refused TLS connection"), "sslmode=disable"},
		{errors.New("remote error: tls: unknown certificate authority"), "rejected the client's certificate"},
		{errors.New("connect: connection refused"), "is a PostgreSQL server listening"},
		{refused("28P01", "password authentication failed"), "PGPASSWORD"},
		{refused("28000", "connection requires a valid client certificate"), "sslcert=FILE"},
		{refused("28000", `certificate authentication failed for user "x"`), "common name"},
		{refused("28000", `no pg_hba.conf entry for host "::1", user "x", database "y", no encryption`), "sslmode=require"},
		{refused("28000", `no pg_hba.conf entry for host "::1", user "x", database "y", SSL encryption`),
			"add a line for this role"},
		{refused("28000", `role "x" does not exist`), "is it the right role"},
		{refused("3D000", `database "y" does not exist`), "is it the right database"},
		{refused("53300", "sorry, too many clients already"), "a larger max_connections"},
		{refused("53300", `too many connections for role "x"`), "ALTER ROLE"},
		{refused("08P01", "no more connections allowed (max_client_conn)"), "max_client_conn of PgBouncer"},
		{refused("08P01", "bouncer config error"), "* = host="},
		{refused("53300", `too many connections for database "y"`), "ALTER DATABASE"},
	} {
		if got := connectHint(fmt.Errorf("failed to connect: %w", c.err)); !strings.Contains(got, c.says) {
			t.Errorf("%v: %q, want %q", c.err, got, c.says)
		}
	}
	if got := connectHint(refused("57P03", "the database system is starting up")); got != "" {
		t.Errorf("%q", got)
	}
}

// TestUnreadable: a cause that may hold the password is left out.
func TestUnreadable(t *testing.T) {
	for dsn, says := range map[string]string{
		"postgres://u:secret@[/x":                                                 "the DSN cannot be parsed",
		"postgres://u:secret@h/x?sslmode=strict":                                  "unknown sslmode",
		"postgres://u:secret@h/x?sslmode=verify-full&sslrootcert=/nowhere/ca.crt": "/nowhere/ca.crt: no such file",
	} {
		_, err := pgx.ParseConfig(dsn)
		if err == nil {
			t.Fatal(dsn)
		}
		if got := unreadable(err).Error(); !strings.Contains(got, says) || strings.Contains(got, "secret") ||
			!strings.Contains(got, "\nhint: ") {
			t.Errorf("%s: %q, want %q", dsn, got, says)
		}
	}
}

// TestAmbiguous: of a URL with a password that is not encoded, nothing is taken for its host.
func TestAmbiguous(t *testing.T) {
	for dsn, want := range map[string]bool{
		"postgres://u:a@b@h/d": true, "postgres://u:a/b@h/d": true, "postgres://u:a%b@h/d": true,
		"postgres://u:12/b@h/d":  true,
		"postgres://u:a?b@c@h/d": true, "postgres://u:a/b?c@h/d": true,
		"postgres://u:a%40b@h/d": false, "postgres://u:a#b@h/d": false, "postgres://h/d?user=a@b": false,
		"postgres://u:p@h/d?options=a@b": false, "postgres:///d?host=/run/a&user=a@b": false, "host=h password=a@b@c": false,
		"postgres://u@h/d": false, "postgres://h1:1,h2:2/d": false,
	} {
		if got := ambiguous(dsn); got != want {
			t.Errorf("%s: %t", dsn, got)
		}
		if _, err := Connect(t.Context(), dsn); want && (err == nil || err.Error() != errAmbiguous.Error()) {
			t.Errorf("%s: %v", dsn, err)
		}
	}
}
