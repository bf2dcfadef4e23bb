package reader

import (
	"errors"
	"regexp"
	"strings"

	"plimsoll/internal/record"
)

// ProducerPerf is the output format of Kafka's ProducerPerformance (kafka-producer-perf-test.sh). Its MB are 2^20
// bytes.
const ProducerPerf = "kafka-producer-perf-test"

// producerPerfRun is the summary of one run. Latencies are in s; those below a millisecond are 0.
type producerPerfRun struct {
	bare
	records, rate, bytes, failed float64
	times                        [6]float64 // as named by producerPerfTimes
}

// producerPerfTimes are the metrics of the times of a summary, in its order.
func producerPerfTimes() [6]string {
	return [6]string{record.Latency, LatencyMax, record.LatencyP50, latencyP95, record.LatencyP99, latencyP999}
}

// ProducerPerfFailure begins the stack trace for each record that could not be delivered.
const ProducerPerfFailure = "org.apache.kafka.common.errors."

// readProducerPerf parses all runs of an output, ignoring other lines. After a warm-up only the rest counts.
func readProducerPerf(out []byte, b Bounds) ([]producerPerfRun, error) {
	// The last line is the printf format of ProducerPerformance.java of Kafka 4.1. Intermediate lines have no percentiles.
	// With --warmup-records a second one follows for the time after the warm-up.
	last := regexp.MustCompile(`^([0-9]+)( steady state)? records sent, ([0-9.]+) records/sec \(([0-9.]+) MB/sec\), ` +
		`([0-9.]+) ms avg latency, ([0-9.]+) ms max latency, ` +
		`([0-9]+) ms 50th, ([0-9]+) ms 95th, ([0-9]+) ms 99th, ([0-9]+) ms 99\.9th\.`)
	progress := regexp.MustCompile(`ms max latency\.?$`)
	var runs []producerPerfRun
	failed := 0.0 // of the following run: each failure is printed as it happens
	window := regexp.MustCompile(`^([0-9]+) records sent, `)
	begun, broken := 0.0, 0 // records of the following run that are reported so far, and runs without an end
	err := b.scan(out, ` records sent, `, func(line string) bool {
		m := last.FindStringSubmatch(line)
		if m == nil {
			if strings.HasPrefix(line, ProducerPerfFailure) {
				failed++
			}
			if n := window.FindStringSubmatch(line); n != nil && progress.MatchString(line) {
				begun += stated(n[1])
			}
			return progress.MatchString(line)
		}
		run := producerPerfRun{records: stated(m[1]), rate: stated(m[3]), bytes: stated(m[4]) * (1 << 20)}
		for i := range run.times {
			run.times[i] = stated(m[5+i]) * 1e-3
		}
		if m[2] != "" && len(runs) > 0 {
			run.failed = runs[len(runs)-1].failed
			runs[len(runs)-1] = run
			return true
		}
		if begun > run.records {
			broken++
		}
		run.failed, failed, begun = failed, 0, 0
		runs = append(runs, run)
		return true
	})
	runs, err = some(runs, err, out, "ProducerPerformance output", "it ends with the number of records sent and "+
		"percentiles of their latency")
	if err != nil {
		return nil, err
	}
	if begun > 0 {
		broken++
	}
	leaveBroken(b, broken)
	return runs, nil
}

// Values returns the values of one run, under the names of the workload kafka.
func (r producerPerfRun) Values() ([]record.Value, error) {
	if r.rate <= 0 || r.rate > largest {
		return nil, errors.New("ProducerPerformance sent no records\nhint: see its standard error")
	}
	out := Values{}
	out.add(record.Throughput, "op/s", record.Higher, r.rate)
	out.add(metricIngest, "B/s", record.Higher, r.bytes)
	for _, i := range []int{2, 3, 4, 5, 0, 1} {
		out.add(producerPerfTimes()[i], "s", record.Lower, r.times[i])
	}
	out.add(record.Failed, "%", record.Lower, failedShare(r.Outcomes()))
	return out, nil
}

func (r producerPerfRun) Outcomes() record.LoadUse {
	return outcomes(r.records, map[string]float64{"delivery": r.failed})
}

// ProducerPerfTool reads the output of Kafka's ProducerPerformance.
func ProducerPerfTool() Tool {
	return Tool{Name: ProducerPerf, Doc: "output of Kafka's ProducerPerformance, one or more runs per file",
		Read: runsOf(readProducerPerf), Assumed: oneProducer(),
		Marks: lineLike("a line `N records sent, … records/sec`", `^[0-9]+ records sent, [0-9.,]+ records/sec `)}
}
