package kafka

import (
	"context"
	"fmt"
	"maps"
	"slices"
	"testing"
	"time"

	"github.com/twmb/franz-go/pkg/kgo"
	"github.com/twmb/franz-go/pkg/kmsg"

	"plimsoll/internal/client/load"
	"plimsoll/internal/engine/enginetest"
	broker "plimsoll/internal/engine/kafka"
	"plimsoll/internal/record"
	"plimsoll/internal/workload"
	"plimsoll/internal/workload/workloadtest"
)

// small returns parameters of a broker that starts fast and stores little.
func small(set record.Params) record.Params {
	out := record.Params{record.ParamHeat: "0s", paramPartitions: "4", paramBuffer: "1MiB", paramConnections: "2",
		paramRetention: "64MiB"}
	if set[paramBrokers] == "" {
		out[paramHeap], out[brokerPrefix+broker.ParamGC] = "192MiB", "serial"
	}
	maps.Copy(out, set)
	return out
}

func params(set record.Params) workload.Params {
	decl := Spec().Workload
	vals := decl.Defaults()
	for name, v := range set {
		vals[name] = v
	}
	return workload.NewParams(decl, vals)
}

// TestProduce runs the tests of an existing broker: one that all share, since each start takes seconds.
func TestProduce(t *testing.T) {
	if testing.Short() {
		t.Skip("it needs Java and Maven")
	}
	at := start(t)
	for _, part := range []struct {
		name string
		run  func(t *testing.T, at string)
	}{
		{"every setting is delivered", everySettingIsDelivered},
		{"an open load counts from the intended start", openLoadCountsFromTheIntendedStart},
		{"loss and duplication are counted", lossAndDuplicationAreCounted},
		{"samples are read back", samplesAreReadBack},
		{"the topic is ours", topicIsOurs},
		{"parts of the benchmark", benchParts},
		{"what was written before is read", whatWasWrittenIsRead},
		{"what is written is followed", whatIsWrittenIsFollowed},
		{"other hosts load it", otherHostsLoadIt},
		{"conformance", conformance},
	} {
		t.Run(part.name, func(t *testing.T) { part.run(t, at) })
	}
}

func start(t *testing.T) string {
	t.Helper()
	// a broker takes half the CPU time to start, and nothing is measured
	t.Setenv("JAVA_TOOL_OPTIONS", "-XX:TieredStopAtLevel=1")
	enginetest.SetUp(t, broker.Engine{})
	s, err := newServer(workload.Env{Scratch: t.TempDir()}, params(small(nil)))
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = s.close() })
	a, err := s.start(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	return a.seeds[0]
}

// run carries one trial out and returns its driver, which is closed when the test ends.
func run(t *testing.T, set record.Params, l record.LoadPoint, length time.Duration) (*driver, load.Result) {
	t.Helper()
	d, g := prepared(t, set, l, length)
	lane, err := d.Lane(0)
	if err != nil {
		t.Fatal(err)
	}
	if err := lane.Run(t.Context(), g.Lane(0)); err != nil {
		t.Fatal(err)
	}
	g.Lane(0).Leave()
	return d, g.Result()
}

// prepared is a driver that is ready, and the load that it is to run under, which has begun.
func prepared(t *testing.T, set record.Params, l record.LoadPoint, length time.Duration) (*driver, *load.Generator) {
	t.Helper()
	p := params(set)
	if err := Spec().Check(p, record.Machine{}); err != nil {
		t.Fatal(err)
	}
	made, err := newDriver(workload.Env{Lanes: 1, Seed: 7}, p)
	if err != nil {
		t.Fatal(err)
	}
	d := made.(*driver)
	t.Cleanup(func() { _ = d.Close() })
	if err := d.Prepare(t.Context()); err != nil {
		t.Fatal(err)
	}
	g, err := load.New(load.Config{Load: l, Lanes: 1, Seed: 7, Duration: length})
	if err != nil {
		t.Fatal(err)
	}
	g.Start(g.Clock().Now())
	return d, g
}

func closed(clients float64) record.LoadPoint {
	return record.LoadPoint{Kind: record.Closed, Level: clients, Unit: record.ParamClients}
}

