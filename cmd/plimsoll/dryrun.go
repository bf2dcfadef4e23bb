package main

import (
	"context"

	"github.com/spf13/cobra"

	"plimsoll/internal/present/media/json"
	"plimsoll/internal/present/render"
	"plimsoll/internal/record"
	"plimsoll/internal/record/session"
	"plimsoll/internal/run"
	"plimsoll/internal/run/agent"
	"plimsoll/internal/workload"
)

// dryRun creates the plan with all checks before a first trial, and forecasts its duration, space and price. Missing
// engines and data that do not fit are only noted.
func (a *app) dryRun(ctx context.Context, o runOptions, args []string, cmd *cobra.Command, via agent.Hosts) error {
	e, err := a.planned(ctx, o, args, cmd, via)
	if err != nil {
		return err
	}
	out := render.Planned{Plan: e.plan, Machines: e.machines, Missing: e.missing, NoSpace: e.noSpace}
	if out.Forecast, err = run.Forecast(ctx, e.plan, workload.CostsOf(a.agent.Workloads, e.plan, e.machines),
		e.via); err != nil {
		return err
	}
	if e.quickHere() {
		out.FitnessS = fitnessSeconds
		out.Forecast.Least.Overhead += fitnessSeconds
		out.Forecast.Most.Overhead += fitnessSeconds
	}
	v, err := a.valuerAt(nil, "", &session.Log{Plans: []record.PlanLine{{Plan: e.plan}}})
	if err != nil {
		return err
	}
	out.Bases = v.Each(e.plan, e.machines)
	if o.json {
		return json.Write(a.stdout, out.Document())
	}
	return render.Plan(a.stdout, a.style(), out)
}
