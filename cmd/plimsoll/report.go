package main

import (
	"context"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"time"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"

	"plimsoll/internal/analysis/finding"
	"plimsoll/internal/analysis/finding/cost"
	"plimsoll/internal/analysis/finding/profile"
	"plimsoll/internal/analysis/judge"
	"plimsoll/internal/analysis/trialset"
	"plimsoll/internal/present/manual"
	"plimsoll/internal/present/render"
	"plimsoll/internal/record"
	"plimsoll/internal/record/note"
	"plimsoll/internal/record/session"
	"plimsoll/internal/run/replace"
	"plimsoll/suites"
)

type reportOptions struct {
	askFlags
	output     string
	articles   bool
	title      string
	notes      []string
	format     string
	sides      sideFlags
	equalCost  bool
	uncompared bool // machines stand beside each other
}

// reportGroups are the groups of the flags in the help of report and serve.
const reportGroups = `Comparison: by baseline slo machine max-cpus
Rules: min-machines split-types allow-unequal-paths no-known-issues
Cost: price date equal-cost demand headroom failures
Server: addr host-name no-token
Output: output format title note articles help`

func (a *app) reportCommand() *cobra.Command {
	var o reportOptions
	cmd := &cobra.Command{
		Use: "report FILE... -o report.html | --articles [FILE|DIR...]",
		Example: `  plimsoll report run.plimsoll.jsonl -o report.html
  plimsoll report m6g.plimsoll.jsonl m6i.plimsoll.jsonl --price m6g=0.077
  plimsoll report --articles -o articles.html
  plimsoll report run.plimsoll.jsonl --slo p99=20ms --title 'The shop'`,
		Short:       "write an HTML page with plots, or Markdown",
		Long:        "Writes results and comparisons as one self-contained HTML page with plots, or as Markdown.",
		Annotations: map[string]string{manual.GroupsKey: reportGroups},
		Args: func(cmd *cobra.Command, args []string) error {
			if o.articles {
				return nil
			}
			if info, err := os.Stat(suites.Articles); slices.Contains(args, suites.Articles) &&
				(err != nil || info.IsDir()) {
				return usagef("%s is no session\nhint: plimsoll report --articles is the page of the articles; with DIR after "+
					"it, that of the sessions there", suites.Articles)
			}
			return needFiles(cmd, args)
		},
		RunE: func(cmd *cobra.Command, args []string) error {
			if err := o.demand.check(cmd.Flags()); err != nil {
				return err
			}
			if err := o.sides.check(cmd.Flags()); err != nil {
				return err
			}
			var err error
			if o.format, err = render.ReportFormat(o.format, o.output); err != nil {
				return err
			}
			if !cmd.Flags().Changed("output") {
				o.output = defaultPage(o)
			}
			if o.articles {
				if err := aboutArticles(cmd.Flags()); err != nil {
					return err
				}
				return a.reportArticles(cmd.Context(), o, args)
			}
			return a.report(cmd.Context(), o, args)
		},
	}
	cmd.Flags().StringVarP(&o.output, "output", "o", "report.html",
		"output `FILE`, which it replaces; - is standard output")
	cmd.Flags().StringVar(&o.format, "format", "",
		"`FORMAT`: html or markdown (default by the output file's extension, else html)")
	cmd.Flags().BoolVar(&o.articles, "articles", false, "write the page of the five published articles: their figures "+
		"checked, and their machines next to the ones in these sessions and directories")
	o.addTo(cmd.Flags())
	o.sides.addTo(cmd.Flags(), "machines, sessions and varied parameters, one after the other")
	return cmd
}

// defaultPage returns the file of a page for which nobody named one.
func defaultPage(o reportOptions) string {
	name := "report"
	if o.articles {
		name = suites.Articles
	}
	if o.format == render.Markdown {
		return name + ".md"
	}
	return name + ".html"
}

// aboutArticles rejects flags that choose comparisons, which the page of the articles has of itself.
func aboutArticles(flags *pflag.FlagSet) error {
	var bad error
	flags.Visit(func(f *pflag.Flag) {
		known := []string{"articles", "output", "format", "title", "note", "price", "no-known-issues"}
		if bad == nil && !slices.Contains(known, f.Name) {
			bad = usagef("--%s does not go with --articles\nhint: plimsoll report FILE... --%s … is a page of these sessions",
				f.Name, f.Name)
		}
	})
	return bad
}

// addTo adds the flags for the contents of a page.
func (o *reportOptions) addTo(f *pflag.FlagSet) {
	f.StringVar(&o.title, "title", "", "`TITLE` of the page (default the answer)")
	f.StringArrayVar(&o.notes, "note", nil, "`TEXT` of a paragraph below the title; repeatable")
	o.askFlags.addTo(f)
	addUnequalPaths(f, &o.sides.unequalPaths)
	f.BoolVar(&o.equalCost, "equal-cost", false, equalCostHelp)
}

func (a *app) report(ctx context.Context, o reportOptions, files []string) error {
	if err := replace.Spares(o.output, files); err != nil {
		return err
	}
	p, err := a.reportPage(ctx, o, files)
	if err != nil {
		return err
	}
	return a.writePage(o,
		func(w io.Writer) error { return render.Report(w, p) },
		func(w io.Writer) error { return render.ReportMarkdown(w, p) })
}

