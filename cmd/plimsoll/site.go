package main

import (
	"bytes"
	"cmp"
	"context"
	"fmt"
	"io"
	"net"
	"net/http"
	"net/netip"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"sync"
	"time"

	"plimsoll/internal/media/html"
	"plimsoll/internal/render"
	"plimsoll/internal/session"
	"plimsoll/internal/usage"
)

// sessionSuffix is the suffix of session files, as named by `run`.
const sessionSuffix = ".plimsoll.jsonl"

// site serves the pages of a directory's sessions.
type site struct {
	app     *app
	dir     string
	options reportOptions
	local   bool // reachable from this machine only

	mu    sync.Mutex // one page at a time: a session may be large
	known map[string]listed
}

// listed caches the line of a file in the list while the file is unchanged.
type listed struct {
	size    int64
	changed time.Time
	line    html.SessionLine
}

// ServeHTTP implements http.Handler.
func (s *site) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	w.Header().Set("Cache-Control", "no-store")
	w.Header().Set("X-Content-Type-Options", "nosniff")
	switch {
	case r.Method != http.MethodGet && r.Method != http.MethodHead:
		w.Header().Set("Allow", "GET, HEAD")
		http.Error(w, "method not allowed", http.StatusMethodNotAllowed)
	case s.local && !ownName(r.Host):
		// Guards against DNS rebinding: a foreign page's host name could resolve to this machine.
		http.Error(w, fmt.Sprintf("unexpected Host header %q", r.Host), http.StatusForbidden)
	case r.URL.Path == "/":
		s.answer(w, r, func(out io.Writer) error { return s.index(r.Context(), out) })
	case r.URL.Path == "/report":
		s.answer(w, r, func(out io.Writer) error { return s.report(r.Context(), out, r.URL.Query()["file"]) })
	default:
		http.NotFound(w, r)
	}
}

// ownName reports whether a request's Host is a name that only this machine uses for itself.
func ownName(host string) bool {
	if name, _, err := net.SplitHostPort(host); err == nil {
		host = name
	}
	ip, err := netip.ParseAddr(strings.Trim(host, "[]"))
	return host == "localhost" || err == nil && ip.IsLoopback()
}

// noSession reports a file that is not in the list.
type noSession struct{ name string }

func (e noSession) Error() string { return fmt.Sprintf("no session %q in the list", e.name) }

// made renders a whole page before sending it, so that an error can replace it. It skips pages nobody waits for any
// more.
func (s *site) made(ctx context.Context, page func(io.Writer) error) ([]byte, error) {
	s.mu.Lock()
	defer s.mu.Unlock()
	if err := ctx.Err(); err != nil {
		return nil, err
	}
	var out bytes.Buffer
	err := page(&out)
	return out.Bytes(), err
}

func (s *site) answer(w http.ResponseWriter, r *http.Request, page func(io.Writer) error) {
	text, err := s.made(r.Context(), page)
	if err != nil {
		status := http.StatusInternalServerError
		switch {
		case is[noSession](err):
			status = http.StatusNotFound
		case usage.Is(err), is[noTrialError](err):
			status = http.StatusBadRequest
		}
		http.Error(w, err.Error(), status)
		return
	}
	w.Header().Set("Content-Type", "text/html; charset=utf-8")
	_, _ = w.Write(text) // the client may be gone
}

// report returns the page of selected sessions.
func (s *site) report(ctx context.Context, out io.Writer, names []string) error {
	if len(names) == 0 {
		return usagef("no session is chosen\nhint: tick one or several")
	}
	files, err := s.files()
	if err != nil {
		return err
	}
	var paths []string
	for _, name := range names {
		if !slices.ContainsFunc(files, func(f os.FileInfo) bool { return f.Name() == name }) {
			return noSession{name}
		}
		paths = append(paths, filepath.Join(s.dir, name))
	}
	p, err := s.app.reportPage(ctx, s.options, paths)
	if err != nil {
		return err
	}
	return render.Report(out, p)
}

// files returns the sessions of the directory, last changed first.
func (s *site) files() ([]os.FileInfo, error) {
	entries, err := os.ReadDir(s.dir)
	if err != nil {
		return nil, fmt.Errorf("reading the sessions: %w", err)
	}
	var out []os.FileInfo
	for _, e := range entries {
		if !strings.HasSuffix(e.Name(), sessionSuffix) {
			continue
		}
		if info, err := os.Stat(filepath.Join(s.dir, e.Name())); err == nil && info.Mode().IsRegular() {
			out = append(out, info)
		}
	}
	slices.SortFunc(out, func(a, b os.FileInfo) int {
		return cmp.Or(b.ModTime().Compare(a.ModTime()), strings.Compare(a.Name(), b.Name()))
	})
	return out, nil
}

// index lists the sessions.
func (s *site) index(ctx context.Context, out io.Writer) error {
	files, err := s.files()
	if err != nil {
		return err
	}
	known := map[string]listed{}
	var lines []html.SessionLine
	for _, f := range files {
		l, ok := s.known[f.Name()]
		if !ok || l.line.Problem != "" || l.size != f.Size() || !l.changed.Equal(f.ModTime()) {
			l = listed{f.Size(), f.ModTime(), sessionLine(ctx, filepath.Join(s.dir, f.Name()), f)}
		}
		if err := ctx.Err(); err != nil {
			return err
		}
		known[f.Name()] = l
		lines = append(lines, l.line)
	}
	s.known = known
	where, err := filepath.Abs(s.dir)
	if err != nil {
		where = s.dir
	}
	return html.Index(out, where, lines)
}

// sessionLine returns the line of a file in the list.
func sessionLine(ctx context.Context, path string, f os.FileInfo) html.SessionLine {
	out := html.SessionLine{File: f.Name(), Changed: f.ModTime().UTC().Format("2006-01-02 15:04 UTC")}
	log, err := session.ReadContext(ctx, path)
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
