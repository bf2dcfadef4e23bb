package main

import (
	"context"
	"fmt"

	"plimsoll/internal/analysis/category"
	"plimsoll/internal/analysis/finding"
	"plimsoll/internal/analysis/trialset"
	"plimsoll/internal/analysis/valuation"
	"plimsoll/internal/plan"
	"plimsoll/internal/record"
	"plimsoll/internal/record/session"
)

// The most steps that are read of a series: of one a second or ten, 29 hours at least; of a disk's finest, more than a
// trial has.
const (
	maxSeconds = 1 << 20
	maxSteps   = 1 << 22
)

func mostSteps(s record.Series) int {
	const tenth = 1e8 // ns
	if s.StepNs >= tenth {
		return maxSeconds
	}
	return maxSteps
}

// valuerAt returns a valuer with the catalogue's prices at a date; "" for the user's own, else the newest.
func (a *app) valuerAt(prices []string, date string, log *session.Log) (valuation.Valuer, error) {
	c, err := a.catalogue()
	if err != nil {
		return valuation.Valuer{}, err
	}
	v, err := valuation.New(c, prices, log)
	if err != nil {
		return v, err
	}
	return v.At(date)
}

// inputOf returns the analyzers' input of sessions: their trials, and readers for their other data. The analysis ends
// with ctx.
func inputOf(ctx context.Context, v valuation.Valuer, log *session.Log, ask finding.Ask) *finding.Input {
	trialset.SortInPlanOrder(log.Trials)
	in := finding.NewInput(log.Trials, log.Machines, log.Plans)
	in.Ask, in.Stopped = ask, func() bool { return ctx.Err() != nil }
	if len(ask.Objectives) > 0 {
		in.JudgeBy(ask.Objectives)
	}
	in.Read = finding.Readers{
		HashOf: plan.Hash,
		Basis:  v.Basis, Type: v.Type, Catalogue: v.Catalogue(), Events: log.Events,
		Windows: func(t record.Trial, want func(record.Series) bool) (map[string][]int64, error) {
			if err := ctx.Err(); err != nil {
				return nil, err
			}
			return windows(log, t, want)
		},
		Sorted: new(category.Memory),
		Profile: func(t record.Trial, series string) (record.Profile, bool, error) {
			if err := ctx.Err(); err != nil {
				return record.Profile{}, false, err
			}
			return log.Profile(t.ID, series)
		},
	}
	return in
}

// windows reads those of a trial's series of counts that are wanted, by name.
func windows(log *session.Log, t record.Trial, want func(record.Series) bool) (map[string][]int64, error) {
	all, err := log.Series(t.ID)
	if err != nil {
		return nil, err
	}
	out := map[string][]int64{}
	for _, s := range all {
		if s.Enc != record.EncWindows || !want(s) {
			continue
		}
		if out[s.Name], err = session.DecodeWindowsUpTo(s.Data, mostSteps(s)); err != nil {
			return nil, fmt.Errorf("series %s: %w", s.Name, err)
		}
	}
	return out, nil
}
