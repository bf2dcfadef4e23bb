package main

import (
	"fmt"
	"io"
	"path/filepath"
	"slices"
	"strings"
	"time"

	"github.com/spf13/cobra"

	"plimsoll/internal/judge"
	"plimsoll/internal/record"
	"plimsoll/internal/render"
	"plimsoll/internal/session"
)

func (a *app) reportCommand() *cobra.Command {
	var out string
	cmd := &cobra.Command{
		Use:   "report FILE... -o report.html",
		Short: "the results and comparisons as one self-contained page with plots",
		Args:  needFiles,
		RunE: func(_ *cobra.Command, args []string) error {
			log, err := a.read(args)
			if err != nil {
				return err
			}
			if err := writeReport(out, page(log, args)); err != nil {
				return err
			}
			fmt.Fprintf(a.stdout, "wrote %s\n", out)
			return nil
		},
	}
	cmd.Flags().StringVarP(&out, "output", "o", "report.html", "the page to write; an existing one is replaced")
	return cmd
}

// page gathers everything that the trials let us say: what they show and, where
// there are several machines or a factor, what their comparison says.
func page(log *session.Log, files []string) render.Page {
	p := render.Page{
		Title:     strings.Join(baseNames(files), ", "),
		Generated: time.Now().UTC().Format("2006-01-02 15:04 UTC"),
		Margin:    margin(log),
		Shown:     judge.Show(log.Trials, log.Machines, log.Plans),
	}
	for _, by := range axes(log) {
		got, err := judge.Compare(log.Trials, log.Machines, log.Plans, judge.Options{By: by})
		if err != nil {
			p.Shown.Warnings = append(p.Shown.Warnings, fmt.Sprintf("no comparison by %s: %v", by, err))
			continue
		}
		p.Compared = append(p.Compared, got)
	}
	return p
}

// margin is the equivalence margin of the plans; 0 where they differ.
func margin(log *session.Log) float64 {
	m := 0.0
	for i, p := range log.Plans {
		if i > 0 && p.Plan.Margin != m {
			return 0
		}
		m = p.Plan.Margin
	}
	return m
}

// axes are the ways in which a session's trials can be compared: by machine
// where there are several, and by each factor.
func axes(log *session.Log) []string {
	var out []string
	if len(log.Machines) > 1 {
		out = append(out, record.KeyMachine)
	}
	for _, p := range log.Plans {
		for _, f := range p.Plan.Factors {
			if !slices.Contains(out, f.Name) {
				out = append(out, f.Name)
			}
		}
	}
	return out
}

func baseNames(files []string) []string {
	var out []string
	for _, f := range files {
		out = append(out, filepath.Base(f))
	}
	return out
}

// writeReport replaces the page at once or not at all.
func writeReport(path string, p render.Page) error {
	err := replaceFile(path, 0o644, func(w io.Writer) error { return render.Report(w, p) })
	if err != nil {
		return fmt.Errorf("writing %s: %w\nhint: -o FILE writes it elsewhere", path, err)
	}
	return nil
}
