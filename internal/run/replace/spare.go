package replace

import (
	"bufio"
	"compress/gzip"
	"os"
	"strings"

	"plimsoll/internal/base/input"
	"plimsoll/internal/base/usage"
	"plimsoll/internal/record/session"
)

// Spares rejects an output that would destroy a session or an input. Call it before reading anything.
func Spares(output string, inputs []string) error {
	switch {
	case output == "-":
		return nil
	case strings.HasSuffix(output, session.Suffix):
		return usage.Errorf("-o %s: names that end in %s are those of sessions, and this is not one\n"+
			"hint: -o OTHER; of a pattern after -o, the first matching file is the output", output, session.Suffix)
	case isSession(output):
		return usage.Errorf("-o %s: it is a session and would be lost\nhint: -o OTHER", output)
	}
	return NotAnInput(output, inputs)
}

// NotAnInput rejects an output that is one of the inputs, by whatever name.
func NotAnInput(output string, inputs []string) error {
	out, err := os.Stat(output)
	if err != nil || !out.Mode().IsRegular() {
		return nil // does not exist yet
	}
	for _, in := range inputs {
		if st, err := os.Stat(in); err == nil && os.SameFile(out, st) {
			return usage.Errorf("-o %s: it is also the input %s, which would be lost\nhint: -o OTHER", output, in)
		}
	}
	return nil
}

// isSession reports whether a file holds a session, also one that is compressed.
func isSession(path string) bool {
	f, err := input.Open(path)
	if err != nil {
		return false
	}
	defer f.Close()
	head := bufio.NewReader(f)
	magic, _ := head.Peek(len(gzipMagic))
	if string(magic) != gzipMagic {
		return session.Resembles(head)
	}
	unpacked, err := gzip.NewReader(head)
	return err == nil && session.Resembles(unpacked)
}

// gzipMagic begins what gzip has written.
const gzipMagic = "\x1f\x8b"
