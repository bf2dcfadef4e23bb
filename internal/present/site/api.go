package site

import (
	"context"
	"encoding/json"
	"fmt"
	"io"
	"maps"
	"math"
	"net/url"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"time"

	"plimsoll/internal/analysis/finding"
	"plimsoll/internal/analysis/history"
	"plimsoll/internal/base/list"
	"plimsoll/internal/base/usage"
	"plimsoll/internal/present/folder"
	asjson "plimsoll/internal/present/media/json"
	"plimsoll/internal/record/session"
)

// Question is what a request asks of sessions. What it leaves out is as the command line of the server says.
type Question struct {
	Files    []string
	By       string
	Baseline string
	Prices   []string
	Demand   *float64
	DemandOf map[string]float64 // by workload
	Headroom *float64
	Failures *int
	SLO      []string
}

// How long a request waits for files that have not been read yet, before it answers with what is known. Who asks for
// the first time sees what the directory tells at once.
const (
	firstPatience = 50 * time.Millisecond
	patience      = 700 * time.Millisecond
)

// known are the parameters of each document.
func known(document string) []string {
	return map[string][]string{
		"sessions": {"since"},
		"session":  {"file", "price", "demand", "headroom", "failures", "slo"},
		"compare":  {"file", "by", "baseline", "price", "demand", "headroom", "failures", "slo"},
		"history":  {"cell"},
	}[document]
}

// api writes one document.
func (s *site) api(ctx context.Context, out io.Writer, at *url.URL) error {
	document, query := strings.TrimPrefix(at.Path, "/api/"), at.Query()
	for _, name := range slices.Sorted(maps.Keys(query)) {
		if !slices.Contains(known(document), name) {
			return usage.Unknown("parameter of "+at.Path, name, known(document))
		}
	}
	switch document {
	case "sessions":
		return s.sessions(ctx, out, query)
	case "history":
		return s.history(ctx, out, query)
	case "session":
		return s.analysis(ctx, out, query, s.make.Session)
	}
	return s.analysis(ctx, out, query, s.make.Compare)
}

func (s *site) sessions(ctx context.Context, out io.Writer, query url.Values) error {
	since, err := strconv.ParseInt(first(query, "since", "0"), 10, 64)
	if err != nil {
		return usage.Errorf("since=%s is not a revision\nhint: the revision of an earlier answer", query.Get("since"))
	}
	wait := patience
	if since <= 0 {
		wait = firstPatience
	}
	if err := s.index.refresh(ctx, wait); err != nil {
		return err
	}
	doc := s.index.since(since)
	if doc.Dir, err = filepath.Abs(s.dir.Name()); err != nil {
		doc.Dir = s.dir.Name()
	}
	return json.NewEncoder(out).Encode(doc)
}

func (s *site) history(ctx context.Context, out io.Writer, query url.Values) error {
	if err := s.index.refresh(ctx, patience); err != nil {
		return err
	}
	all, pending := s.index.kept()
	cell := query.Get("cell")
	if cell == "" {
		doc := history.AnswerCells(all)
		doc.Pending = pending
		return json.NewEncoder(out).Encode(doc)
	}
	doc, ok := history.AnswerCell(all, cell)
	if !ok && pending == 0 {
		return noCell{cell}
	}
	doc.Pending = pending
	return asjson.Write(out, doc)
}

// noCell reports a cell that no session measured.
type noCell struct{ id string }

func (e noCell) Error() string {
	return fmt.Sprintf("no session has a result of %q\nhint: /api/history without cell= lists the cells of "+
		"several sessions", e.id)
}

// analysis writes a document about some sessions.
func (s *site) analysis(ctx context.Context, out io.Writer, query url.Values, of Analysis) error {
	q, err := questionOf(query)
	if err != nil {
		return err
	}
	chosen, err := s.chosen(q.Files)
	if err != nil {
		return err
	}
	return s.queue.do(ctx, func() error {
		if err := s.bounded(ctx, chosen); err != nil {
			return err
		}
		log, err := s.logs.of(ctx, s, chosen)
		if err != nil {
			return err
		}
		doc, err := of(ctx, log, q)
		if err != nil {
			return err
		}
		return asjson.Write(out, doc)
	})
}

// demand adds a demand.
func (q *Question) demand(text string) error {
	if text == "" {
		return nil
	}
	workload, rate, err := finding.ParseDemand(text)
	switch {
	case err != nil:
		return err
	case workload == "":
		q.Demand = &rate
		return nil
	case q.DemandOf == nil:
		q.DemandOf = map[string]float64{}
	}
	q.DemandOf[workload] = rate
	return nil
}

// questionOf reads a question from a query.
func questionOf(query url.Values) (q Question, err error) {
	q = Question{Files: query["file"], By: query.Get("by"), Baseline: query.Get("baseline"), Prices: query["price"],
		SLO: query["slo"]}
	for _, text := range query["demand"] {
		if err := q.demand(text); err != nil {
			return q, usage.Errorf("demand: %w\nhint: such as demand=5e6, or demand=http=5e6", err)
		}
	}
	if q.Headroom, err = number(query, "headroom"); err != nil {
		return q, err
	}
	failures, err := number(query, "failures")
	if err != nil || failures == nil {
		return q, err
	}
	n := int(*failures)
	if q.Failures = &n; float64(n) != *failures {
		return q, usage.Errorf("failures=%s is not a whole number\nhint: failures=1", query.Get("failures"))
	}
	return q, nil
}

func number(query url.Values, name string) (*float64, error) {
	text := query.Get(name)
	if text == "" {
		return nil, nil
	}
	v, err := strconv.ParseFloat(text, 64)
	if err != nil || math.IsNaN(v) || math.IsInf(v, 0) {
		return nil, usage.Errorf("%s=%s is not a number\nhint: such as %s=5e6", name, text, name)
	}
	return &v, nil
}

func first(query url.Values, name, otherwise string) string {
	if query.Has(name) {
		return query.Get(name)
	}
	return otherwise
}

// logs keeps the sessions that were analyzed last, so that another price or demand does not read them again. One
// analysis runs at a time, and nobody else touches it.
type logs struct {
	files []folder.File
	log   *session.Log
}

// maxKept bounds the bytes of the files whose contents are kept in memory.
const maxKept = 64 << 20

// of returns the contents of files. What is returned may be changed but for the elements' own parts.
func (l *logs) of(ctx context.Context, s *site, chosen []folder.File) (*session.Log, error) {
	if l.log == nil || !slices.EqualFunc(l.files, chosen, same) {
		l.files, l.log = nil, nil
		log, err := session.ReadBy(ctx, s.open, list.Map(chosen, func(f folder.File) string { return s.path(f.Name) })...)
		if err != nil {
			return nil, err
		}
		if list.Sum(chosen, func(f folder.File) float64 { return float64(f.Info.Size()) }) > maxKept {
			return log, nil
		}
		l.files, l.log = chosen, log
	}
	out := *l.log
	out.Trials, out.Machines = slices.Clone(l.log.Trials), slices.Clone(l.log.Machines)
	return &out, nil
}

func same(a, b folder.File) bool {
	return a.Name == b.Name && (&entry{info: a.Info}).is(b.Info)
}
