package kafka

import (
	"context"
	"crypto/tls"
	"errors"
	"maps"
	"os"
	"path/filepath"
	"strings"
	"sync/atomic"
	"testing"
	"time"

	"github.com/twmb/franz-go/pkg/kerr"
	"github.com/twmb/franz-go/pkg/kfake"
	"github.com/twmb/franz-go/pkg/kmsg"

	"plimsoll/internal/engine"
	"plimsoll/internal/record"
	"plimsoll/internal/workload"
)

// cluster is brokers that live in this process and speak the protocol.
func cluster(t *testing.T, opts ...kfake.Opt) (c *kfake.Cluster, brokers string) {
	t.Helper()
	c, err := kfake.NewCluster(opts...)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(c.Close)
	return c, strings.Join(c.ListenAddrs(), ",")
}

// TestBrokersThatAreThere are reached by each authentication mechanism, with and without TLS, and keep the records.
func TestBrokersThatAreThere(t *testing.T) {
	dir := t.TempDir()
	if err := engine.SelfSign(dir, "127.0.0.1"); err != nil {
		t.Fatal(err)
	}
	pair, err := tls.LoadX509KeyPair(engine.CertPath(dir), filepath.Join(dir, engine.KeyFile))
	if err != nil {
		t.Fatal(err)
	}
	password := filepath.Join(dir, "password")
	if err := os.WriteFile(password, []byte("secret\nanything"), 0o600); err != nil {
		t.Fatal(err)
	}
	secure := kfake.TLS(&tls.Config{Certificates: []tls.Certificate{pair}})
	who := func(mechanism, kind string, more record.Params) ([]kfake.Opt, record.Params) {
		set := record.Params{paramSASL: kind, paramUser: "me", paramPasswordFile: password}
		for name, v := range more {
			set[name] = v
		}
		return []kfake.Opt{kfake.EnableSASL(), kfake.Superuser(mechanism, "me", "secret")}, set
	}
	for name, c := range map[string]func() ([]kfake.Opt, record.Params){
		"two": func() ([]kfake.Opt, record.Params) { return []kfake.Opt{kfake.NumBrokers(2)}, nil },
		"TLS": func() ([]kfake.Opt, record.Params) {
			return []kfake.Opt{secure}, record.Params{paramTLS: "true", paramCA: engine.CertPath(dir)}
		},
		"TLS, any": func() ([]kfake.Opt, record.Params) {
			return []kfake.Opt{secure}, record.Params{paramTLS: "true", paramInsecure: "true"}
		},
		"PLAIN":         func() ([]kfake.Opt, record.Params) { return who("PLAIN", saslPlain, nil) },
		"SCRAM-SHA-256": func() ([]kfake.Opt, record.Params) { return who("SCRAM-SHA-256", saslScram256, nil) },
		"SCRAM-SHA-512": func() ([]kfake.Opt, record.Params) { return who("SCRAM-SHA-512", saslScram512, nil) },
	} {
		t.Run(name, func(t *testing.T) {
			opts, set := c()
			_, at := cluster(t, opts...)
			all := record.Params{paramBrokers: at, record.ParamClients: "2"}
			maps.Copy(all, set)
			d, r := run(t, small(all), closed(2), 50*time.Millisecond)
			if err := d.Verify(t.Context()); err != nil {
				t.Fatal(err)
			}
			if r.Ops == 0 || len(r.Errors) > 0 || d.checked == 0 || d.delivered.Acked != d.delivered.Logged {
				t.Errorf("%d operations, errors %v, %d read back, %+v", r.Ops, r.Errors, d.checked, d.delivered)
			}
			if spoken := d.Keys()[record.KeyTLS]; strings.HasPrefix(spoken, "TLS 1.3, TLS_") != (set[paramTLS] == "true") {
				t.Errorf("spoken is %q", spoken)
			}
		})
	}
	t.Run("refused", func(t *testing.T) {
		_, at := cluster(t, secure)
		refused(t, record.Params{paramBrokers: at, paramTLS: "true"}, "certificate", "\nhint: --set kafka.ca=FILE")
		refused(t, record.Params{paramBrokers: at, paramTLS: "true", paramCA: password}, "contains no PEM certificate",
			"\nhint: ")
		_, at = cluster(t, kfake.EnableSASL(), kfake.Superuser("PLAIN", "me", "other"))
		refused(t, record.Params{paramBrokers: at, paramSASL: saslPlain, paramUser: "me", paramPasswordFile: password},
			"SASL", "\nhint: is a broker listening there")
		refused(t, record.Params{paramBrokers: at, paramSASL: saslPlain, paramUser: "me", paramPasswordFile: "/none"},
			"the password: ", "\nhint: --set kafka.password_file=FILE")
	})
}

