package main

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"time"

	"plimsoll/examples"
	"plimsoll/internal/analysis/articles"
	"plimsoll/internal/analysis/claims"
	"plimsoll/internal/analysis/finding"
	"plimsoll/internal/analysis/trialset"
	"plimsoll/internal/exchange/convert"
	"plimsoll/internal/exchange/convert/into"
	"plimsoll/internal/machine/catalog"
	"plimsoll/internal/plan"
	"plimsoll/internal/present/render"
	"plimsoll/internal/record"
	"plimsoll/internal/record/figure"
	"plimsoll/internal/record/session"
	"plimsoll/internal/run/replace"
	"plimsoll/suites"
)

// reportArticles writes the page of the published articles, with what the sessions of their suites have measured.
func (a *app) reportArticles(ctx context.Context, o reportOptions, paths []string) error {
	files, err := sessionPaths(paths)
	if err != nil {
		return err
	}
	if err := replace.Spares(o.output, files); err != nil {
		return err
	}
	p, err := a.articlesOf(ctx, o, files)
	if err != nil {
		return err
	}
	return a.writePage(o,
		func(w io.Writer) error { return render.Articles(w, p) },
		func(w io.Writer) error { return render.ArticlesMarkdown(w, p) })
}

// writeArticles writes the page of those of some sessions that are of an article's suite, in the course of a run.
// Without any it writes none.
func (a *app) writeArticles(ctx context.Context, path string, files []string) error {
	all, err := articles.All(examples.Files())
	if err != nil {
		return err
	}
	files = slices.DeleteFunc(slices.Clone(files), func(file string) bool {
		_, err := a.ownSessions(ctx, all, []string{file})
		return err != nil // it is another suite's, or cannot be read, which its run has said
	})
	if len(files) == 0 {
		return nil
	}
	p, err := a.articlesOf(ctx, reportOptions{}, files)
	if err != nil {
		return err
	}
	_, err = a.exportTo(path, func(w io.Writer) (int, error) { return 0, render.Articles(w, p) })
	return err
}

// sessionPaths returns the sessions among paths, and those in directories among them.
func sessionPaths(paths []string) ([]string, error) {
	var out []string
	for _, path := range paths {
		info, err := os.Stat(path)
		if err != nil || !info.IsDir() {
			out = append(out, path)
			continue
		}
		files, err := sessionsIn(path)
		if err != nil {
			return nil, err
		}
		if len(files) == 0 {
			return nil, usagef("%s holds no session\nhint: plimsoll run %s --quick -o %s measures them", path, suites.Articles,
				quoted(path))
		}
		out = append(out, files...)
	}
	return out, nil
}

// ownSession is a session of the reader's.
type ownSession struct {
	file string
	log  *session.Log
	of   []string // the suites that its plans name
}

// articlesOf returns the page of the articles.
func (a *app) articlesOf(ctx context.Context, o reportOptions, files []string) (render.ArticlesPage, error) {
	p := render.ArticlesPage{Title: o.title, Notes: o.notes,
		Generated: time.Now().UTC().Format("2006-01-02 15:04 UTC")}
	all, err := articles.All(examples.Files())
	if err != nil {
		return p, err
	}
	own, err := a.ownSessions(ctx, all, files)
	if err != nil {
		return p, err
	}
	checked, err := a.claimsOfArticles()
	if err != nil {
		return p, err
	}
	dir, err := os.MkdirTemp("", "plimsoll-articles-")
	if err != nil {
		return p, fmt.Errorf("making a directory for the published results: %w", err)
	}
	defer os.RemoveAll(dir)
	for _, article := range all {
		part, err := a.articlePart(ctx, o, article, own, dir)
		if err != nil {
			return p, fmt.Errorf("%s: %w", article.Name, err)
		}
		for _, id := range article.Claims {
			i := slices.IndexFunc(checked, func(c claims.Claim) bool { return c.ID == id })
			if i < 0 {
				return p, fmt.Errorf("%s: there is no claim %s", article.Name, id)
			}
			part.Claims = append(part.Claims, checked[i])
		}
		if part.Own != nil {
			for _, c := range part.Own.Shown.Workloads {
				p.Machines = trialset.AppendNew(p.Machines, c.Machine)
			}
		}
		p.Articles = append(p.Articles, part)
	}
	return p, ctx.Err()
}

