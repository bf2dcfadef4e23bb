package main

import (
	"context"
	"fmt"
	"os"

	"github.com/spf13/cobra"

	"plimsoll/internal/media/json"
	"plimsoll/internal/record"
	"plimsoll/internal/render"
	"plimsoll/internal/workload"
	"plimsoll/suites"
)

func (a *app) listCommand() *cobra.Command {
	var asJSON bool
	cmd := &cobra.Command{
		Use:   "list",
		Short: "list workloads and engines, their parameters, and whether they can run here; suites",
		Args:  noArgs,
		RunE: func(cmd *cobra.Command, _ []string) error {
			listing, err := a.listing(cmd)
			if err != nil {
				return err
			}
			if asJSON {
				return json.Write(a.stdout, listing)
			}
			if err := render.Workloads(a.stdout, a.style(), listing.Workloads); err != nil {
				return err
			}
			fmt.Fprintln(a.stdout, "\nengines, which workloads need, and profilers:")
			if err := render.Engines(a.stdout, a.style(), listing.Engines); err != nil {
				return err
			}
			fmt.Fprintln(a.stdout)
			return render.Suites(a.stdout, a.style(), listing.Suites)
		},
	}
	cmd.Flags().BoolVar(&asJSON, "json", false, "print one JSON document")
	return cmd
}

// listing is the document of `list --json`.
type listing struct {
	Workloads []render.Listed       `json:"workloads"`
	Engines   []render.ListedEngine `json:"engines"`
	Suites    []render.ListedSuite  `json:"suites"`
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

// listing determines what can run here, with every parameter at its default.
func (a *app) listing(cmd *cobra.Command) (listing, error) {
	var out listing
	m, err := a.agent.Describe(cmd.Context())
	if err != nil {
		return out, err
	}
	for _, spec := range a.agent.Workloads {
		l := render.Listed{Workload: spec.Workload}
		if err := canRun(cmd.Context(), spec, m); err != nil {
			l.Problem = err.Error()
		}
		out.Workloads = append(out.Workloads, l)
	}
	out.Engines = engines(cmd.Context())
	for _, name := range suites.Names() {
		req, _, err := suites.Find(name)
		if err != nil {
			return out, err
		}
		out.Suites = append(out.Suites, render.ListedSuite{Name: name, Doc: req.Doc})
	}
	return out, nil
}