// TestLookAtThoseThatAreThere: the preflight reads the files needed to reach them.
func TestLookAtThoseThatAreThere(t *testing.T) {
	at := record.Params{paramBrokers: "h:9092", paramTLS: "true"}
	look := func(set record.Params) error {
		maps.Copy(set, at)
		return Spec().Preflight(t.Context(), params(set), t.TempDir())
	}
	demand(t, look(record.Params{paramCA: "/none"}), "ca: ", "/none", "\nhint: --set kafka.ca=FILE")
	demand(t, look(record.Params{paramSASL: saslPlain, paramUser: "me", paramPasswordFile: "/none"}), "/none",
		"\nhint: --set kafka.password_file=FILE")
	if err := look(record.Params{}); err != nil {
		t.Error(err)
	}
}

// refused checks that a driver cannot be prepared, with the reason.
func refused(t *testing.T, set record.Params, words ...string) {
	t.Helper()
	set = small(set)
	set[paramTimeout] = "1s"
	d, err := newDriver(workload.Env{Lanes: 1}, params(set))
	if err != nil {
		t.Fatal(err)
	}
	defer d.Close()
	ctx, cancel := context.WithTimeout(t.Context(), 20*time.Second)
	defer cancel()
	demand(t, d.Prepare(ctx), words...)
}

// TestTopicThatNobodyLeads: it is made, the trial cannot begin, and it is deleted.
func TestTopicThatNobodyLeads(t *testing.T) {
	c, at := cluster(t, kfake.NumBrokers(1))
	var made, deleted atomic.Int64
	c.ControlKey(int16(kmsg.CreateTopics), func(kmsg.Request) (kmsg.Response, error, bool) {
		c.KeepControl()
		made.Add(1)
		return nil, nil, false
	})
	c.ControlKey(int16(kmsg.DeleteTopics), func(kmsg.Request) (kmsg.Response, error, bool) {
		c.KeepControl()
		deleted.Add(1)
		return nil, nil, false
	})
	ctx, leave := context.WithCancelCause(t.Context())
	defer leave(nil)
	c.ControlKey(int16(kmsg.ListOffsets), func(asked kmsg.Request) (kmsg.Response, error, bool) {
		c.KeepControl()
		leave(errors.New("it took too long"))
		return asked.ResponseKind(), nil, true
	})
	d, err := newDriver(workload.Env{Lanes: 1}, params(small(record.Params{paramBrokers: at})))
	if err != nil {
		t.Fatal(err)
	}
	demand(t, d.Prepare(ctx), "the partitions of a new topic have no leader", "it took too long")
	if err := d.Close(); err != nil || made.Load() != 1 || deleted.Load() != 1 {
		t.Errorf("%d topics were made, %d deleted, %v", made.Load(), deleted.Load(), err)
	}
}

