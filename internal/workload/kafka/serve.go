package kafka

import (
	"context"
	"crypto/tls"
	"errors"
	"fmt"

	"github.com/twmb/franz-go/pkg/kerr"
	"github.com/twmb/franz-go/pkg/kgo"

	"plimsoll/internal/record"
	"plimsoll/internal/workload"
)

// serving is the target's half where other hosts make the load: the broker. Each of them has a topic of its own there.
type serving struct{ *server }

var _ workload.Keyer = serving{}

func newServing(env workload.Env, p workload.Params) (workload.Server, error) {
	s, err := newServer(env, p)
	if err != nil {
		return nil, err
	}
	s.settings.Host, err = workload.Reachable(Name, p.Text(paramAddress))
	return serving{s}, err
}

// Start is as workload.Server has it.
func (s serving) Start(ctx context.Context) (string, error) {
	a, err := s.start(ctx)
	if err != nil {
		return "", err
	}
	return a.seeds[0], nil
}

// Verify tells a broker that ended before its trial did.
func (s serving) Verify(context.Context) error { return s.ended() }

// Close is as workload.Server has it.
func (s serving) Close() error { return s.close() }

// Keys are the broker's.
func (s serving) Keys() map[string]string { return s.keys() }

// checkServe refuses what the target cannot serve.
func checkServe(p workload.Params) error {
	switch {
	case isExternal(p):
		return fmt.Errorf("%s: %s are not started on the target, and generators load what is\nhint: without --generator, --on 'ssh HOST' loads them from that host", Name, paramBrokers)
	case p.Text(paramTopic) != "":
		return fmt.Errorf("%s: each generator has a topic of its own, and %s=%s names one\nhint: leave it out", Name, paramTopic, p.Text(paramTopic))
	}
	return nil
}

// little is what a disk has left that is full for a broker.
const little = 16 << 20

// full says of a broker's end that its disk is full, where it is: what the broker itself says of that is a page of Java.
func full(dir string, end error) error {
	if end == nil {
		return nil
	}
	space, err := workload.SpaceIn(dir)
	if err != nil || space.Free >= little {
		return end
	}
	return fmt.Errorf("%s: the disk of the broker's log, %s, is full (%s are free): %w\nhint: make room there, --set %s.%s=DIRECTORY is on another disk, or --set %s.%s=256MiB keeps less",
		Name, dir, record.FormatSize(space.Free), end, Name, paramPath, Name, paramRetention)
}

// explained adds to a broker's refusal what can be done.
func explained(p workload.Params, err error) error {
	switch {
	case errors.Is(err, kerr.MessageTooLarge), errors.Is(err, kerr.RecordListTooLarge):
		return fmt.Errorf("%w: a batch may take up to %s=%s, and our topic's max.message.bytes allows that, so that the broker has a limit of its own\nhint: --set %s.%s=500kB, or the broker's setting",
			err, paramBatch, p.Text(paramBatch), Name, paramBatch)
	case errors.Is(err, kgo.ErrRecordTimeout):
		return fmt.Errorf("%w\nhint: can the broker and its disk carry that? --set %s.%s=1m waits longer than %s", err, Name, paramTimeout, p.Text(paramTimeout))
	case errors.Is(err, kerr.KafkaStorageError):
		return fmt.Errorf("%w\nhint: is the broker's disk full?", err)
	}
	return err
}

// reachHint says what helps where a broker could not be asked.
func reachHint(err error) string {
	var untrusted *tls.CertificateVerificationError
	switch {
	case errors.As(err, &untrusted):
		return fmt.Sprintf("--set %s.%s=FILE names whom to trust, as SSL_CERT_FILE does where the load is made; --set %s.%s=true takes any certificate", Name, paramCA, Name, paramInsecure)
	case errors.Is(err, kerr.SaslAuthenticationFailed):
		return fmt.Sprintf("--set %s.%s, %s and %s say who we are", Name, paramSASL, paramUser, paramPasswordFile)
	}
	return "does a broker answer there, with that TLS and SASL?"
}
