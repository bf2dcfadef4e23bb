package convert

import (
	"strings"
	"testing"

	"plimsoll/internal/exchange/convert/reader"
)

// pgbenchOf returns the output of pgbench 15 with the lines behind its latency.
func pgbenchOf(processed, latency string, behind ...string) string {
	return "transaction type: <builtin: select only>\nscaling factor: 10\nquery mode: simple\nnumber of clients: 8\n" +
		"number of threads: 2\nmaximum number of tries: 1\nduration: 60 s\n" +
		"number of transactions actually processed: " + processed + "\nnumber of failed transactions: 0 (0.000%)\n" +
		"latency average = " + latency + " ms\n" + strings.Join(behind, "\n") + "\n"
}

const pgbenchBegan = "initial connection time = 12.345 ms"

// TestRatesFollowFromTheirCounts: what summaries state beside a rate is that of it.
func TestRatesFollowFromTheirCounts(t *testing.T) {
	tps := func(rate string) string { return "tps = " + rate + " (without initial connection time)" }
	produced := "% Sending 100000 messages of size 100 bytes\n% 100000 messages produced (10000000 bytes), 100000 " +
		"delivered (offset 0, 0 failed) in 1000ms: %R msgs/s and %B MB/s, 0 produce failures, 0 in queue, no compression\n"
	consumed := "% 5000 messages (5000000 bytes) consumed in 20ms: %R msgs/s (%B MB/s)\n"
	tryAll(t, []report{
		{name: "pgbench", format: reader.Pgbench, text: pgbenchOf("30000", "16.000", pgbenchBegan, tps("950.123456")),
			err: "transactions: 950.123/s are stated, but 30000 in 59.99 s are 500.103/s"},
		{name: "pgbench's latency", format: reader.Pgbench, text: pgbenchOf("30000", "16.000", pgbenchBegan, tps("400")),
			err: "the mean of latency is stated as 0.016 s, and that of its values is 0.02 s"},
		{name: "pgbench that agrees", format: reader.Pgbench, text: pgbenchOf("30000", "16.000", pgbenchBegan, tps("500")),
			values: map[string]float64{"throughput": 500}},
		{name: "pgbench whose last transaction took long", format: reader.Pgbench,
			text: pgbenchOf("30000", "20.000", pgbenchBegan, tps("400")), values: map[string]float64{"throughput": 400}},
		{name: "pgbench that timed transactions", format: reader.Pgbench, text: pgbenchOf("30000", "12.000",
			"latency stddev = 1.000 ms", pgbenchBegan, tps("500")), values: map[string]float64{"throughput": 500}},
		{name: "pgbench that timed too much", format: reader.Pgbench, text: pgbenchOf("30000", "18.000",
			"latency stddev = 1.000 ms", pgbenchBegan, tps("500")), err: "the mean of latency is stated as 0.018 s"},
		{name: "rdkafka", format: reader.Rdkafka, text: replaced(produced, "%R", "912000", "%B", "91.20"),
			err: "messages: 912000/s are stated, but 100000 in 1 s are 100000/s"},
		{name: "rdkafka's bytes", format: reader.Rdkafka, text: replaced(produced, "%R", "100000", "%B", "91.20"),
			err: "bytes: "},
		{name: "rdkafka that agrees", format: reader.Rdkafka, text: replaced(produced, "%R", "99960", "%B", "10.00"),
			values: map[string]float64{"throughput": 99960}},
		{name: "rdkafka's consumer", format: reader.Rdkafka, text: replaced(consumed, "%R", "25000", "%B", "250.00"),
			err: "messages: 25000/s are stated"},
		{name: "JMeter's summary", format: reader.JMeter, load: "4",
			text: "summary =  50000 in 00:01:00 = 8333.3/s Avg:    12 Min:     1 Max:   500 Err:     0 (0.00%)\n",
			err:  "samples: 8333.3/s are stated, but 50000 in 60 s are 833.333/s"},
		{name: "JMeter's summary of 2", format: reader.JMeter, load: "4",
			text:   "summary =  50000 in  60.1s =  831.9/s Avg:    12 Min:     1 Max:   500 Err:     0 (0.00%)\n",
			values: map[string]float64{"throughput": 831.9}},
		{name: "rdkafka's table", format: reader.Rdkafka, text: strings.ReplaceAll(rdkafkaLatency, "         50 |",
			"        500 |"), err: "messages: 500/s are stated, but 10 in 0.2 s are 50/s"},
	})
}
