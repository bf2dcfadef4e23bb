package main

import (
	"strings"

	"github.com/spf13/pflag"

	"plimsoll/internal/analysis/finding"
	"plimsoll/internal/analysis/loadline"
	"plimsoll/internal/plan"
	"plimsoll/internal/record/session"
)

// sloFlags are objectives of latency by which recorded runs are judged.
type sloFlags struct{ texts []string }

func (s *sloFlags) addTo(f *pflag.FlagSet) {
	f.StringArrayVar(&s.texts, "slo", nil,
		"latency target for the max load, instead of the runs' own, such as p95=20ms; any percentile; "+
			"`PERCENTILE=TIME`, repeatable")
}

// objectives returns the objectives as latencies in seconds by statistic.
func objectives(texts []string) (map[string]float64, error) {
	times := map[string]string{}
	for _, text := range texts {
		statistic, time, _ := strings.Cut(text, "=")
		times[statistic] = time
	}
	return plan.ParseObjectives(times)
}

// ask adds the objectives to a question, and the percentiles that they need to the trials of a log.
func (s sloFlags) ask(to *finding.Ask, log *session.Log) error {
	found, err := objectives(s.texts)
	if err != nil || len(found) == 0 {
		return err
	}
	to.Objectives = found
	return log.AddPercentiles(loadline.Statistics(found))
}
