package kafka

import (
	"context"
	"crypto/tls"
	"net"
	"strings"
	"sync/atomic"
	"time"

	"github.com/twmb/franz-go/pkg/kgo"

	"plimsoll/internal/workload"
)

// address holds how to reach a broker.
type address struct {
	seeds []string
	tls   *tls.Config // nil: plain text
	ours  bool        // a target's brokers: no other host is connected to, whatever they advertise
}

// common returns the client settings that are independent of its role. It states the library's defaults explicitly.
func (a address) common(p workload.Params) ([]kgo.Opt, error) {
	out := []kgo.Opt{
		kgo.SeedBrokers(a.seeds...), kgo.ClientID("plimsoll"), kgo.DisableClientMetrics(),
		kgo.Dialer(a.dialer(seconds(p.Number(paramTimeout)))), kgo.RetryTimeout(seconds(p.Number(paramTimeout))),
		kgo.ConnIdleTimeout(15 * time.Minute), kgo.MetadataMaxAge(time.Hour),
		kgo.MetadataMinAge(100 * time.Millisecond), // a new topic's missing metadata appears soon
	}
	return withSASL(out, p)
}

// dialer returns what connects to a broker.
func (a address) dialer(within time.Duration) func(ctx context.Context, network, host string) (net.Conn, error) {
	d := &net.Dialer{Timeout: within}
	if a.ours {
		d.Control = onlyTo(a.seeds)
	}
	if a.tls == nil {
		return d.DialContext
	}
	return (&tls.Dialer{NetDialer: d, Config: a.tls}).DialContext
}

func seconds(s float64) time.Duration { return time.Duration(s * float64(time.Second)) }

// onTarget returns the address of a broker that another agent has started. Its certificate was made for this trial
// by us.
func onTarget(at string, p workload.Params) address {
	a := address{seeds: strings.Split(at, workload.TargetSeparator), ours: true}
	if p.Bool(paramTLS) {
		a.tls = &tls.Config{InsecureSkipVerify: true}
	}
	return a
}

// producing returns a producer's settings, including all that users can choose.
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
		// A record that exceeds the timeout fails, and voids the trial: it is never resent.
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

// noting makes each connection record the negotiated TLS version and cipher suite; it returns nil for plain text.
// Both sides choose them, so that a change of a runtime or setting may also change the encryption.
func noting(config *tls.Config, at *atomic.Pointer[string]) *tls.Config {
	if config == nil {
		return nil
	}
	out, check := config.Clone(), config.VerifyConnection
	out.VerifyConnection = func(c tls.ConnectionState) error {
		said := tls.VersionName(c.Version) + ", " + tls.CipherSuiteName(c.CipherSuite)
		at.Store(&said)
		if check == nil {
			return nil
		}
		return check(c)
	}
	return out
}
