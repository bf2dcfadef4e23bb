package kafka

import (
	"errors"
	"hash/crc32"
	"maps"
	"strings"
	"testing"
	"time"

	"github.com/twmb/franz-go/pkg/kerr"
	"github.com/twmb/franz-go/pkg/kfake"
	"github.com/twmb/franz-go/pkg/kgo"
	"github.com/twmb/franz-go/pkg/kmsg"

	"plimsoll/internal/base/simtest"
	"plimsoll/internal/client/load"
	"plimsoll/internal/record"
)

func TestMarksAreReadAgain(t *testing.T) {
	value := make([]byte, markBytes)
	stamp(value, 70_000, 49_999, 1<<40)
	mark(value, 1<<50+1)
	want := arrival{client: 70_000, slot: 49_999, number: 1 << 40, intended: 1<<50 + 1, at: 9}
	if got, ok := arrived(value, 9); !ok || got != want {
		t.Errorf("%+v, %v, want %+v", got, ok, want)
	}
	if _, ok := arrived(value[:markBytes-1], 9); ok {
		t.Error("a value that is too short says when it was due")
	}
}

// TestConsumersCountGapsAndRepeats: each offset of a partition once, in order, from 0 on.
func TestConsumersCountGapsAndRepeats(t *testing.T) {
	for name, c := range map[string]struct {
		offsets          []int64
		missed, repeated int64
	}{
		"all": {[]int64{0, 1, 2, 3}, 0, 0}, "a gap": {[]int64{0, 1, 4, 5}, 2, 0}, "none of the first": {[]int64{3}, 3, 0},
		"again": {[]int64{0, 1, 1, 0, 2}, 0, 2}, "both": {[]int64{0, 3, 3, 4}, 2, 1},
	} {
		got := consumer{next: make([]int64, 2)}
		for _, o := range c.offsets {
			got.take(&kgo.Record{Partition: 1, Offset: o})
		}
		if got.found.missed != c.missed || got.found.repeated != c.repeated ||
			(got.found.fault() != nil) != (c.missed+c.repeated > 0) {
			t.Errorf("%s: %+v, %v", name, got.found, got.found.fault())
		}
		if behind := (&consumer{partitions: []int32{1}, next: got.next}).behind([]int64{9, got.next[1] + 7}); behind != 7 {
			t.Errorf("%s: %d behind, want 7", name, behind)
		}
	}
}

func TestWhatWasWrittenIsCompared(t *testing.T) {
	table := crc32.MakeTable(crc32.Castagnoli)
	good := &kgo.Record{Offset: sampled, Key: []byte("k"), Value: []byte("v")}
	log := &filled{each: 2 * sampled, sums: [][]uint32{{0, checksum(good, table)}}, table: table}
	var found reading
	for _, r := range []*kgo.Record{
		good, {Offset: sampled + 1, Value: []byte("not looked at")},
		{Offset: sampled, Key: []byte("k"), Value: []byte("w")}, {Offset: sampled, Key: []byte("kv")}, {Offset: 2 * sampled},
	} {
		log.compare(r, &found)
	}
	if found.checked != 4 || found.differed != 3 {
		t.Errorf("%+v, want 3 that differ of 4", found)
	}
	demand(t, found.fault(), "differ from those written")
}

// TestEachPartitionIsRead, by one consumer unless there are more of them than partitions.
func TestEachPartitionIsRead(t *testing.T) {
	for _, c := range []struct{ n, partitions, times int }{{1, 5, 1}, {2, 5, 1}, {5, 5, 1}, {10, 5, 2}} {
		read := map[int32]int{}
		for i := range c.n {
			own := readBy(i, c.n, c.partitions)
			if len(own) == 0 {
				t.Errorf("%d consumers of %d partitions: %d has none", c.n, c.partitions, i)
			}
			for _, p := range own {
				read[p]++
			}
		}
		for p := range int32(c.partitions) {
			if read[p] != c.times {
				t.Errorf("%d consumers of %d partitions: %d is read %d times", c.n, c.partitions, p, read[p])
			}
		}
	}
}

