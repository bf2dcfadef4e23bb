package port

import (
	"bytes"
	"cmp"
	"errors"
	"fmt"
	"slices"
)

// piece is a word, a text in quotation marks, or another character of a program.
type piece struct {
	word string
	text []byte // nil if it is none
	mark byte
	line int
}

// scripted splits a program in Groovy or Kotlin: comments are left out. Regular expressions between slashes are not
// known, as a division looks alike; a quotation mark in one ends with its line.
func scripted(data []byte) ([]piece, error) {
	return split(data, syntax{line: "//", begin: "/*", end: "*/", long: []string{`"""`, "'''"}})
}

// syntax is how a language writes comments and long texts.
type syntax struct {
	line, begin, end string
	long             []string // marks that begin and end a text of several lines
	brackets         bool     // [[…]] is a text of several lines too, and a comment behind line
}

// split splits a program into words, texts and marks, once from its begin to its end.
func split(data []byte, s syntax) ([]piece, error) {
	var out []piece
	line := 1
	skip := func(n int) []byte {
		part := data[:n]
		line += bytes.Count(part, []byte{'\n'})
		data = data[n:]
		return part
	}
	for len(data) > 0 {
		at := line
		switch {
		case s.brackets && bytes.HasPrefix(data, []byte(s.line+"[[")):
			n := bytes.Index(data, []byte("]]"))
			if n < 0 {
				return nil, fmt.Errorf("line %d: a comment without an end", at)
			}
			skip(n + 2)
		case s.line != "" && bytes.HasPrefix(data, []byte(s.line)):
			n := bytes.IndexByte(data, '\n')
			if n < 0 {
				n = len(data)
			}
			skip(n)
		case s.begin != "" && bytes.HasPrefix(data, []byte(s.begin)):
			n := bytes.Index(data[len(s.begin):], []byte(s.end))
			if n < 0 {
				return nil, fmt.Errorf("line %d: a comment without an end", at)
			}
			skip(len(s.begin) + n + len(s.end))
		case s.brackets && bytes.HasPrefix(data, []byte("[[")):
			n := bytes.Index(data, []byte("]]"))
			if n < 0 {
				return nil, fmt.Errorf("line %d: a text without an end", at)
			}
			out = append(out, piece{text: skip(n + 2)[2:n], line: at})
		case data[0] == '"' || data[0] == '\'':
			text, n := s.quoted(data)
			if n == 0 {
				return nil, fmt.Errorf("line %d: a text without an end", at)
			}
			out = append(out, piece{text: text, line: at})
			skip(n)
		case inWord(data[0]):
			n := slices.IndexFunc(data, func(c byte) bool { return !inWord(c) })
			if n < 0 {
				n = len(data)
			}
			word := skip(n)
			out = append(out, piece{word: string(word[:min(n, maxText)]), line: at})
		case data[0] == ' ' || data[0] == '\t' || data[0] == '\n' || data[0] == '\r':
			skip(1)
		default:
			out = append(out, piece{mark: skip(1)[0], line: at})
		}
	}
	return out, nil
}

// quoted returns the text in quotation marks that a program begins with, and its length with them; 0 if a long one does
// not end. One of a line ends with that at the latest.
func (s syntax) quoted(data []byte) (text []byte, n int) {
	for _, mark := range s.long {
		if bytes.HasPrefix(data, []byte(mark)) {
			end := bytes.Index(data[len(mark):], []byte(mark))
			if end < 0 {
				return nil, 0
			}
			return data[len(mark) : len(mark)+end], end + 2*len(mark)
		}
	}
	for i := 1; i < len(data); i++ {
		switch data[i] {
		case '\\':
			i++
		case data[0]:
			return data[1:i], i + 1
		case '\n':
			return data[1:i], i
		}
	}
	return data[1:], len(data)
}

func inWord(c byte) bool {
	return c == '_' || '0' <= c && c <= '9' || 'a' <= c && c <= 'z' || 'A' <= c && c <= 'Z' || c >= 0x80
}

// inOrder sorts packages by their lines.
func inOrder(all []pinned) {
	slices.SortFunc(all, func(a, b pinned) int { return cmp.Or(a.line-b.line, cmp.Compare(a.name, b.name)) })
}

// rocks reads the packages that a rockspec, or luarocks.lock, depends on. A rockspec says nothing about processors; the
// options of compilers in it are read as those of a Makefile.
func rocks(data []byte) ([]pinned, error) {
	tokens, err := split(data, syntax{line: "--", brackets: true})
	if err != nil {
		return nil, fmt.Errorf("reading the rockspec: %w", err)
	}
	var out []pinned
	known := false
	depth, inside := 0, 0 // brackets that are open, and of those the first that belongs to dependencies
	for i, t := range tokens {
		switch t.mark {
		case '{':
			depth++
			if inside == 0 && i > 1 && tokens[i-1].mark == '=' && isDependencies(tokens[i-2].word) {
				inside = depth
			}
			continue
		case '}':
			if depth == inside {
				inside = 0
			}
			depth = max(0, depth-1)
			continue
		}
		known = known || isDependencies(t.word) || t.word == "package"
		if inside == 0 || t.text == nil {
			continue
		}
		if i > 2 && tokens[i-1].mark == '=' && tokens[i-2].mark == ']' && len(out) > 0 { // ["name"] = "version"
			out[len(out)-1].version = short(string(t.text))
			continue
		}
		if i > 1 && tokens[i-1].mark == '=' && tokens[i-2].word != "" { // name = "version"
			out = append(out, pinned{name: "luarocks/" + tokens[i-2].word, version: short(string(t.text)), line: t.line})
			continue
		}
		name, version := rock(t.text)
		out = append(out, pinned{name: "luarocks/" + name, version: version, line: t.line})
	}
	if !known {
		return nil, errors.New("reading the rockspec: it names no package and no dependencies")
	}
	return out, nil
}

func isDependencies(word string) bool {
	return slices.Contains([]string{"dependencies", "build_dependencies", "test_dependencies"}, word)
}

// rock splits a dependency such as "lpeg == 1.0.2"; a range has no version.
func rock(text []byte) (name, version string) {
	fields := bytes.Fields(text[:min(len(text), maxText)])
	switch {
	case len(fields) == 0:
		return "", ""
	case len(fields) == 3 && (string(fields[1]) == "==" || string(fields[1]) == "="):
		version = string(fields[2])
	}
	return string(fields[0]), version
}
