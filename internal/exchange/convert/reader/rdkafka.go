package reader

import (
	"cmp"
	"errors"
	"fmt"
	"regexp"
	"slices"
	"strings"

	"plimsoll/internal/record"
)

// Rdkafka is the output format of librdkafka's rdkafka_performance, as a producer or a consumer, in lines or as a table
// (-u). Its MB are 10^6 bytes.
const Rdkafka = "rdkafka_performance"

// rdkafkaRun is the last summary of one run. Amounts are in base units; 0 if not stated.
type rdkafkaRun struct {
	bare
	size      string // bytes of a message, verbatim
	consumed  bool
	delivered float64 // messages
	failed    float64 // messages
	produced  float64 // messages that were passed on; 0: not stated
	asked     float64 // messages that were to be produced; 0: not stated
	seconds   float64 // in which they were delivered
	sized     float64 // bytes of all messages that were produced or consumed; 0: not stated
	rate      float64 // messages a second
	bytes     float64 // B/s
	mean      float64 // s
	least     float64 // s
	most      float64 // s
}

// rdkafkaSummaries are the printf formats of examples/rdkafka_performance.c of librdkafka 2.0.2.
func rdkafkaSummaries() rules[rdkafkaRun] {
	return rules[rdkafkaRun]{
		on(`^% ([0-9]+) messages produced \(([0-9]+) bytes\), ([0-9]+) delivered \(offset -?[0-9]+, ([0-9]+) failed\) `+
			`in ([0-9]+)ms: ([0-9]+) msgs/s and ([0-9.]+) MB/s`, func(r *rdkafkaRun, m []string) {
			r.produced, r.sized, r.delivered, r.failed = stated(m[1]), stated(m[2]), stated(m[3]), stated(m[4])
			r.seconds, r.rate, r.bytes = stated(m[5])*1e-3, stated(m[6]), stated(m[7])*1e6
		}),
		on(`^% ([0-9]+) messages \(([0-9]+) bytes\) consumed in ([0-9]+)ms: ([0-9]+) msgs/s \(([0-9.]+) MB/s\)`+
			`(?:, latency curr/avg/lo/hi [0-9.]+/([0-9.]+)/([0-9.]+)/([0-9.]+)ms)?`, func(r *rdkafkaRun, m []string) {
			r.consumed = true
			r.delivered, r.sized, r.seconds = stated(m[1]), stated(m[2]), stated(m[3])*1e-3
			r.rate, r.bytes = stated(m[4]), stated(m[5])*1e6
			r.mean, r.least, r.most = stated(m[6])*1e-3, stated(m[7])*1e-3, stated(m[8])*1e-3
		}),
	}
}

// readRdkafka parses all runs of an output, ignoring other lines. A producer begins with the size of its messages;
// output without it is one run. The last figures of a run cover all of it.
func readRdkafka(out []byte, b Bounds) ([]rdkafkaRun, error) {
	sending := regexp.MustCompile(`^% Sending (?:([0-9]+) )?messages of size ([0-9]{1,12}) bytes`)
	summaries := rdkafkaSummaries()
	var runs []rdkafkaRun
	var columns []string
	begun := false
	err := b.scan(out, `^% .*msgs?/s|^\|`, func(line string) bool {
		if m := sending.FindStringSubmatch(line); m != nil {
			runs, columns, begun = append(runs, rdkafkaRun{size: m[2], asked: stated(m[1])}), nil, true
			return true
		}
		next := rdkafkaRun{}
		if begun {
			next = runs[len(runs)-1]
		}
		said := summaries.line(&next, line)
		if cells, ok := rdkafkaCells(line); ok && cells[0] == "elapsed" {
			columns = cells
			return true
		} else if ok && columns != nil {
			said = next.row(columns, cells)
		}
		switch {
		case said && begun:
			runs[len(runs)-1] = next
		case said:
			runs, begun = append(runs, next), true
		}
		return said
	})
	return some(runs, err, out, "rdkafka_performance output", "it states how many messages were produced or consumed, or "+
		"prints a table with -u")
}

// rdkafkaCells returns the cells of a table's line.
func rdkafkaCells(line string) ([]string, bool) {
	inside, ok := strings.CutPrefix(line, "|")
	if !ok {
		return nil, false
	}
	cells := strings.Split(inside, "|")
	for i := range cells {
		cells[i] = strings.TrimSpace(cells[i])
	}
	return cells, true
}

