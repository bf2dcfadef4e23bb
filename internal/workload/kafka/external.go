package kafka

import (
	"crypto/tls"
	"fmt"
	"os"
	"strings"

	"github.com/twmb/franz-go/pkg/kgo"
	"github.com/twmb/franz-go/pkg/sasl/plain"
	"github.com/twmb/franz-go/pkg/sasl/scram"

	"plimsoll/internal/engine"
	broker "plimsoll/internal/engine/kafka"
	"plimsoll/internal/workload"
)

// The values of sasl.
const (
	saslNone     = "none"
	saslPlain    = "plain"
	saslScram256 = "scram-sha-256"
	saslScram512 = "scram-sha-512"
)

// isExternal reports whether the load uses existing brokers instead of starting one.
func isExternal(p workload.Params) bool { return p.Text(paramBrokers) != "" }

// brokers returns the addresses of the external brokers.
func brokers(p workload.Params) []string {
	return strings.FieldsFunc(p.Text(paramBrokers), func(r rune) bool { return r == ',' || r == ' ' })
}

// checkExternal refuses parameters that have no effect on an external broker: otherwise they would be reported as
// factors that make no difference.
func checkExternal(p workload.Params) error {
	if len(brokers(p)) == 0 {
		return fmt.Errorf("%s: %s=%s names no broker\nhint: --set %s.%s=HOST:PORT",
			Name, paramBrokers, p.Text(paramBrokers), Name, paramBrokers)
	}
	for _, d := range (broker.Engine{}).Params() {
		name := brokerPrefix + d.Name
		if name != paramTLS && p.Text(name) != d.Default {
			return fmt.Errorf("%s: %s=%s applies only to a broker started by plimsoll, but %s=%s names an existing "+
				"one\nhint: leave it out; if a suite sets it, --set %s.%s=%s",
				Name, name, p.Text(name), paramBrokers, p.Text(paramBrokers), Name, name, d.Default)
		}
	}
	return nil
}

// preflightExternal returns an error if the files needed to reach brokers cannot be read on this host.
func preflightExternal(p workload.Params) error {
	if _, err := external(p); err != nil {
		return err
	}
	_, err := withSASL(nil, p)
	return err
}

// external returns the address of the external brokers.
func external(p workload.Params) (address, error) {
	a := address{seeds: brokers(p)}
	if !p.Bool(paramTLS) {
		return a, nil
	}
	var err error
	if a.tls, err = engine.Trust(p.Text(paramCA)); err != nil {
		return a, fmt.Errorf("%s: %s: %w\nhint: --set %s.%s=FILE, certificates in PEM; openssl x509 -in FILE -out "+
			"FILE.pem converts other formats", Name, paramCA, err, Name, paramCA)
	}
	if a.tls == nil {
		a.tls = &tls.Config{} // trusts this system's CAs
	}
	a.tls.InsecureSkipVerify = p.Bool(paramInsecure)
	return a, nil
}

func withSASL(opts []kgo.Opt, p workload.Params) ([]kgo.Opt, error) {
	if p.Text(paramSASL) == saslNone {
		return opts, nil
	}
	text, err := os.ReadFile(p.Text(paramPasswordFile))
	if err != nil {
		return nil, fmt.Errorf("%s: read the password: %w\nhint: --set %s.%s=FILE, "+
			"whose first line is the password", Name, err, Name, paramPasswordFile)
	}
	password, _, _ := strings.Cut(string(text), "\n")
	user := p.Text(paramUser)
	switch p.Text(paramSASL) {
	case saslPlain:
		return append(opts, kgo.SASL(plain.Auth{User: user, Pass: password}.AsMechanism())), nil
	case saslScram256:
		return append(opts, kgo.SASL(scram.Auth{User: user, Pass: password}.AsSha256Mechanism())), nil
	default:
		return append(opts, kgo.SASL(scram.Auth{User: user, Pass: password}.AsSha512Mechanism())), nil
	}
}