// writePage writes a page to the output, in its format, and names it on the screen.
func (a *app) writePage(o reportOptions, page, markdown func(io.Writer) error) error {
	write := page
	if o.format == render.Markdown {
		write = markdown
	}
	if _, err := a.exportTo(o.output, func(w io.Writer) (int, error) { return 0, write(w) }); err != nil ||
		o.output == "-" {
		return err
	}
	fmt.Fprintf(a.said, "wrote %s\n", o.output)
	return nil
}

// reportPage returns the page of some sessions.
func (a *app) reportPage(ctx context.Context, o reportOptions, files []string) (render.Page, error) {
	log, err := a.readKept(ctx, files, o.keptFlags)
	if err != nil {
		return render.Page{}, err
	}
	v, err := a.valuerAt(o.prices, o.date, log)
	if err != nil {
		return render.Page{}, err
	}
	ask := sizingOptions{percentile: sizedFor}.ask()
	ask.NoKnownIssues, ask.EqualCost = o.noIssues, o.equalCost
	o.demand.ask(&ask)
	if err := o.slo.ask(&ask, log); err != nil {
		return render.Page{}, err
	}
	whole := inputOf(ctx, v, log, ask)
	axes := o.sides.axes(log)
	if o.uncompared {
		axes = nil
	}
	compared, problems, err := comparisons(whole, o.sides, axes)
	if err != nil {
		return render.Page{}, err
	}
	if err := ctx.Err(); err != nil {
		return render.Page{}, err
	}
	log, notes := v.TellApart(log)
	in := inputOf(ctx, v, log, ask)
	in.Read.Sorted = whole.Read.Sorted // the profiles are the same
	p := page(in, files, v.Basis)
	p.Title, p.Notes = o.title, slices.Concat(o.notes, sources(log))
	if err := o.demand.answered(in.Cells); err != nil {
		return p, err
	}
	p.Margin, p.Shown.Sessions, p.Compared, p.Shown.Warnings = margin(log), v.Sessions, compared,
		slices.Concat(p.Shown.Warnings, notes, problems)
	where, undrawn := profile.Section(whole, in)
	p.Profiles, p.Shown.Warnings = where, append(p.Shown.Warnings, undrawn...)
	return p, ctx.Err()
}

// page collects the results of the trials.
func page(in *finding.Input, files []string, basis func(record.Machine) finding.Basis) render.Page {
	p := render.Page{
		Source:    strings.Join(baseNames(files), ", "),
		Generated: time.Now().UTC().Format("2006-01-02 15:04 UTC"),
		Shown:     judge.Analyze(in),
	}
	p.Bases = basesOf(p.Shown, basis)
	drawn, problems := render.OverTime(in, p.Shown)
	p.OverTime, p.Shown.Warnings = drawn, append(p.Shown.Warnings, problems...)
	return p
}

// comparisons returns those along some axes of the trials, and why one is impossible.
func comparisons(in *finding.Input, sides sideFlags, axes []string) (out []finding.Compared, problems []note.Note,
	err error) {
	machines := false
	for _, by := range axes {
		machines = machines || trialset.AcrossMachines(by)
		got, err := judge.CompareIn(in, sides.question(by))
		if is[cost.Unpriced](err) {
			return nil, nil, err
		}
		if err != nil && sides.by+sides.baseline != "" && len(got.Pairs) == 0 {
			return nil, nil, err
		}
		if err != nil {
			problems = append(problems, note.New("no-comparison", by, err))
			if len(got.Pairs) == 0 {
				continue
			}
		}
		out = append(out, got)
	}
	if in.Ask.EqualCost && !machines {
		return nil, nil, usagef("--equal-cost compares machines, and the files hold one\nhint: give the sessions of both")
	}
	return out, problems, nil
}

// basesOf returns the resources, price and power of each machine of the trials. A machine without a fingerprint is
// known by its name only.
func basesOf(s finding.Shown, basis func(record.Machine) finding.Basis) map[string]finding.Basis {
	out := map[string]finding.Basis{}
	seen := map[string]bool{}
	for _, c := range s.Workloads {
		if seen[c.Machine] {
			continue
		}
		seen[c.Machine] = true
		m := s.Machines[c.Machine]
		m.Name = c.Machine
		if b := basis(m); b.VCPUs > 0 || b.PricePerHour > 0 {
			out[c.Machine] = b
		}
	}
	return out
}

// sources returns a paragraph for each import whose file says where its figures are from.
func sources(log *session.Log) []string {
	var out []string
	for _, p := range log.Plans {
		if of := p.Plan.Imported; of != nil && of.Source != "" {
			out = append(out, fmt.Sprintf("Figures of %s: %s.", of.File, of.Source))
		}
	}
	return out
}

// margin returns the equivalence margin of the plans; 0 if they differ.
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

func baseNames(files []string) []string {
	var out []string
	for _, f := range files {
		out = append(out, filepath.Base(f))
	}
	return out
}
