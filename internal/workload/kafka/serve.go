package kafka

import (
	"context"
	"crypto/tls"
	"errors"
	"fmt"
	"strings"

	"github.com/twmb/franz-go/pkg/kerr"
	"github.com/twmb/franz-go/pkg/kgo"

	"plimsoll/internal/client/load"
	broker "plimsoll/internal/engine/kafka"
	"plimsoll/internal/record"
	"plimsoll/internal/workload"
	"plimsoll/internal/workload/kafka/brokerfault"
	"plimsoll/internal/workload/there"
)

// serving is the target's half when other hosts make the load: the broker. Each of them has its own topic.
type serving struct {
	*server
	brokerfault.Target
	params workload.Params
}

var (
	_ workload.Keyer    = (*serving)(nil)
	_ workload.Beginner = (*serving)(nil)
	_ workload.Settler  = (*serving)(nil)
	_ workload.Eventer  = (*serving)(nil)
)

func newServing(env workload.Env, p workload.Params) (workload.Server, error) {
	if isExternal(p) {
		return &running{Server: there.Server{At: brokers(p)[0]}, params: p}, nil
	}
	s, err := newServer(env, p)
	if err != nil {
		return nil, err
	}
	if s.settings.Host, err = workload.Reachable(Name, p.Text(paramAddress)); err != nil {
		return nil, err
	}
	if env.Member {
		return newMember(s, p), nil
	}
	return &serving{server: s, params: p}, nil
}

// Start implements workload.Server.
func (s *serving) Start(ctx context.Context) (string, error) {
	a, err := s.start(ctx)
	if err != nil {
		return "", err
	}
	return a.seeds[0], s.schedule(ctx, a.seeds, whoOf(s.params, s.params.Int(paramNodes)))
}

// schedule has the last broker killed, or one added, in the window, if that is wanted.
func (s *serving) schedule(ctx context.Context, seeds []string, who brokerfault.Who) error {
	opts, err := onTarget(strings.Join(seeds, workload.TargetSeparator), s.params).common(s.params)
	if err == nil {
		err = s.Target.Schedule(ctx, faultsOf(s.params), s.instance, opts, s.params.Int(paramReplication), who)
	}
	if err != nil {
		return fmt.Errorf("%s: %w", Name, err)
	}
	return nil
}

// Extra implements workload.Extender: each broker's use of the machine, and what faults cost.
func (s *serving) Extra(r load.Result) []record.Value {
	return append(s.server.Extra(r), s.Target.Values(r)...)
}

// Verify returns an error if the broker ended before its trial did.
func (s *serving) Verify(context.Context) error { return s.ended() }

// Close implements workload.Server.
func (s *serving) Close() error {
	s.Target.Close()
	return s.close()
}

// Heat implements workload.Heater: Apache Kafka runs a JIT compiler.
func (s *serving) Heat() (workload.Warming, bool) { return workload.Warming{}, s.compiles() }

// Keys returns the broker's versions.
func (s *serving) Keys() map[string]string { return s.keys() }

// Doubts returns warnings about the brokers.
func (s *serving) Doubts() []string { return s.doubts() }

// member is the broker of this host, of a cluster with one on each of several.
type member struct {
	*serving
	layout broker.Layout
}

var _ workload.Member = (*member)(nil)

// newMember returns a server whose engine is one broker with all of this host.
func newMember(s *server, p workload.Params) *member {
	s.engine = broker.Engine{}
	return &member{serving: &serving{server: s, params: p}}
}

// Start implements workload.Server. A broker that joins later is not reached yet, but will be there.
func (m *member) Start(ctx context.Context) (string, error) {
	if _, err := m.start(ctx); err != nil {
		return "", err
	}
	who := whoOf(m.params, m.params.Int(paramNodes))
	who.Only = m.layout.Self
	seeds := m.layout.Seeds()
	return seeds[m.layout.Self-1], m.schedule(ctx, seeds, who)
}

// Place implements workload.Member.
func (m *member) Place(ctx context.Context) (string, error) {
	if err := m.place(ctx); err != nil {
		return "", err
	}
	return workload.PlaceText(m.engine.Place(m.settings))
}

// Join implements workload.Member.
func (m *member) Join(at workload.Places) (err error) {
	if m.layout, err = broker.Join(at.Self, at.All, at.Zones, m.params.Int(paramRacks)); err != nil {
		return err
	}
	m.layout.Spare = joins(m.params)
	m.engine.Layout = &m.layout
	m.starts = m.engine
	return nil
}

// checkServe returns an error for values that the target cannot serve.
func checkServe(p workload.Params) error {
	if p.Text(paramTopic) != "" {
		return fmt.Errorf("%s: each generator has its own topic, but %s=%s "+
			"names one\nhint: leave it out", Name, paramTopic, p.Text(paramTopic))
	}
	return nil
}

// little is the free space below which a disk counts as full for a broker.
const little = 16 << 20

// full adds to a broker's exit that its disk is full, if it is: the broker's own message is a page of Java.
func full(dir string, end error) error {
	if end == nil {
		return nil
	}
	space, err := workload.SpaceIn(dir)
	if err != nil || space.Free >= little {
		return end
	}
	return fmt.Errorf("%s: the disk of the broker's log, %s, is full (%s free): %w\nhint: make room there, --set "+
		"%s.%s=DIRECTORY is on another disk, or --set %s.%s=256MiB keeps less",
		Name, dir, record.FormatSize(space.Free), end, Name, paramPath, Name, paramRetention)
}

// explained adds a hint to a broker's error.
func explained(p workload.Params, err error) error {
	switch {
	case errors.Is(err, kerr.MessageTooLarge), errors.Is(err, kerr.RecordListTooLarge):
		return fmt.Errorf("%w: a batch may have up to %s=%s, which our topic's max.message.bytes allows, so the "+
			"broker has its own limit\nhint: --set %s.%s=500kB, or the broker's setting",
			err, paramBatch, p.Text(paramBatch), Name, paramBatch)
	case errors.Is(err, kgo.ErrRecordTimeout):
		return fmt.Errorf("%w\nhint: is the load beyond the broker's or its disk's capacity? --set %s.%s=1m waits "+
			"longer than %s", err, Name, paramTimeout, p.Text(paramTimeout))
	case errors.Is(err, kerr.KafkaStorageError):
		return fmt.Errorf("%w\nhint: is the broker's disk full?", err)
	}
	return err
}

// reachHint returns the hint for a broker that could not be reached.
func reachHint(err error) string {
	var untrusted *tls.CertificateVerificationError
	switch {
	case errors.As(err, &untrusted):
		return fmt.Sprintf("--set %s.%s=FILE sets the trusted CA, as SSL_CERT_FILE does on the generator; --set "+
			"%s.%s=true accepts any certificate", Name, paramCA, Name, paramInsecure)
	case errors.Is(err, kerr.SaslAuthenticationFailed):
		return fmt.Sprintf("--set %s.%s, %s and %s authenticate the clients",
			Name, paramSASL, paramUser, paramPasswordFile)
	}
	return "is a broker listening there, with these TLS and SASL settings?"
}
