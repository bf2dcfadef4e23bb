package main

import (
	"cmp"
	"fmt"
	"slices"
	"strings"

	shellquote "github.com/kballard/go-shellquote"

	"plimsoll/internal/analysis/finding"
	"plimsoll/internal/analysis/finding/headroom"
	"plimsoll/internal/analysis/judge"
	"plimsoll/internal/analysis/sequential"
	"plimsoll/internal/plan"
	"plimsoll/internal/present/render"
	"plimsoll/internal/record"
	"plimsoll/internal/record/block"
	"plimsoll/internal/record/figure"
	"plimsoll/internal/record/session"
	"plimsoll/internal/run"
)

// conclude prints the findings, even of an interrupted run, and the next commands; on a terminal, the answer is last.
func (a *app) conclude(e *experiment, trials []record.Trial, depth block.Depth, err error) (failed error) {
	if err == nil && e.goesOn == "" {
		endsBySignal() // all runs are in the file, which is whole
	}
	var mine []record.Trial
	var unanswered []string
	hash := plan.Hash(e.plan)
	for _, t := range trials {
		if t.Plan == hash {
			mine = append(mine, t)
		}
	}
	if len(mine) > 0 {
		var machines []record.Machine
		for _, h := range e.plan.Hosts {
			machines = append(machines, e.machines[h])
		}
		plans := []record.PlanLine{{Hash: hash, Plan: e.plan}}
		in := finding.NewInput(mine, machines, plans)
		in.Read.Events = e.lost
		shown := judge.Analyze(in)
		answer, werr := render.ShowTables(a.stdout, a.style(), shown, depth)
		err = cmp.Or(err, werr)
		defer func() { failed = cmp.Or(failed, answer()) }()
		unanswered = headroom.Unanswered(shown.Workloads)
	}
	if is[session.Unwritten](err) {
		return err // it has a hint already
	}
	if err != nil {
		return e.cutShort(err, hash)
	}
	if err := render.Endings(a.stdout, a.style(), sequential.Endings(e.plan, mine)); err != nil {
		return err
	}
	a.next(e, slices.ContainsFunc(mine, record.Trial.Measures))
	return cmp.Or(e.empty(mine), noLines(unanswered))
}

// noLines returns an error if searches have told nothing of their load lines.
func noLines(unanswered []string) error {
	if len(unanswered) == 0 {
		return nil
	}
	return noTrialError{strings.Join(unanswered, "\n")}
}

// cutShort adds the number of trials in the file to an error.
func (e *experiment) cutShort(err error, hash string) error {
	n, rerr := e.writer.Count(hash)
	if rerr != nil {
		return fmt.Errorf("%w\nthe number of finished runs in %s is unknown: %v", err, e.path, rerr)
	}
	are := "are"
	if n == 1 {
		are = "is"
	}
	return fmt.Errorf("%w\n%s %s safe in %s\nhint: plimsoll run --resume %s continues", err,
		figure.Count(n, "finished run"), are, e.path, quoted(cmp.Or(e.goesOn, e.path)))
}

// quoted quotes a word for a shell.
func quoted(s string) string { return shellquote.Join(s) }

// next prints where the session is, and the next commands if it has something to show.
func (a *app) next(e *experiment, measured bool) {
	fmt.Fprintf(a.said, "\nsaved in %s\n", e.path)
	if !measured || e.goesOn != "" {
		return
	}
	path := quoted(e.path)
	fmt.Fprintf(a.said, "next: plimsoll show %s\n", path)
	for _, f := range e.plan.Factors {
		if !e.plan.Apart(f.Name) {
			continue
		}
		fmt.Fprintf(a.said, "      plimsoll compare %s --by %s\n", path, quoted(f.Name))
	}
	if len(e.plan.Hosts) > 1 {
		fmt.Fprintf(a.said, "      plimsoll compare %s\n", path)
	} else if len(e.plan.Factors) == 0 {
		fmt.Fprintf(a.said, "      plimsoll compare %s OTHER.plimsoll.jsonl\n", path)
	}
	fmt.Fprintf(a.said, "      plimsoll report %s -o report.html\n", path)
}

// empty returns an error for cells without a valid trial.
func (e *experiment) empty(trials []record.Trial) error {
	msgs := slices.Compact(run.Empty(e.plan, e.machines, trials, e.lost)) // both sides of one failing start
	if len(msgs) == 0 {
		return nil
	}
	if len(e.lost) > 0 {
		msgs = append(msgs, "hint: plimsoll run --resume "+quoted(e.path)+" continues once the hosts are back")
	}
	return noTrialError{strings.Join(msgs, "\n")}
}
