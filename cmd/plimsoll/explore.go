package main

import (
	"plimsoll/internal/analysis/finding"
	"plimsoll/internal/analysis/valuation"
	"plimsoll/internal/present/site"
	"plimsoll/internal/present/site/analysis"
	"plimsoll/internal/record"
	"plimsoll/internal/record/session"
)

// analyses returns what a site makes of sessions. The flags hold for what a request does not ask otherwise.
func (a *app) analyses(o reportOptions, told *asides) site.Analyses {
	ask := sizingOptions{percentile: sizedFor}.ask()
	ask.NoKnownIssues = o.noIssues
	m := analysis.Maker{
		Asked: analysis.Asked{Prices: o.prices, Demand: o.demand.Demand, Demanded: o.demand.asked, SLO: o.slo.texts, Ask: ask,
			UnequalPaths: o.sides.unequalPaths},
		Valuer: func(prices []string, log *session.Log) (valuation.Valuer, error) {
			return a.valuerAt(prices, o.date, log)
		},
		Input:   inputOf,
		Judge:   func(slo []string, to *finding.Ask, log *session.Log) error { return sloFlags{slo}.ask(to, log) },
		NoFleet: noFleetError(),
	}
	return site.Analyses{Page: a.sitePage(o, told), Session: m.Session, Compare: m.Compare, TypeOf: a.typeOf()}
}

// typeOf returns the instance type that a machine is named after, or that its firmware states.
func (a *app) typeOf() func(record.Machine) string {
	c, err := a.catalogue()
	if err != nil {
		return nil
	}
	return func(m record.Machine) string { return c.TypeOf(m.Name, m.Cloud.Type) }
}
