package pgscript

import (
	"fmt"
	"strings"
)

// reader scans the text of a script.
type reader struct {
	text string
	at   int
	line int // of at, from 1
}

// place is the context of a variable in SQL.
type place uint8

const (
	inCommand place = iota
	inQuotes
	inComment
)

// piece is a part of an SQL command: literal text, followed by a variable's value.
type piece struct {
	text     string
	variable string // "": none follows
	place    place  // of the variable
}

// raw is one unparsed SQL or meta command.
type raw struct {
	line   int
	pieces []piece // of SQL
	meta   string  // name of a meta command, with its backslash; "" for SQL
	rest   string  // of a meta command's line
}

// next returns the next command; ok is false at the end.
func (r *reader) next() (raw, bool) {
	r.skipBlank()
	if r.at >= len(r.text) {
		return raw{}, false
	}
	if r.text[r.at] == '\\' && !r.escaped() {
		return r.meta(), true
	}
	out := raw{line: r.line}
	s := sql{reader: r}
	s.read()
	out.pieces = s.pieces
	return out, true
}

// escaped reports whether the backslash here escapes the next byte of SQL.
func (r *reader) escaped() bool {
	return r.at+1 < len(r.text) && (r.text[r.at+1] == ';' || r.text[r.at+1] == ':')
}

// skipBlank skips white space and comments to the end of a line.
func (r *reader) skipBlank() {
	for r.at < len(r.text) {
		switch {
		case strings.IndexByte(" \t\r\n\f\v", r.text[r.at]) >= 0:
			r.advance(1)
		case strings.HasPrefix(r.text[r.at:], "--"):
			r.advance(len(lineOf(r.text[r.at:])))
		default:
			return
		}
	}
}

func (r *reader) advance(n int) {
	r.line += strings.Count(r.text[r.at:r.at+n], "\n")
	r.at += n
}

// lineOf returns the text up to the end of its first line, excluding it.
func lineOf(text string) string {
	line, _, _ := strings.Cut(text, "\n")
	return line
}

