package httpload

import (
	"bytes"
	"errors"
)

// framing is the part of a head that determines the end of the answer.
type framing struct {
	status  int
	length  int64 // −1: absent
	chunked bool  // the last transfer coding is chunked
	encoded bool  // there is a transfer coding
	close   bool
	keep    bool // stated explicitly, which matters for HTTP/1.0
	old     bool // HTTP/1.0
}

// parseHead parses a status line and the header fields that frame the answer. One empty line before the status line
// is skipped: some servers end an interim answer with one too many. Folded lines are unfolded in b (RFC 9112,
// section 5.2).
func parseHead(b []byte) (framing, error) {
	line, rest := cutLine(b)
	if len(line) == 0 {
		line, rest = cutLine(rest)
	}
	f, err := parseStatus(line)
	if len(rest) > 0 && (rest[0] == ' ' || rest[0] == '\t') {
		err = errors.Join(err, errors.New("white space between the status line and the first header field"))
	}
	for len(rest) > 0 && err == nil {
		line, rest = cutField(rest)
		err = f.field(line)
	}
	if f.encoded {
		f.length = -1 // RFC 9112, section 6.3: the encoding overrides the length
	}
	// HTTP/1.0 has no chunks, so the end of its answer is doubtful (RFC 9112, section 6.1).
	f.close = f.close || f.old && (!f.keep || f.chunked)
	return f, err
}

func cutLine(b []byte) (line, rest []byte) {
	i := bytes.IndexByte(b, '\n')
	if i < 0 {
		line = b
	} else {
		line, rest = b[:i], b[i+1:]
	}
	if n := len(line); n > 0 && line[n-1] == '\r' {
		line = line[:n-1]
	}
	return line, rest
}

// cutField is cutLine for a header field including its continuation lines, joined.
func cutField(b []byte) (line, rest []byte) {
	line, rest = cutLine(b)
	for len(rest) > 0 && (rest[0] == ' ' || rest[0] == '\t') {
		next, after := cutLine(rest)
		from := len(line)
		line = b[:cap(b)-cap(rest)+len(next)]
		for i := from; line[i] == '\r' || line[i] == '\n'; i++ {
			line[i] = ' '
		}
		rest = after
	}
	return line, rest
}

// parseStatus parses "HTTP/1.1 200 OK". Minor versions above 1 count as 1.1 (RFC 9110, section 2.5).
func parseStatus(line []byte) (framing, error) {
	f := framing{length: -1}
	if len(line) < len("HTTP/1.1 200") || string(line[:7]) != "HTTP/1." || line[8] != ' ' || line[7] < '0' ||
		line[7] > '9' {
		return f, errors.New("the status line is not one of HTTP/1")
	}
	for _, c := range line[9:12] {
		if c < '0' || c > '9' {
			return f, errors.New("the status is not a number")
		}
		f.status = 10*f.status + int(c-'0')
	}
	if f.status < 100 || len(line) > 12 && line[12] != ' ' {
		return f, errors.New("the status is not a three-digit number")
	}
	f.old = line[7] == '0'
	return f, nil
}

// field applies a header field to the framing.
func (f *framing) field(line []byte) error {
	i := bytes.IndexByte(line, ':')
	if i < 0 || !isToken(line[:i]) {
		return errors.New("a header field has no name, or its name is not a token")
	}
	name, value := line[:i], trim(line[i+1:])
	switch {
	case isWord(name, "content-length"):
		return f.setLength(value)
	case isWord(name, "transfer-encoding"):
		return f.setEncoding(value)
	case isWord(name, "connection"):
		f.setConnection(value)
	}
	return nil
}

func (f *framing) setLength(text []byte) error {
	var n int64
	for _, c := range text {
		if c < '0' || c > '9' || n > (1<<62)/10 {
			return errors.New("the Content-Length is not a number")
		}
		n = 10*n + int64(c-'0')
	}
	if len(text) == 0 {
		return errors.New("empty Content-Length")
	}
	if f.length >= 0 {
		return errors.New("conflicting Content-Lengths")
	}
	f.length = n
	return nil
}

// setEncoding parses a list of transfer codings. If chunked is not the last one, the body lasts until the connection
// ends.
func (f *framing) setEncoding(text []byte) error {
	for len(text) > 0 {
		var word []byte
		word, text = cutWord(text)
		switch {
		case len(word) == 0:
		case f.chunked && isWord(word, "chunked"):
			return errors.New("the Transfer-Encoding is chunked twice")
		default:
			f.encoded, f.chunked = true, isWord(word, "chunked")
		}
	}
	if !f.encoded {
		return errors.New("empty Transfer-Encoding")
	}
	return nil
}

// cutWord splits off the first member of a list.
func cutWord(text []byte) (word, rest []byte) {
	if i := bytes.IndexByte(text, ','); i >= 0 {
		return trim(text[:i]), text[i+1:]
	}
	return trim(text), nil
}

// setConnection parses a list of options.
func (f *framing) setConnection(text []byte) {
	for len(text) > 0 {
		var word []byte
		word, text = cutWord(text)
		switch {
		case isWord(word, "close"):
			f.close = true
		case isWord(word, "keep-alive"):
			f.keep = true
		}
	}
}

// isWord compares case-insensitively; lower is in lower case.
func isWord(b []byte, lower string) bool {
	if len(b) != len(lower) {
		return false
	}
	for i := range len(lower) {
		c := b[i]
		if 'A' <= c && c <= 'Z' {
			c += 'a' - 'A'
		}
		if c != lower[i] {
			return false
		}
	}
	return true
}

func trim(b []byte) []byte {
	for len(b) > 0 && (b[0] == ' ' || b[0] == '\t') {
		b = b[1:]
	}
	return trimRight(b)
}

func trimRight(b []byte) []byte {
	for n := len(b); n > 0 && (b[n-1] == ' ' || b[n-1] == '\t'); n-- {
		b = b[:n-1]
	}
	return b
}
