package httpload

import (
	"bytes"
	"errors"
)

// framing is what a head says of where its answer ends.
type framing struct {
	status  int
	length  int64 // −1: not said
	chunked bool
	close   bool
	keep    bool // said in so many words, which matters to HTTP/1.0
	old     bool // HTTP/1.0
	framed  bool // the field read last frames the answer
}

// parseHead reads a status line and the header fields that frame the answer.
func parseHead(b []byte) (framing, error) {
	line, rest := cutLine(b)
	f, err := parseStatus(line)
	for len(rest) > 0 && err == nil {
		line, rest = cutLine(rest)
		err = f.field(line)
	}
	if f.chunked {
		f.length = -1 // RFC 9112, section 6.3: the encoding overrides the length
	}
	// HTTP/1.0 has no chunks, so where its answer ends is doubtful (RFC 9112, section 6.1).
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

// parseStatus reads "HTTP/1.1 200 OK".
func parseStatus(line []byte) (framing, error) {
	f := framing{length: -1}
	if len(line) < len("HTTP/1.1 200") || string(line[:7]) != "HTTP/1." || line[8] != ' ' || line[7] < '0' || line[7] > '1' {
		return f, errors.New("no status line of HTTP/1")
	}
	for _, c := range line[9:12] {
		if c < '0' || c > '9' {
			return f, errors.New("a status that is no number")
		}
		f.status = 10*f.status + int(c-'0')
	}
	if f.status < 100 || len(line) > 12 && line[12] != ' ' {
		return f, errors.New("a status that is no number of three digits")
	}
	f.old = line[7] == '0'
	return f, nil
}

// field takes what a header field says of the framing. A line that begins with a space goes on with
// the value before (RFC 9112, section 5.2).
func (f *framing) field(line []byte) error {
	if len(line) > 0 && (line[0] == ' ' || line[0] == '\t') {
		if f.framed {
			return errors.New("a header field that frames the answer and goes on in another line")
		}
		return nil
	}
	i := bytes.IndexByte(line, ':')
	if i <= 0 || line[i-1] == ' ' || line[i-1] == '\t' {
		return errors.New("a header field without a name")
	}
	f.framed = true
	name, value := line[:i], trim(line[i+1:])
	switch {
	case isWord(name, "content-length"):
		return f.setLength(value)
	case isWord(name, "transfer-encoding"):
		return f.setEncoding(value)
	case isWord(name, "connection"):
		f.setConnection(value)
		return nil
	}
	f.framed = false
	return nil
}

func (f *framing) setLength(text []byte) error {
	var n int64
	for _, c := range text {
		if c < '0' || c > '9' || n > (1<<62)/10 {
			return errors.New("a Content-Length that is no number")
		}
		n = 10*n + int64(c-'0')
	}
	if len(text) == 0 {
		return errors.New("an empty Content-Length")
	}
	if f.length >= 0 {
		return errors.New("two Content-Lengths")
	}
	f.length = n
	return nil
}

func (f *framing) setEncoding(text []byte) error {
	if !isWord(text, "chunked") || f.chunked {
		return errors.New("a Transfer-Encoding other than chunked")
	}
	f.chunked = true
	return nil
}

// setConnection reads a list of options.
func (f *framing) setConnection(text []byte) {
	for len(text) > 0 {
		var word []byte
		if i := bytes.IndexByte(text, ','); i >= 0 {
			word, text = text[:i], text[i+1:]
		} else {
			word, text = text, nil
		}
		switch word = trim(word); {
		case isWord(word, "close"):
			f.close = true
		case isWord(word, "keep-alive"):
			f.keep = true
		}
	}
}

// isWord compares without regard to case; lower is in lower case.
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
	for n := len(b); n > 0 && (b[n-1] == ' ' || b[n-1] == '\t'); n-- {
		b = b[:n-1]
	}
	return b
}