// meta scans a meta command, which continues if a line ends in a backslash.
func (r *reader) meta() raw {
	out := raw{line: r.line}
	var b strings.Builder
	for {
		line := lineOf(r.text[r.at:])
		r.advance(len(line))
		part, more := strings.CutSuffix(strings.TrimSuffix(line, "\r"), `\`)
		b.WriteString(part)
		if !more || r.at >= len(r.text) {
			break
		}
		b.WriteByte(' ')
		r.advance(1)
	}
	text := b.String()
	end := strings.IndexAny(text, " \t\f\v")
	if end < 0 {
		end = len(text)
	}
	out.meta, out.rest = strings.ToLower(text[:end]), strings.TrimSpace(text[end:])
	return out
}

// sql scans one SQL command: up to a semicolon outside brackets and routine bodies, a meta command, or the end.
type sql struct {
	*reader
	pieces []piece
	held   strings.Builder // since the last piece
	depth  int

	words []string // the first four, in lower case: CREATE OR REPLACE FUNCTION
	begun int      // BEGIN and CASE without their END, in a routine's body
}

func (s *sql) read() {
	for s.at < len(s.text) {
		rest := s.text[s.at:]
		switch c := rest[0]; {
		case c == ';' && s.depth <= 0 && s.begun == 0:
			s.advance(1)
			s.finish()
			return
		case c == '\\' && s.escaped():
			s.advance(1)
			s.keep(1)
		case c == '\\':
			s.finish()
			return
		case c == ':':
			s.colon(rest)
		case c == '\'' || c == '"':
			s.quotation(c, false)
		case strings.HasPrefix(rest, "--"):
			s.plain(len(lineOf(rest)), inComment)
		case strings.HasPrefix(rest, "/*"):
			s.plain(commentIn(rest), inComment)
		case c == '$':
			s.dollar(rest)
		case letter(c) || c >= '0' && c <= '9':
			s.word(rest)
		default:
			s.bracket(c)
			s.keep(1)
		}
	}
	s.finish()
}

func (s *sql) bracket(c byte) {
	switch c {
	case '(':
		s.depth++
	case ')':
		s.depth--
	}
}

// keep copies the next bytes.
func (s *sql) keep(n int) {
	s.held.WriteString(s.text[s.at : s.at+n])
	s.advance(n)
}

// plain is keep for text without operators that may contain variables.
func (s *sql) plain(n int, where place) {
	for end := s.at + n; s.at < end; {
		if s.text[s.at] == ':' {
			if m := nameIn(s.text[s.at+1 : end]); m > 0 {
				s.variable(m, where)
				continue
			}
		}
		s.keep(1)
	}
}

func (s *sql) colon(rest string) {
	if strings.HasPrefix(rest, "::") {
		s.keep(2) // a cast
		return
	}
	if n := nameIn(rest[1:]); n > 0 {
		s.variable(n, inCommand)
		return
	}
	s.keep(1)
}

func (s *sql) variable(n int, where place) {
	s.pieces = append(s.pieces, piece{s.held.String(), s.text[s.at+1 : s.at+1+n], where})
	s.held.Reset()
	s.advance(1 + n)
}

// word scans a name or a number; E before a quotation enables backslash escapes there.
func (s *sql) word(rest string) {
	n := 1
	for n < len(rest) && (letter(rest[n]) || rest[n] >= '0' && rest[n] <= '9' || rest[n] == '$') {
		n++
	}
	s.body(strings.ToLower(rest[:n]))
	s.keep(n)
	if n == 1 && (rest[0] == 'e' || rest[0] == 'E') && strings.HasPrefix(rest[1:], "'") {
		s.quotation('\'', true)
	}
}

// body tracks BEGIN and END of a routine's body, as psql does: only after CREATE [OR REPLACE] FUNCTION or PROCEDURE.
func (s *sql) body(word string) {
	if len(s.words) < 4 {
		s.words = append(s.words, word)
	}
	at := 1
	if len(s.words) > 3 && s.words[1] == "or" && s.words[2] == "replace" {
		at = 3
	}
	if len(s.words) <= at || s.words[0] != "create" || s.words[at] != "function" && s.words[at] != "procedure" ||
		s.depth > 0 {
		return
	}
	switch {
	case word == "begin", word == "case" && s.begun > 0:
		s.begun++
	case word == "end" && s.begun > 0:
		s.begun--
	}
}

// quotation scans up to the closing quote; a doubled quote is a literal one.
func (s *sql) quotation(quote byte, escapes bool) {
	rest := s.text[s.at:]
	n := 1
	for n < len(rest) && rest[n] != quote {
		if escapes && rest[n] == '\\' {
			n++
		}
		n++
	}
	s.plain(min(n+1, len(rest)), inQuotes)
}

// dollar scans a dollar-quoted text, such as $$…$$ or $body$…$body$.
func (s *sql) dollar(rest string) {
	tag := nameIn(rest[1:])
	if 1+tag >= len(rest) || rest[1+tag] != '$' {
		s.keep(1)
		return
	}
	mark := rest[:tag+2]
	end := strings.Index(rest[len(mark):], mark)
	if end < 0 {
		s.plain(len(rest), inQuotes)
		return
	}
	s.plain(len(mark)+end+len(mark), inQuotes)
}

// commentIn returns the length of the comment at the start of the text; comments nest.
func commentIn(text string) int {
	depth := 0
	for at := 0; at < len(text); {
		switch {
		case strings.HasPrefix(text[at:], "/*"):
			depth++
			at += 2
		case strings.HasPrefix(text[at:], "*/"):
			if at, depth = at+2, depth-1; depth == 0 {
				return at
			}
		default:
			at++
		}
	}
	return len(text)
}

// finish ends the command, without trailing white space.
func (s *sql) finish() {
	if last := strings.TrimRight(s.held.String(), " \t\r\n\f\v"); last != "" || len(s.pieces) == 0 {
		s.pieces = append(s.pieces, piece{text: last})
	}
	s.held.Reset()
}

// Error is an error in a script, with its position.
type Error struct {
	Name string // of the script
	Line int    // from 1
	Err  error
}

func (e *Error) Error() string { return fmt.Sprintf("%s:%d: %v", e.Name, e.Line, e.Err) }

func (e *Error) Unwrap() error { return e.Err }
