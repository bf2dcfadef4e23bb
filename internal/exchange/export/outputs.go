package export

import (
	"io"

	"plimsoll/internal/analysis/finding"
	"plimsoll/internal/analysis/trialset"
	"plimsoll/internal/exchange/convert"
	"plimsoll/internal/record"
	"plimsoll/internal/record/estimate"
	"plimsoll/internal/record/session"
)

// Otava is the format that is made of nights instead of runs.
const Otava = "otava"

const otavaDoc = "CSV for Apache Otava: a row for each night of a machine or instance type, a column for each cell; " +
	"takes directories too"

// Outputs returns the formats in which runs can be exported.
func Outputs() []convert.Output {
	return append(convert.Outputs(),
		convert.Output{Name: "benchfmt", Doc: "Go benchmark lines for benchstat: a line for each run, with the machine and " +
			"the session above", Write: writeBench},
		convert.Output{Name: "bencher", Doc: "Bencher Metric Format: one JSON object, with the interval of each metric",
			Flat: true, Write: writeBencher},
		convert.Output{
			Name: "openmetrics", Flat: true, Write: writeMetrics,
			Doc: "OpenMetrics text: the estimates as gauges, for Prometheus, Grafana, node_exporter's textfile collector",
		},
	)
}

// cell is the runs of a cell that count.
type cell struct {
	key    trialset.Key
	params map[string]string
	trials []record.Trial // valid ones
}

// measured is the estimate of a metric of a cell.
type measured struct {
	record.Metric
	estimate.Estimate
	atLeast bool // the value is a lower bound
	n       int
}

// cellsOf returns the cells of a log, searches with one value for each replicate, and the number of runs that are in
// none.
func cellsOf(log *session.Log) (out []cell, left int) {
	in := finding.NewInput(log.Trials, log.Machines, log.Plans)
	for _, g := range in.Groups {
		if ok := trialset.Valid(g.Trials); len(ok) > 0 {
			out = append(out, cell{g.Key, trialset.ParamsOf(ok[0], nil), ok})
		}
	}
	for i := range log.Trials {
		if !log.Trials[i].Measures() {
			left++
		}
	}
	return out, left
}

// metrics returns the estimates of a cell.
func (c cell) metrics() []measured {
	var out []measured
	for _, m := range trialset.MetricsOf(c.trials) {
		values := trialset.ValuesOf(c.trials, m.Name)
		of := measured{Metric: m, Estimate: estimate.Of(values), n: len(values)}
		if moments, _, ok := trialset.StatedMoments(trialset.Having(c.trials, m.Name), m.Name); ok { // as show has it
			of.Estimate, _ = trialset.EstimateOf(moments)
			of.n = moments.N
		}
		for i := range c.trials {
			if v, ok := trialset.ValueIn(&c.trials[i], m.Name); ok && v.AtLeast {
				of.atLeast, of.Lo, of.Hi = true, nil, nil
			}
		}
		out = append(out, of)
	}
	return out
}

// writer keeps the first error, so that lines need not check it.
type writer struct {
	to  io.Writer
	err error
}

func (w *writer) write(text string) {
	if w.err == nil {
		_, w.err = io.WriteString(w.to, text)
	}
}

// Formats returns the names of all formats of runs, profiles and nights, and their descriptions.
func Formats() (names, docs []string) {
	add := func(name, doc string) { names, docs = append(names, name), append(docs, doc) }
	for _, o := range Outputs() {
		add(o.Name, o.Doc)
	}
	for _, o := range convert.ProfileOutputs() {
		add(o.Name, o.Doc)
	}
	add(Otava, otavaDoc)
	return names, docs
}
