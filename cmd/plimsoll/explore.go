package main

import (
	"context"
	"crypto/sha256"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"time"

	"plimsoll/internal/block"
	"plimsoll/internal/build"
	"plimsoll/internal/explore"
	"plimsoll/internal/finding"
	"plimsoll/internal/finding/axis"
	"plimsoll/internal/finding/compare"
	"plimsoll/internal/finding/headroom"
	"plimsoll/internal/finding/outcome"
	"plimsoll/internal/judge"
	"plimsoll/internal/list"
	"plimsoll/internal/note"
	"plimsoll/internal/record"
	"plimsoll/internal/session"
	"plimsoll/internal/site"
	"plimsoll/internal/usage"
)

// analyses returns what a site makes of sessions. The flags hold for what a request does not ask otherwise.
func (a *app) analyses(o reportOptions) site.Analyses {
	return site.Analyses{Page: a.sitePage(o), TypeOf: a.typeOf(),
		Session: func(ctx context.Context, log *session.Log, q site.Question) (any, error) {
			shown, problems, err := a.shownFor(ctx, o.asked(q), log)
			if err != nil {
				return nil, err
			}
			return explore.SessionDocument{Format: explore.Format, Files: q.Files, Answer: answerLines(outcome.Of(shown, judge.Analyzers())), Shown: shown.Document(), Problems: problems}, nil
		},
		Compare: func(ctx context.Context, log *session.Log, q site.Question) (any, error) {
			return a.comparedFor(ctx, o.asked(q), log, q)
		},
	}
}

// typeOf returns the instance type that a machine is named after, or that its firmware states.
func (a *app) typeOf() func(record.Machine) string {
	c, err := a.catalogue()
	if err != nil {
		return nil
	}
	return func(m record.Machine) string {
		for _, name := range []string{m.Name, m.Cloud.Type} {
			if t, ok := c.Like(name); ok {
				return t.Name
			}
		}
		return m.Cloud.Type
	}
}

// asked returns the options with what a question asks.
func (o reportOptions) asked(q site.Question) reportOptions {
	o.prices = slices.Concat(o.prices, q.Prices)
	if q.Demand != nil {
		o.demand.Rate, o.demand.asked = *q.Demand, true
	}
	if q.Headroom != nil {
		o.demand.Headroom = *q.Headroom
	}
	if q.Failures != nil {
		o.demand.Failures = *q.Failures
	}
	if len(q.SLO) > 0 {
		o.slo.texts = q.SLO
	}
	return o
}

// explored is the input of an analysis, and what could not be done as asked.
func (a *app) explored(ctx context.Context, o reportOptions, log *session.Log) (*finding.Input, []string, error) {
	check := o.demand.Demand
	if !o.demand.asked {
		check.Rate = 1
	}
	if err := check.Check(); err != nil {
		return nil, nil, usage.Errorf("%w\nhint: such as demand=5e6, headroom=0.85 and failures=1", err)
	}
	v, err := a.valuerAt(o.prices, o.date, log)
	if err != nil {
		return nil, nil, err
	}
	ask := sizingOptions{percentile: sizedFor}.ask()
	ask.NoKnownIssues = o.noIssues
	o.demand.ask(&ask)
	if err := o.slo.ask(&ask, log); err != nil {
		return nil, nil, err
	}
	log, notes := v.TellApart(log)
	return inputOf(ctx, v, log, ask), note.Texts(notes), ctx.Err()
}

func (a *app) shownFor(ctx context.Context, o reportOptions, log *session.Log) (finding.Shown, []string, error) {
	in, problems, err := a.explored(ctx, o, log)
	if err != nil {
		return finding.Shown{}, nil, err
	}
	shown := judge.Analyze(in)
	if o.demand.asked && !headroom.HasLines(in.Cells) {
		problems = append(problems, noLineError().Error())
	}
	return shown, append([]string{}, problems...), ctx.Err()
}

// comparedFor compares the sides of some sessions, with the fleets of each.
func (a *app) comparedFor(ctx context.Context, o reportOptions, log *session.Log, q site.Question) (explore.SidesDocument, error) {
	out := explore.SidesDocument{Format: explore.Format, Files: q.Files, By: q.By}
	sides := *log // telling sessions apart by name leaves the others as they are
	sides.Trials = slices.Clone(log.Trials)
	shown, problems, err := a.shownFor(ctx, o, log)
	if err != nil {
		return out, err
	}
	out.Shown, out.Problems, out.Axes = shown.Document(), problems, append([]string{}, axis.All(sides.Trials, sides.Plans)...)
	if out.By == "" {
		out.By = axis.Default(sides.Trials, sides.Plans)
	}
	v, err := a.valuerAt(o.prices, o.date, &sides)
	if err != nil {
		return out, err
	}
	ask := finding.Ask{NoKnownIssues: o.noIssues}
	if out.By == record.KeyMachine {
		o.demand.ask(&ask)
	}
	if err := o.slo.ask(&ask, &sides); err != nil {
		return out, err
	}
	got, err := judge.CompareIn(inputOf(ctx, v, &sides, ask), compare.Question{By: out.By, Baseline: q.Baseline, AllowUnequalPaths: o.unequalPaths})
	if err != nil && len(got.Pairs) == 0 && !is[compare.NoValid](err) && q.By+q.Baseline != "" {
		return out, usage.Wrap(err)
	}
	if err != nil {
		out.Problems = append(out.Problems, err.Error())
	}
	out.Compared, out.Sides = got.Document(), sidesOf(got)
	out.Answer = answerLines(comparedAnswer(got))
	if len(got.Pairs) == 0 {
		out.Answer = answerLines(outcome.Of(shown, judge.Analyzers()))
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

func comparedAnswer(c finding.Compared) finding.Answer {
	var views []*finding.PairView
	for _, p := range c.Pairs {
		views = append(views, compare.View("", p, 0))
	}
	return compare.Answer(views, judge.Analyzers())
}

// answerLines returns the lines of an answer as text.
func answerLines(answer finding.Answer) []string {
	return list.Map(answer.Lines(), func(s block.Sentence) string {
		if s.Lead == "" {
			return s.Text
		}
		return fmt.Sprintf("%s: %s", s.Lead, s.Text)
	})
}

// keptSummaries returns the file in which the summaries of a directory's sessions are kept, and the program that makes
// them, by its file: not every build has a commit. No file without a cache folder.
func (a *app) keptSummaries(dir string) (path, program string) {
	where, err := filepath.Abs(dir)
	prices := a.ownPricesPath()
	if err != nil || prices == "" {
		return "", ""
	}
	exe, err := os.Executable()
	if err != nil {
		return "", ""
	}
	info, err := os.Stat(exe)
	if err != nil {
		return "", ""
	}
	sum := sha256.Sum256([]byte(where))
	return filepath.Join(filepath.Dir(prices), fmt.Sprintf("explorer-%x.json", sum[:8])),
		fmt.Sprintf("%s, %d bytes of %s", build.Of(version).Version, info.Size(), info.ModTime().UTC().Format(time.RFC3339Nano))
}
