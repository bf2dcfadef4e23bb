// Package host reads what a Linux machine is and what happens on it: its
// fingerprint, what disturbed it while something was measured, and the CPU
// time of each role. A source is a file of this package with a pure parser;
// a source that does not exist on a machine is told apart from one that is
// there and cannot be read (see NotHere).
package host

import (
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
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

func (r Root) live() bool { return r == System() }

func (r Root) proc(parts ...string) string {
	return filepath.Join(append([]string{r.Proc}, parts...)...)
}

func (r Root) sys(parts ...string) string {
	return filepath.Join(append([]string{r.Sys}, parts...)...)
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

func isDir(path string) bool {
	info, err := os.Stat(path)
	return err == nil && info.IsDir()
}

func readText(path string) (string, error) {
	b, err := os.ReadFile(path)
	return strings.TrimSpace(string(b)), err
}

func readParsed[T any](path string, parse func([]byte) (T, error)) (T, error) {
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