// everySettingIsDelivered writes with each way of delivery, and proves that each record is in the log once.
func everySettingIsDelivered(t *testing.T, at string) {
	for name, set := range map[string]record.Params{
		"defaults": {},
		"acks 1, zstd": {paramAcks: acksLeader, paramIdempotence: "false", paramCodec: codecZstd, paramCompress: "0.75",
			paramInFlight: "9"},
		"acks 0, keys": {paramAcks: acksNone, paramIdempotence: "false", paramKeys: "100", paramSpread: spreadKey,
			paramInFlight: "50"},
		"round robin":     {paramSpread: spreadRobin, paramLinger: "0s", paramRecordSize: "100B", paramBatch: "16KiB"},
		"large, gzip":     {paramRecordSize: "300KiB", paramCodec: codecGzip, paramCompress: "1"},
		"lz4, one record": {paramCodec: codecLZ4, paramBuffer: "1000B", paramLinger: "0s"},
	} {
		t.Run(name, func(t *testing.T) {
			set[paramBrokers], set[record.ParamClients] = at, "2"
			d, r := run(t, small(set), closed(2), 150*time.Millisecond)
			if err := d.Verify(t.Context()); err != nil {
				t.Fatal(err)
			}
			if r.Ops == 0 || len(r.Errors) > 0 || d.delivered.Acked < r.Ops || d.delivered.Acked != d.delivered.Logged {
				t.Errorf("%d operations, errors %v, %+v", r.Ops, r.Errors, d.delivered)
			}
			if d.checked == 0 != (d.params.Text(paramAcks) == acksNone) {
				t.Errorf("%d records were read back", d.checked)
			}
			ratio := float64(d.batches.whole.Load()) / float64(d.batches.sent.Load())
			if plain := d.params.Number(paramCompress); d.params.Text(paramCodec) != codecNone &&
				(ratio < 0.8/(1.02-plain) || ratio < 0.9) {
				t.Errorf("batches shrank %.2f times, of values of which %g is one byte over and over", ratio, plain)
			}
			t.Logf("%.0f records/s, %d read back, %s", r.OpsPerSecond, d.checked, d.Doubts())
		})
	}
}

// openLoadCountsFromTheIntendedStart: records that linger take so long at least, and none is forgotten.
func openLoadCountsFromTheIntendedStart(t *testing.T, at string) {
	set := small(record.Params{paramBrokers: at, paramLinger: "20ms", record.ParamRate: "2000"})
	d, r := run(t, set, record.LoadPoint{Kind: record.Open, Level: 2000, Unit: record.ParamRate, Arrivals: record.Uniform},
		500*time.Millisecond)
	if err := d.Verify(t.Context()); err != nil {
		t.Fatal(err)
	}
	if r.Offered < 990 || r.Offered > 1010 || r.Ops+r.Outstanding != r.Offered || len(r.Errors) > 0 {
		t.Errorf("of 1000 records %d were offered, %d done, %d outstanding, errors %v", r.Offered, r.Ops, r.Outstanding,
			r.Errors)
	}
	// A batch waits 20 ms from its first record on: half of the records wait 10 ms and more.
	if p50 := time.Duration(r.Latency.ValueAtQuantile(50)); p50 < 5*time.Millisecond {
		t.Errorf("the median took %v, and batches wait 20ms", p50)
	}
}

// lossAndDuplicationAreCounted: records written by others, or deleted meanwhile, fail the proof of delivery.
func lossAndDuplicationAreCounted(t *testing.T, at string) {
	d, _ := run(t, small(record.Params{paramBrokers: at, record.ParamClients: "2"}), closed(2), 100*time.Millisecond)
	if err := d.verify(t.Context()); err != nil {
		t.Fatal(err)
	}
	foreign, err := kgo.NewClient(kgo.SeedBrokers(at), kgo.RecordPartitioner(kgo.ManualPartitioner()))
	if err != nil {
		t.Fatal(err)
	}
	defer foreign.Close()
	for i := range 3 {
		if err := foreign.ProduceSync(context.Background(), &kgo.Record{Topic: d.topic.name, Partition: int32(i)}).
			FirstErr(); err != nil {
			t.Fatal(err)
		}
	}
	err = d.verify(t.Context())
	demand(t, err, "0 are lost, and 3 are in the log more than once")
	d.lanes[0].tally.parts[3].count += 2
	demand(t, d.verify(t.Context()), "2 are lost, and 3 are in the log more than once")
}

// samplesAreReadBack: a record that is not the one that was written is found.
func samplesAreReadBack(t *testing.T, at string) {
	d, _ := run(t, small(record.Params{paramBrokers: at, record.ParamClients: "1"}), closed(1), 100*time.Millisecond)
	d.lanes[0].tally.samples[0].value++
	demand(t, d.verify(t.Context()), "holds a different record than was written")
	d.lanes[0].tally.samples[0].value--

	// Retention is bounded: a sample may be deleted after the log was asked for its start.
	sum := d.sum()
	i := slices.IndexFunc(sum.samples, func(s sample) bool { return s.offset+1 < sum.parts[s.partition].count })
	if i < 0 {
		t.Fatalf("of %d samples none has a record after it", len(sum.samples))
	}
	gone := sum.samples[i]
	deleteBefore(t, d, gone.partition, gone.offset+1)
	before := d.checked
	if err := d.readBack(t.Context(), []sample{gone}); err != nil || d.checked != before {
		t.Errorf("a sample that was deleted: %v, %d were compared", err, d.checked-before)
	}
}

