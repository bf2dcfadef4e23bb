package session

import (
	"cmp"
	"errors"
	"fmt"
	"io/fs"
	"strings"
	"time"
)

// maxSameSecond bounds the sessions of one directory that begin in one second.
const maxSameSecond = 100

// CreateNamed creates a session in the working directory, named after machine and time, and numbered if several begin
// in one second. It returns its path too, also with an error.
func CreateNamed(machine string, at time.Time) (w *Writer, path string, err error) {
	name := base(machine, at)
	for n := 1; ; n++ {
		if path = name + Suffix; n > 1 {
			path = fmt.Sprintf("%s-%d%s", name, n, Suffix)
		}
		if w, err = Create(path); n == maxSameSecond || !errors.Is(err, fs.ErrExist) {
			return w, path, err
		}
	}
}

func base(machine string, at time.Time) string {
	return inPath(machine) + "-" + at.UTC().Format("20060102T150405Z")
}

// maxInPath bounds the characters of a name in a file's name.
const maxInPath = 64

// inPath makes a name from elsewhere safe for a file's name: without directories, not hidden, and not a flag.
func inPath(name string) string {
	plain := strings.Map(func(r rune) rune {
		if r >= 'a' && r <= 'z' || r >= 'A' && r <= 'Z' || r >= '0' && r <= '9' || strings.ContainsRune("._-", r) {
			return r
		}
		return '-'
	}, name)
	plain = strings.TrimLeft(plain, ".-")
	return cmp.Or(plain[:min(len(plain), maxInPath)], "machine")
}
