package convert

import (
	"errors"
	"fmt"
	"math"
	"slices"
	"strings"

	"plimsoll/internal/exchange/convert/reader"
	"plimsoll/internal/record"
)

// measured converts a number to its base unit, and rejects values that its metric cannot have. better is "" if the
// input does not state a direction.
func measured(name, unit string, better record.Better, num float64) (record.Value, error) {
	if name == "" {
		return record.Value{},
			errors.New("a value without a metric\nhint: metrics are such as throughput, latency_p99 or cpu")
	}
	if better == "" {
		better = direction(name, unit)
	}
	v, err := inBase(name, unit, better, num)
	if err == nil {
		err = checkUnit(v.Metric, unit)
	}
	if err == nil {
		err = checkSign(v)
	}
	return v, err
}

// inBase converts a number to its base unit. It ignores the metric's name, which may be a tool's own.
func inBase(name, unit string, better record.Better, num float64) (record.Value, error) {
	if bare(unit) {
		return record.Value{},
			fmt.Errorf("unit %q is ambiguous\nhint: MB/s and MiB/s are bytes, op/s operations; write 1 kop/s as 1000 op/s", unit)
	}
	base, factor := baseUnit(unit)
	v := record.Value{Metric: record.Metric{Name: name, Unit: base, Better: better}, Value: num * factor}
	if math.IsNaN(v.Value) || math.IsInf(v.Value, 0) {
		return v, fmt.Errorf("%s of %g in %s is not a finite number", reader.Brief(name), num, reader.Brief(unit))
	}
	return v, nil
}

// baseUnit is Base, with the names that tools use for operations per second.
func baseUnit(unit string) (base string, factor float64) {
	base, factor = Base(unit)
	if base == "1/s" {
		base = "op/s"
	}
	return base, factor
}

// bare reports whether a unit is only a prefix: "M" can be millions or megabytes.
func bare(unit string) bool {
	counted, _, _ := strings.Cut(unit, "/")
	return slices.Contains([]string{"k", "K", "M", "G", "T", "Ki", "Mi", "Gi", "Ti"}, counted)
}

// direction returns the better direction of a metric, as far as its name and its unit imply one: less time or memory
// for an operation is better, and more operations or bytes a second, if the words of the name are of work.
func direction(name, unit string) record.Better {
	base, _ := baseUnit(unit)
	counted, per, _ := strings.Cut(base, "/")
	switch {
	case perOperation(base):
		return record.Lower
	case name == record.Throughput || name == record.IOPS:
		return record.Higher
	case isLatency(name), name == record.Elapsed && base == "s", record.CountsErrors(name):
		return record.Lower
	case per == "s" && slices.Contains([]string{"op", "B"}, counted) && wanted(name):
		return record.Higher
	}
	return record.Neutral
}

// perOperation reports whether a base unit is the time of something, or the memory of an operation.
func perOperation(base string) bool {
	counted, per, _ := strings.Cut(base, "/")
	return counted == "s" && per != "" && per != "s" || base == "B/op" || base == "allocs/op"
}

// wanted reports whether a rate is of work, by each word of its name: "read_bytes" and "commits_per_s" are, and
// "requests_throttled" is not. A word that is not known may mean anything. A rate without a name is of the work.
func wanted(name string) bool {
	words := strings.FieldsFunc(strings.ToLower(name), func(r rune) bool { return r < 'a' || r > 'z' })
	return !slices.ContainsFunc(words, func(word string) bool {
		return !slices.ContainsFunc(singulars(word), func(one string) bool { return slices.Contains(workWords(), one) }) &&
			!slices.Contains(rateWords(), word)
	})
}

// singulars returns a word and its possible singular forms.
func singulars(word string) []string {
	out := []string{word, strings.TrimSuffix(word, "s"), strings.TrimSuffix(word, "es")}
	if stem, ok := strings.CutSuffix(word, "ies"); ok {
		out = append(out, stem+"y")
	}
	return out
}

// workWords are what is counted when work is done, in the singular.
func workWords() []string {
	return []string{
		"operation", "op", "request", "req", "response", "answer", "call", "transaction", "txn", "tx", "rx",
		"query", "read", "write", "insert", "update", "delete", "append", "get", "set", "put",
		"scan", "lookup", "commit", "byte", "packet", "row", "record", "entry", "message", "msg",
		"event", "document", "doc", "point", "sample", "item", "object", "image", "frame", "file", "token",
		"order", "iteration", "task", "job", "io", "hit", "flop", "encode", "decode", "sign", "verify",
		"upload", "download", "tp", "qp", "rp", "iop", "nopm", "tpm", "tpmc", "throughput", "bandwidth",
		"goodput", "bw", "ingest", "produced", "consumed", "delivered", "received", "sent", "moved",
		"processed", "completed", "done", "handled", "connection", "session", "page", "line", "tuple", "key",
		"block", "search", "inference", "prediction", "step", "build", "test", "publish", "published",
		"produce", "consume", "send", "receive", "transfer", "copy", "scale", "add", "triad", "encrypt", "decrypt",
		"hash", "compress", "decompress",
	}
}

