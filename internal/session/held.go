package session

import (
	"bytes"
	"slices"
)

// maxHeld is how many bytes of its lines a Writer keeps in memory, in case somebody truncates the file while it is
// written.
const maxHeld = 64 << 20

// held keeps the lines of a file in memory; if they are too many it drops the oldest, series first.
type held struct {
	lines [][]byte
	size  int
	gone  int // number of lines dropped
}

// add adds whole lines.
func (h *held) add(batch []byte) {
	for line := range bytes.Lines(batch) {
		h.lines = append(h.lines, bytes.Clone(line))
		h.size += len(line)
	}
	if h.size > maxHeld {
		h.drop(func(line []byte) bool { return isKind(line, kindSeries) })
		h.drop(func(line []byte) bool { return !isKind(line, kindMachine) && !isKind(line, kindPlan) })
	}
}

// drop drops the oldest lines of a kind until a quarter of the room is free.
func (h *held) drop(of func([]byte) bool) {
	h.lines = slices.DeleteFunc(h.lines, func(line []byte) bool {
		if h.size <= maxHeld/4*3 || !of(line) {
			return false
		}
		h.size -= len(line)
		h.gone++
		return true
	})
}

func isKind(line []byte, kind string) bool {
	return bytes.HasPrefix(line, []byte(opening+kind+`"`))
}
