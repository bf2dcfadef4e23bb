package host

import (
	"bytes"
	"errors"
	"io/fs"
	"path/filepath"
	"strings"

	"plimsoll/internal/machine/host/hostfs"
)

// parseOSRelease returns PRETTY_NAME of an os-release file: shell assignments
// without expansion, see os-release(5).
func parseOSRelease(b []byte) (string, error) {
	for line := range bytes.Lines(b) {
		if value, ok := strings.CutPrefix(strings.TrimSpace(string(line)), "PRETTY_NAME="); ok {
			return unquoteShell(value), nil
		}
	}
	return "", errors.New("no PRETTY_NAME")
}

func unquoteShell(s string) string {
	if len(s) < 2 || s[0] != s[len(s)-1] || s[0] != '"' && s[0] != '\'' {
		return s
	}
	quote, s := s[0], s[1:len(s)-1]
	if quote == '\'' {
		return s
	}
	var out strings.Builder
	for i := 0; i < len(s); i++ {
		if s[i] == '\\' && i+1 < len(s) {
			i++
		}
		out.WriteByte(s[i])
	}
	return out.String()
}

// osName reads the files of os-release(5), in its order.
func osName(root hostfs.Root) (string, error) {
	name, err := hostfs.ReadParsed(filepath.Join(root.Etc, "os-release"), parseOSRelease)
	if errors.Is(err, fs.ErrNotExist) {
		return hostfs.ReadParsed(filepath.Join(root.Etc, "../usr/lib/os-release"), parseOSRelease)
	}
	return name, err
}
