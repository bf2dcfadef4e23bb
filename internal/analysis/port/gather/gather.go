// Package gather reads folders, archives and lists for package port, within bounds: what is beyond them is left out and
// said.
package gather

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path/filepath"

	"plimsoll/internal/analysis/port"
	"plimsoll/internal/base/input"
	"plimsoll/internal/base/usage"
	"plimsoll/internal/record/figure"
)

// Limits bound what is read.
type Limits struct {
	File    int64 // bytes of one text
	Archive int64 // bytes of an archive in another, which are held in memory
	Read    int64 // bytes in all, as they are after decompression
	Files   int
	Depth   int // archives in archives
}

// Usual returns the limits of the command.
func Usual() Limits {
	return Limits{File: 16 << 20, Archive: 256 << 20, Read: 4 << 30, Files: 500_000, Depth: 4}
}

// Report returns what stands in the way of arm64 in a folder, an archive, an image or a list.
func Report(ctx context.Context, name string) (port.Report, error) {
	whole, err := filepath.Abs(name)
	if err != nil {
		return port.Report{}, err
	}
	scan := port.NewScan(filepath.Base(whole))
	if err := Read(ctx, scan, name, Usual()); err != nil {
		return port.Report{}, err
	}
	return scan.Report(), nil
}

// reader gives files to a scan.
type reader struct {
	ctx  context.Context
	scan *port.Scan
	at   Limits // what is left
	full bool   // a limit was reached and said
}

// Read reads a folder, an archive, an image or a list into a scan.
func Read(ctx context.Context, scan *port.Scan, name string, limits Limits) error {
	info, err := os.Stat(name)
	if err != nil {
		return unreadable(name, err)
	}
	r := &reader{ctx: ctx, scan: scan, at: limits}
	switch {
	case info.IsDir():
		err = r.folder(name)
	case info.Mode().IsRegular():
		err = r.given(name, info.Size())
	default:
		return usage.Errorf("%s is neither a folder nor a file\nhint: plimsoll port DIR", name)
	}
	if err != nil && ctx.Err() == nil {
		return unreadable(name, err)
	}
	return err
}

func unreadable(name string, err error) error {
	var detail *fs.PathError
	if errors.As(err, &detail) {
		err = detail.Err
	}
	return usage.Errorf("reading %s: %w\nhint: plimsoll port takes a folder, an archive, an image as docker save writes "+
		"it, or a list of packages", name, err)
}

// folder reads the files below a folder. Links are not followed, so that no loop is entered and nothing outside is
// read.
func (r *reader) folder(dir string) error {
	root, err := os.OpenRoot(dir)
	if err != nil {
		return err
	}
	defer root.Close()
	links := 0
	err = fs.WalkDir(root.FS(), ".", func(name string, d fs.DirEntry, err error) error {
		switch {
		case r.ctx.Err() != nil:
			return r.ctx.Err()
		case err != nil && name == ".":
			return err
		case err != nil:
			r.leave(name, err)
			return nil
		case d.IsDir() && (d.Name() == ".git" || d.Name() == ".hg" || d.Name() == ".svn"):
			return fs.SkipDir
		case d.Type()&fs.ModeSymlink != 0:
			links++
			return nil
		case d.IsDir():
			return nil
		case !d.Type().IsRegular():
			r.scan.LeaveOut(name, "neither a file nor a folder")
			return nil
		}
		if !r.more(name) {
			return fs.SkipAll
		}
		r.leave(name, r.one(root, name))
		return nil
	})
	if links > 0 {
		r.scan.LeaveOut(".", figure.Count(links, "symbolic link")+" not followed")
	}
	return err
}

// one reads a file of a folder.
func (r *reader) one(root *os.Root, name string) error {
	f, err := input.OpenIn(root, name)
	if err != nil {
		return err
	}
	defer f.Close()
	info, err := f.Stat()
	if err != nil {
		return err
	}
	return r.file(name, f, info.Size(), 0, false)
}

// given reads the file that is named on the command line.
func (r *reader) given(name string, size int64) error {
	f, err := input.Open(name)
	if err != nil {
		return err
	}
	defer f.Close()
	return r.file(filepath.Base(name), f, size, 0, true)
}

// leave notes why a file could not be read, if it could not.
func (r *reader) leave(name string, err error) {
	var detail *fs.PathError
	if errors.As(err, &detail) {
		err = detail.Err
	}
	if err != nil && r.ctx.Err() == nil {
		r.scan.LeaveOut(name, err.Error())
	}
}

// more reports whether the limits allow another file, and says once if they do not.
func (r *reader) more(name string) bool {
	if r.full {
		return false
	}
	if r.at.Files > 0 && r.at.Read > 0 {
		r.at.Files--
		return true
	}
	r.full = true
	r.scan.LeaveOut(name, "this and all that follows: the limit of files or bytes is reached; judge folders below apart")
	return false
}

// source is a file on disk or in memory.
type source interface {
	io.Reader
	io.ReaderAt
}

// file looks at a file that is not in an archive, or at one in an archive that is held in memory.
func (r *reader) file(name string, f source, size int64, depth int, given bool) error {
	r.scan.Counted()
	head := make([]byte, port.HeadBytes)
	n, err := f.ReadAt(head, 0)
	if err != nil && !errors.Is(err, io.EOF) {
		return err
	}
	head = head[:n]
	r.at.Read -= int64(n)
	if kind := archiveOf(head); kind != none {
		return r.archive(kind, name, f, size, depth)
	}
	need := r.scan.Needs(name, head)
	if given && need == port.Nothing {
		return errors.New("no folder, archive or image, and no list of packages by its name")
	}
	return r.look(name, head, io.NewSectionReader(f, int64(n), max(size-int64(n), 0)), need)
}

// look gives as much of a file to the scan as is needed; rest follows its head.
func (r *reader) look(name string, head []byte, rest io.Reader, need port.Need) error {
	data := head
	switch need {
	case port.Nothing:
		return nil
	case port.Whole:
		more, err := io.ReadAll(io.LimitReader(rest, r.at.File+1))
		r.at.Read -= int64(len(more))
		if err != nil {
			return err
		}
		if int64(len(more)) > r.at.File {
			return fmt.Errorf("over %d MiB, which is no source", r.at.File>>20)
		}
		data = append(bytes.Clone(head), more...)
	}
	r.scan.Look(port.File{Path: name, Data: data})
	return nil
}
