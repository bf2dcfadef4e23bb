package gather

import (
	"bytes"
	"cmp"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"plimsoll/internal/base/input"
	"plimsoll/internal/base/usage"
)

// Limits of a folder, far above those of any collection of results.
const (
	maxFiles = 20_000
	maxDepth = 16
)

// walk returns the regular files of a folder and of those below, without hidden ones, in natural order. It follows no
// links.
func walk(root string) ([]string, error) {
	var out []string
	err := filepath.WalkDir(root, func(path string, d fs.DirEntry, err error) error {
		if err != nil {
			return err
		}
		hidden := path != root && strings.HasPrefix(d.Name(), ".")
		switch {
		case d.IsDir() && (hidden || depth(root, path) > maxDepth):
			return fs.SkipDir
		case !d.Type().IsRegular() || hidden:
			return nil
		case len(out) == maxFiles:
			return usage.Errorf("%s: over %d files\nhint: give the folders that hold results", root, maxFiles)
		}
		out = append(out, path)
		return nil
	})
	if err != nil {
		return nil, unreadable(err)
	}
	slices.SortFunc(out, natural)
	return out, nil
}

func depth(root, path string) int {
	below, err := filepath.Rel(root, path)
	if err != nil {
		return 0
	}
	return strings.Count(below, string(filepath.Separator))
}

// natural orders names with numbers by these: run2 before run10.
func natural(a, b string) int {
	for a != "" && b != "" {
		x, restA := leading(a)
		y, restB := leading(b)
		if n := cmp.Or(compareRuns(x, y), cmp.Compare(x, y)); n != 0 {
			return n
		}
		a, b = restA, restB
	}
	return cmp.Compare(len(a), len(b))
}

// compareRuns compares two runs of digits as numbers; 0 if one of them is none.
func compareRuns(x, y string) int {
	if !isDigit(x[0]) || !isDigit(y[0]) {
		return 0
	}
	x, y = strings.TrimLeft(x, "0"), strings.TrimLeft(y, "0")
	return cmp.Or(cmp.Compare(len(x), len(y)), cmp.Compare(x, y))
}

// leading splits a text behind its first run of digits, or of none.
func leading(text string) (run, rest string) {
	at := strings.IndexFunc(text, func(r rune) bool { return (r >= '0' && r <= '9') != isDigit(text[0]) })
	if at < 0 {
		return text, ""
	}
	return text[:at], text[at:]
}

func isDigit(c byte) bool { return c >= '0' && c <= '9' }

func isFolder(err error) bool {
	var no *input.NoFile
	return errors.As(err, &no) && no.Mode.IsDir()
}

func isFile(path string) bool {
	st, err := os.Stat(path)
	return err == nil && st.Mode().IsRegular()
}

// unreadable returns the error of opening or reading a file.
func unreadable(err error) error {
	if usage.Is(err) {
		return err
	}
	err = fmt.Errorf("importing: %w", err)
	if errors.Is(err, fs.ErrNotExist) {
		return usage.With(err, "plimsoll import PATH... reads files, and all results in folders")
	}
	return input.Wrap(err)
}

// several are open files that are read as one.
type several []*os.File

func (s several) Close() error {
	var errs []error
	for _, file := range s {
		errs = append(errs, file.Close())
	}
	return errors.Join(errs...)
}

// joined returns a reader of all files; a line ends between two.
func (s several) joined() io.ReadCloser {
	var parts []io.Reader
	for i, file := range s {
		if i > 0 {
			parts = append(parts, strings.NewReader("\n"))
		}
		parts = append(parts, unmarked(file, i))
	}
	return struct {
		io.Reader
		io.Closer
	}{io.MultiReader(parts...), s}
}

// unmarked returns a file that is read behind others without its byte order mark; that of the first is its reader's.
func unmarked(file io.Reader, i int) io.Reader {
	if i == 0 {
		return file
	}
	text, err := input.Text(file)
	if err != nil {
		return failing{err}
	}
	return text
}

// peeked is an input whose head was read already.
type peeked struct {
	io.Reader
	head []byte
}

func newPeeked(r io.Reader) peeked {
	head, err := io.ReadAll(io.LimitReader(r, headBytes))
	rest := r
	if err != nil {
		rest = failing{err}
	}
	return peeked{io.MultiReader(bytes.NewReader(head), rest), head}
}

// failing repeats an error of the head.
type failing struct{ err error }

func (f failing) Read([]byte) (int, error) { return 0, f.err }
