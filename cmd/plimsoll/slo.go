package main

import (
	"strings"

	"github.com/spf13/pflag"

	"plimsoll/internal/analysis/finding"
	"plimsoll/internal/analysis/loadline"
	"plimsoll/internal/plan"
	"plimsoll/internal/record/session"
)

// askFlags are the questions that show, compare and report answer.
type askFlags struct {
	keptFlags
	prices   []string
	date     string
	demand   demandFlags
	slo      sloFlags
	noIssues bool
}

func (o *askFlags) addTo(f *pflag.FlagSet) {
	o.keptFlags.addTo(f)
	f.StringArrayVar(&o.prices, "price", nil,
		"price of a machine or instance type in USD per hour; `NAME=1.808`, repeatable")
	f.StringVar(&o.date, "date", "", "use the catalogue's prices at this `DATE`, such as 2021-10 (default your "+
		"own, else the newest)")
	addDemand(f, &o.demand)
	o.slo.addTo(f)
	f.BoolVar(&o.noIssues, "no-known-issues", false, noKnownIssuesHelp)
}

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
