package kafka

import (
	"crypto/tls"
	"fmt"
	"os"
	"strings"
	"time"

	"github.com/twmb/franz-go/pkg/kgo"
	"github.com/twmb/franz-go/pkg/sasl/plain"
	"github.com/twmb/franz-go/pkg/sasl/scram"

	"plimsoll/internal/engine"
	"plimsoll/internal/workload"
)

// The values of sasl.
const (
	saslNone     = "none"
	saslPlain    = "plain"
	saslScram256 = "scram-sha-256"
	saslScram512 = "scram-sha-512"
)

// address is how a broker is reached.
type address struct {
	seeds []string
	tls   *tls.Config // nil: plain text
}

// common are a client's settings that do not depend on what it does. What the library would choose by itself is stated.
func (a address) common(p workload.Params) ([]kgo.Opt, error) {
	out := []kgo.Opt{
		kgo.SeedBrokers(a.seeds...), kgo.ClientID("plimsoll"), kgo.DisableClientMetrics(),
		kgo.DialTimeout(seconds(p.Number(paramTimeout))), kgo.RetryTimeout(seconds(p.Number(paramTimeout))), kgo.ConnIdleTimeout(15 * time.Minute), kgo.MetadataMaxAge(time.Hour),
		kgo.MetadataMinAge(100 * time.Millisecond), // a topic is new: what is not known of it yet is soon
	}
	if a.tls != nil {
		out = append(out, kgo.DialTLSConfig(a.tls))
	}
	return withSASL(out, p)
}

func seconds(s float64) time.Duration { return time.Duration(s * float64(time.Second)) }

func withSASL(opts []kgo.Opt, p workload.Params) ([]kgo.Opt, error) {
	if p.Text(paramSASL) == saslNone {
		return opts, nil
	}
	text, err := os.ReadFile(p.Text(paramPasswordFile))
	if err != nil {
		return nil, fmt.Errorf("%s: the password: %w", Name, err)
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

// there is how brokers are reached that nobody of ours has started.
func there(p workload.Params) (address, error) {
	a := address{seeds: brokers(p)}
	if !p.Bool(paramTLS) {
		return a, nil
	}
	var err error
	if a.tls, err = engine.Trust(p.Text(paramCA)); err != nil {
		return a, fmt.Errorf("%s: %s: %w\nhint: openssl x509 -in FILE -out FILE.pem makes such a file", Name, paramCA, err)
	}
	if a.tls == nil {
		a.tls = &tls.Config{} // whom this system trusts
	}
	a.tls.InsecureSkipVerify = p.Bool(paramInsecure)
	return a, nil
}

// onTarget is how a broker is reached that another agent has started. Its certificate was made for this trial by us.
func onTarget(at string, p workload.Params) address {
	a := address{seeds: []string{at}}
	if p.Bool(paramTLS) {
		a.tls = &tls.Config{InsecureSkipVerify: true}
	}
	return a
}

// producing are a producing client's settings, each of those that can be chosen.
func producing(p workload.Params, topic string, slots int) []kgo.Opt {
	out := []kgo.Opt{
		kgo.DefaultProduceTopic(topic),
		kgo.RecordPartitioner(kgo.ManualPartitioner()),
		kgo.ProducerBatchMaxBytes(int32(p.Int(paramBatch))),
		kgo.ProducerLinger(seconds(p.Number(paramLinger))),
		kgo.ProducerBatchCompression(codec(p.Text(paramCodec))),
		kgo.MaxBufferedRecords(slots + 1), // the slots are the bound: no client ever blocks in the library
		kgo.RecordDeliveryTimeout(seconds(p.Number(paramTimeout))),
		kgo.ProduceRequestTimeout(seconds(p.Number(paramTimeout))),
	}
	switch p.Text(paramAcks) {
	case acksNone:
		out = append(out, kgo.RequiredAcks(kgo.NoAck()))
	case acksLeader:
		out = append(out, kgo.RequiredAcks(kgo.LeaderAck()))
	default:
		out = append(out, kgo.RequiredAcks(kgo.AllISRAcks()))
	}
	if p.Bool(paramIdempotence) {
		// What takes longer than the timeout fails, and voids the trial: we never send it again.
		out = append(out, kgo.AllowIdempotentProduceCancellation())
	} else {
		out = append(out, kgo.DisableIdempotentWrite(), kgo.MaxProduceRequestsInflightPerBroker(p.Int(paramInFlight)))
	}
	return out
}

func codec(name string) kgo.CompressionCodec {
	switch name {
	case codecGzip:
		return kgo.GzipCompression()
	case codecSnappy:
		return kgo.SnappyCompression()
	case codecLZ4:
		return kgo.Lz4Compression()
	case codecZstd:
		return kgo.ZstdCompression()
	}
	return kgo.NoCompression()
}
