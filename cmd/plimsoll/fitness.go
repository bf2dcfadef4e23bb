package main

import (
	"context"

	"plimsoll/internal/present/render"
	"plimsoll/internal/record"
	"plimsoll/suites"
)

// fitnessSeconds is the time of the A/A after the default suite: enough for a few pairs of each kind.
const fitnessSeconds = 10

// quickHere reports whether the plan is the default suite on this host, as in somebody's first run.
func (e *experiment) quickHere() bool {
	return e.plan.Name == suites.Default && len(e.plan.Hosts) == 1 && e.plan.Hosts[0] == thisHost
}

// fitness compares the same work with itself, and prints in a line what a comparison on this machine could decide.
func (a *app) fitness(ctx context.Context, m record.Machine) error {
	found, err := a.decidable(ctx, noiseOptions{seconds: fitnessSeconds}, m)
	if err != nil {
		return err
	}
	return render.Fitness(a.stdout, a.style(), m, found)
}
