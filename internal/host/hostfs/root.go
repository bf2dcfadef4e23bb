// Package hostfs reads the kernel's files: where they are on this machine or in a fixture, their common forms, and the few of /proc that
// several packages need. A source that does not exist on a machine is told apart from one that is there and cannot be read (see NotHere).
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

// Root says where the kernel's file systems are, so that tests can stand in
// for any machine.
type Root struct {
	Proc string
	Sys  string
	Etc  string
}

// System is the machine that this process runs on.
func System() Root { return Root{Proc: "/proc", Sys: "/sys", Etc: "/etc"} }

func (r Root) Live() bool { return r == System() }

func (r Root) ProcPath(parts ...string) string {
	return filepath.Join(append([]string{r.Proc}, parts...)...)
}

func (r Root) SysPath(parts ...string) string {
	return filepath.Join(append([]string{r.Sys}, parts...)...)
}

// Open opens a file by a path such as "proc/cpuinfo": a Root is an fs.FS of the trees proc, sys and etc.
func (r Root) Open(name string) (fs.File, error) {
	tree, rest, _ := strings.Cut(name, "/")
	at := map[string]string{"proc": r.Proc, "sys": r.Sys, "etc": r.Etc}[tree]
	if at == "" {
		return nil, &fs.PathError{Op: "open", Path: name, Err: fs.ErrNotExist}
	}
	return os.Open(filepath.Join(at, rest))
}

// NotHere reports whether err says that a source does not exist on this
// machine, as against one that exists and is broken. A kernel built without
// PSI accounting, or booted with psi=0, answers EOPNOTSUPP.
func NotHere(err error) bool {
	for _, absent := range []error{fs.ErrNotExist, unix.EOPNOTSUPP, unix.ENOSYS, unix.ENODEV} {
		if errors.Is(err, absent) {
			return true
		}
	}
	return false
}

func IsDir(path string) bool {
	info, err := os.Stat(path)
	return err == nil && info.IsDir()
}

func ReadText(path string) (string, error) {
	b, err := os.ReadFile(path)
	return strings.TrimSpace(string(b)), err
}

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

func ReadNumber(path string) (int64, error) {
	text, err := ReadText(path)
	if err != nil {
		return 0, err
	}
	return strconv.ParseInt(text, 10, 64)
}

func Exists(path string) bool {
	_, err := os.Lstat(path)
	return err == nil
}