// claimsOfArticles returns the articles' claims, recomputed.
func (a *app) claimsOfArticles() ([]claims.Claim, error) {
	tables, err := readTables("examples", examples.Files())
	if err != nil {
		return nil, err
	}
	c, err := catalog.Embedded() // without the user's own prices, which the articles did not use
	if err != nil {
		return nil, err
	}
	report, err := claims.Check(tables, nil, c)
	return report.Claims, err
}

// ownSessions reads the reader's sessions. A file without a plan of an article's suite is an error: nothing of it would
// be on the page.
func (a *app) ownSessions(ctx context.Context, all []articles.Article, files []string) ([]ownSession, error) {
	var out []ownSession
	for _, file := range files {
		log, err := session.ReadBy(ctx, a.open, file)
		if err != nil {
			return nil, err
		}
		s := ownSession{file: file, log: log}
		for _, p := range log.Plans {
			for _, article := range all {
				if isOf(p.Plan, article) {
					s.of = append(s.of, article.Name)
				}
			}
		}
		if len(s.of) == 0 {
			return nil, usagef("%s holds no session of an article's suite\nhint: plimsoll run %s --quick -o DIR makes them; "+
				"plimsoll report %s -o FILE.html is its own page", file, suites.Articles, quoted(file))
		}
		out = append(out, s)
	}
	return out, nil
}

// isOf reports whether a plan measures the suite of an article, maybe among others.
func isOf(p record.Plan, article articles.Article) bool {
	return p.Imported == nil && plan.Bounded(p) == nil && slices.ContainsFunc(strings.Split(p.Name, "+"),
		func(name string) bool { return name == article.Name || slices.Contains(article.Also, name) })
}

// articlePart returns what the page says of one article.
func (a *app) articlePart(ctx context.Context, o reportOptions, article articles.Article, own []ownSession,
	dir string) (render.ArticlePart, error) {
	out := render.ArticlePart{Article: article}
	var published []finding.Cell
	for _, data := range article.Data {
		page, ok, err := a.publishedPage(ctx, o, article, data, dir)
		if err != nil {
			return out, err
		}
		if ok {
			out.Published = append(out.Published, render.PublishedPart{Of: data.Of, Page: page})
			published = append(published, page.Shown.Workloads...)
		}
	}
	own = slices.DeleteFunc(slices.Clone(own), func(s ownSession) bool { return !slices.Contains(s.of, article.Name) })
	out.State = stateOf(article, own)
	var files []string
	for _, s := range own {
		if len(s.log.Trials) > 0 {
			files = append(files, s.file)
		}
	}
	var cells []finding.Cell
	var machines map[string]record.Machine
	if len(files) > 0 {
		page, err := a.reportPage(ctx, o, files)
		if err != nil {
			return out, err
		}
		out.Own, cells, machines = &page, page.Shown.Workloads, page.Shown.Machines
		out.Took = tookText(own, page)
		out.Departs = a.departures(article, own)
	}
	for _, f := range article.Figures {
		out.Rankings = append(out.Rankings, f.Rank(cells, published, machines)...)
	}
	return out, nil
}

