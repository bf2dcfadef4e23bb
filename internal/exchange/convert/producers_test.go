package convert

import (
	"strings"
	"testing"

	"plimsoll/internal/exchange/convert/reader"
	"plimsoll/internal/record"
)

// TestProducersCaptured: the figures stand in the captures.
func TestProducersCaptured(t *testing.T) {
	for _, c := range []struct {
		format, file string
		want         map[string]float64
	}{
		{reader.Rdkafka, "rdkafka-produced.txt", map[string]float64{"throughput": 84930, "ingest": 84.93e6}},
		{reader.Rdkafka, "rdkafka-consumed.txt", map[string]float64{"throughput": 99431, "ingest": 99.43e6}},
		{reader.Rdkafka, "rdkafka-table-latency.txt",
			map[string]float64{"throughput": 17960, "ingest": 1.8e6, "latency": 161.01e-3, "latency_min": 57.53e-3,
				"latency_max": 1075.88e-3}},
		{reader.ProducerPerf, "producer-performance.txt",
			map[string]float64{"throughput": 16134.2, "ingest": 15.39 * (1 << 20), "latency": 1722.28e-3, "latency_max": 7.947,
				"latency_p50": 1.11, "latency_p95": 4.994, "latency_p99": 7.153, "latency_p999": 7.857}},
	} {
		got, _, err := Parse(fioCapture(t, c.file), Ask{Format: c.format})
		if err != nil {
			t.Fatalf("%s: %v", c.file, err)
		}
		wants(t, c.file, got, c.want, 1e-5)
	}
}

// These are made by the printf formats of the tools' sources, with what a capture of a good run cannot hold.
const (
	rdkafkaProgress = "% 100000 messages produced (100000000 bytes), 60000 delivered (offset 0, 0 failed) in 500ms: " +
		"120000 msgs/s and 120.00 MB/s, 1 produce failures, 40000 in queue, no compression\n"
	rdkafkaFailed = "% Sending 1000 messages of size 100 bytes\n" +
		"% 1000 messages produced (100000 bytes), 750 delivered (offset 0, 250 failed) in 2000ms: 375 msgs/s and 0.04 " +
		"MB/s, 0 produce failures, 0 in queue, no compression\n"
	rdkafkaConsumed = "% 5000 messages (5000000 bytes) consumed in 20ms: 250000 msgs/s (250.00 MB/s), latency " +
		"curr/avg/lo/hi 1.00/2.50/0.50/9.00ms\n"
	rdkafkaLatency = "% Sending 10 messages of size 100 bytes\n" +
		"|    elapsed |       msgs |      bytes |        rtt |         dr |     dr_m/s |    dr_MB/s |     dr_err |     " +
		"tx_err |       outq |   lat_curr |    lat_avg |     lat_lo |     lat_hi \n" +
		"|        100 |          5 |        500 |          0 |          5 |         50 |       0.01 |          0 |         " +
		" 0 |          0 |       1.00 |       1.00 |       1.00 |       1.00 \n" +
		"|        200 |         10 |       1000 |          0 |         10 |         50 |       0.02 |          0 |         " +
		" 0 |          0 |       6.00 |       5.25 |       0.75 |       8.50 \n"
	perfGoesOn = "499951 records sent, 99990.2 records/sec (9.54 MB/sec), 1.5 ms avg latency, 240.0 ms max latency.\n"
	perfDone   = "1000000 records sent, 250000.5 records/sec (23.84 MB/sec), 12.35 ms avg latency, 312.00 ms max " +
		"latency, 0 ms 50th, 25 ms 95th, 40 ms 99th, 310 ms 99.9th.\n"
	perfSteady = "500000 steady state records sent, 500000.25 records/sec (47.68 MB/sec), 2.35 ms avg latency, 12.00 ms " +
		"max latency, 2 ms 50th, 5 ms 95th, 6 ms 99th, 11 ms 99.9th.\n"
)

