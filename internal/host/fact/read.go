package fact

import (
	"io/fs"
	"path"
	"strconv"
	"strings"
)

// read returns the text of a small file, without the space around it.
func read(fsys fs.FS, parts ...string) (string, error) {
	b, err := fs.ReadFile(fsys, path.Join(parts...))
	return strings.TrimSpace(string(b)), err
}

func number(fsys fs.FS, parts ...string) (int64, error) {
	text, err := read(fsys, parts...)
	if err != nil {
		return 0, err
	}
	return strconv.ParseInt(text, 10, 64)
}

// prefixed returns text after a word, or "" if there is none.
func prefixed(word, text string) string {
	if text == "" {
		return ""
	}
	return word + text
}
