package database

import (
	"net/url"
	"regexp"
	"slices"
	"strings"

	"github.com/jackc/pgx/v5"
	"github.com/jackc/pgx/v5/pgconn"

	"plimsoll/internal/workload"
	"plimsoll/internal/workload/there"
)

func isURL(dsn string) bool {
	return strings.HasPrefix(dsn, "postgres://") || strings.HasPrefix(dsn, "postgresql://")
}

// IsDSN reports whether an argument is a connection string: a URL, or libpq's keywords.
func IsDSN(arg string) bool {
	key, _, ok := strings.Cut(arg, "=")
	return isURL(arg) || ok && slices.Contains([]string{"host", "hostaddr", "port", "dbname", "user", "service"}, key)
}

// ambiguous reports whether a URL can be read in two ways, since its user part has an @, / or % that is not
// percent-encoded.
func ambiguous(dsn string) bool {
	if !isURL(dsn) {
		return false
	}
	_, rest, _ := strings.Cut(dsn, "://")
	user, after, found := strings.Cut(rest, "@")
	path, query, _ := strings.Cut(after, "?")
	switch {
	case !found:
		return false
	case strings.Contains(user, "/"): // else the @ is in the query: postgres:///db?user=a@b
		_, given, asked := strings.Cut(user, "?")
		return !asked || !strings.Contains(given, "=")
	case strings.Contains(path, "@"), strings.Contains(query, "@") && !strings.Contains(query, "="):
		return true
	}
	_, err := url.PathUnescape(user)
	return err != nil
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

// found returns the processes that listen at the addresses of the DSN.
func found(p workload.Params) (workload.There, bool) {
	if p.Text(ParamServer) != ServerDSN {
		return workload.There{}, false
	}
	_, address, err := AddressIn(p.Text(ParamDSN))
	if err != nil {
		return workload.There{}, false
	}
	return there.At(p, address), true
}

// AddressIn returns the host of a DSN, and the address that it leads to: HOST:PORT, or the path of a UNIX socket.
func AddressIn(dsn string) (host, address string, err error) {
	config, err := pgx.ParseConfig(strings.TrimSpace(dsn))
	if err != nil {
		return "", "", err
	}
	_, address = pgconn.NetworkAddress(config.Host, config.Port)
	return config.Host, address, nil
}
