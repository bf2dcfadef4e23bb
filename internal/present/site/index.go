package site

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
	"sync"
	"time"

	"plimsoll/internal/analysis/explore"
	"plimsoll/internal/base/input"
	"plimsoll/internal/present/folder"
	"plimsoll/internal/record"
	"plimsoll/internal/record/session"
)

const (
	// maxHead bounds what is read of a file for the table, and with it time and memory: a session may have gigabytes.
	maxHead = 64 << 20
	// restFor is how many times the time that a file took passes before it is read again, if it grows.
	restFor = 5
	// retry is the least time after which a file that could not be read is read again.
	retry = time.Second
)

// index keeps a summary of each session of a directory while the file is unchanged. Files are read in the background.
type index struct {
	ctx    context.Context
	dir    *directory
	typeOf func(record.Machine) string
	open   session.Opener

	mu       sync.Mutex
	known    map[string]*entry
	revision int64
	gone     map[string]int64 // files that are gone, with the revision
	reading  chan struct{}    // closed when the files that were to be read have been; nil: nothing is being read
	left     int              // files that are still to be read
	cached   bool             // the kept summaries have been looked for
	unsaved  bool             // what the store keeps has changed
	store    store

	background sync.WaitGroup // reads files and keeps their summaries
}

// entry is what is known of a file.
type entry struct {
	info     fs.FileInfo
	kept     explore.Kept
	revision int64
	read     time.Time     // when it was read
	took     time.Duration // to read it
	failed   bool          // the machine could not read it: input.Failed
}

// rested reports whether a file may be read again.
func (e *entry) rested() bool {
	rest := restFor * e.took
	if e.failed {
		rest = max(rest, retry)
	}
	return time.Since(e.read) > rest
}

// is reports whether info is of the same file, unchanged.
func (e *entry) is(info fs.FileInfo) bool {
	return e != nil && e.info != nil && e.info.Size() == info.Size() && e.info.ModTime().Equal(info.ModTime()) &&
		e.info.Mode() == info.Mode() && session.Inode(e.info) == session.Inode(info)
}

// files returns the sessions of a directory and of those below it, last changed first. Hidden directories are left out.
func files(dir *os.Root) ([]folder.File, error) {
	var out []folder.File
	err := fs.WalkDir(dir.FS(), ".", func(name string, e fs.DirEntry, err error) error {
		switch {
		case err != nil && name == ".":
			return err
		case err != nil:
			return fs.SkipDir // it has gone, or is not ours to read
		case e.IsDir() && name != "." && strings.HasPrefix(e.Name(), "."):
			return fs.SkipDir
		case e.IsDir() || !strings.HasSuffix(name, session.Suffix):
			return nil
		}
		info, err := dir.Stat(name)
		switch {
		case err == nil && info.Mode().IsRegular():
			out = append(out, folder.File{Name: name, Path: filepath.Join(dir.Name(), name), Info: info})
		case err != nil && !errors.Is(err, fs.ErrNotExist):
			if info, lerr := dir.Lstat(name); lerr == nil {
				out = append(out, folder.File{Name: name, Info: info, Problem: err})
			}
		}
		return nil
	})
	if err != nil {
		return nil, fmt.Errorf("reading the sessions: %w\nhint: is %s still there? it is served again once it is", err,
			dir.Name())
	}
	slices.SortFunc(out, func(a, b folder.File) int {
		return cmp.Or(b.Info.ModTime().Compare(a.Info.ModTime()), strings.Compare(a.Name, b.Name))
	})
	return out, nil
}

// refresh brings the index up to date with the directory, and waits for that as long as ctx or patience last.
func (x *index) refresh(ctx context.Context, patience time.Duration) error {
	enough := time.After(patience)
	for whole := false; !whole; {
		here, err := files(x.dir.now())
		if err != nil {
			return err
		}
		var done <-chan struct{}
		done, whole = x.begin(here, session.Written())
		select {
		case <-done:
		case <-ctx.Done():
			return ctx.Err()
		case <-enough:
			return nil
		}
	}
	return nil
}

