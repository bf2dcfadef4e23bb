package site

import (
	"encoding/json"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"syscall"
	"time"

	"plimsoll/internal/analysis/explore"
	"plimsoll/internal/base/input"
	"plimsoll/internal/record/session"
	"plimsoll/internal/run/replace"
)

// store keeps summaries between two starts, in one file. What it cannot read or write costs time alone.
type store struct {
	path    string // "": nothing is kept
	program string // what made the summaries: another program's are not used
}

type storedFile struct {
	Program string   `json:"program"`
	Entries []stored `json:"entries"`
}

// stored is an entry of the index, by the identity of its file.
type stored struct {
	Inode uint64       `json:"inode"`
	Size  int64        `json:"size"`
	Time  time.Time    `json:"time"`
	Mode  fs.FileMode  `json:"mode"`
	Kept  explore.Kept `json:"kept"`
}

// maxStored bounds the file.
const maxStored = 256 << 20

func (s store) load() map[string]*entry {
	out := map[string]*entry{}
	if s.path == "" {
		return out
	}
	text, err := input.ReadFile(s.path, maxStored)
	var all storedFile
	if err != nil || json.Unmarshal(text, &all) != nil || all.Program != s.program {
		return out
	}
	for _, e := range all.Entries {
		out[e.Kept.File.Name] = &entry{info: identity{e}, kept: e.Kept}
	}
	return out
}

func (s store) save(known map[string]*entry) {
	if s.path == "" {
		return
	}
	all := storedFile{Program: s.program}
	for _, e := range known {
		if e.kept.File.Problem == "" { // it may be gone next time
			all.Entries = append(all.Entries, stored{session.Inode(e.info), e.info.Size(), e.info.ModTime(), e.info.Mode(),
				e.kept})
		}
	}
	text, err := json.Marshal(all)
	if err != nil || len(text) > maxStored || os.MkdirAll(filepath.Dir(s.path), 0o700) != nil {
		return
	}
	s.sweep()
	_ = replace.File(s.path, 0o600, func(w io.Writer) error { // only time is lost
		_, err := w.Write(text)
		return err
	})
}

// sweep removes what earlier versions left if they were killed while they saved. Nobody takes a minute for that.
func (s store) sweep() {
	left, _ := filepath.Glob(filepath.Join(filepath.Dir(s.path), "explore-*")) // it fails for no such pattern
	for _, name := range left {
		if info, err := os.Lstat(name); err == nil && name != s.path && info.Mode().IsRegular() &&
			time.Since(info.ModTime()) > time.Minute {
			_ = os.Remove(name)
		}
	}
}

// identity is the file information of a stored entry.
type identity struct{ stored }

func (i identity) Name() string       { return i.Kept.File.Name }
func (i identity) Size() int64        { return i.stored.Size }
func (i identity) Mode() fs.FileMode  { return i.stored.Mode }
func (i identity) ModTime() time.Time { return i.Time }
func (i identity) IsDir() bool        { return false }
func (i identity) Sys() any           { return &syscall.Stat_t{Ino: i.Inode} }
