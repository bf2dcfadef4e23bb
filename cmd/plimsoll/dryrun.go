package main

import (
	"context"
	"slices"

	"github.com/spf13/cobra"

	"plimsoll/internal/plan"
	"plimsoll/internal/record"
	"plimsoll/internal/render"
	"plimsoll/internal/workload"
)

// dryRun creates the plan with all checks before a first trial, and prints its cost.
func (a *app) dryRun(ctx context.Context, o runOptions, args []string, cmd *cobra.Command, self string) error {
	e, err := a.planned(ctx, o, args, cmd, self)
	if err != nil {
		return err
	}
	least, most := plan.Spans(e.plan)
	out := render.Planned{Plan: e.plan, Machines: e.machines, Least: render.Span(least), Most: render.Span(most)}
	for _, c := range e.plan.Cells {
		room := a.room(c, e.machines[c.Host])
		out.Rooms = append(out.Rooms, render.Room{Disk: room.Disk, Memory: room.Memory})
	}
	return render.Plan(a.stdout, a.style(), out)
}

// room returns the space for a trial of a cell; zero if its workload does not state it.
func (a *app) room(c record.Cell, m record.Machine) workload.Room {
	at := slices.IndexFunc(a.agent.Workloads, func(s workload.Spec) bool { return s.Name == c.Workload })
	if at < 0 || a.agent.Workloads[at].Room == nil {
		return workload.Room{}
	}
	spec := a.agent.Workloads[at]
	return spec.Room(workload.NewParams(spec.Workload, c.Params), m)
}
