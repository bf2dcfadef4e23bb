// Package site serves the sessions of a directory to a browser: an explorer, the data that it shows as JSON, and
// reports.
package site

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"io"
	"net/http"
	"os"
	"path/filepath"
	"time"

	"plimsoll/internal/base/input"
	"plimsoll/internal/base/list"
	"plimsoll/internal/base/usage"
	"plimsoll/internal/present/folder"
	"plimsoll/internal/present/media/html"
	"plimsoll/internal/record/session"
)

// site serves the explorer of a directory's sessions, and what it shows below /api.
type site struct {
	dir   *directory
	make  Analyses
	queue *queue
	index *index
	logs  logs

	mostRuns int // of the sessions of one analysis
}

// mostRuns bounds the sessions of one analysis: twice as many take 8 GB, and some minutes.
const mostRuns = 200_000

// leastRun is the least size of a run's line in bytes: smaller files need not be counted.
const leastRun = 200

func newSite(ctx context.Context, root *os.Root, make Analyses, keep store) *site {
	dir := &directory{root: root}
	s := &site{dir: dir, make: make, queue: newQueue(), mostRuns: mostRuns}
	s.index = &index{ctx: ctx, dir: dir, typeOf: make.TypeOf, open: s.open, gone: map[string]int64{}, store: keep}
	return s
}

// ServeHTTP implements http.Handler.
func (s *site) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	switch r.URL.Path {
	case "/", "/compare", "/history":
		shell(w, r)
	case "/report":
		page, err := html.Policy()
		if err != nil {
			http.Error(w, err.Error(), http.StatusInternalServerError)
			return
		}
		answer(w, r, kind{"text/html; charset=utf-8", page}, func(ctx context.Context, out io.Writer) error {
			return s.report(ctx, out, r.URL.Query()["file"])
		})
	case "/api/sessions", "/api/session", "/api/compare", "/api/history":
		answer(w, r, kind{"application/json", ""}, func(ctx context.Context, out io.Writer) error {
			return s.api(ctx, out, r.URL)
		})
	default:
		asset(w, r)
	}
}

// noSession reports a file that is not in the list.
type noSession struct{ name string }

func (e noSession) Error() string { return fmt.Sprintf("no session %q in the list", e.name) }

// kind is what an answer is, and the content security policy of a page; "" for that of all answers.
type kind struct{ typ, policy string }

// answer sends a whole page or document, so that an error can replace it. It ends with its request.
func answer(w http.ResponseWriter, r *http.Request, k kind, page func(context.Context, io.Writer) error) {
	ctx, cancel := context.WithTimeout(r.Context(), pageTime)
	defer cancel()
	var text bytes.Buffer
	err := page(ctx, waited{ctx, &text})
	// A page that was stopped may have ended with any error, or with half of its contents.
	if ended := ctx.Err(); ended != nil {
		err = ended
	}
	limit(w)
	if err != nil {
		status := statusOf(err)
		if status == http.StatusServiceUnavailable {
			w.Header().Set("Retry-After", "10")
		}
		http.Error(w, err.Error(), status)
		return
	}
	if k.policy != "" {
		w.Header().Set("Content-Security-Policy", k.policy)
	}
	w.Header().Set("Content-Type", k.typ)
	_, _ = w.Write(text.Bytes()) // the client may be gone
}

// limit gives a client writeTime to read an answer that is ready.
func limit(w http.ResponseWriter) {
	_ = http.NewResponseController(w).SetWriteDeadline(time.Now().Add(writeTime)) // else that of the server stands
}

func statusOf(err error) int {
	var file noSession
	var cell noCell
	switch {
	case errors.As(err, &file), errors.As(err, &cell):
		return http.StatusNotFound
	case errors.Is(err, errBusy), errors.Is(err, context.Canceled), errors.Is(err, context.DeadlineExceeded):
		return http.StatusServiceUnavailable
	case usage.Is(err):
		return http.StatusBadRequest
	}
	return http.StatusInternalServerError
}

// waited writes while somebody waits for it.
type waited struct {
	ctx context.Context
	to  io.Writer
}

func (w waited) Write(p []byte) (int, error) {
	if err := w.ctx.Err(); err != nil {
		return 0, err
	}
	return w.to.Write(p)
}

// report writes the page of selected sessions.
func (s *site) report(ctx context.Context, out io.Writer, names []string) error {
	chosen, err := s.chosen(names)
	if err != nil {
		return err
	}
	paths := list.Map(chosen, func(f folder.File) string { return s.path(f.Name) })
	return s.queue.do(ctx, func() error {
		if err := s.bounded(ctx, chosen); err != nil {
			return err
		}
		return s.make.Page(ctx, out, s.open, paths)
	})
}

// bounded refuses sessions of too many runs for the memory of a machine that serves them.
func (s *site) bounded(ctx context.Context, chosen []folder.File) error {
	if list.Sum(chosen, func(f folder.File) float64 { return float64(f.Info.Size()) }) < leastRun*float64(s.mostRuns) {
		return nil
	}
	runs := 0
	for _, f := range chosen {
		n, err := session.Trials(ctx, s.open, s.path(f.Name), s.mostRuns-runs)
		if err != nil {
			return err
		}
		if runs += n; runs > s.mostRuns {
			return usage.Errorf("the chosen sessions have over %d runs, which the explorer does not read at once\n"+
				"hint: pick fewer sessions, or plimsoll report FILE... -o report.html, which takes some 20 kB of memory a run",
				s.mostRuns)
		}
	}
	return nil
}

// chosen returns the files of some sessions.
func (s *site) chosen(names []string) ([]folder.File, error) {
	if len(names) == 0 {
		return nil, usage.Errorf("no session is chosen\nhint: tick one or several")
	}
	all, err := files(s.dir.now())
	if err != nil {
		return nil, err
	}
	here := map[string]folder.File{}
	for _, f := range all {
		if f.Problem == nil {
			here[f.Name] = f
		}
	}
	var out []folder.File
	for _, name := range names {
		f, ok := here[name]
		if !ok {
			return nil, noSession{name}
		}
		out = append(out, f)
	}
	return out, nil
}

func (s *site) path(name string) string { return filepath.Join(s.dir.Name(), name) }

// open opens a session of the directory by its path. The file may have been replaced by a link since it was listed.
func (s *site) open(path string) (*os.File, error) {
	dir := s.dir.now()
	name, err := filepath.Rel(dir.Name(), path)
	if err != nil {
		return nil, err
	}
	return input.OpenIn(dir, name)
}