// publishedPage returns the page of one table of published results, false if this program carries none.
func (a *app) publishedPage(ctx context.Context, o reportOptions, article articles.Article, data articles.Data,
	dir string) (page render.Page, ok bool, err error) {
	text, err := fs.ReadFile(examples.Files(), "published/"+data.File)
	if errors.Is(err, fs.ErrNotExist) {
		return page, false, nil
	}
	if err != nil {
		return page, false, fmt.Errorf("reading the published results: %w", err)
	}
	options := convert.Options{File: data.File, Name: data.File, Replicate: convert.Unnumbered}
	if options.CPUs, err = a.cpusOf(); err != nil {
		return page, false, err
	}
	var im convert.Import
	format := convert.All()[slices.IndexFunc(convert.All(), func(f convert.Format) bool { return f.Name == "csv" })]
	batch, err := im.Read(format, bytes.NewReader(text), options)
	if err != nil {
		return page, false, err
	}
	path := filepath.Join(dir, strings.TrimSuffix(data.File, ".csv")+session.Suffix)
	if _, err := into.Session(ctx, path, []*convert.Batch{batch}, randomName); err != nil {
		return page, false, err
	}
	all := reportOptions{askFlags: askFlags{prices: o.prices, date: article.PriceDate, noIssues: o.noIssues},
		uncompared: true}
	if page, err = a.reportPage(ctx, all, []string{path}); err != nil || len(data.Compare) == 0 {
		return page, err == nil, err
	}
	two := reportOptions{askFlags: all.askFlags}
	two.machines = data.Compare
	compared, err := a.reportPage(ctx, two, []string{path})
	page.Compared, page.Margin = compared.Compared, compared.Margin
	return page, err == nil, err
}

// stateOf says what there is of an article's suite.
func stateOf(article articles.Article, own []ownSession) string {
	if len(own) == 0 {
		return "not measured; " + article.Command() + " --quick measures it"
	}
	done, all := 0, 0
	for _, s := range own {
		for _, p := range s.log.Plans {
			if !isOf(p.Plan, article) {
				continue
			}
			course := plan.Follow(p.Plan)
			course.Add(s.log.Trials...)
			n := 0
			for _, t := range s.log.Trials {
				if t.Plan == p.Hash {
					n++
				}
			}
			done, all = done+n, all+n+course.Remaining(nil).Trials
		}
	}
	switch {
	case done == 0:
		return "planned, and no run is done"
	case done < all:
		return fmt.Sprintf("interrupted: %d of %s are done; plimsoll run --resume FILE continues", done,
			figure.Count(all, "run"))
	}
	return figure.Count(done, "run")
}

// tookText returns how long the sessions took from their first run to their last, and what that cost.
func tookText(own []ownSession, page render.Page) string {
	total, usd := 0.0, 0.0
	for _, s := range own {
		var first, last time.Time
		for _, t := range s.log.Trials {
			at, err := record.ParseTime(t.Start)
			if err != nil {
				continue
			}
			if end := at.Add(figure.Duration(t.DurationS)); end.After(last) {
				last = end
			}
			if begin := at.Add(-figure.Duration(t.WarmupS)); first.IsZero() || begin.Before(first) {
				first = begin
			}
		}
		took := last.Sub(first).Seconds()
		total += took
		for _, m := range s.log.Machines {
			usd += page.Bases[m.Name].PricePerHour * took / 3600
		}
	}
	text := figure.Duration(total).String()
	if usd > 0 {
		text += ", " + figure.Dollars(usd)
	}
	return text
}

// departures says in what the sessions differ from the article, as far as that is known from them.
func (a *app) departures(article articles.Article, own []ownSession) []string {
	var out []string
	add := func(text string) {
		if !slices.Contains(out, text) {
			out = append(out, text)
		}
	}
	runs, disturbed := 0, 0
	for _, s := range own {
		for _, p := range s.log.Plans {
			if p.Plan.Quick {
				add("These are quick sessions: short runs on small data.")
			}
		}
		for _, t := range s.log.Trials {
			runs++
			if trialset.Tainted(t) {
				disturbed++
			}
			for key, version := range article.Engines {
				if here := t.Keys[key]; here != "" && here != version {
					add(fmt.Sprintf("%s %s here, %s in the article.", engineName(key), here, version))
				}
			}
		}
		for _, m := range s.log.Machines {
			add(fmt.Sprintf("%s has %s.", m.Name, figure.Count(len(m.CPU.Allowed), "CPU")))
		}
	}
	if disturbed > 0 {
		add(fmt.Sprintf("Other work on the machine disturbed %d of %s.", disturbed, figure.Count(runs, "run")))
	}
	add("The article's figures are of " + article.Year() + ".")
	return out
}

// engineName returns the name of an engine by the key of its version.
func engineName(key string) string {
	name := strings.TrimPrefix(key, record.EnginePrefix)
	return map[string]string{"postgres": "PostgreSQL", "kafka": "Apache Kafka"}[name]
}
