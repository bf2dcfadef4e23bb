package main

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"

	"plimsoll/examples"
	"plimsoll/internal/analysis/articles"
	"plimsoll/internal/analysis/trialset"
	"plimsoll/internal/plan"
	"plimsoll/internal/present/media/json"
	"plimsoll/internal/present/render"
	"plimsoll/internal/record"
	"plimsoll/internal/record/figure"
	"plimsoll/internal/record/session"
	"plimsoll/internal/run"
	"plimsoll/internal/run/agent"
	"plimsoll/internal/workload"
	"plimsoll/suites"
)

// articlesPage is the page that lies beside the sessions of the articles.
const articlesPage = "articles.html"

// ofEverySuite returns the flags of run that mean the same for each of several suites.
func ofEverySuite() []string {
	return []string{"output", "for", "warmup", "replicates", "max-replicates", "max-time", "quick", "set", "seed", "label",
		"on", "hosts", "generator", flagOutage, flagCarry, flagBinaries, "price", "max-cpus", "margin", "alpha", "claim",
		"profile", "dry-run", "json", flagVerbose, flagAll}
}

// runArticles measures the suite of each article into a session of its own. All of them are planned, checked and
// written before the first run: what is left is what --resume of the directory goes on with.
func (a *app) runArticles(ctx context.Context, o runOptions, cmd *cobra.Command, via agent.Hosts) error {
	all, err := articles.All(examples.Files())
	if err != nil {
		return err
	}
	if err := mayShare(cmd.Flags()); err != nil {
		return err
	}
	dir := cmp.Or(o.output, suites.Articles)
	if strings.HasSuffix(dir, session.Suffix) {
		return usagef("-o %s is the name of a session, and the articles have one each\nhint: -o DIR", dir)
	}
	if !o.dry {
		if err := empty(dir); err != nil {
			return err
		}
	}
	planned, err := a.plannedArticles(ctx, o, all, dir, cmd, via)
	if err != nil {
		return err
	}
	will, err := a.forecasts(ctx, planned)
	if err != nil {
		return err
	}
	if o.dry {
		return a.printForecasts(o, will)
	}
	fmt.Fprintf(a.stderr, "plimsoll: %s in about %s, into %s\n", figure.Count(len(planned), "suite"),
		render.Together(will), dir)
	if !o.quick {
		fmt.Fprintf(a.stderr, "plimsoll: this is the full form; --quick is the small one\n")
	}
	if err := os.MkdirAll(dir, 0o755); err != nil {
		return fmt.Errorf("making the directory of the sessions: %w\nhint: -o DIR makes it elsewhere", err)
	}
	if err := a.begin(planned); err != nil {
		return err
	}
	return a.resumeAll(ctx, o, dir, via)
}

// begin writes the plans of several sessions, or of none: some of them could not be told from all.
func (a *app) begin(planned []*experiment) error {
	for i, e := range planned {
		a.rememberPlan(e.plan) // first: a session that is cut short here could not be resumed
		err := e.create()
		if err == nil {
			err = e.writer.Close()
		}
		if err != nil {
			for _, begun := range planned[:i] {
				err = errors.Join(err, os.Remove(begun.path)) // it holds no run
			}
			return err
		}
	}
	return nil
}

// mayShare rejects flags that are about one suite.
func mayShare(flags *pflag.FlagSet) error {
	bad := ""
	flags.Visit(func(f *pflag.Flag) {
		if bad == "" && !slices.Contains(ofEverySuite(), f.Name) {
			bad = f.Name
		}
	})
	if bad == "" {
		return nil
	}
	return usagef("--%s is about one suite, and %s are several\nhint: plimsoll run minio-kernels --%s …, and then "+
		"plimsoll report --articles FILE...", bad, suites.Articles, bad)
}

// empty rejects a directory that holds sessions.
func empty(dir string) error {
	files, err := sessionsIn(dir)
	if errors.Is(err, fs.ErrNotExist) {
		return nil
	}
	if err != nil {
		return err
	}
	if len(files) > 0 {
		return usagef("%s holds %s already\nhint: plimsoll run --resume %s continues them; -o OTHER starts anew", dir,
			figure.Count(len(files), "session"), quoted(dir))
	}
	return nil
}

// sessionsIn returns the sessions of a directory, in the order of their names.
func sessionsIn(dir string) ([]string, error) {
	info, err := os.Stat(dir)
	if err != nil {
		return nil, err
	}
	if !info.IsDir() {
		return nil, usagef("%s is a file, and the sessions of several suites go into a directory\nhint: -o DIR", dir)
	}
	entries, err := os.ReadDir(dir)
	if err != nil {
		return nil, fmt.Errorf("reading the sessions: %w", err)
	}
	var out []string
	for _, e := range entries {
		if strings.HasSuffix(e.Name(), session.Suffix) && e.Type().IsRegular() {
			out = append(out, filepath.Join(dir, e.Name()))
		}
	}
	return out, nil
}

