package convert

import (
	"bufio"
	"errors"
	"fmt"
	"strings"

	"plimsoll/internal/exchange/convert/reader"
)

// comment begins a line above the header of a CSV file. Below it no character does: a row is never passed over.
const comment = '#'

// sourceWord begins a comment that says where the figures of a file are from.
const sourceWord = "source:"

// Limits of the lines above a header.
const (
	maxPreface = 100     // lines
	maxComment = 4 << 10 // bytes of a line
	maxSource  = 500     // bytes
)

// preface is what stands above the header of a CSV file.
type preface struct {
	lines  int
	source string // where the figures are from; "" if it is not said
}

// readPreface reads the comments at the beginning of a text. Several sources are joined.
func readPreface(text *bufio.Reader) (preface, error) {
	var out preface
	var sources []string
	for {
		head, _ := text.Peek(1) // an error recurs on reading
		if len(head) == 0 || head[0] != comment {
			break
		}
		line, err := text.ReadSlice('\n') // of at most the buffer
		out.lines++
		if errors.Is(err, bufio.ErrBufferFull) || len(line) > maxComment || out.lines > maxPreface {
			return out, fmt.Errorf("more than %d lines of comments above the header, or one of more than 4 KiB", maxPreface)
		}
		words := strings.TrimSpace(strings.TrimLeft(string(line), string(comment)))
		if said, ok := strings.CutPrefix(words, sourceWord); ok {
			sources = append(sources, strings.TrimSpace(said))
		}
	}
	out.source = strings.Join(sources, "; ")
	if len(out.source) > maxSource {
		return out, fmt.Errorf("a source of %d bytes, over the limit of %d", len(out.source), maxSource)
	}
	if err := checkText(out.source, false); err != nil {
		return out, fmt.Errorf("the source %s: %w", reader.Brief(out.source), err)
	}
	return out, nil
}
