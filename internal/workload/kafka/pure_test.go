package kafka

import (
	"bytes"
	"errors"
	"math/rand/v2"
	"strings"
	"testing"

	"github.com/twmb/franz-go/pkg/kgo"
	"github.com/twmb/franz-go/pkg/kmsg"

	"plimsoll/internal/record"
	"plimsoll/internal/workload/workloadtest"
)

// TestMurmur2 holds the hash to Kafka's own test vectors (org.apache.kafka.common.utils.UtilsTest).
func TestMurmur2(t *testing.T) {
	for text, want := range map[string]int32{
		"21": -973932308, "foobar": -790332482, "a-little-bit-long-string": -985981536,
		"a-little-bit-longer-string":                       -1486304829,
		"lkjh234lh9fiuh90y23oiuhsafujhadof229phr9h19h89h8": -58897971, "abc": 479470107,
	} {
		if got := int32(murmur2([]byte(text))); got != want {
			t.Errorf("%q: %d, want %d", text, got, want)
		}
	}
}

// TestOddOffsets: a broker that gives a partition twice, or one that can't be, has not given the others.
func TestOddOffsets(t *testing.T) {
	for name, c := range map[string]struct {
		partitions []int32
		good       bool
	}{"all": {[]int32{1, 0}, true}, "another": {[]int32{-1, 0, 1, 2}, true}, "twice": {[]int32{1, 1}, false},
		"a negative one": {[]int32{-1, 0}, false}} {
		var a kmsg.ListOffsetsResponseTopic
		for _, p := range c.partitions {
			a.Partitions = append(a.Partitions, kmsg.ListOffsetsResponseTopicPartition{Partition: p, Offset: int64(p) + 5})
		}
		got, err := offsetsIn(&kmsg.ListOffsetsResponse{Topics: []kmsg.ListOffsetsResponseTopic{a}}, 2)
		if (err == nil) != c.good || c.good && (got[0] != 5 || got[1] != 6) {
			t.Errorf("%s: %v, %v", name, got, err)
		}
	}
}

func TestContentsAreOfTheSeed(t *testing.T) {
	value := func(seed uint64, client int, plain float64) []byte {
		v := make([]byte, 1000)
		newContents(seed, client, plain).fill(v)
		return v
	}
	if !bytes.Equal(value(1, 1, 0.5), value(1, 1, 0.5)) || bytes.Equal(value(1, 1, 0.5), value(2, 1, 0.5)) ||
		bytes.Equal(value(1, 1, 0.5), value(1, 2, 0.5)) {
		t.Error("values are not the seed's and the client's")
	}
	for _, plain := range []float64{0, 0.25, 1} {
		if got := bytes.Count(value(3, 0, plain), []byte("x")); float64(got) < plain*1000 || float64(got) > plain*1000+20 {
			t.Errorf("of a value %g is to be one byte, %d of 1000 are", plain, got)
		}
	}
}

func TestStampsDiffer(t *testing.T) {
	a, b, c := make([]byte, 16), make([]byte, 16), make([]byte, 16)
	stamp(a, 1, 0, 1)
	stamp(b, 1, 0, 2)
	stamp(c, 2, 0, 1)
	if bytes.Equal(a, b) || bytes.Equal(a, c) || bytes.Equal(b, c) {
		t.Error("two records have one stamp")
	}
}