// TestReadersBeginAnewBeforeTheEnd: at the end of a partition a broker waits for more.
func TestReadersBeginAnewBeforeTheEnd(t *testing.T) {
	p := params(record.Params{paramRecordSize: "1000B", paramFetchPartition: "100kB", paramBatch: "100kB"})
	for each, want := range map[int64]int64{1000: 800, 300: 150, 1: 1} {
		if a := newAgain(p, &filled{each: each}); a.until != want {
			t.Errorf("of %d records up to %d, want %d", each, a.until, want)
		}
	}
	c := &consumer{partitions: []int32{0, 2}, next: []int64{5, 99, 9}}
	if a := (&again{until: 10}); a.due(c) {
		t.Error("due before any of its partitions is read")
	}
	c.next[2] = 10
	if a := (&again{until: 10}); !a.due(c) {
		t.Error("not due once one is")
	}
}

// followed is a lane with a client of two records, both taken up.
func followed(t *testing.T) (*lane, *load.Lane, *load.Generator) {
	t.Helper()
	g, err := load.New(load.Config{Load: closed(1), Lanes: 1, Duration: time.Hour})
	if err != nil {
		t.Fatal(err)
	}
	g.Start(g.Clock().Now())
	clock := g.Lane(0)
	c := &client{index: 3, bytes: 10, follows: true, slots: make([]slot, 2), sent: 2}
	l := newLane([]*client{c}, 1)
	for i := range c.slots {
		intended, ok := clock.Due(clock.Now())
		if !ok {
			t.Fatal("nothing is due")
		}
		c.slots[i] = slot{index: uint32(i), number: uint64(i), flying: true, intended: intended, sent: intended}
	}
	return l, clock, g
}

func (l *lane) arrive(clock *load.Lane, change func(*arrival)) {
	s := &l.clients[0].slots[0]
	a := arrival{client: 3, slot: 0, number: 0, intended: s.intended, at: clock.Now()}
	change(&a)
	l.mail.put([]arrival{a})
	l.collect(clock)
}

// TestDeliveriesAreCountedOnce: in whatever order a record comes and is acknowledged, it is one operation, and its
// buffer is free once both is known.
func TestDeliveriesAreCountedOnce(t *testing.T) {
	l, clock, g := followed(t)
	c, same := l.clients[0], func(*arrival) {}
	first, second := &c.slots[0], &c.slots[1]
	l.arrive(clock, func(a *arrival) { a.client = 4 })
	l.arrive(clock, func(a *arrival) { a.client = 2 })
	l.arrive(clock, func(a *arrival) { a.slot = 2 })
	l.arrive(clock, func(a *arrival) { a.intended++ })
	if l.tally.strange != 4 || first.delivered {
		t.Errorf("%d were strange of 4, delivered: %v", l.tally.strange, first.delivered)
	}
	l.arrive(clock, func(a *arrival) { a.number = 7 })
	l.arrive(clock, same)
	if len(c.free) != 0 {
		t.Error("a record that is not acknowledged is free")
	}
	l.promise(clock, c, first)
	l.arrive(clock, same)
	if len(c.free) != 1 || l.tally.late != 2 || l.tally.count != 1 {
		t.Errorf("%d free, %d late, %d acknowledged, want 1, 2 and 1", len(c.free), l.tally.late, l.tally.count)
	}
	second.failed = errors.New("too late")
	l.promise(clock, c, second)
	l.arrive(clock, func(a *arrival) { a.slot, a.number, a.intended = 1, 1, second.intended })
	clock.Leave()
	if r := g.Result(); r.Ops != 1 || len(c.free) != 2 || l.tally.late != 3 || l.tally.errors != 1 ||
		r.Errors[load.Other] != 1 {
		t.Errorf("%d operations, errors %v, %d free, %+v", r.Ops, r.Errors, len(c.free), l.tally)
	}
}

