package term

import (
	"io"
	"plimsoll/internal/block"
	"strings"
)

// Screened returns a writer that passes only printable text on to w: line ends are the only control characters.
func Screened(w io.Writer) io.Writer { return screened{w} }

type screened struct{ w io.Writer }

// Write cleans each line in the same way as results. A character may not be split over two writes.
func (s screened) Write(p []byte) (int, error) {
	lines := strings.Split(string(p), "\n")
	for i := range lines {
		lines[i] = block.Clean(lines[i])
	}
	if _, err := io.WriteString(s.w, strings.Join(lines, "\n")); err != nil {
		return 0, err
	}
	return len(p), nil
}
