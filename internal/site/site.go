// Package site serves the sessions of a directory to a browser: their list, and the report of those that are chosen.
package site

import (
	"bytes"
	"cmp"
	"context"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"net/http"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"sync"
	"time"

	"plimsoll/internal/input"
	"plimsoll/internal/media/html"
	"plimsoll/internal/session"
	"plimsoll/internal/usage"
)

// site serves the pages of a directory's sessions.
type site struct {
	dir   *os.Root
	page  Page
	queue *queue

	mu    sync.Mutex
	known map[string]listed
}

func newSite(dir *os.Root, page Page) *site {
	return &site{dir: dir, page: page, queue: newQueue(), known: map[string]listed{}}
}

// listed caches the line of a file in the list while the file is unchanged.
type listed struct {
	info fs.FileInfo
	line html.SessionLine
}

// is reports whether info is of the same file, unchanged.
func (l listed) is(info fs.FileInfo) bool {
	return l.info != nil && os.SameFile(l.info, info) && l.info.Size() == info.Size() && l.info.ModTime().Equal(info.ModTime()) && l.info.Mode() == info.Mode()
}

// ServeHTTP implements http.Handler.
func (s *site) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	page, list, err := html.Policies()
	switch {
	case err != nil:
		http.Error(w, err.Error(), http.StatusInternalServerError)
	case r.URL.Path == "/":
		answer(w, r, list, s.list)
	case r.URL.Path == "/report":
		answer(w, r, page, func(ctx context.Context, out io.Writer) error { return s.report(ctx, out, r.URL.Query()["file"]) })
	default:
		http.NotFound(w, r)
	}
}

// noSession reports a file that is not in the list.
type noSession struct{ name string }

func (e noSession) Error() string { return fmt.Sprintf("no session %q in the list", e.name) }

// answer sends a whole page, so that an error can replace it. The page ends with its request.
func answer(w http.ResponseWriter, r *http.Request, policy string, page func(context.Context, io.Writer) error) {
	ctx, cancel := context.WithTimeout(r.Context(), pageTime)
	defer cancel()
	var text bytes.Buffer
	err := page(ctx, waited{ctx, &text})
	// A page that was stopped may have ended with any error, or with half of its contents.
	if ended := ctx.Err(); ended != nil {
		err = ended
	}
	_ = http.NewResponseController(w).SetWriteDeadline(time.Now().Add(writeTime)) // else that of the server stands
	if err != nil {
		status := statusOf(err)
		if status == http.StatusServiceUnavailable {
			w.Header().Set("Retry-After", "10")
		}
		http.Error(w, err.Error(), status)
		return
	}
	w.Header().Set("Content-Security-Policy", policy)
	w.Header().Set("Content-Type", "text/html; charset=utf-8")
	_, _ = w.Write(text.Bytes()) // the client may be gone
}

func statusOf(err error) int {
	var none noSession
	switch {
	case errors.As(err, &none):
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
	if len(names) == 0 {
		return usage.Errorf("no session is chosen\nhint: tick one or several")
	}
	files, err := s.files()
	if err != nil {
		return err
	}
	here := map[string]bool{}
	for _, f := range files {
		here[f.name] = f.problem == nil
	}
	var paths []string
	for _, name := range names {
		if !here[name] {
			return noSession{name}
		}
		paths = append(paths, filepath.Join(s.dir.Name(), name))
	}
	return s.queue.do(ctx, func() error { return s.page(ctx, out, s.open, paths) })
}

// open opens a session of the directory by its path. The file may have been replaced by a link since it was listed.
func (s *site) open(path string) (*os.File, error) { return input.OpenIn(s.dir, filepath.Base(path)) }

// file is an entry of the directory.
type file struct {
	name    string
	info    fs.FileInfo
	problem error // why it is not served
}

// files returns the sessions of the directory, last changed first.
func (s *site) files() ([]file, error) {
	entries, err := fs.ReadDir(s.dir.FS(), ".")
	if err != nil {
		return nil, fmt.Errorf("reading the sessions: %w", err)
	}
	var out []file
	for _, e := range entries {
		if !strings.HasSuffix(e.Name(), session.Suffix) {
			continue
		}
		info, err := s.dir.Stat(e.Name())
		switch {
		case err == nil && info.Mode().IsRegular():
			out = append(out, file{name: e.Name(), info: info})
		case err != nil && !errors.Is(err, fs.ErrNotExist):
			if info, lerr := s.dir.Lstat(e.Name()); lerr == nil {
				out = append(out, file{e.Name(), info, err})
			}
		}
	}
	slices.SortFunc(out, func(a, b file) int {
		return cmp.Or(b.info.ModTime().Compare(a.info.ModTime()), strings.Compare(a.name, b.name))
	})
	return out, nil
}

// list writes the list of the sessions.
func (s *site) list(ctx context.Context, out io.Writer) error {
	files, err := s.files()
	if err != nil {
		return err
	}
	known := map[string]listed{}
	var lines []html.SessionLine
	for _, f := range files {
		l, err := s.listed(ctx, f)
		if err != nil {
			return err
		}
		known[f.name] = l
		lines = append(lines, l.line)
	}
	s.mu.Lock()
	s.known = known
	s.mu.Unlock()
	where, err := filepath.Abs(s.dir.Name())
	if err != nil {
		where = s.dir.Name()
	}
	return html.Index(out, where, lines)
}

// listed returns the line of a file in the list. Only a file that is not known yet waits for its turn.
func (s *site) listed(ctx context.Context, f file) (listed, error) {
	if l := s.lineOf(f); l.is(f.info) {
		return l, nil
	}
	var out listed
	err := s.queue.do(ctx, func() error {
		if out = s.lineOf(f); out.is(f.info) {
			return nil
		}
		out = listed{f.info, s.sessionLine(ctx, f)}
		if err := ctx.Err(); err != nil {
			return err
		}
		s.mu.Lock()
		defer s.mu.Unlock()
		s.known[f.name] = out
		return nil
	})
	return out, err
}

func (s *site) lineOf(f file) listed {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.known[f.name]
}

// sessionLine reads the line of a file in the list.
func (s *site) sessionLine(ctx context.Context, f file) html.SessionLine {
	out := html.SessionLine{File: f.name, Changed: f.info.ModTime().UTC().Format("2006-01-02 15:04 UTC")}
	err := f.problem
	var log *session.Log
	if err == nil {
		log, err = session.ReadBy(ctx, s.open, filepath.Join(s.dir.Name(), f.name))
	}
	if err != nil {
		out.Problem = err.Error()
		return out
	}
	for _, m := range log.Machines {
		out.Machines = append(out.Machines, m.Name)
	}
	for _, p := range log.Plans {
		out.Plans = append(out.Plans, p.Plan.Name)
	}
	out.Plans = slices.Compact(out.Plans)
	for _, t := range log.Trials {
		if t.Void != "" {
			out.Void++
		}
	}
	out.Trials = len(log.Trials)
	return out
}
