package kafka_test

import (
	"context"
	"fmt"
	"strings"
	"testing"
	"time"

	"github.com/twmb/franz-go/pkg/kerr"
	"github.com/twmb/franz-go/pkg/kgo"
	"github.com/twmb/franz-go/pkg/kmsg"
	"golang.org/x/sys/unix"

	"plimsoll/internal/base/simtest"
	"plimsoll/internal/engine"
	"plimsoll/internal/engine/enginetest"
	"plimsoll/internal/engine/kafka"
	"plimsoll/internal/record"
)

func TestMain(m *testing.M) { enginetest.Main(m, kafka.Engine{}, nil) }

// soon lets the Java runtime compile in one step only: a broker takes half the CPU time to start, and nothing is
// measured.
func soon(t *testing.T) { t.Setenv("JAVA_TOOL_OPTIONS", "-XX:TieredStopAtLevel=1") }

func TestConformance(t *testing.T) {
	if testing.Short() {
		t.Skip("it needs Java and Maven")
	}
	soon(t)
	enginetest.SetUp(t, kafka.Engine{})
	enginetest.Run(t, kafka.Engine{}, enginetest.Case{Name: "defaults", Params: record.Params{kafka.ParamHeap: "256MiB"},
		Answers: answers})
}

// TestFlavours starts a broker of each kind once; the conformance suite covers their common behaviour.
func TestFlavours(t *testing.T) {
	if testing.Short() {
		t.Skip("it needs Java and Maven")
	}
	soon(t)
	enginetest.SetUp(t, kafka.Engine{})
	for name, set := range map[string]record.Params{
		"Corretto, z": {kafka.ParamTLS: "true", kafka.ParamProvider: kafka.ProviderCorretto, kafka.ParamGC: "z"},
		"TLS, parallel, settings": {kafka.ParamTLS: "true",
			kafka.ParamSettings: "num.io.threads=2\nmessage.max.bytes=3000000", kafka.ParamGC: "parallel"},
	} {
		t.Run(name, func(t *testing.T) {
			set[kafka.ParamHeap] = "256MiB"
			p, i := start(t, set)
			if err := answers(p, i); err != nil {
				t.Fatal(err)
			}
			facts := i.(*kafka.Instance).Facts()
			t.Logf("%+v", facts)
			wantCipher := "SunJCE"
			if set[kafka.ParamProvider] == kafka.ProviderCorretto {
				wantCipher = "AmazonCorrettoCryptoProvider 2."
				if facts.SelfTest != "PASSED" {
					t.Errorf("its self-test: %q", facts.SelfTest)
				}
			}
			// One that does not fit is passed over, such as with Z, which has other references.
			if fits := set[kafka.ParamGC] != "z"; fits && !facts.Archive {
				t.Error("the archive of classes that was made at the set-up is not in use")
			}
			if !strings.HasPrefix(facts.Cipher, wantCipher) || len(facts.GC) == 0 {
				t.Errorf("facts %+v, want the cipher %s", facts, wantCipher)
			}
		})
	}
}

// TestWithZooKeeper puts a release through the suite whose broker has a ZooKeeper beside it. Both are gone however they
// end.
func TestWithZooKeeper(t *testing.T) {
	if testing.Short() {
		t.Skip("it needs Java and Maven")
	}
	soon(t)
	old := kafka.Engine{Kafka: "2.6.1"}
	set := record.Params{kafka.ParamRelease: "2.6.1", kafka.ParamHeap: "256MiB", kafka.ParamTLS: "true"}
	if _, err := engine.FindDefault(t.Context(), old); err != nil && !simtest.Night() {
		t.Skipf("by day only where it has been set up: %v", err)
	} else if err != nil {
		enginetest.SetUp(t, old)
	}
	enginetest.Run(t, kafka.Engine{}, enginetest.Case{Name: "TLS", Params: set, Answers: answers})
	t.Run("ZooKeeper dies", func(t *testing.T) {
		p, i := start(t, set)
		if err := answers(p, i); err != nil {
			t.Fatal(err)
		}
		roots := i.Roots()
		if len(roots) != 2 {
			t.Fatalf("processes %v, want the broker and ZooKeeper", roots)
		}
		if err := unix.Kill(roots[1], unix.SIGKILL); err != nil {
			t.Fatal(err)
		}
		if err := i.Wait(); err == nil || !strings.HasPrefix(err.Error(), "zookeeper ended by itself") {
			t.Errorf("%v", err)
		}
		for _, pid := range roots {
			if err := unix.Kill(pid, 0); err == nil {
				t.Errorf("process %d is left", pid)
			}
		}
	})
}

func start(t *testing.T, set record.Params) (engine.Params, engine.Instance) {
	t.Helper()
	e := kafka.Engine{}
	p, err := engine.Resolve(e, set)
	if err != nil {
		t.Fatal(err)
	}
	in, err := e.Find(t.Context(), p)
	if err != nil {
		t.Fatal(err)
	}
	i, err := e.Start(t.Context(), in, engine.Settings{Params: p, Scratch: t.TempDir()})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = i.Stop(context.Background()) })
	return p, i
}

// answers makes a topic, writes a record to each of its partitions and reads them back.
func answers(_ engine.Params, i engine.Instance) error {
	ctx, cancel := context.WithTimeout(context.Background(), 20*time.Second)
	defer cancel()
	secure, err := i.(*kafka.Instance).TLS()
	if err != nil {
		return err
	}
	topic := fmt.Sprintf("t%d", time.Now().UnixNano())
	opts := []kgo.Opt{kgo.SeedBrokers(i.Addrs()...), kgo.ConsumeTopics(topic), kgo.DefaultProduceTopic(topic),
		kgo.RecordPartitioner(kgo.ManualPartitioner())}
	if secure != nil {
		opts = append(opts, kgo.DialTLSConfig(secure))
	}
	c, err := kgo.NewClient(opts...)
	if err != nil {
		return err
	}
	defer c.Close()
	r := kmsg.NewPtrCreateTopicsRequest()
	one := kmsg.NewCreateTopicsRequestTopic()
	one.Topic, one.NumPartitions, one.ReplicationFactor = topic, 2, 1
	r.Topics = append(r.Topics, one)
	made, err := r.RequestWith(ctx, c)
	if err != nil {
		return err
	}
	if err := kerr.ErrorForCode(made.Topics[0].ErrorCode); err != nil {
		return err
	}
	if err := c.ProduceSync(ctx, &kgo.Record{Partition: 0, Value: []byte("a")},
		&kgo.Record{Partition: 1, Value: []byte("b")}).FirstErr(); err != nil {
		return err
	}
	got := map[string]bool{}
	for len(got) < 2 {
		fetched := c.PollFetches(ctx)
		if err := fetched.Err(); err != nil {
			return err
		}
		fetched.EachRecord(func(r *kgo.Record) { got[fmt.Sprintf("%d %s", r.Partition, r.Value)] = true })
	}
	if !got["0 a"] || !got["1 b"] {
		return fmt.Errorf("read back %v", got)
	}
	return nil
}