// TestModesWithBrokersThatAreThere reads earlier records from two brokers, and follows new ones.
func TestModesWithBrokersThatAreThere(t *testing.T) {
	_, at := cluster(t, kfake.NumBrokers(2))
	for name, c := range map[string]struct {
		set  record.Params
		load record.LoadPoint
	}{
		"consume, closed": {record.Params{paramMode: modeConsume, paramFill: "400kB", paramFetchPartition: "10kB"},
			closed(2)},
		"consume, open": {record.Params{paramMode: modeConsume, paramFill: "400kB", paramKeys: "10",
			paramSpread: spreadKey, paramConnections: "6"}, open(500)},
		"end to end, closed": {record.Params{paramMode: modeEnd}, closed(2)},
		"end to end, acks 0": {record.Params{paramMode: modeEnd, paramAcks: acksNone, paramIdempotence: "false",
			paramSpread: spreadRobin}, closed(2)},
		"end to end, open": {record.Params{paramMode: modeEnd, paramConsumers: "1", paramAcks: acksLeader,
			paramIdempotence: "false"}, open(500)},
	} {
		t.Run(name, func(t *testing.T) {
			d, r := run(t, loaded(c.set, at, c.load), c.load, 300*time.Millisecond)
			wellRead(t, d, r)
		})
	}
}

func open(rate float64) record.LoadPoint {
	return record.LoadPoint{Kind: record.Open, Level: rate, Unit: record.ParamRate, Arrivals: record.Uniform}
}

// loaded are a small trial's parameters.
func loaded(set record.Params, at string, l record.LoadPoint) record.Params {
	all := record.Params{paramBrokers: at}
	maps.Copy(all, set)
	out := small(all)
	if out[l.Unit] = "2"; l.Kind == record.Open {
		out[l.Unit] = "500"
	}
	return out
}

// wellRead demands that all came, once.
func wellRead(t *testing.T, d *driver, r load.Result) {
	t.Helper()
	if err := d.Verify(t.Context()); err != nil {
		t.Fatal(err)
	}
	found := d.found()
	if r.Ops == 0 || len(r.Errors) > 0 || found.records < r.Ops || r.Outstanding+r.Ops < r.Offered {
		t.Errorf("%d operations of %d, %d outstanding, errors %v, %+v", r.Ops, r.Offered, r.Outstanding, r.Errors, found)
	}
	if d.filled == nil && found.records != d.delivered.Logged {
		t.Errorf("%d records came, and the log has %d", found.records, d.delivered.Logged)
	}
	if d.filled != nil && found.checked == 0 {
		t.Errorf("none was compared: %+v", found)
	}
	t.Logf("%.0f records/s, %+v", r.OpsPerSecond, found)
}

// TestRecordsThatNobodyReads are waited for no longer than the timeout, and void the trial.
func TestRecordsThatNobodyReads(t *testing.T) {
	simtest.Long(t)
	c, at := cluster(t, kfake.NumBrokers(1))
	c.ControlKey(int16(kmsg.Fetch), func(asked kmsg.Request) (kmsg.Response, error, bool) {
		c.KeepControl()
		time.Sleep(10 * time.Millisecond)
		return asked.ResponseKind(), nil, true
	})
	set := loaded(record.Params{paramMode: modeEnd, paramTimeout: "1s"}, at, closed(2))
	d, r := run(t, set, closed(2), 50*time.Millisecond)
	if r.Ops != 0 {
		t.Errorf("%d operations", r.Ops)
	}
	demand(t, d.Verify(t.Context()), "never came and 0 came more than once; 0 were read")

	set = loaded(record.Params{paramMode: modeConsume, paramFill: "100kB", paramTimeout: "1s"}, at, closed(2))
	d, g := prepared(t, set, closed(2), time.Hour)
	demand(t, d.readers[0].Run(t.Context(), g.Lane(0)), "no record came within 1s", "\nhint: ")

	// A broker of ours that ends is no silence.
	gone := make(chan struct{})
	close(gone)
	for _, l := range []record.LoadPoint{closed(2), open(500)} {
		d, g := prepared(t, loaded(record.Params{paramMode: modeConsume, paramFill: "100kB"}, at, l), l, time.Hour)
		d.readers[0].gone, d.readers[0].ended = gone, func() error { return errors.New("the broker ended") }
		demand(t, d.readers[0].Run(t.Context(), g.Lane(0)), "the broker ended")
	}
}

