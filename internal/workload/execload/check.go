package execload

import (
	"errors"
	"fmt"

	"plimsoll/internal/convert"
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
		if ask.Pattern != "" {
			return errors.New("exec: a pattern is set, but nothing is parsed\nhint: --set exec.parse=regexp, json " +
				"or go")
		}
		return nil
	}
	if loaded(p) {
		return fmt.Errorf("exec: parse=%s reads the output of a single run, but a load of clients or a rate makes "+
			"many\nhint: leave out exec.clients and exec.rate, or exec.parse", ask.Format)
	}
	if ask.Metric.Name == "" {
		return errors.New("exec: the parsed value has no name\nhint: --set exec.metric=throughput")
	}
	if err := ask.Check(); err != nil {
		return fmt.Errorf("exec: parse=%s: %w", ask.Format, err)
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
			Better: record.Better(p.Text(paramBetter)),
		},
	}
}

// loaded reports whether a load generator issues the operations, each of them a run.
func loaded(p workload.Params) bool {
	return p.Number(record.ParamClients) > 0 || p.Number(record.ParamRate) > 0
}
