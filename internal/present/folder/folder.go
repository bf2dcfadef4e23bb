// Package folder reads the sessions of directories as summaries, on all CPUs.
package folder

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"runtime"
	"strings"
	"sync"
	"syscall"
	"time"

	"plimsoll/internal/analysis/explore"
	"plimsoll/internal/base/input"
	"plimsoll/internal/base/list"
	"plimsoll/internal/base/usage"
	"plimsoll/internal/record"
	"plimsoll/internal/record/session"
)

// maxAtOnce bounds the bytes that are read at once, but for one file.
const maxAtOnce = 16 << 20

// File is a session file of a directory.
type File struct {
	Name    string // what it is called in messages and documents
	Path    string // that opens it
	Info    fs.FileInfo
	Problem error // why it is not read, or could not be
}

// Of returns what the directory tells of a file that has not been read.
func Of(f File, written session.Locks) explore.File {
	changed := f.Info.ModTime().UTC().Format(time.RFC3339)
	return explore.File{Name: f.Name, Bytes: f.Info.Size(), Changed: changed, Running: written.Has(f.Info), Unread: true}
}

// Reader reads the summaries of files.
type Reader struct {
	Open   session.Opener
	TypeOf func(record.Machine) string // instance type; nil: not stated
	Most   int64                       // bytes of a file that are read; 0: all
}

// Read hands the summaries of files to put as they come, on all CPUs at once, each with its Problem. It stops with the
// context.
func (r Reader) Read(ctx context.Context, files []File, written session.Locks,
	put func(f File, kept explore.Kept, took time.Duration)) {
	todo := make(chan File)
	room := make(chan struct{}, 1) // for a large file
	var all sync.WaitGroup
	for range runtime.GOMAXPROCS(0) {
		all.Go(func() {
			heads := session.NewHeads()
			for f := range todo {
				large := f.Info.Size() > maxAtOnce
				if large {
					room <- struct{}{}
				}
				began := time.Now()
				kept, err := r.one(ctx, heads, f, written)
				f.Problem = err
				put(f, kept, time.Since(began))
				if large {
					<-room
				}
			}
		})
	}
	for _, f := range files {
		if ctx.Err() == nil {
			todo <- f
		}
	}
	close(todo)
	all.Wait()
}

// one reads the summary of a file. The error is in the summary, too.
func (r Reader) one(ctx context.Context, heads *session.Heads, f File, written session.Locks) (explore.Kept, error) {
	kept := explore.Kept{File: Of(f, written)}
	kept.File.Unread = false
	err := f.Problem
	if err == nil {
		most := f.Info.Size()
		if r.Most > 0 {
			most = min(r.Most, most)
		}
		var log *session.Log
		log, kept.File.Read, err = heads.Read(ctx, r.Open, f.Path, most)
		if err == nil {
			kept.Summary = explore.Summarize(explore.Input{Machines: log.Machines, Plans: log.Plans, Trials: log.Trials,
				Ends: log.Ends, TypeOf: r.TypeOf})
			kept.File.Torn, kept.File.Bad, kept.File.Cut = log.Torn, log.Bad, log.Cut
		}
	}
	if err != nil {
		kept.File.Problem = err.Error()
	}
	return kept, err
}

// Below returns the summaries of the sessions of directories and those below them, and of files.
func Below(ctx context.Context, paths []string, typeOf func(record.Machine) string) ([]explore.Kept, error) {
	var files []File
	for _, path := range paths {
		found, err := below(path)
		if err != nil {
			return nil, err
		}
		files = append(files, found...)
	}
	files = once(files)
	var mu sync.Mutex
	out := make([]explore.Kept, 0, len(files))
	Reader{Open: input.Open, TypeOf: typeOf}.Read(ctx, files, session.Written(),
		func(_ File, k explore.Kept, _ time.Duration) {
			mu.Lock()
			defer mu.Unlock()
			out = append(out, k)
		})
	return out, ctx.Err()
}

// below returns the sessions of a directory and those below it. Links to directories are not followed.
func below(path string) ([]File, error) {
	info, err := os.Stat(path)
	if err != nil {
		return nil, usage.Errorf("%w\nhint: plimsoll history DIR, with DIR containing session files", err)
	}
	if !info.IsDir() {
		return []File{{Name: path, Path: path, Info: info}}, nil
	}
	var out []File
	err = filepath.WalkDir(path, func(at string, d fs.DirEntry, err error) error {
		switch {
		case err != nil && at == path:
			return err
		case err != nil:
			out = append(out, File{Name: at, Path: at, Info: info, Problem: err})
		case !d.IsDir() && strings.HasSuffix(at, session.Suffix):
			if f, ok := fileAt(at); ok {
				out = append(out, f)
			}
		}
		return nil
	})
	if err != nil {
		return nil, fmt.Errorf("reading the sessions: %w", err)
	}
	return out, nil
}

// fileAt returns a file by its path; false if it has gone since it was listed.
func fileAt(path string) (File, bool) {
	info, err := os.Stat(path)
	if errors.Is(err, fs.ErrNotExist) {
		err = errors.New("leads nowhere")
	}
	if err != nil {
		var gone error
		if info, gone = os.Lstat(path); gone != nil {
			return File{}, false
		}
	}
	return File{Name: path, Path: path, Info: info, Problem: err}, true
}

// once returns files without those that are another one's by a link or were given twice.
func once(files []File) []File {
	type place struct{ device, inode uint64 }
	seen := map[place]bool{}
	return list.Filter(files, func(f File) bool {
		st, ok := f.Info.Sys().(*syscall.Stat_t)
		if !ok || f.Problem != nil {
			return true
		}
		at := place{st.Dev, st.Ino}
		first := !seen[at]
		seen[at] = true
		return first
	})
}

// Names returns the names of the files of sessions.
func Names(kept []explore.Kept) []string {
	return list.Map(kept, func(k explore.Kept) string { return k.File.Name })
}
