package convert

import (
	"cmp"
	"fmt"
	"io"
	"maps"

	"plimsoll/internal/record"
)

func rdkafkaFormat() Format {
	return Format{Name: Rdkafka, Doc: "what librdkafka's rdkafka_performance prints, one run or several a file; it needs --machine", Read: producerTrials(Rdkafka, producersOf(readRdkafka))}
}

func producerPerfFormat() Format {
	return Format{Name: ProducerPerf, Doc: "what Kafka's ProducerPerformance prints, one run or several a file; it needs --machine", Read: producerTrials(ProducerPerf, producersOf(readProducerPerf))}
}

// producer is one run of a client of a log broker: one thread that gives records to a library.
type producer interface {
	values() ([]record.Value, error)
	params() record.Params
}

func (r rdkafkaRun) params() record.Params {
	out := record.Params{"mode": "produce"}
	if r.consumed {
		out["mode"] = "consume"
	}
	if r.size != "" {
		out["record_size"] = r.size + "B"
	}
	return out
}

func (r producerPerfRun) params() record.Params { return record.Params{} }

// producersOf is what reads runs of one kind as producers.
func producersOf[R producer](read func([]byte) ([]R, error)) func([]byte) ([]producer, error) {
	return func(text []byte) ([]producer, error) {
		runs, err := read(text)
		var out []producer
		for _, r := range runs {
			out = append(out, r)
		}
		return out, err
	}
}

// maxProducers is days of a line a second.
const maxProducers = 64 << 20

// producerTrials makes a trial of each run.
func producerTrials(format string, read func([]byte) ([]producer, error)) func(io.Reader, Options, func(record.Trial) error) error {
	return func(r io.Reader, o Options, emit func(record.Trial) error) error {
		if o.Machine == "" {
			return fmt.Errorf("%s does not say which machine it loaded\nhint: --machine NAME says it", format)
		}
		text, err := io.ReadAll(io.LimitReader(r, maxProducers+1))
		if err != nil {
			return err
		}
		if len(text) > maxProducers {
			return fmt.Errorf("it is over %d MiB long", maxProducers>>20)
		}
		runs, err := read(text)
		if err != nil {
			return err
		}
		for i, run := range runs {
			if err := emitProducer(format, run, o, emit); err != nil {
				return fmt.Errorf("run %d: %w", i+1, err)
			}
		}
		return nil
	}
}

func emitProducer(format string, run producer, o Options, emit func(record.Trial) error) error {
	values, err := run.values()
	if err != nil {
		return err
	}
	load, err := counted(1, record.ParamClients, false)
	if err != nil {
		return err
	}
	params := run.params()
	maps.Copy(params, o.Params)
	return emit(record.Trial{Keys: newKeys(format, o.Machine, cmp.Or(o.Workload, format), params, load), Load: load, Replicate: o.Replicate, Values: values})
}

// oneOf gives the values of an output that must be that of one run.
func oneOf(tool string, runs []producer, err error) ([]record.Value, error) {
	if err != nil {
		return nil, err
	}
	if len(runs) > 1 {
		return nil, fmt.Errorf("it is the output of %d runs of %s\nhint: a trial has one", len(runs), tool)
	}
	return runs[0].values()
}