func TestSpreads(t *testing.T) {
	p := params(record.Params{paramPartitions: "8", paramRecordSize: "992B", paramBatch: "10000B"})
	s := newSpread(p, rand.New(rand.NewPCG(1, 1)))
	counts := map[int32]int{}
	last, runs := int32(-1), 0
	for range 800 {
		at := s.next(-1)
		counts[at]++
		if at != last {
			runs++
		}
		last = at
	}
	if len(counts) != 8 || runs != 80 {
		t.Errorf("sticky: %d partitions, %d runs, want 8 and 80: %v", len(counts), runs, counts)
	}
	p = params(record.Params{paramPartitions: "8", paramSpread: spreadRobin})
	s, counts = newSpread(p, rand.New(rand.NewPCG(1, 1))), map[int32]int{}
	for range 800 {
		counts[s.next(-1)]++
	}
	for at, n := range counts {
		if n != 100 {
			t.Errorf("round robin: partition %d has %d of 800", at, n)
		}
	}
	s = newSpread(params(record.Params{paramSpread: spreadKey}), rand.New(rand.NewPCG(1, 1)))
	if got := s.next(5); got != 5 {
		t.Errorf("a key of partition 5 goes to %d", got)
	}
}

func acks(t *tally, partition int32, offsets ...int64) {
	for _, o := range offsets {
		t.acked(&kgo.Record{Partition: partition, Offset: o, Value: []byte{byte(o)}})
	}
}

func TestDeliveryIsCompared(t *testing.T) {
	for name, c := range map[string]struct {
		acked  []int64
		failed int
		end    int64
		want   delivery
	}{
		"all":                         {[]int64{2, 0, 1}, 0, 3, delivery{Acked: 3, Logged: 3}},
		"one lost":                    {[]int64{0, 1, 2}, 0, 2, delivery{Acked: 3, Logged: 2, Lost: 1}},
		"one twice":                   {[]int64{0, 1, 2}, 0, 4, delivery{Acked: 3, Logged: 4, Duplicated: 1}},
		"one twice, one not known":    {[]int64{0, 1, 2}, 1, 5, delivery{Acked: 3, Logged: 5, Duplicated: 1}},
		"not known":                   {[]int64{0, 1}, 2, 4, delivery{Acked: 2, Logged: 4}},
		"an offset that came twice":   {[]int64{0, 1, 1}, 0, 3, delivery{Acked: 3, Logged: 3, Misplaced: 1}},
		"acknowledged without offset": {[]int64{-1, -1}, 0, 2, delivery{Acked: 2, Logged: 2}},
	} {
		a := newTally(1)
		acks(&a, 0, c.acked...)
		for range c.failed {
			a.failed(errors.New("x"))
		}
		if got := a.compare([]int64{c.end}); got != c.want {
			t.Errorf("%s: %+v, want %+v", name, got, c.want)
		}
		if fault := c.want.fault(); (fault != nil) != (c.want.Lost+c.want.Duplicated+c.want.Misplaced > 0) {
			t.Errorf("%s: %v", name, fault)
		}
	}
}

// TestSamplesAreOfTheWholeTrial: however many records there are, some are kept of its beginning, its middle and its
// end.
func TestSamplesAreOfTheWholeTrial(t *testing.T) {
	const n = 100_000
	a := newTally(1)
	for o := range int64(n) {
		acks(&a, 0, o)
	}
	thirds := [3]int{}
	for _, s := range a.samples {
		thirds[s.offset*3/n]++
	}
	if len(a.samples) > mostSamples || min(thirds[0], thirds[1], thirds[2]) < mostSamples/8 {
		t.Errorf("%d samples, of each third %v", len(a.samples), thirds)
	}
}