// plannedArticles plans the suite of each article. An error is about the first that cannot be measured, or about the
// engines that any of them lacks.
func (a *app) plannedArticles(ctx context.Context, o runOptions, all []articles.Article, dir string, cmd *cobra.Command,
	via agent.Hosts) ([]*experiment, error) {
	sets, err := a.settingsBySuite(o.set, all)
	if err != nil {
		return nil, err
	}
	var out []*experiment
	var missing []string
	for i, article := range all {
		one := o
		one.set, one.lacking = sets[article.Name], true
		// The number keeps the order of the list.
		one.output = filepath.Join(dir, fmt.Sprintf("%d-%s%s", i+1, article.Name, session.Suffix))
		e, err := a.planned(ctx, one, []string{article.Name}, cmd, via)
		if err != nil {
			return nil, fmt.Errorf("%s: %w", article.Name, err)
		}
		for _, name := range e.missing {
			missing = trialset.AppendNew(missing, name)
		}
		out = append(out, e)
	}
	if len(missing) > 0 && !o.dry {
		return nil, usagef("%s: not set up here: %s\nhint: plimsoll setup %s", suites.Articles,
			strings.Join(missing, ", "), strings.Join(missing, " "))
	}
	return out, nil
}

// settingsBySuite returns the settings of --set for each suite: those of the workloads that it measures.
func (a *app) settingsBySuite(set []string, all []articles.Article) (map[string][]string, error) {
	out := map[string][]string{}
	for _, text := range set {
		key, _, _ := strings.Cut(text, "=")
		of, _, ok := strings.Cut(key, ".")
		if !ok {
			return nil, usagef("--set %q: must be WORKLOAD.NAME=VALUE, since several workloads are measured", text)
		}
		taken := false
		for _, article := range all {
			req, _, err := suites.Find(article.Name)
			if err != nil {
				return nil, err
			}
			if slices.Contains(req.Workloads(), of) {
				out[article.Name], taken = append(out[article.Name], text), true
			}
		}
		if !taken {
			return nil, usagef("--set %s: %s is not measured by any of the articles", text, of)
		}
	}
	return out, nil
}

// forecasts returns what each of several suites will take.
func (a *app) forecasts(ctx context.Context, planned []*experiment) ([]render.Planned, error) {
	var out []render.Planned
	for _, e := range planned {
		p := render.Planned{Plan: e.plan, Machines: e.machines, Missing: e.missing, NoSpace: e.noSpace}
		var err error
		if p.Forecast, err = run.Forecast(ctx, e.plan, workload.CostsOf(a.agent.Workloads, e.plan, e.machines),
			e.via); err != nil {
			return nil, err
		}
		v, err := a.valuerAt(nil, "", &session.Log{Plans: []record.PlanLine{{Plan: e.plan}}})
		if err != nil {
			return nil, err
		}
		p.Bases = v.Each(e.plan, e.machines)
		out = append(out, p)
	}
	return out, nil
}

// printForecasts prints what each suite will take, and all of them.
func (a *app) printForecasts(o runOptions, all []render.Planned) error {
	if !o.json {
		return render.Plans(a.stdout, a.style(), all)
	}
	docs := []render.PlanDocument{}
	for _, p := range all {
		docs = append(docs, p.Document())
	}
	return json.Write(a.stdout, docs)
}

// resumeAll goes on with each session of a directory that is not done, and makes the page of the articles after each.
// A suite without a valid run somewhere does not keep the others from being measured.
func (a *app) resumeAll(ctx context.Context, o runOptions, dir string, via agent.Hosts) error {
	files, err := sessionsIn(dir)
	if err != nil {
		return err
	}
	if len(files) == 0 {
		return usagef("%s holds no session to continue\nhint: plimsoll run %s --quick -o %s measures them", dir,
			suites.Articles, quoted(dir))
	}
	var empties []error
	for i, file := range files {
		one := o
		one.resume = file
		err := a.resumeOne(ctx, one, fmt.Sprintf("%d of %d", i+1, len(files)), dir, via)
		if is[noTrialError](err) {
			empties = append(empties, fmt.Errorf("%s: %w", filepath.Base(file), err))
			err = nil
		}
		// Also after an interrupt: what is done is on the page.
		err = cmp.Or(err, a.writeArticles(context.WithoutCancel(ctx), filepath.Join(dir, articlesPage), files))
		if err != nil {
			return err
		}
	}
	if page := filepath.Join(dir, articlesPage); exists(page) {
		fmt.Fprintf(a.said, "\nwrote %s\n", page)
	}
	if len(empties) > 0 {
		return noTrialError{errors.Join(empties...).Error()}
	}
	return nil
}

func exists(path string) bool {
	_, err := os.Stat(path)
	return err == nil
}

// resumeOne goes on with one session, unless it is done.
func (a *app) resumeOne(ctx context.Context, o runOptions, place, dir string, via agent.Hosts) error {
	e, err := a.resumed(ctx, o, via)
	if err != nil {
		return err
	}
	defer e.writer.Close()
	if left := e.left(); left == 0 {
		fmt.Fprintf(a.said, "%s (%s): done, %s in %s\n", e.plan.Name, place, figure.Count(len(e.done), "run"), e.path)
		return nil
	}
	fmt.Fprintf(a.stderr, "plimsoll: %s (%s)\n", e.plan.Name, place)
	e.goesOn = dir
	return a.measure(ctx, o, e)
}

// left returns the number of runs that the plan still has if all go well.
func (e *experiment) left() int {
	course := plan.Follow(e.plan)
	course.Add(e.done...)
	return course.Remaining(nil).Trials
}