// deleteBefore deletes a partition's records before an offset.
func deleteBefore(t *testing.T, d *driver, partition int32, offset int64) {
	t.Helper()
	r := kmsg.NewPtrDeleteRecordsRequest()
	r.TimeoutMillis = 10_000
	r.Topics = []kmsg.DeleteRecordsRequestTopic{
		{Topic: d.topic.name, Partitions: []kmsg.DeleteRecordsRequestTopicPartition{{Partition: partition, Offset: offset}}}}
	for _, shard := range d.topic.admin.RequestSharded(t.Context(), r) {
		answer, ok := shard.Resp.(*kmsg.DeleteRecordsResponse)
		if shard.Err != nil || !ok || answer.Topics[0].Partitions[0].ErrorCode != 0 {
			t.Fatalf("deleting records: %v, %+v", shard.Err, answer)
		}
	}
}

// topicIsOurs: one that is there is left alone, ours is deleted.
func topicIsOurs(t *testing.T, at string) {
	set := small(record.Params{paramBrokers: at, paramTopic: "theirs", record.ParamClients: "1"})
	d, _ := run(t, set, closed(1), 50*time.Millisecond)
	second, err := newDriver(workload.Env{Lanes: 1}, params(set))
	if err != nil {
		t.Fatal(err)
	}
	demand(t, second.Prepare(t.Context()), "the topic theirs exists and is not ours: nothing was written to it",
		"\nhint: leave out kafka.topic")
	if err := second.Close(); err != nil {
		t.Error(err)
	}
	if err := d.Verify(t.Context()); err != nil {
		t.Errorf("after somebody else was refused: %v", err)
	}
	for range 2 {
		if err := d.Close(); err != nil {
			t.Error(err)
		}
	}
	run(t, set, closed(1), 50*time.Millisecond) // the name is free again
}

// whatWasWrittenIsRead repeatedly, in each way of reading, and altered records are found.
func whatWasWrittenIsRead(t *testing.T, at string) {
	for name, set := range map[string]record.Params{
		"small answers":   {paramFetchPartition: "20kB", paramFetches: "1"},
		"zstd, keys":      {paramCodec: codecZstd, paramCompress: "0.5", paramKeys: "9", paramIsolation: isolationCommitted},
		"no checksums":    {paramCheckCRCs: "false", paramFetchMin: "100kB", paramFetchWait: "10ms"},
		"one reads all":   {record.ParamClients: "1", paramLinger: "0s", paramBatch: "16KiB", paramRecordSize: "100B"},
		"idempotence off": {paramIdempotence: "false", paramAcks: acksLeader},
	} {
		t.Run(name, func(t *testing.T) {
			set[paramBrokers], set[paramMode], set[paramFill] = at, modeConsume, "2MB"
			l, set := closed(2), small(set)
			if set[record.ParamClients] == "1" {
				l = closed(1)
			}
			set[record.ParamClients] = fmt.Sprint(l.Level)
			d, r := run(t, set, l, 300*time.Millisecond)
			wellRead(t, d, r)
			if found := d.found(); found.passes == 0 {
				t.Errorf("nobody began anew: %+v", found)
			}
		})
	}
	d, r := run(t, loaded(record.Params{paramMode: modeConsume, paramFill: "2MB"}, at, open(500)), open(500),
		300*time.Millisecond)
	wellRead(t, d, r)
	d.filled.sums[0][0]++
	for _, c := range d.consumers {
		c.next[0] = 0 // as if it had begun anew
		c.take(&kgo.Record{Partition: 0, Offset: 0})
	}
	demand(t, d.Verify(t.Context()), "differ from those written")
}