// begin notes what the directory has, and begins to read what is new. The channel is closed when that has been read;
// what came after an earlier reading began is left to the next one, and whole is false.
func (x *index) begin(here []folder.File, written session.Locks) (read <-chan struct{}, whole bool) {
	x.mu.Lock()
	defer x.mu.Unlock()
	if !x.cached {
		x.cached = true
		x.known = x.store.load()
		for _, e := range x.known {
			x.revision++
			e.revision = x.revision
		}
	}
	x.forget(here)
	var stale []folder.File
	for _, f := range here {
		e := x.known[f.Name]
		running := written.Has(f.Info)
		switch {
		case !e.is(f.Info) || e.failed:
			if e == nil { // listed at once, also if an earlier reading takes long
				x.revision++
				x.known[f.Name] = &entry{revision: x.revision, kept: explore.Kept{File: folder.Of(f, written)}}
				delete(x.gone, f.Name)
			}
			if e == nil || e.rested() {
				stale = append(stale, f)
			}
		case e.kept.File.Running != running:
			x.revision++
			changed := *e
			changed.kept.File.Running, changed.revision = running, x.revision
			x.known[f.Name] = &changed
		}
	}
	if x.reading != nil {
		return x.reading, false
	}
	done := make(chan struct{})
	if len(stale) == 0 {
		close(done)
		return done, true
	}
	x.reading, x.left = done, len(stale)
	x.background.Go(func() { x.read(stale, written, done) })
	return done, true
}

// forget drops the files that are gone.
func (x *index) forget(here []folder.File) {
	names := make(map[string]bool, len(here))
	for _, f := range here {
		names[f.Name] = true
	}
	for name := range x.known {
		if !names[name] {
			x.revision++
			x.gone[name] = x.revision
			delete(x.known, name)
		}
	}
}

// read summarizes files in the background.
func (x *index) read(stale []folder.File, written session.Locks, done chan struct{}) {
	r := folder.Reader{Open: x.open, TypeOf: x.typeOf, Most: maxHead}
	r.Read(x.ctx, stale, written, x.put)
	x.mu.Lock()
	x.reading, x.left = nil, 0
	known := make(map[string]*entry, len(x.known))
	for name, e := range x.known {
		if e.info != nil { // else it appeared during this reading, and is not read
			known[name] = e
		}
	}
	unsaved := x.unsaved && x.ctx.Err() == nil
	x.unsaved = false
	x.mu.Unlock()
	close(done)
	if unsaved {
		x.store.save(known)
	}
}

func (x *index) put(f folder.File, kept explore.Kept, took time.Duration) {
	x.mu.Lock()
	defer x.mu.Unlock()
	x.left--
	failed := input.Failed(f.Problem)
	if was := x.known[f.Name]; !failed || was == nil || !was.failed || was.kept.File != kept.File {
		x.revision++
	}
	x.known[f.Name] = &entry{info: f.Info, kept: kept, revision: x.revision, read: time.Now(), took: took, failed: failed}
	x.unsaved = x.unsaved || kept.File.Problem == ""
}

// kept returns what is known of all sessions, last changed first, and how many files are still to be read.
func (x *index) kept() (all []explore.Kept, pending int) {
	x.mu.Lock()
	defer x.mu.Unlock()
	for _, e := range x.known {
		all = append(all, e.kept)
	}
	slices.SortFunc(all, func(a, b explore.Kept) int {
		return cmp.Or(strings.Compare(b.File.Changed, a.File.Changed), strings.Compare(a.File.Name, b.File.Name))
	})
	return all, x.left
}

// since returns the rows that have changed since a revision; all from 0 on.
func (x *index) since(revision int64) explore.SessionsDocument {
	x.mu.Lock()
	defer x.mu.Unlock()
	whole := revision <= 0 || revision > x.revision
	out := explore.SessionsDocument{Format: explore.Format, Revision: x.revision, Pending: x.left, Whole: whole,
		Rows: []explore.Row{}, Gone: []string{}}
	var changed []*entry
	for name, e := range x.known {
		if whole || e.revision > revision {
			changed = append(changed, e)
			if !whole {
				out.Gone = append(out.Gone, name)
			}
		}
	}
	for name, at := range x.gone {
		if !whole && at > revision {
			out.Gone = append(out.Gone, name)
		}
	}
	slices.Sort(out.Gone)
	slices.SortFunc(changed, func(a, b *entry) int {
		return cmp.Or(strings.Compare(b.kept.File.Changed, a.kept.File.Changed),
			strings.Compare(a.kept.File.Name, b.kept.File.Name))
	})
	for _, e := range changed {
		out.Rows = append(out.Rows, explore.Rows(e.kept.File, e.kept.Summary)...)
	}
	return out
}
