package main

import (
	"context"
	"fmt"
	"os"
	"slices"
	"strings"

	"github.com/spf13/cobra"

	"plimsoll/internal/base/nearest"
	"plimsoll/internal/base/usage"
	"plimsoll/internal/engine"
	"plimsoll/internal/present/media/json"
	"plimsoll/internal/present/render"
	"plimsoll/internal/record"
	"plimsoll/internal/run/invocation"
	"plimsoll/internal/workload"
	"plimsoll/suites"
)

func (a *app) listCommand() *cobra.Command {
	var asJSON bool
	cmd := &cobra.Command{
		Use: "list [NAME ...]",
		Example: `  plimsoll list
  plimsoll list http
  plimsoll list netty kafka --json`,
		Short: "list workloads, engines and suites, or show one",
		Long:  "Lists workloads, engines and suites. With a name, it shows examples and parameters.",
		Args:  cobra.ArbitraryArgs,
		RunE: func(cmd *cobra.Command, args []string) error {
			listing, err := a.listing(cmd.Context(), args)
			switch {
			case err != nil:
				return err
			case asJSON:
				return json.Write(a.stdout, listing)
			case len(args) == 0:
				return render.Overview(a.stdout, a.style(), listing)
			}
			return a.details(listing)
		},
	}
	cmd.Flags().BoolVar(&asJSON, "json", false, "print one JSON document")
	return cmd
}

// details writes each thing that a listing has, with its parameters.
func (a *app) details(l render.Listing) error {
	for _, w := range l.Workloads {
		if err := render.Workload(a.stdout, a.style(), w); err != nil {
			return err
		}
	}
	for _, e := range l.Engines {
		if err := render.Engine(a.stdout, a.style(), e); err != nil {
			return err
		}
	}
	for _, s := range l.Suites {
		if err := render.Suite(a.stdout, a.style(), s); err != nil {
			return err
		}
	}
	return nil
}

// canRun validates a workload's defaults, with a preflight on this host if it has one.
func canRun(ctx context.Context, spec workload.Spec, m record.Machine) error {
	p := workload.NewParams(spec.Workload, spec.Defaults())
	if spec.Check != nil {
		if err := spec.Check(p, m); err != nil {
			return err
		}
	}
	if spec.Preflight == nil {
		return nil
	}
	return spec.Preflight(ctx, p, os.TempDir())
}

// listing determines what can run here, with every parameter at its default: everything, or the named.
func (a *app) listing(ctx context.Context, names []string) (render.Listing, error) {
	out := render.Listing{Workloads: []render.Listed{}, Suites: []render.ListedSuite{}}
	ctx = engine.Remembering(ctx)
	m, err := a.agent.Describe(ctx)
	if err != nil {
		return out, err
	}
	var known []string
	listed := func(name string) bool {
		known = append(known, name)
		return len(names) == 0 || slices.Contains(names, name)
	}
	for _, spec := range a.agent.Workloads {
		if listed(spec.Name) {
			out.Workloads = append(out.Workloads, listedOf(ctx, spec, m))
		}
	}
	out.Engines = engines(ctx, listed)
	for _, name := range suites.Names() {
		req, _, err := suites.Find(name)
		if err != nil {
			return out, err
		}
		if listed(name) {
			out.Suites = append(out.Suites, render.ListedSuite{Name: name, Doc: req.Doc})
		}
	}
	for _, name := range names {
		if !slices.Contains(known, name) {
			return out, unknownThing("workload, engine or suite", name, known, a.agent.Workloads)
		}
	}
	return out, nil
}

// unknownThing returns the error of an unknown name. Its hint is the nearest name, the command for a known tool, or the
// command that lists the names, which are many.
func unknownThing(kind, name string, known []string, specs []workload.Spec) error {
	hint := "plimsoll list shows the names"
	if near := nearest.Of(name, known); near != "" {
		hint = "did you mean " + near + "?"
	} else if tool := invocation.MeantTool(invocation.Typed{Words: []string{name}}, specs); tool != "" {
		hint = tool
	}
	return &usage.Error{Text: fmt.Sprintf("unknown %s %q", kind, name), Hint: hint}
}

func listedOf(ctx context.Context, spec workload.Spec, m record.Machine) render.Listed {
	l := render.Listed{Workload: spec.Workload,
		Usage: strings.TrimSpace("plimsoll run " + spec.Name + " " + spec.Command.Arguments)}
	for _, g := range spec.Command.Groups {
		l.Groups = append(l.Groups, render.Group(g))
	}
	for _, e := range spec.Command.Examples {
		l.Examples = append(l.Examples, render.Example{Command: e.Command, Doc: e.Doc})
	}
	if err := canRun(ctx, spec, m); err != nil && !spec.Command.Greedy { // that one has nothing to run yet
		l.Problem = err.Error()
	}
	return l
}
