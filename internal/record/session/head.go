package session

import (
	"bufio"
	"context"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
	"syscall"

	"golang.org/x/sys/unix"
)

// Heads reads the beginnings of many session files, one after another: what lines are decoded with is made once for all
// of them. It is for one goroutine.
type Heads struct {
	batch  batch
	lines  *splitter
	parser *trialLines
}

// NewHeads returns a reader of the beginnings of files.
func NewHeads() *Heads {
	return &Heads{lines: newSplitter(nil), parser: newTrialLines()}
}

// Read reads the first bytes of a session file, at most as many as said, into a log without series. It returns how many
// bytes of the file it rests on.
func (h *Heads) Read(ctx context.Context, open Opener, path string, most int64) (*Log, int64, error) {
	r := newReader(ctx)
	f, err := open(path)
	if err != nil {
		return nil, 0, err
	}
	defer f.Close()
	head := &io.LimitedReader{R: f, N: most}
	*h.lines = splitter{r: head, buf: h.lines.buf}
	if err := r.readLines(filepath.Base(path), sizeOf(head), h); err != nil {
		return nil, 0, err
	}
	if info, err := f.Stat(); err == nil && info.Size() > most {
		r.log.uniqueNames() // an import may have its end behind
		return r.log, most - head.N, nil
	}
	return r.finish(), most - head.N, nil
}

// each implements source.
func (h *Heads) each(do func(*parsed) error) error {
	for h.batch.err = nil; h.batch.err == nil; {
		h.batch.fill(h.lines)
		for i := range h.batch.lines {
			l := &h.batch.lines[i]
			if !l.long {
				h.parser.parse(l)
			}
			if err := do(l); err != nil {
				return err
			}
		}
	}
	return h.batch.err
}

// Inode returns the inode of a file; 0 if unknown.
func Inode(info fs.FileInfo) uint64 {
	if st, ok := info.Sys().(*syscall.Stat_t); ok {
		return st.Ino
	}
	return 0
}

// Locks are the files that processes have locked as a session's writer does.
type Locks map[place]bool

// place is a file by its inode and its device, 0 if that is none of a disk's: what the kernel states there for btrfs or
// overlayfs is not what stat says.
type place struct{ dev, inode uint64 }

// Has reports whether a process writes a session.
func (l Locks) Has(info fs.FileInfo) bool {
	st, ok := info.Sys().(*syscall.Stat_t)
	return ok && (l[place{0, st.Ino}] || l[place{st.Dev, st.Ino}])
}

// Written returns the sessions that are being written. It takes no lock, which would stand in a writer's way.
func Written() Locks {
	f, err := os.Open("/proc/locks")
	if err != nil {
		return nil
	}
	defer f.Close()
	return lockedIn(f)
}

// lockedIn reads the exclusive locks of whole files from the text of /proc/locks.
func lockedIn(text io.Reader) Locks {
	out := Locks{}
	for lines := bufio.NewScanner(text); lines.Scan(); {
		// 1: FLOCK  ADVISORY  WRITE 4711 fe:00:1054 0 EOF
		fields := strings.Fields(lines.Text())
		if len(fields) < 6 || fields[1] != "FLOCK" || fields[3] != "WRITE" {
			continue
		}
		var major, minor uint32
		var at place
		if _, err := fmt.Sscanf(fields[5], "%x:%x:%d", &major, &minor, &at.inode); err != nil {
			continue
		}
		if major != 0 {
			at.dev = unix.Mkdev(major, minor)
		}
		out[at] = true
	}
	return out
}
