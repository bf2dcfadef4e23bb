package kafka

import (
	"crypto/tls"
	"time"

	"github.com/twmb/franz-go/pkg/kgo"

	"plimsoll/internal/workload"
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