// TestRecordsThatABrokerRefuses: the error has the limit, and the setting behind it.
func TestRecordsThatABrokerRefuses(t *testing.T) {
	c, at := cluster(t, kfake.NumBrokers(1))
	c.ControlKey(int16(kmsg.Produce), func(asked kmsg.Request) (kmsg.Response, error, bool) {
		c.KeepControl()
		out := praise(asked.(*kmsg.ProduceRequest))
		for i := range out.Topics {
			for j := range out.Topics[i].Partitions {
				out.Topics[i].Partitions[j].ErrorCode = kerr.MessageTooLarge.Code
			}
		}
		return out, nil, true
	})
	d, r := run(t, loaded(record.Params{paramBuffer: "10kB"}, at, closed(2)), closed(2), 50*time.Millisecond)
	if r.Ops != 0 || r.Errors[load.Status] == 0 {
		t.Errorf("%d operations, errors %v", r.Ops, r.Errors)
	}
	demand(t, errors.New(strings.Join(d.Doubts(), "\n")), "MESSAGE_TOO_LARGE", "batch_bytes=1MB", "max.message.bytes",
		"\nhint: --set kafka.batch_bytes=")
	refused(t, record.Params{paramBrokers: at, paramMode: modeConsume, record.ParamClients: "1", paramFill: "100kB"},
		"fill the log", "MESSAGE_TOO_LARGE", "\nhint: --set kafka.batch_bytes=")
}

// TestTopicOfAllGenerators: each makes one of its own.
func TestTopicOfAllGenerators(t *testing.T) {
	demand(t, checkServe(params(record.Params{paramTopic: "mine"})), "each generator has its own topic", "\nhint: ")
	if err := checkServe(params(nil)); err != nil {
		t.Error(err)
	}
}

// TestFollowersEnd: whoever closes a driver that reads waits for nothing.
func TestFollowersEnd(t *testing.T) {
	_, at := cluster(t, kfake.NumBrokers(1))
	d, _ := prepared(t, loaded(record.Params{paramMode: modeEnd}, at, closed(2)), closed(2), time.Hour)
	for range 2 {
		if err := d.Close(); err != nil {
			t.Error(err)
		}
	}
	if err := d.unread(); err != nil {
		t.Errorf("it was closed, and says %v", err)
	}
}

// TestRecordsThatWereDeleted before a consumer read them end the load, and the hint has the setting that keeps them.
func TestRecordsThatWereDeleted(t *testing.T) {
	c, at := cluster(t, kfake.NumBrokers(1))
	c.ControlKey(int16(kmsg.Fetch), func(asked kmsg.Request) (kmsg.Response, error, bool) {
		c.KeepControl()
		return outOfRange(asked.(*kmsg.FetchRequest)), nil, true
	})
	d, g := prepared(t, loaded(record.Params{paramMode: modeEnd}, at, closed(2)), closed(2), time.Hour)
	demand(t, d.lanes[0].Run(t.Context(), g.Lane(0)), "OFFSET_OUT_OF_RANGE",
		"\nhint: it was deleted before it was read: --set kafka.retention=")
}

// outOfRange refuses all of a request.
func outOfRange(r *kmsg.FetchRequest) *kmsg.FetchResponse {
	out := r.ResponseKind().(*kmsg.FetchResponse)
	for _, t := range r.Topics {
		topic := kmsg.NewFetchResponseTopic()
		topic.Topic, topic.TopicID = t.Topic, t.TopicID
		for _, p := range t.Partitions {
			part := kmsg.NewFetchResponseTopicPartition()
			part.Partition, part.ErrorCode = p.Partition, kerr.OffsetOutOfRange.Code
			topic.Partitions = append(topic.Partitions, part)
		}
		out.Topics = append(out.Topics, topic)
	}
	return out
}
