package postgres

import (
	"crypto/hmac"
	"crypto/pbkdf2"
	"crypto/rand"
	"crypto/sha256"
	"encoding/base64"
	"fmt"
	"net"
	"net/netip"
	"net/url"
	"regexp"
	"strconv"
	"strings"

	"plimsoll/internal/engine"
)

// Primary is a server that a standby follows, as it reaches it.
type Primary struct {
	Address string // HOST:PORT
	User    string // a superuser, or StandbyRole
	Secret  string
}

// DSN returns a URL for a client of one of its databases.
func (p Primary) DSN(database string) string {
	u := url.URL{Scheme: "postgres", User: url.UserPassword(p.User, p.Secret), Host: p.Address, Path: database,
		RawQuery: "sslmode=disable"}
	return u.String()
}

// authentication is the only one that tells a server nothing of the password that it does not know. Programs of
// PostgreSQL before 16 refuse to be told so.
const authentication = "scram-sha-256"

// StandbyRole is the role by which a standby on another host copies its primary, and follows it. It is no superuser.
const StandbyRole = "plimsoll_standby"

// Place is where one of two servers is, a primary and its standby on another host, as the other one has to know it. It
// holds no secret.
type Place struct {
	Address  string `json:"address"`  // HOST:PORT
	Verifier string `json:"verifier"` // of the password of StandbyRole, should it be the standby
}

// NewPlace chooses where the server with these settings will listen, and makes the password by which it would follow
// the other.
func NewPlace(s engine.Settings) (p Place, secret string, err error) {
	port := s.Port
	if port == 0 {
		free, err := engine.FreePorts(1)
		if err != nil {
			return p, "", fmt.Errorf("%s: %w", name, err)
		}
		port = int(free[0])
	}
	secret = rand.Text()
	p.Address = net.JoinHostPort(s.Host, strconv.Itoa(port))
	p.Verifier, err = verifierOf(secret)
	return p, secret, err
}

// Port returns the port of its address.
func (p Place) Port() int { return int(netip.MustParseAddrPort(p.Address).Port()) }

// Check returns an error unless the other host's word can be relied on to be a place: it is part of a statement.
func (p Place) Check() error {
	if at, err := netip.ParseAddrPort(p.Address); err != nil || !engine.IsPlain(at.Addr()) {
		return fmt.Errorf("%s: a server has no IP address and port: %.60q", name, p.Address)
	}
	const base64 = `[A-Za-z0-9+/=]+`
	if !regexp.MustCompile(`^SCRAM-SHA-256\$[0-9]+:` + base64 + `\$` + base64 + ":" + base64 + "$").
		MatchString(p.Verifier) {
		return fmt.Errorf("%s: the server at %s has no verifier of a password: %.60q", name, p.Address, p.Verifier)
	}
	return nil
}

// iterations is the server's own default (scram_iterations).
const iterations = 4096

// verifierOf returns what a server keeps of a password, by which it recognizes the password and from which that cannot
// be told (RFC 5802, section 3).
func verifierOf(secret string) (string, error) {
	salt := make([]byte, 16)
	_, _ = rand.Read(salt) // it never fails
	salted, err := pbkdf2.Key(sha256.New, secret, salt, iterations, sha256.Size)
	if err != nil {
		return "", err
	}
	keyed := func(text string) []byte {
		h := hmac.New(sha256.New, salted)
		_, _ = h.Write([]byte(text))
		return h.Sum(nil)
	}
	stored := sha256.Sum256(keyed("Client Key"))
	text := base64.StdEncoding.EncodeToString
	return fmt.Sprintf("SCRAM-SHA-256$%d:%s$%s:%s", iterations, text(salt), text(stored[:]), text(keyed("Server Key"))),
		nil
}

// AddressIn returns the address, HOST:PORT, in a URL of DSN's form. A longer URL, such as one with further words for
// the client that reads it, is an error, which does not repeat it.
func AddressIn(dsn string) (string, error) {
	u, err := url.Parse(dsn)
	if err != nil || u.User == nil {
		return "", fmt.Errorf("%s: what a server says of how to connect is no URL of ours", name)
	}
	p := Primary{Address: u.Host, User: u.User.Username()}
	p.Secret, _ = u.User.Password()
	if p.DSN(strings.TrimPrefix(u.Path, "/")) != dsn {
		return "", fmt.Errorf("%s: what a server says of how to connect is no URL of ours", name)
	}
	return p.Address, nil
}

// At returns its host.
func (p Place) At() (netip.Addr, error) {
	at, err := netip.ParseAddrPort(p.Address)
	return at.Addr(), err
}
