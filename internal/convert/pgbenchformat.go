package convert

import (
	"cmp"
	"errors"
	"fmt"
	"io"
	"maps"
	"strings"

	"plimsoll/internal/record"
)

func pgbenchFormat() Format {
	return Format{Name: Pgbench, Doc: "what PostgreSQL's pgbench prints, one run or several a file; it needs --machine", Read: readPgbenchTrials}
}

// maxPgbench is more than a day of --progress lines a tenth of a second.
const maxPgbench = 64 << 20

// readPgbenchTrials makes a trial of each run.
func readPgbenchTrials(r io.Reader, o Options, emit func(record.Trial) error) error {
	if o.Machine == "" {
		return errors.New("pgbench does not say which machine it loaded\nhint: --machine NAME says it")
	}
	text, err := io.ReadAll(io.LimitReader(r, maxPgbench+1))
	if err != nil {
		return err
	}
	if len(text) > maxPgbench {
		return fmt.Errorf("it is over %d MiB long", maxPgbench>>20)
	}
	runs, err := readPgbench(text)
	if err != nil {
		return err
	}
	for i, run := range runs {
		values, err := run.values()
		if err == nil && len(values) > 0 {
			err = run.emit(values, o, emit)
		}
		if err != nil {
			return fmt.Errorf("run %d: %w", i+1, err)
		}
	}
	return nil
}

func (r pgbenchRun) emit(values []record.Value, o Options, emit func(record.Trial) error) error {
	clients, err := number(r.facts["number of clients"])
	if err != nil || clients < 1 {
		return errors.New("it does not say its number of clients")
	}
	load, err := counted(clients, record.ParamClients, false)
	if err != nil {
		return err
	}
	workload := cmp.Or(o.Workload, Pgbench)
	params := r.params()
	maps.Copy(params, o.Params)
	return emit(record.Trial{Keys: newKeys(Pgbench, o.Machine, workload, params, load), Load: load, Replicate: o.Replicate, Values: values})
}

// params are what tells runs apart, in the words of the workload pgbench.
func (r pgbenchRun) params() record.Params {
	out := record.Params{"script": r.script()}
	for name, fact := range map[string]string{"scale": "scaling factor", "protocol": "query mode", "tries": "maximum number of tries", "threads": "number of threads"} {
		if v := r.facts[fact]; v != "" {
			out[name] = v
		}
	}
	if r.paced {
		out["paced"] = "true" // it does not print the rate
	}
	return out
}

// script is such as "tpcb-like", or "transfer.sql@3 select-only@1".
func (r pgbenchRun) script() string {
	var words []string
	for _, s := range r.scripts {
		word := s.name
		switch s.name {
		case "<builtin: TPC-B (sort of)>":
			word = "tpcb-like"
		case "<builtin: simple update>":
			word = "simple-update"
		case "<builtin: select only>":
			word = "select-only"
		}
		if s.weight != "" && len(r.scripts) > 1 {
			word += "@" + s.weight
		}
		words = append(words, word)
	}
	return strings.Join(words, " ")
}