// rateWords state how a rate is meant.
func rateWords() []string {
	return []string{
		"per", "s", "sec", "second", "rate", "speed", "total", "mean", "avg", "average", "median", "min",
		"max", "least", "peak", "value", "b", "k", "m", "kb", "kib", "mb", "mib", "gb", "gib", "mbps",
		"gbps", "rand", "random", "seq", "sequential",
	}
}

func isLatency(name string) bool {
	return name == record.Latency || strings.HasPrefix(name, record.Latency+"_")
}

// checkUnit validates the units of metrics with a fixed meaning.
func checkUnit(m record.Metric, printed string) error {
	want := ""
	if per, _, _ := strings.Cut(m.Unit, "/"); m.Name == record.Throughput && per == "s" {
		return fmt.Errorf("throughput has the unit %s, which is a time\nhint: throughput is better when higher; name a "+
			"time `time` with better=lower, or latency_… if it is a request's", reader.Brief(printed))
	}
	if m.Name == record.Throughput && perOperation(m.Unit) {
		return fmt.Errorf("throughput has the unit %s, which is an amount for each operation\nhint: throughput is "+
			"better when higher; give another quantity another name", reader.Brief(printed))
	}
	switch {
	case m.Name == record.Failed && !slices.Contains([]string{"%", "op/s", "op", ""}, m.Unit):
		want = "%, op/s, or op for a number of operations"
	case isLatency(m.Name) && m.Unit != "s":
		want = "a time, such as us, ms or s"
	case m.Name == record.CPUPercent && m.Unit != "%":
		want = "%"
	case m.Name == record.IOPS && m.Unit != "op/s":
		want = "op/s"
	default:
		return nil
	}
	return fmt.Errorf("%s has the unit %s\nhint: its unit must be %s; give another quantity another name", m.Name,
		reader.Brief(printed), want)
}

// isNumberOfFailed reports whether a metric counts operations that failed.
func isNumberOfFailed(m record.Metric) bool {
	return (m.Name == record.Failed || m.Name == "errors") && (m.Unit == "" || m.Unit == "op")
}

// checkSign rejects values that no measurement gives.
func checkSign(v record.Value) error {
	switch {
	case v.Value <= 0 && (v.Name == record.Throughput || v.Name == record.IOPS || isLatency(v.Name)):
		return fmt.Errorf("%s is %g, but must be positive\nhint: leave out the rows of a run that failed", v.Name, v.Value)
	case v.Value < 0 && (v.Name == record.Elapsed && v.Unit == "s" || perOperation(v.Unit)):
		return fmt.Errorf("%s is %g %s, and cannot be negative", v.Name, v.Value, v.Unit)
	case v.Name == record.Failed && v.Unit == "%" && (v.Value < 0 || v.Value > 100):
		return fmt.Errorf("%s is %g%%, and a share is between 0 and 100", v.Name, v.Value)
	case isNumberOfFailed(v.Metric) && (v.Value < 0 || v.Value != math.Trunc(v.Value)):
		return fmt.Errorf("%s is %g, and a number of operations is whole\nhint: a share has the unit %%: 2, and not 0.02",
			v.Name, v.Value)
	case v.Value < 0 && v.Name == record.CPUPercent:
		return fmt.Errorf("%s is %g%%, but cannot be negative", v.Name, v.Value)
	}
	return nil
}

// percentileOf returns the percentile in a latency's name, 99.9 for latency_p999; 0 is the minimum and 100 the maximum.
func percentileOf(name string) (percent float64, ok bool) {
	switch name {
	case reader.LatencyMin:
		return 0, true
	case reader.LatencyMax:
		return 100, true
	}
	statistic, ok := strings.CutPrefix(name, record.Latency+"_")
	if !ok {
		return 0, false
	}
	return record.PercentileOf(statistic)
}

// roundedPercentile is the tolerance between equal percentiles of different tools: sysbench reports upper ends of
// classes 2 % wide.
const roundedPercentile = 1.05

// inOrder rejects two latencies of one trial if that of the lower percentile is longer. A mean lies between minimum and
// maximum.
func inOrder(a, b record.Value) error {
	p, okP := percentileOf(a.Name)
	q, okQ := percentileOf(b.Name)
	switch {
	case a.Name == record.Latency && okQ && q == 0, b.Name == record.Latency && okP && p == 100:
		a, b = b, a
	case a.Name == record.Latency && okQ && q == 100, b.Name == record.Latency && okP && p == 0:
	case !okP || !okQ:
		return nil
	case p > q:
		a, b = b, a
	}
	if a.Value <= b.Value*roundedPercentile {
		return nil
	}
	return fmt.Errorf("%s of %.4g s exceeds %s of %.4g s\nhint: check whether the two are swapped, and their units",
		a.Name, a.Value, b.Name, b.Value)
}