// TestTopicThatMayNotBeDeleted causes a doubt that has the command to delete it.
func TestTopicThatMayNotBeDeleted(t *testing.T) {
	c, at := cluster(t, kfake.NumBrokers(1))
	asked := 0
	c.ControlKey(int16(kmsg.DeleteTopics), func(r kmsg.Request) (kmsg.Response, error, bool) {
		c.KeepControl()
		asked++
		out := r.ResponseKind().(*kmsg.DeleteTopicsResponse)
		one := kmsg.NewDeleteTopicsResponseTopic()
		one.ErrorCode = kerr.TopicAuthorizationFailed.Code
		out.Topics = append(out.Topics, one)
		return out, nil, true
	})
	d, _ := run(t, small(record.Params{paramBrokers: at, record.ParamClients: "1"}), closed(1), 50*time.Millisecond)
	if err := d.Verify(t.Context()); err != nil {
		t.Fatal(err)
	}
	doubts := errors.New(strings.Join(d.Doubts(), "\n"))
	demand(t, doubts, "delete the topic "+topicMark, "TOPIC_AUTHORIZATION_FAILED",
		"\nhint: if it still exists: kafka-topics.sh --bootstrap-server "+at+" --delete --topic "+topicMark)
	if err := d.Close(); err != nil || asked != 1 {
		t.Errorf("it was asked for %d times, %v", asked, err)
	}
}

// TestLossIsFound: a broker that acknowledges records and loses them voids the trial.
func TestLossIsFound(t *testing.T) {
	c, at := cluster(t, kfake.NumBrokers(1))
	lied := false
	c.ControlKey(int16(kmsg.Produce), func(asked kmsg.Request) (kmsg.Response, error, bool) {
		if c.KeepControl(); lied {
			return nil, nil, false
		}
		lied = true
		return praise(asked.(*kmsg.ProduceRequest)), nil, true
	})
	d, _ := run(t,
		small(record.Params{paramBrokers: at, record.ParamClients: "1", paramIdempotence: "false", paramInFlight: "1"}),
		closed(1), 50*time.Millisecond)
	demand(t, d.Verify(t.Context()), "acknowledged records", "are lost, and 0 are in the log more than once")
	if !lied || d.delivered.Lost == 0 {
		t.Errorf("the broker lied: %v, %+v", lied, d.delivered)
	}
}

// praise acknowledges all of a request.
func praise(r *kmsg.ProduceRequest) *kmsg.ProduceResponse {
	out := r.ResponseKind().(*kmsg.ProduceResponse)
	for _, t := range r.Topics {
		topic := kmsg.NewProduceResponseTopic()
		topic.Topic, topic.TopicID = t.Topic, t.TopicID
		for _, p := range t.Partitions {
			part := kmsg.NewProduceResponseTopicPartition()
			part.Partition = p.Partition
			topic.Partitions = append(topic.Partitions, part)
		}
		out.Topics = append(out.Topics, topic)
	}
	return out
}

// TestAnswersThatNeverCome leave their client without an answer after the timeout, and are no delivery: the log may or
// may not have them.
func TestAnswersThatNeverCome(t *testing.T) {
	c, at := cluster(t, kfake.NumBrokers(1))
	c.ControlKey(int16(kmsg.Produce), func(kmsg.Request) (kmsg.Response, error, bool) {
		c.KeepControl()
		out := kmsg.NewPtrProduceResponse()
		return out, context.DeadlineExceeded, true
	})
	d, r := run(t,
		small(record.Params{paramBrokers: at, record.ParamClients: "1", paramTimeout: "1s", paramBuffer: "10kB"}), closed(1),
		50*time.Millisecond)
	if r.Ops != 0 || len(r.Errors) > 0 || r.Unanswered == 0 || r.Starved != 1 || d.sum().errors == 0 {
		t.Errorf("%d operations, errors %v, %d unanswered, %d starved", r.Ops, r.Errors, r.Unanswered, r.Starved)
	}
	demand(t, errors.New(strings.Join(d.Doubts(), "\n")), "first failed record: ",
		"\nhint: is the load beyond the broker's or its disk's capacity? --set kafka.timeout=1m waits longer than 1s")
}
