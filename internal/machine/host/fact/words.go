package fact

import (
	"io/fs"
	"path"
	"slices"
	"strconv"
	"strings"
)

// joined lists the parts that are not empty.
func joined(parts ...string) string {
	return strings.Join(slices.DeleteFunc(parts, func(p string) bool { return p == "" }), ", ")
}

// known returns a number as text, or "" for 0, which stands for a number that is not known.
func known(n int64) string {
	if n == 0 {
		return ""
	}
	return strconv.FormatInt(n, 10)
}

// size returns a number of bytes, or "" for none.
func size(n int64, q Quantity) string {
	if n <= 0 {
		return ""
	}
	return q(float64(n), "B")
}

// exactly writes a number without rounding it.
func exactly(v float64, unit string) string {
	return strings.TrimSpace(strconv.FormatFloat(v, 'g', -1, 64) + " " + unit)
}

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