func TestProducersOutput(t *testing.T) {
	for _, c := range []struct {
		format, text string
		want         map[string]float64
	}{
		{reader.Rdkafka, rdkafkaFailed, map[string]float64{"throughput": 375, "ingest": 40e3, "failed": 25}},
		{reader.Rdkafka, rdkafkaProgress + replaced(rdkafkaProgress, "60000", "65000", "120", "130"),
			map[string]float64{"throughput": 130e3, "ingest": 130e6}},
		{reader.Rdkafka, rdkafkaConsumed, map[string]float64{"throughput": 250e3, "ingest": 250e6, "latency": 2.5e-3,
			"latency_min": 0.5e-3, "latency_max": 9e-3}},
		{reader.Rdkafka, rdkafkaLatency, map[string]float64{"throughput": 50, "ingest": 20e3, "latency": 5.25e-3,
			"latency_min": 0.75e-3, "latency_max": 8.5e-3}},
		// A median below a millisecond is not stated.
		{reader.ProducerPerf, perfGoesOn + perfDone,
			map[string]float64{"throughput": 250000.5, "ingest": 23.84 * (1 << 20), "latency": 12.35e-3, "latency_max": 0.312,
				"latency_p95": 25e-3, "latency_p99": 40e-3, "latency_p999": 0.31}},
		{reader.ProducerPerf, perfDone + "In steady state.\n" + perfSteady,
			map[string]float64{"throughput": 500000.25, "ingest": 47.68 * (1 << 20), "latency": 2.35e-3, "latency_max": 12e-3,
				"latency_p50": 2e-3, "latency_p95": 5e-3, "latency_p99": 6e-3, "latency_p999": 11e-3}},
	} {
		got, _, err := Parse([]byte("Picked up JAVA_TOOL_OPTIONS: -Xint\n"+c.text), Ask{Format: c.format})
		if err != nil {
			t.Fatalf("%q: %v", c.text, err)
		}
		wants(t, c.text, got, c.want, 1e-9)
		if got[0].Name != record.Throughput {
			t.Errorf("%q: %v, want %v", c.text, got, c.want)
		}
	}
}

func TestProducersRefused(t *testing.T) {
	nothing := "% Sending 1 messages of size 100 bytes\n"
	for _, c := range []struct{ format, text, want string }{
		{reader.Rdkafka, "", "no rdkafka_performance output in nothing"},
		{reader.Rdkafka, "% ERROR CALLBACK: rdkafka#producer-1: Local: All broker connections are down\n",
			"how many messages were produced"},
		{reader.Rdkafka, nothing, "delivered no messages\nhint: "},
		{reader.Rdkafka, rdkafkaFailed + rdkafkaFailed, "the output has 2 runs of rdkafka_performance"},
		{reader.ProducerPerf, perfGoesOn, "no ProducerPerformance output"},
		{reader.ProducerPerf, perfDone + perfDone, "the output has 2 runs of kafka-producer-perf-test"},
		{reader.ProducerPerf, strings.Replace(perfDone, "250000.5", "0.0", 1), "sent no records"},
	} {
		if _, _, err := Parse([]byte(c.text), Ask{Format: c.format}); err == nil || !strings.Contains(err.Error(), c.want) {
			t.Errorf("%q: %v, want %q", c.text, err, c.want)
		}
		if err := (Ask{Format: c.format, Pattern: "x"}).Check(); err == nil {
			t.Error("a pattern is taken")
		}
	}
}

func TestImportProducers(t *testing.T) {
	for _, c := range []struct {
		format Format
		text   string
		want   []map[string]string
	}{
		{formatOf(reader.RdkafkaTool()), rdkafkaFailed + rdkafkaLatency, []map[string]string{
			{"load": "1 clients", "rdkafka_performance.record_size": "100B", "rdkafka_performance.mode": "produce",
				"rdkafka_performance.acks": "1"}, {}}},
		{formatOf(reader.RdkafkaTool()), rdkafkaConsumed, []map[string]string{
			{"rdkafka_performance.mode": "consume", "rdkafka_performance.record_size": ""}}},
		{formatOf(reader.ProducerPerfTool()), perfDone + perfSteady + perfDone,
			[]map[string]string{{"workload": "kafka-producer-perf-test", "kafka-producer-perf-test.acks": "1"}, {}}},
	} {
		importsAs(t, c.format, c.text, record.Params{"acks": "1"}, c.want)
	}
}

// FuzzRdkafka and FuzzProducerPerf read anything as the tools' output; what is taken has finite values.
func FuzzRdkafka(f *testing.F) {
	f.Add([]byte(rdkafkaFailed))
	f.Add([]byte(rdkafkaLatency))
	f.Add([]byte(rdkafkaConsumed))
	f.Add(fioCapture(f, "rdkafka-table-latency.txt"))
	fuzzParse(f, reader.Rdkafka)
}

func FuzzProducerPerf(f *testing.F) {
	f.Add([]byte(perfGoesOn + perfDone + perfSteady))
	f.Add(fioCapture(f, "producer-performance.txt"))
	fuzzParse(f, reader.ProducerPerf)
}

func FuzzImportRdkafka(f *testing.F) {
	f.Add([]byte(rdkafkaFailed + rdkafkaLatency))
	fuzzFormat(f, formatOf(reader.RdkafkaTool()), Options{File: "f", Machine: "m", Replicate: Unnumbered})
}

func FuzzImportProducerPerf(f *testing.F) {
	f.Add([]byte(perfDone + perfSteady + perfDone))
	fuzzFormat(f, formatOf(reader.ProducerPerfTool()), Options{File: "f", Machine: "m", Replicate: Unnumbered})
}
