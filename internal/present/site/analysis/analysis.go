// Package analysis answers the questions of a site's requests about sessions: their results, and how their sides
// compare.
package analysis

import (
	"context"
	"errors"
	"fmt"
	"slices"

	"plimsoll/internal/analysis/explore"
	"plimsoll/internal/analysis/finding"
	"plimsoll/internal/analysis/finding/axis"
	"plimsoll/internal/analysis/finding/compare"
	"plimsoll/internal/analysis/finding/headroom"
	"plimsoll/internal/analysis/finding/outcome"
	"plimsoll/internal/analysis/judge"
	"plimsoll/internal/analysis/valuation"
	"plimsoll/internal/base/list"
	"plimsoll/internal/base/usage"
	"plimsoll/internal/present/site"
	"plimsoll/internal/record"
	"plimsoll/internal/record/note"
	"plimsoll/internal/record/session"
)

// Asked is what the server's command line says, which holds for what a request leaves out.
type Asked struct {
	Prices       []string
	Demand       finding.Demand
	Demanded     bool // else Demand has the headroom alone
	SLO          []string
	Ask          finding.Ask // further requirements
	UnequalPaths bool
}

// With returns what a question asks beyond that.
func (a Asked) With(q site.Question) Asked {
	a.Prices = slices.Concat(a.Prices, q.Prices)
	if q.Demand != nil || q.DemandOf != nil {
		a.Demand.Rate, a.Demand.Of, a.Demanded = 0, q.DemandOf, true
	}
	if q.Demand != nil {
		a.Demand.Rate = *q.Demand
	}
	if q.Headroom != nil {
		a.Demand.Headroom = *q.Headroom
	}
	if q.Failures != nil {
		a.Demand.Failures = *q.Failures
	}
	if len(q.SLO) > 0 {
		a.SLO = q.SLO
	}
	return a
}

// Maker makes documents.
type Maker struct {
	Asked   Asked
	Valuer  func(prices []string, log *session.Log) (valuation.Valuer, error)
	Input   func(context.Context, valuation.Valuer, *session.Log, finding.Ask) *finding.Input
	Judge   func(slo []string, to *finding.Ask, log *session.Log) error // adds objectives
	NoFleet error                                                       // for a demand that no result can answer
}

// input is that of an analysis of a log whose sessions may be told apart by name.
func (m Maker) input(ctx context.Context, asked Asked, log *session.Log, apart bool) (*finding.Input, []string, error) {
	check := asked.Demand
	if !asked.Demanded {
		check.Rate = 1
	}
	if err := check.Check(); err != nil {
		return nil, nil, usage.Errorf("%w\nhint: such as demand=5e6, headroom=0.85 and failures=1", err)
	}
	v, err := m.Valuer(asked.Prices, log)
	if err != nil {
		return nil, nil, err
	}
	ask := asked.Ask
	ask.Headroom = asked.Demand.Headroom
	if asked.Demanded {
		ask.Demand = &asked.Demand
	}
	if err := m.Judge(asked.SLO, &ask, log); err != nil {
		return nil, nil, err
	}
	var notes []note.Note
	if apart {
		log, notes = v.TellApart(log)
	}
	return m.Input(ctx, v, log, ask), note.Texts(notes), ctx.Err()
}

func (m Maker) shown(ctx context.Context, asked Asked, log *session.Log) (finding.Shown, []string, error) {
	in, problems, err := m.input(ctx, asked, log, true)
	if err != nil {
		return finding.Shown{}, nil, err
	}
	shown := judge.Analyze(in)
	if asked.Demanded {
		if err := headroom.CheckDemand(in.Cells, asked.Demand, "demand", m.NoFleet); err != nil {
			asked.Demanded = false // no fleet of a workload that was not meant
			shown, problems, without := m.shown(ctx, asked, log)
			return shown, append(problems, err.Error()), without
		}
	}
	return shown, append([]string{}, problems...), ctx.Err()
}

// Session returns the results of sessions.
func (m Maker) Session(ctx context.Context, log *session.Log, q site.Question) (any, error) {
	shown, problems, err := m.shown(ctx, m.Asked.With(q), log)
	if err != nil {
		return nil, err
	}
	answer := lines(outcome.Of(shown, judge.Analyzers()))
	return explore.SessionDocument{Format: explore.Format, Files: q.Files, Answer: answer, Shown: shown.Document(),
		Problems: problems}, nil
}

// Compare compares the sides of sessions, with the fleets of each.
func (m Maker) Compare(ctx context.Context, log *session.Log, q site.Question) (any, error) {
	asked := m.Asked.With(q)
	sides := *log // telling sessions apart by name leaves the others as they are
	sides.Trials = slices.Clone(log.Trials)
	shown, problems, err := m.shown(ctx, asked, log)
	if err != nil {
		return nil, err
	}
	out := explore.SidesDocument{Format: explore.Format, Files: q.Files, By: q.By, Shown: shown.Document(),
		Problems: problems}
	out.Axes = append([]string{}, axis.All(sides.Trials, sides.Plans)...)
	if out.By == "" {
		out.By = axis.Default(sides.Trials, sides.Plans)
	}
	asked.Demanded = asked.Demanded && out.By == record.KeyMachine && len(headroom.Recommended(shown.Workloads)) > 0
	in, _, err := m.input(ctx, asked, &sides, false)
	if err != nil {
		return nil, err
	}
	got, err := judge.CompareIn(in, compare.Question{By: out.By, Baseline: q.Baseline,
		AllowUnequalPaths: asked.UnequalPaths})
	var invalid compare.NoValid
	if err != nil && len(got.Pairs) == 0 && !errors.As(err, &invalid) && q.By+q.Baseline != "" {
		return nil, usage.Wrap(err)
	}
	if err != nil {
		out.Problems = append(out.Problems, err.Error())
	}
	out.Compared, out.Sides, out.Answer = got.Document(), sidesOf(got), lines(answerOf(got))
	if len(got.Pairs) == 0 {
		out.Answer = lines(outcome.Of(shown, judge.Analyzers()))
	}
	return out, ctx.Err()
}

// sidesOf returns the sides of the pairs, in their order.
func sidesOf(c finding.Compared) []string {
	out := []string{}
	for _, p := range c.Pairs {
		for _, side := range []string{p.A, p.B} {
			if !slices.Contains(out, side) {
				out = append(out, side)
			}
		}
	}
	return out
}

func answerOf(c finding.Compared) finding.Answer {
	var out finding.Answer
	for _, a := range judge.Analyzers() {
		if a.AnswerAll != nil {
			out.Add(a.AnswerAll(c))
		}
	}
	out.Add(compare.Answer(list.Map(c.Pairs, func(p finding.Pair) *finding.PairView { return compare.View("", p, 0) })))
	return out
}

// lines returns the lines of an answer as text.
func lines(answer finding.Answer) []string {
	out := []string{}
	for _, s := range answer.Lines() {
		if s.Lead != "" {
			s.Text = fmt.Sprintf("%s: %s", s.Lead, s.Text)
		}
		out = append(out, s.Text)
	}
	return out
}