func TestWhatCannotBe(t *testing.T) {
	for name, set := range map[string]record.Params{
		"a record too large":        {paramRecordSize: "1MB"},
		"more consumers too":        {paramMode: modeEnd, paramConsumers: "5", paramPartitions: "4"},
		"consumers of nothing":      {paramConsumers: "1"},
		"no room for the mark":      {paramMode: modeEnd, paramRecordSize: "16B"},
		"nobody says what there is": {paramMode: modeConsume, paramAcks: acksNone, paramIdempotence: "false"},
		"nothing to read":           {paramMode: modeConsume, paramFill: "1kB"},
		"a part over the whole":     {paramFetchPartition: "1MiB", paramFetchMax: "1kB"},
		"the port of others":        {paramBrokers: "h:9092", paramPort: "9092"},
		"no room for one":           {paramBuffer: "10B"},
		"idempotence without acks":  {paramAcks: acksLeader},
		"idempotence, many":         {paramInFlight: "6"},
		"sasl for ours":             {paramSASL: saslPlain},
		"ca for ours":               {paramCA: "ca.pem"},
		"machine for ours":          {record.ParamMachine: "i3en.large"},
		"ca without TLS":            {paramBrokers: "h:9092", paramCA: "ca.pem"},
		"sasl without a password":   {paramBrokers: "h:9092", paramSASL: saslPlain, paramUser: "u"},
		"heat":                      {record.ParamHeat: "10"},
		"the broker's":              {"broker.settings": "listeners=x"},
		"two replicas":              {paramReplication: "2"},
		"a topic's name":            {paramTopic: "a b"},
		"a long topic's name":       {paramTopic: strings.Repeat("a", 250)},
		"a heap of all memory":      {paramHeap: "2GiB"},
		"a record for no batch":     {paramRecordSize: "64MiB", paramBatch: "64MiB"},
		"nobody is there":           {paramBrokers: ","},
		"heat of those there":       {paramBrokers: "h:9092", record.ParamHeat: "10"},
		"a heap of those there":     {paramBrokers: "h:9092", paramHeap: "256MiB"},
		"a provider of those there": {paramBrokers: "h:9092", "broker.provider": "corretto"},
		"settings of those there":   {paramBrokers: "h:9092", "broker.settings": "num.io.threads=16"},
	} {
		t.Run(name, func(t *testing.T) {
			demand(t, workloadtest.Check(Spec(), params(set), record.Machine{Memory: 2 << 30}), Name+": ", "\nhint: ")
		})
	}
	for name, set := range map[string]record.Params{
		"no machine is known": {paramHeap: "1TiB"},
		"TLS of those there":  {paramBrokers: "h:9092", paramTLS: "true", paramReplication: "3"},
		"a topic":             {paramTopic: "a.b_c-1"},
	} {
		if err := workloadtest.Check(Spec(), params(set), record.Machine{}); err != nil {
			t.Errorf("%s: %v", name, err)
		}
	}
	if err := workloadtest.Check(Spec(), params(nil), record.Machine{}); err != nil {
		t.Errorf("the defaults: %v", err)
	}
}

// TestRoomIsWhatTheTopicMayTake: the retention of each partition and two segments.
func TestRoomIsWhatTheTopicMayTake(t *testing.T) {
	for _, c := range []struct {
		set  record.Params
		want int64
	}{
		{nil, 8 << 30}, // twice the retention
		{record.Params{paramPartitions: "10000"}, 10000 * 3 << 20},
		{record.Params{paramPartitions: "256", paramBatch: "64MiB"}, 256 * (16<<20 + 2*(64<<20+recordOverhead))},
		{record.Params{paramRetention: "16MiB"}, 64 * 3 << 20},
		{record.Params{paramMode: modeConsume, paramFill: "4GiB"}, 5 << 30},
		{record.Params{paramBrokers: "h:9092"}, 0},
	} {
		if got := room(params(c.set), 0); got != c.want {
			t.Errorf("%v: %d bytes, want %d", c.set, got, c.want)
		}
	}
}

// TestPresetsGoTogether: each is a trial that can be.
func TestPresetsGoTogether(t *testing.T) {
	for _, preset := range presets() {
		set := record.Params{record.ParamPreset: preset.Name}
		for name, v := range preset.Set {
			d, ok := Spec().Param(name)
			c, err := d.Canonical(v)
			if !ok || err != nil {
				t.Errorf("%s: %s=%s: %v", preset.Name, name, v, err)
			}
			set[name] = c
		}
		if err := workloadtest.Check(Spec(), params(set), record.Machine{}); err != nil {
			t.Errorf("%s: %v", preset.Name, err)
		}
	}
}
