package database

import (
	"context"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path/filepath"

	"golang.org/x/sys/unix"
)

// The ways of copying data.
const (
	copiedReflink = "reflink" // blocks are shared until they are written
	copiedWhole   = "copy"
)

// copyTree copies a directory to a new one, and returns how: by reflink if the file system supports it, else byte by
// byte.
func copyTree(ctx context.Context, from, to string) (string, error) {
	c := copier{ctx: ctx, clones: true}
	err := filepath.WalkDir(from, func(path string, d fs.DirEntry, err error) error {
		if err != nil {
			return err
		}
		rel, err := filepath.Rel(from, path)
		if err != nil {
			return err
		}
		return c.add(path, filepath.Join(to, rel), d)
	})
	switch {
	case err != nil:
		return "", fmt.Errorf("copy the data: %w", err)
	case c.clones:
		return copiedReflink, nil
	}
	return copiedWhole, nil
}

// copier copies files.
type copier struct {
	ctx    context.Context
	clones bool // every file so far
}

func (c *copier) add(from, to string, d fs.DirEntry) error {
	info, err := d.Info()
	if err != nil {
		return err
	}
	switch {
	case d.IsDir():
		return os.Mkdir(to, info.Mode().Perm())
	case !info.Mode().IsRegular():
		return fmt.Errorf("%s is neither a file nor a directory", from)
	}
	return c.file(from, to, info)
}

func (c *copier) file(from, to string, info fs.FileInfo) (err error) {
	in, err := os.Open(from)
	if err != nil {
		return err
	}
	defer in.Close()
	out, err := os.OpenFile(to, os.O_CREATE|os.O_EXCL|os.O_WRONLY, info.Mode().Perm())
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, out.Close()) }()
	if info.Size() == 0 || c.clones && unix.IoctlFileClone(int(out.Fd()), int(in.Fd())) == nil {
		return nil
	}
	c.clones = false
	return c.bytes(out, in)
}

// piece is the number of bytes copied between checks of the context.
const piece = 64 << 20

// bytes copies by copy_file_range(2), or by reading and writing if that is refused.
func (c *copier) bytes(out, in *os.File) error {
	for {
		_, err := io.CopyN(out, in, piece)
		if errors.Is(err, io.EOF) {
			return nil
		}
		if err = errors.Join(err, c.ctx.Err()); err != nil {
			return err
		}
	}
}

// clones reports whether files of one directory can be cloned into another, without leaving a trace.
func clones(from, to string) bool {
	in, err := nameless(from)
	if err != nil {
		return false
	}
	defer in.Close()
	out, err := nameless(to)
	if err != nil {
		return false
	}
	defer out.Close()
	_, err = in.Write(make([]byte, 4096))
	return err == nil && unix.IoctlFileClone(int(out.Fd()), int(in.Fd())) == nil
}

// nameless returns an unnamed file, which disappears once it is closed.
func nameless(dir string) (*os.File, error) {
	return os.OpenFile(dir, os.O_RDWR|unix.O_TMPFILE, 0o600)
}
