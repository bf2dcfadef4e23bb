package reader

import (
	"bytes"
	"regexp"
	"regexp/syntax"
	"slices"
	"sync"
)

// AnyLine returns a function that reports whether a text has a line that matches a pattern. It inspects only lines with
// a string that each match needs. The first MiB of a file is compared with the patterns of all tools, and to run each
// over all of it would take 0.7 s. It compiles the pattern once, for the first such line, which most files lack.
func AnyLine(pattern string) func(text []byte) bool {
	line := sync.OnceValue(func() *regexp.Regexp { return regexp.MustCompile("(?m)" + pattern) })
	needed := sync.OnceValue(func() [][]byte { return neededBy(pattern) })
	return func(text []byte) bool {
		if len(needed()) == 0 {
			return line().Match(text)
		}
		return slices.ContainsFunc(needed(), func(piece []byte) bool { return matchesAt(line, text, piece) })
	}
}

// matchesAt reports whether a line that has a piece matches.
func matchesAt(line func() *regexp.Regexp, text, piece []byte) bool {
	for {
		at := bytes.Index(text, piece)
		if at < 0 {
			return false
		}
		begin := bytes.LastIndexByte(text[:at], '\n') + 1
		end := len(text)
		if n := bytes.IndexByte(text[at:], '\n'); n >= 0 {
			end = at + n
		}
		if line().Match(text[begin:end]) {
			return true
		}
		text = text[min(end+1, len(text)):]
	}
}

// neededBy returns strings of which a line that matches a pattern has at least one; none if there is no such string.
func neededBy(pattern string) [][]byte {
	parsed, err := syntax.Parse(pattern, syntax.Perl)
	if err != nil {
		return nil // AnyLine's regexp.MustCompile fails on it, too
	}
	var out [][]byte
	for _, piece := range pieces(parsed.Simplify()) {
		out = append(out, []byte(piece))
	}
	return out
}

// pieces returns strings of which each match of an expression has at least one; none if they are not known.
func pieces(e *syntax.Regexp) []string {
	switch e.Op {
	case syntax.OpLiteral:
		if e.Flags&syntax.FoldCase == 0 {
			return []string{string(e.Rune)}
		}
	case syntax.OpCapture, syntax.OpPlus:
		return pieces(e.Sub[0])
	case syntax.OpConcat:
		var best []string
		for _, sub := range e.Sub {
			if got := pieces(sub); shortest(got) > shortest(best) {
				best = got
			}
		}
		return best
	case syntax.OpAlternate:
		var all []string
		for _, sub := range e.Sub {
			got := pieces(sub)
			if got == nil {
				return nil
			}
			all = append(all, got...)
		}
		return all
	}
	return nil
}

// shortest returns the length of the shortest of some strings, in bytes; 0 of none.
func shortest(all []string) int {
	if len(all) == 0 {
		return 0
	}
	return len(slices.MinFunc(all, func(a, b string) int { return len(a) - len(b) }))
}
