package execload

import (
	"errors"
	"fmt"
	"slices"
	"strings"

	"plimsoll/internal/exchange/convert"
	"plimsoll/internal/record"
	"plimsoll/internal/workload"
)

// check returns an error for parameters that can be rejected without running anything: the machine on which the
// command must exist is not known here.
func check(p workload.Params, _ record.Machine) error {
	if _, ok := p.All()[levelName]; ok {
		return errors.New("exec: {load} stands for the load's level, so no parameter can be named load\nhint: give " +
			"the parameter another name")
	}
	if _, ok := p.All()[scratchName]; ok {
		return errors.New("exec: {scratch} stands for the run's own directory, so no parameter can be named " +
			"scratch\nhint: give the parameter another name")
	}
	if _, err := words(p, scratchName, anywhere); err != nil {
		return err
	}
	return checkParse(p)
}

func checkParse(p workload.Params) error {
	ask := askOf(p)
	if ask.Format == parseTime {
		return nil
	}
	if loaded(p) {
		return fmt.Errorf("exec: parse=%s reads the output of a single run, but a load of clients or a rate makes "+
			"many\nhint: leave out exec.clients and exec.rate, or exec.parse", ask.Format)
	}
	if err := ask.Check(); err != nil {
		return fmt.Errorf("exec: parse=%s: %w", ask.Format, err)
	}
	return checkMetrics(ask)
}

// checkMetrics rejects values with the name of one that each run has, and those of which nobody knows what is better.
func checkMetrics(ask convert.Ask) error {
	for _, m := range metrics() {
		if slices.Contains(append(ask.Names(), ask.Metric.Name), m.Name) {
			return fmt.Errorf("exec: the parsed value is named %s, as one of the run itself is\nhint: --set exec.metric=OTHER",
				m.Name)
		}
	}
	for _, better := range strings.Split(string(ask.Metric.Better), ",") {
		_, value, ok := strings.Cut(better, "=")
		if !ok {
			value = better
		}
		if value != "" && value != string(record.Higher) && value != string(record.Lower) {
			return fmt.Errorf("exec: better=%s is none of %s, %s, and %s\nhint: of several values it is such as "+
				"tps=higher,p99=lower",
				better, betterByUnit, record.Higher, record.Lower)
		}
	}
	if names := ask.Undirected(); len(names) > 0 {
		return fmt.Errorf("exec: nothing tells whether more or less of %s is better\nhint: --better %s or "+
			"--better %s; or the "+
			"unit that the command prints, such as --unit op/s or --unit ms", strings.Join(names, ", "), record.Higher,
			record.Lower)
	}
	return nil
}

func askOf(p workload.Params) convert.Ask {
	return convert.Ask{
		Format:  p.Text(paramParse),
		Pattern: p.Text(paramPattern),
		Metric: record.Metric{
			Name:   p.Text(paramMetric),
			Unit:   p.Text(paramUnit),
			Better: record.Better(strings.TrimPrefix(p.Text(paramBetter), betterByUnit)),
		},
	}
}

// loaded reports whether a load generator issues the operations, each of them a run.
func loaded(p workload.Params) bool {
	return p.Number(record.ParamClients) > 0 || p.Number(record.ParamRate) > 0
}
