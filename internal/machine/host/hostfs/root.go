// Package hostfs reads the kernel's files: their paths on this machine or in a fixture, and the few of /proc that
// several packages need. A source that does not exist on a machine is distinguished from one that is there and cannot
// be read (see NotHere).
package hostfs

import (
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"strconv"
	"strings"

	"golang.org/x/sys/unix"
)

// Root holds the paths of the kernel's file systems, so that tests can stand in for any machine.
type Root struct {
	Proc string
	Sys  string
	Etc  string
}

// System returns the machine that this process runs on.
func System() Root { return Root{Proc: "/proc", Sys: "/sys", Etc: "/etc"} }

// Live reports whether this is the machine that this process runs on.
func (r Root) Live() bool { return r == System() }

// ProcPath returns a path in /proc.
func (r Root) ProcPath(parts ...string) string {
	return filepath.Join(append([]string{r.Proc}, parts...)...)
}

// SysPath returns a path in /sys.
func (r Root) SysPath(parts ...string) string {
	return filepath.Join(append([]string{r.Sys}, parts...)...)
}

// Open opens a file by a path such as "proc/cpuinfo": a Root is an fs.FS of the trees proc, sys and etc.
func (r Root) Open(name string) (fs.File, error) {
	path, err := r.in("open", name)
	if err != nil {
		return nil, err
	}
	return os.Open(path)
}

// ReadFile implements fs.ReadFileFS. fs.ReadFile by Open begins with a byte, as the file's size tells, and files of
// /proc/sys end after their first read.
func (r Root) ReadFile(name string) ([]byte, error) {
	path, err := r.in("read", name)
	if err != nil {
		return nil, err
	}
	return os.ReadFile(path)
}

func (r Root) in(op, name string) (string, error) {
	tree, rest, _ := strings.Cut(name, "/")
	at := map[string]string{"proc": r.Proc, "sys": r.Sys, "etc": r.Etc}[tree]
	if at == "" {
		return "", &fs.PathError{Op: op, Path: name, Err: fs.ErrNotExist}
	}
	return filepath.Join(at, rest), nil
}

// NotHere reports whether err means that a source does not exist on this machine, as against one
// that exists and is broken. A kernel built without PSI accounting, or booted with psi=0, answers
// EOPNOTSUPP.
func NotHere(err error) bool {
	for _, absent := range []error{fs.ErrNotExist, unix.EOPNOTSUPP, unix.ENOSYS, unix.ENODEV} {
		if errors.Is(err, absent) {
			return true
		}
	}
	return false
}

// IsDir reports whether path is a directory.
func IsDir(path string) bool {
	info, err := os.Stat(path)
	return err == nil && info.IsDir()
}

// ReadText returns the text of a small file, without the space around it.
func ReadText(path string) (string, error) {
	b, err := os.ReadFile(path)
	return strings.TrimSpace(string(b)), err
}

// ReadParsed reads and parses a file; an error of the parser names the file.
func ReadParsed[T any](path string, parse func([]byte) (T, error)) (T, error) {
	b, err := os.ReadFile(path)
	if err != nil {
		var zero T
		return zero, err
	}
	v, err := parse(b)
	if err != nil {
		return v, fmt.Errorf("%s: %w", path, err)
	}
	return v, nil
}

// ReadNumber reads a file that holds one number.
func ReadNumber(path string) (int64, error) {
	text, err := ReadText(path)
	if err != nil {
		return 0, err
	}
	return strconv.ParseInt(text, 10, 64)
}

// Exists reports whether there is a file or a link at path.
func Exists(path string) bool {
	_, err := os.Lstat(path)
	return err == nil
}
