package gather

import (
	"archive/tar"
	"archive/zip"
	"bufio"
	"bytes"
	"compress/bzip2"
	"compress/gzip"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"path"
	"strings"

	"github.com/klauspost/compress/zstd"

	"plimsoll/internal/analysis/port"
)

// archiveKind is a form of archive that is looked into.
type archiveKind int

const (
	none archiveKind = iota
	zipped
	tarred
	gzipped
	bzipped
	zstandard
	xzed
)

// archiveOf recognises an archive by its first bytes.
func archiveOf(head []byte) archiveKind {
	switch {
	case bytes.HasPrefix(head, []byte("PK\x03\x04")), bytes.HasPrefix(head, []byte("PK\x05\x06")):
		return zipped
	case len(head) > 262 && string(head[257:262]) == "ustar":
		return tarred
	case bytes.HasPrefix(head, []byte("\x1f\x8b")):
		return gzipped
	case bytes.HasPrefix(head, []byte("BZh")) && len(head) > 10 && string(head[4:10]) == "1AY&SY":
		return bzipped
	case bytes.HasPrefix(head, []byte("\x28\xb5\x2f\xfd")):
		return zstandard
	case bytes.HasPrefix(head, []byte("\xfd7zXZ\x00")):
		return xzed
	}
	return none
}

// archive looks at what is in an archive.
func (r *reader) archive(kind archiveKind, name string, f source, size int64, depth int) error {
	switch {
	case depth >= r.at.Depth:
		return fmt.Errorf("%d archives deep", depth+1)
	case kind == zipped:
		return r.zip(name, f, size, depth)
	}
	plain, err := decompressed(kind, io.NewSectionReader(f, 0, size))
	if err != nil {
		return err
	}
	return r.stream(name, plain, depth)
}

// decompressed returns a reader of what a compressed file holds.
func decompressed(kind archiveKind, from io.Reader) (io.Reader, error) {
	switch kind {
	case gzipped:
		return gzip.NewReader(from)
	case bzipped:
		return bzip2.NewReader(from), nil
	case zstandard:
		return zstd.NewReader(from, zstd.WithDecoderConcurrency(1), zstd.WithDecoderMaxMemory(64<<20))
	case xzed:
		return nil, errors.New("compressed by xz, which is not read: unpack it first")
	}
	return from, nil
}

// stream looks at a decompressed file: a tar, or a single file.
func (r *reader) stream(name string, from io.Reader, depth int) error {
	in := bufio.NewReaderSize(&counted{r, from}, port.HeadBytes)
	head, err := in.Peek(port.HeadBytes)
	if err != nil && !errors.Is(err, io.EOF) {
		return err
	}
	if archiveOf(head) == tarred {
		return r.tar(name, in, depth)
	}
	inner := strings.TrimSuffix(name, path.Ext(name))
	head = bytes.Clone(head)
	if need := r.scan.Needs(inner, head); need > port.Nothing {
		if _, err := in.Discard(len(head)); err != nil {
			return err
		}
		return r.look(inner, head, in, need)
	}
	return nil
}

// errLimit is the end of what may be read.
var errLimit = errors.New("the limit of bytes is reached within it: the rest is left out")

// counted takes what is read off the limit.
type counted struct {
	r    *reader
	from io.Reader
}

func (c *counted) Read(p []byte) (int, error) {
	switch {
	case c.r.ctx.Err() != nil:
		return 0, c.r.ctx.Err()
	case c.r.at.Read <= 0:
		return 0, errLimit
	}
	n, err := c.from.Read(p)
	c.r.at.Read -= int64(n)
	return n, err
}

func (r *reader) tar(name string, from io.Reader, depth int) error {
	t := tar.NewReader(from)
	for {
		h, err := t.Next()
		if errors.Is(err, io.EOF) {
			return nil
		}
		if err != nil {
			return err
		}
		if h.Typeflag != tar.TypeReg {
			continue
		}
		if r.ctx.Err() != nil || !r.more(name) {
			return r.ctx.Err()
		}
		if err := r.member(name, h.Name, t, depth+1); errors.Is(err, errLimit) {
			return err
		}
	}
}

func (r *reader) zip(name string, f source, size int64, depth int) error {
	z, err := zip.NewReader(f, size)
	if err != nil {
		return err
	}
	for _, file := range z.File {
		if file.FileInfo().IsDir() {
			continue
		}
		if r.ctx.Err() != nil || !r.more(name) {
			return r.ctx.Err()
		}
		in, err := file.Open()
		if err != nil {
			r.leave(name+"!/"+file.Name, err)
			continue
		}
		err = r.member(name, file.Name, &counted{r, in}, depth+1)
		in.Close()
		if errors.Is(err, errLimit) {
			return err
		}
	}
	return nil
}

// member looks at a file of an archive.
func (r *reader) member(archive, file string, from io.Reader, depth int) error {
	name := archive + "!/" + path.Clean(file)
	if !fs.ValidPath(path.Clean(strings.TrimPrefix(file, "/"))) {
		r.scan.LeaveOut(name, "its path leads out of the archive")
		return nil
	}
	r.scan.Counted()
	head := make([]byte, port.HeadBytes)
	n, err := io.ReadFull(from, head)
	if err != nil && !errors.Is(err, io.EOF) && !errors.Is(err, io.ErrUnexpectedEOF) {
		r.leave(name, err)
		return err
	}
	head = head[:n]
	if kind := archiveOf(head); kind != none {
		err = r.nested(kind, name, head, from, depth)
	} else {
		err = r.look(name, head, from, r.scan.Needs(name, head))
	}
	r.leave(name, err)
	return err
}

// nested looks at an archive in another. A zip needs all of it in memory.
func (r *reader) nested(kind archiveKind, name string, head []byte, from io.Reader, depth int) error {
	whole := io.MultiReader(bytes.NewReader(head), from)
	if kind != zipped {
		if depth >= r.at.Depth {
			return fmt.Errorf("%d archives deep", depth+1)
		}
		plain, err := decompressed(kind, whole)
		if err != nil {
			return err
		}
		return r.stream(name, plain, depth)
	}
	data, err := io.ReadAll(io.LimitReader(whole, r.at.Archive+1))
	if err != nil {
		return err
	}
	if int64(len(data)) > r.at.Archive {
		return fmt.Errorf("an archive of over %d MiB in another: unpack it first", r.at.Archive>>20)
	}
	return r.archive(kind, name, bytes.NewReader(data), int64(len(data)), depth)
}
