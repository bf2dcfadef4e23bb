package term

import (
	"io"
	"sync"

	"golang.org/x/text/runes"
	"golang.org/x/text/transform"

	"plimsoll/internal/record/block"
)

// Screened returns a writer that passes only printable text on to w: line ends are the only control characters. Several
// goroutines may use it.
func Screened(w io.Writer) io.Writer {
	return &screened{w: transform.NewWriter(w, runes.Map(func(r rune) rune {
		if r == '\n' {
			return r
		}
		return block.Printable(r)
	}))}
}

type screened struct {
	mu sync.Mutex
	w  *transform.Writer // keeps a character that is not whole until its rest comes
}

func (s *screened) Write(p []byte) (int, error) {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.w.Write(p)
}