// row parses a table's row; false if it does not fit the columns.
func (r *rdkafkaRun) row(columns, cells []string) bool {
	if len(cells) != len(columns) {
		return false
	}
	for i, column := range columns {
		v := stated(cells[i])
		switch column {
		case "elapsed":
			r.seconds = v * 1e-3
		case "dr":
			r.delivered = v
		case "msgs":
			if !slices.Contains(columns, "dr") { // a consumer's table has no deliveries
				r.delivered, r.consumed = v, true
			}
		case "dr_err", "rx_err":
			r.failed = v
		case "dr_m/s", "m/s":
			r.rate = v
		case "dr_MB/s", "MB/s":
			r.bytes = v * 1e6
		case "lat_avg":
			r.mean = v * 1e-3
		case "lat_lo":
			r.least = v * 1e-3
		case "lat_hi":
			r.most = v * 1e-3
		}
	}
	return true
}

// Values returns the values of one run, under the names of the workload kafka.
func (r rdkafkaRun) Values() ([]record.Value, error) {
	n := r.Outcomes()
	if (r.rate <= 0 && n.Errors == 0) || r.rate > largest {
		return nil, errors.New("rdkafka_performance delivered no messages\nhint: see its standard error; the topic must " +
			"exist, or the broker create it")
	}
	out := Values{}
	out.add(record.Throughput, "op/s", record.Higher, r.rate)
	out.add(metricIngest, "B/s", record.Higher, r.bytes)
	out.add(record.Latency, "s", record.Lower, r.mean)
	out.add(LatencyMin, "s", record.Lower, r.least)
	out.add(LatencyMax, "s", record.Lower, r.most)
	out.add(record.Failed, "%", record.Lower, failedShare(n))
	return out, nil
}

func (r rdkafkaRun) Outcomes() record.LoadUse {
	return outcomes(r.delivered, map[string]float64{"delivery": r.failed})
}

// Account returns the messages that were to be produced, if that is stated. Else it returns a doubt if messages were
// still on their way when the run ended, over 1 % of them: it was broken off, or its broker stood still.
func (r rdkafkaRun) Account() Account {
	out := Account{Rates: r.rates()}
	if r.asked > 0 {
		out.Offered, out.Handled = r.asked, r.delivered+r.failed
		return out
	}
	if left := r.produced - r.delivered - r.failed; left > r.produced/100 {
		out.Doubts = []string{fmt.Sprintf("%.0f of %.0f messages that were produced had not been delivered when it ended",
			left, r.produced)}
	}
	return out
}

// rdkafkaSlack is by how much a rate may differ from its count and time, which it prints a little later.
const rdkafkaSlack = 0.02

// rates returns the messages, and their bytes, in their time.
func (r rdkafkaRun) rates() []Rated {
	slack := rounded(r.seconds, 1e-3, rdkafkaSlack)
	out := []Rated{{Of: "messages", Rate: r.rate, Count: r.delivered, Seconds: r.seconds, Slack: slack}}
	if all := cmp.Or(r.produced, r.delivered); all > 0 {
		out = append(out, Rated{Of: "bytes", Rate: r.bytes, Count: r.sized / all * r.delivered, Seconds: r.seconds,
			Slack: rounded(r.bytes, 1e4, slack)})
	}
	return out
}

// RdkafkaTool reads the output of rdkafka_performance.
func RdkafkaTool() Tool {
	return Tool{Name: Rdkafka, Doc: "output of librdkafka's rdkafka_performance, one or more runs per file",
		Read: runsOf(readRdkafka), Assumed: oneProducer(),
		Marks: lineLike("a line `% Sending … messages of size` or of messages consumed",
			`^(?:% (?:Sending .*messages of size |[0-9]+ messages (?:produced )?\()|\| +elapsed \|)`)}
}

func (r rdkafkaRun) Params() record.Params {
	out := record.Params{"mode": "produce"}
	if r.consumed {
		out["mode"] = "consume"
	}
	if r.size != "" {
		out["record_size"] = r.size + "B"
	}
	return out
}

// oneProducer returns the load of one thread that passes records to a library.
func oneProducer() record.LoadPoint {
	return record.LoadPoint{Kind: record.Closed, Level: 1, Unit: record.ParamClients}
}