// whatIsWrittenIsFollowed from the intended send to the consumer; records that no consumer receives are found.
func whatIsWrittenIsFollowed(t *testing.T, at string) {
	d, r := run(t, loaded(record.Params{paramMode: modeEnd, paramLinger: "20ms"}, at, open(500)), open(500),
		500*time.Millisecond)
	wellRead(t, d, r)
	// As of records that are acknowledged: half of them wait 10 ms and more for the batch.
	if p50 := time.Duration(r.Latency.ValueAtQuantile(50)); p50 < 5*time.Millisecond {
		t.Errorf("the median took %v, and batches wait 20ms", p50)
	}
	d, r = run(t, loaded(record.Params{paramMode: modeEnd, paramCodec: codecLZ4, paramConsumers: "3"}, at, closed(2)),
		closed(2), 200*time.Millisecond)
	wellRead(t, d, r)

	d, g := prepared(t, loaded(record.Params{paramMode: modeEnd, paramTimeout: "1s"}, at, closed(2)), closed(2),
		100*time.Millisecond)
	d.consumers[0].kgo.PauseFetchTopics(d.topic.name)
	if err := d.lanes[0].Run(t.Context(), g.Lane(0)); err != nil {
		t.Error(err)
	}
	demand(t, d.Verify(t.Context()), "of the records to read", "never came and 0 came more than once")
}

// otherHostsLoadIt: each has a topic of its own, and proves its own delivery; the broker is not theirs to end.
func otherHostsLoadIt(t *testing.T, at string) {
	for range 2 {
		set := small(record.Params{paramMode: modeEnd, record.ParamClients: "1"})
		made, err := newDriver(workload.Env{Lanes: 1, Target: at}, params(set))
		if err != nil {
			t.Fatal(err)
		}
		d := made.(*driver)
		t.Cleanup(func() { _ = d.Close() })
		if err := d.Prepare(t.Context()); err != nil {
			t.Fatal(err)
		}
		g, err := load.New(load.Config{Load: closed(1), Lanes: 1, Duration: 100 * time.Millisecond})
		if err != nil {
			t.Fatal(err)
		}
		g.Start(g.Clock().Now())
		if err := d.lanes[0].Run(t.Context(), g.Lane(0)); err != nil {
			t.Fatal(err)
		}
		wellRead(t, d, g.Result())
		if d.server != nil || len(d.Doubts()) > 0 {
			t.Errorf("doubts %q", d.Doubts())
		}
	}
}

// TestBrokerThatDies ends the load at once, with an error.
func TestBrokerThatDies(t *testing.T) {
	if testing.Short() {
		t.Skip("it needs Java and Maven")
	}
	// a broker takes half the CPU time to start, and nothing is measured
	t.Setenv("JAVA_TOOL_OPTIONS", "-XX:TieredStopAtLevel=1")
	enginetest.SetUp(t, broker.Engine{})
	made, err := newDriver(workload.Env{Lanes: 1, Scratch: t.TempDir()},
		params(small(record.Params{record.ParamClients: "2"})))
	if err != nil {
		t.Fatal(err)
	}
	d := made.(*driver)
	defer d.Close()
	if err := d.Prepare(t.Context()); err != nil {
		t.Fatal(err)
	}
	g, err := load.New(load.Config{Load: closed(2), Lanes: 1, Duration: time.Hour})
	if err != nil {
		t.Fatal(err)
	}
	g.Start(g.Clock().Now())
	time.AfterFunc(100*time.Millisecond, func() { _ = kill(d.server.instance.Roots()[0]) })
	demand(t, d.lanes[0].Run(t.Context(), g.Lane(0)), "the broker exited during the run", "killed")
	demand(t, d.Verify(t.Context()), "the broker exited during the run")
}

// conformance is that of the clients; that the broker goes when its trial does, the engine's own suite has shown.
func conformance(t *testing.T, at string) {
	workloadtest.Run(t, Spec(),
		workloadtest.Case{Name: "closed", Params: small(record.Params{paramBrokers: at, record.ParamClients: "2"}),
			Load: closed(2), For: 200 * time.Millisecond},
		workloadtest.Case{Name: "open", Params: small(record.Params{paramBrokers: at, record.ParamRate: "500"}), Lanes: 2,
			Load: record.LoadPoint{Kind: record.Open, Level: 500, Unit: record.ParamRate}, For: 200 * time.Millisecond},
		workloadtest.Case{Name: "consume",
			Params: small(record.Params{paramBrokers: at, record.ParamClients: "2", paramMode: modeConsume, paramFill: "1MB"}),
			Lanes:  2, Load: closed(2), For: 200 * time.Millisecond},
		workloadtest.Case{Name: "end to end",
			Params: small(record.Params{paramBrokers: at, record.ParamRate: "500", paramMode: modeEnd}), Lanes: 2,
			Load: record.LoadPoint{Kind: record.Open, Level: 500, Unit: record.ParamRate}, For: 200 * time.Millisecond},
	)
}
