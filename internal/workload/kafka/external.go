package kafka

import (
	"context"
	"crypto/tls"
	"fmt"
	"strings"
	"time"

	"github.com/twmb/franz-go/pkg/kgo"
	"github.com/twmb/franz-go/pkg/kmsg"
	"github.com/twmb/franz-go/pkg/sasl/plain"
	"github.com/twmb/franz-go/pkg/sasl/scram"

	"plimsoll/internal/base/input"
	"plimsoll/internal/engine"
	"plimsoll/internal/record"
	"plimsoll/internal/workload"
	"plimsoll/internal/workload/there"
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

// isRedpanda reports whether the broker that is started is Redpanda.
func isRedpanda(p workload.Params) bool {
	return !isExternal(p) && p.Text(paramServer) == serverRedpanda
}

// brokers returns the addresses of the external brokers.
func brokers(p workload.Params) []string {
	return strings.FieldsFunc(p.Text(paramBrokers), func(r rune) bool { return r == ',' || r == ' ' })
}

// started is met if the broker is started for the run.
func started() record.Only {
	return record.Only{Param: paramBrokers, Is: []string{""}, To: "a broker started for the run"}
}

// existing is met if the load is on existing brokers.
func existing() record.Only {
	return record.Only{Param: paramBrokers, Not: []string{""}, To: "existing brokers",
		Hint: "--set " + Name + "." + paramBrokers + "=HOST:PORT"}
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

// maxPassword bounds a file whose first line is a password, in bytes.
const maxPassword = 1 << 20

func withSASL(opts []kgo.Opt, p workload.Params) ([]kgo.Opt, error) {
	if p.Text(paramSASL) == saslNone {
		return opts, nil
	}
	text, err := input.ReadFile(p.Text(paramPasswordFile), maxPassword)
	if err != nil {
		return nil, fmt.Errorf("%s: read the password: %w\nhint: --set %s.%s=FILE, "+
			"whose first line is the password", Name, err, Name, paramPasswordFile)
	}
	password, _, _ := strings.Cut(string(text), "\n")
	password = strings.TrimSuffix(password, "\r")
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

// running is the target's half if other hosts load existing brokers: nothing is started. The target is metered if the
// brokers run on it.
type running struct {
	there.Server
	params  workload.Params
	outside []string // brokers on other machines
	unknown error    // why they could not be listed
}

// finding bounds the time to list the brokers.
const finding = 10 * time.Second

// Start returns the first broker's address, for a message; generators have all of them from the parameters.
func (t *running) Start(ctx context.Context) (string, error) {
	ctx, cancel := context.WithTimeout(ctx, finding)
	defer cancel()
	var hosts []string
	if hosts, t.unknown = hostsOf(ctx, t.params); t.unknown == nil {
		t.outside, t.unknown = workload.NotHere(ctx, hosts)
	}
	return t.Server.Start(ctx)
}

// hostsOf returns the hosts of all brokers, as they advertise themselves to clients.
func hostsOf(ctx context.Context, p workload.Params) ([]string, error) {
	a, err := external(p)
	if err != nil {
		return nil, err
	}
	opts, err := a.common(p)
	if err != nil {
		return nil, err
	}
	client, err := kgo.NewClient(opts...)
	if err != nil {
		return nil, err
	}
	defer client.Close()
	answer, err := kmsg.NewPtrMetadataRequest().RequestWith(ctx, client)
	if err != nil {
		return nil, err
	}
	var out []string
	for _, b := range answer.Brokers {
		out = append(out, b.Host)
	}
	return out, nil
}

// Elsewhere implements workload.Elsewhere.
func (t *running) Elsewhere() bool { return t.unknown != nil || len(t.outside) > 0 }

// Doubts states the part of the brokers' work that is metered.
func (t *running) Doubts() []string {
	const not = "the CPU, disk, network and clocks of their machines are not measured"
	switch {
	case t.unknown != nil:
		return []string{fmt.Sprintf("it is unknown whether the brokers run on the target, so %s: %v", not, t.unknown)}
	case len(t.outside) > 0:
		return []string{fmt.Sprintf("brokers run on other machines than the target (%s), so %s",
			strings.Join(t.outside, ", "), not)}
	}
	return []string{"the brokers were not started by plimsoll: disk and network are those of the whole target"}
}
