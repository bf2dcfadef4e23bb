package httpload

import (
	"bufio"
	"bytes"
	"fmt"
	"io"
	"math/rand/v2"
	"net/http"
	"strings"
	"testing"
)

// feedIn gives the parser an answer in pieces of so many bytes; 0: in one.
func feedIn(p *parser, text string, piece int) (used int, whole bool, err error) {
	if piece == 0 {
		piece = len(text) + 1
	}
	for used < len(text) && !whole && err == nil {
		var n int
		n, whole, err = p.feed([]byte(text[used:min(used+piece, len(text))]))
		used += n
	}
	return used, whole, err
}

// feedParts gives the parser an answer in two pieces.
func feedParts(p *parser, text string, at int) (used int, whole bool, err error) {
	if used, whole, err = feedIn(p, text[:at], 0); whole || err != nil {
		return used, whole, err
	}
	n, whole, err := feedIn(p, text[at:], 0)
	return used + n, whole, err
}

func TestFraming(t *testing.T) {
	const rest = "HTTP/1.1 500 next\r\n"
	for _, c := range []struct {
		name, text string
		head       bool
		status     int
		body       int64
		close      bool
	}{
		{"length", "HTTP/1.1 200 OK\r\nContent-Length: 5\r\nServer: x\r\n\r\nhello", false, 200, 5, false},
		{"no body by length", "HTTP/1.1 200 OK\r\ncontent-length:0\r\n\r\n", false, 200, 0, false},
		{"no reason", "HTTP/1.1 200\r\nContent-Length: 1\r\n\r\nx", false, 200, 1, false},
		{"chunks", "HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n5\r\nhello\r\n1f;name=value\r\n" +
			"0123456789012345678901234567890\r\n0\r\n\r\n", false, 200, 36, false},
		{"trailers", "HTTP/1.1 200 OK\r\nTransfer-Encoding: Chunked\r\n\r\n3\r\nabc\r\n0\r\nExpires: now\r\nX: y\r\n\r\n",
			false, 200, 3, false},
		{"the encoding overrides the length",
			"HTTP/1.1 200 OK\r\nContent-Length: 99\r\nTransfer-Encoding: chunked\r\n\r\n0\r\n\r\n", false, 200, 0, false},
		{"head", "HTTP/1.1 200 OK\r\nContent-Length: 500\r\n\r\n", true, 200, 0, false},
		{"204", "HTTP/1.1 204 No Content\r\n\r\n", false, 204, 0, false},
		{"304", "HTTP/1.1 304 Not Modified\r\nContent-Length: 10\r\n\r\n", false, 304, 0, false},
		{"interim", "HTTP/1.1 100 Continue\r\n\r\nHTTP/1.1 103 Early Hints\r\nLink: a\r\n\r\nHTTP/1.1 201 Created\r\n" +
			"Content-Length: 2\r\n\r\nok", false, 201, 2, false},
		{"close", "HTTP/1.1 404 Not Found\r\nConnection: foo, Close\r\nContent-Length: 2\r\n\r\nno", false, 404, 2, true},
		{"1.0", "HTTP/1.0 200 OK\r\nContent-Length: 2\r\n\r\nok", false, 200, 2, true},
		{"1.0 kept alive", "HTTP/1.0 200 OK\r\nConnection: keep-alive\r\nContent-Length: 2\r\n\r\nok", false, 200, 2, false},
		{"lines of LF", "HTTP/1.1 200 OK\nContent-Length: 2\n\nok", false, 200, 2, false},
		{"a folded field", "HTTP/1.1 200 OK\r\nX: a\r\n b: c\r\nContent-Length: 2\r\n\r\nok", false, 200, 2, false},
		{"a folded length", "HTTP/1.1 200 OK\r\nContent-Length:\r\n\t2\r\n\r\nok", false, 200, 2, false},
		{"a folded encoding", "HTTP/1.1 200 OK\nTransfer-Encoding: gzip,\n chunked\n\n2;a\r\nok\r\n0\r\n\r\n", false, 200, 2,
			false},
		{"a folded connection", "HTTP/1.1 200 OK\r\nConnection: keep-alive,\r\n  close\r\nContent-Length: 2\r\n\r\nok", false,
			200, 2, true},
		{"encoded and chunked", "HTTP/1.1 200 OK\r\nTransfer-Encoding: gzip\r\nTransfer-Encoding: chunked\r\n\r\n2 ;a=b\r\n" +
			"ok\r\n0\r\n\r\n", false, 200, 2, false},
		{"1.2", "HTTP/1.2 200 OK\r\nContent-Length: 2\r\n\r\nok", false, 200, 2, false},
		{"an empty line after an interim answer",
			"HTTP/1.1 100 Continue\r\n\r\n\r\nHTTP/1.1 200 OK\r\nContent-Length: 2\r\n\r\nok", false, 200, 2, false},
		{"close outlasts keep-alive", "HTTP/1.1 200 OK\r\nConnection: close\r\nConnection: keep-alive\r\n" +
			"Content-Length: 2\r\n\r\nok", false, 200, 2, true},
		{"chunks in 1.0", "HTTP/1.0 200 OK\r\nConnection: keep-alive\r\nTransfer-Encoding: chunked\r\n\r\n0\r\n\r\n", false,
			200, 0, true},
		{"a body that looks like the end of a head", "HTTP/1.1 200 OK\r\nContent-Length: 4\r\n\r\n\n\n\r\n", false, 200, 4,
			false},
	} {
		for piece := range 9 {
			var p parser
			p.reset(c.head)
			used, whole, err := feedIn(&p, c.text+rest, piece)
			if err != nil || !whole || used != len(c.text) || p.answer.status != c.status || p.answer.body != c.body ||
				p.close != c.close {
				t.Errorf("%s in pieces of %d: %d of %d bytes, whole %t, status %d, body %d, close %t, %v", c.name, piece, used,
					len(c.text), whole, p.answer.status, p.answer.body, p.close, err)
			}
		}
	}
}

// TestEverySplit: answers with all that frames one, parted at every byte.
func TestEverySplit(t *testing.T) {
	const text = "HTTP/1.1 100 Continue\r\n\r\nHTTP/1.1 103 Early Hints\r\nLink: a\r\n\r\n" +
		"HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\nTrailer: T\r\n\r\n3;a=\"b\"\r\nabc\r\n10\r\n0123456789abcdef\r\n" +
		"0\r\nT: u\r\n\r\n"
	const next = "HTTP/1.1 500 next\r\n\r\n"
	for first := range len(text) {
		for second := first; second <= len(text); second += 7 {
			var p parser
			p.reset(false)
			used, whole, err := feedIn(&p, text[:first], 0)
			if err == nil && !whole {
				var n int
				n, whole, err = feedParts(&p, text[first:]+next, second-first)
				used += n
			}
			if err != nil || !whole || used != len(text) || p.answer.status != 200 || p.answer.body != 19 {
				t.Fatalf("parted at %d and %d: %d of %d bytes, whole %t, status %d, body %d, %v", first, second, used, len(text),
					whole, p.answer.status, p.answer.body, err)
			}
		}
	}
}

func TestFramingRefused(t *testing.T) {
	for name, text := range map[string]string{
		"status line is not":  "hello\r\n\r\n",
		"HTTP/2":              "HTTP/2.0 200 OK\r\n\r\n",
		"a word for a status": "HTTP/1.1 abc OK\r\n\r\n",
		"a status of four":    "HTTP/1.1 2000 OK\r\n\r\n",
		"101":                 "HTTP/1.1 101 Switching Protocols\r\n\r\n",
		"lengths differ":      "HTTP/1.1 200 OK\r\nContent-Length: 2\r\nContent-Length: 3\r\n\r\nok",
		"a negative length":   "HTTP/1.1 200 OK\r\nContent-Length: -2\r\n\r\nok",
		"a list of lengths":   "HTTP/1.1 200 OK\r\nContent-Length: 2, 2\r\n\r\nok",
		"an endless length":   "HTTP/1.1 200 OK\r\nContent-Length: 99999999999999999999999\r\n\r\nok",
		"chunked twice": "HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\nTransfer-Encoding: gzip, chunked, " +
			"chunked\r\n\r\n0\r\n\r\n",
		"an empty encoding":        "HTTP/1.1 200 OK\r\nTransfer-Encoding: ,\r\n\r\n0\r\n\r\n",
		"a chunk a byte too large": "HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n6\r\nhello\r\n0\r\n\r\n",
		"a size that LF ends":      "HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n5\nhello\r\n0\r\n\r\n",
		"a space before the size":  "HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n 5\r\nhello\r\n0\r\n\r\n",
		"a space in a name":        "HTTP/1.1 200 OK\r\nX Y: 2\r\nContent-Length: 2\r\n\r\nok",
		"a zero byte in a name":    "HTTP/1.1 200 OK\r\nX\x00Y: 2\r\nContent-Length: 2\r\n\r\nok",
		"a tabulator in a name":    "HTTP/1.1 200 OK\r\nX\x0bY: 2\r\nContent-Length: 2\r\n\r\nok",
		"a fold after the status":  "HTTP/1.1 200 OK\r\n X: 2\r\nContent-Length: 2\r\n\r\nok",
		"two empty lines first":    "\r\n\r\nHTTP/1.1 200 OK\r\nContent-Length: 2\r\n\r\nok",
		"a length twice":           "HTTP/1.1 200 OK\r\nContent-Length: 2\r\nContent-Length: 2\r\n\r\nok",
		"a folded length":          "HTTP/1.1 200 OK\r\nContent-Length: 2\r\n 3\r\n\r\nok",
		"a space before the colon": "HTTP/1.1 200 OK\r\nContent-Length : 2\r\n\r\nok",
		"no colon":                 "HTTP/1.1 200 OK\r\nnothing\r\n\r\n",
		"a chunk of no size":       "HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\nxyz\r\n",
		"a chunk too long":         "HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n2\r\nabc\r\n",
		"an endless chunk":         "HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\nffffffffffffffffff\r\n",
		"an endless head":          "HTTP/1.1 200 OK\r\nX: " + strings.Repeat("a", maxHead) + "\r\n\r\n",
		"an endless line": "HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n1;" +
			strings.Repeat("a", 2*maxLine),
		"endless trailers": "HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n0\r\n" +
			strings.Repeat("X: "+strings.Repeat("a", 1000)+"\r\n", 70),
	} {
		for _, piece := range []int{0, 1, 1000} {
			var p parser
			p.reset(false)
			if _, whole, err := feedIn(&p, text, piece); err == nil {
				t.Errorf("%s in pieces of %d: no error, whole %t", name, piece, whole)
			}
		}
	}
}

func TestAnswerUntilTheEnd(t *testing.T) {
	var p parser
	for _, head := range []string{"", "Transfer-Encoding: gzip\r\n",
		"Content-Length: 3\r\nTransfer-Encoding: chunked, gzip\r\n"} {
		p.reset(false)
		if _, whole, err := feedIn(&p, "HTTP/1.1 200 OK\r\n"+head+"\r\nall of this", 3); whole || err != nil ||
			!p.untilEnd() || p.answer.body != 11 || !p.close {
			t.Errorf("%q: whole %t, %v, %d bytes", head, whole, err, p.answer.body)
		}
	}
}

// TestFramingAsTheLibrary: random answers end at the same byte as in net/http.
func TestFramingAsTheLibrary(t *testing.T) {
	const seed = 12
	t.Logf("seed %d", seed)
	r := rand.New(rand.NewPCG(seed, 0))
	for range 2000 {
		text := randomAnswer(r)
		in := bufio.NewReader(strings.NewReader(text + "HTTP/1.1 999 next"))
		resp, err := http.ReadResponse(in, &http.Request{Method: "GET"})
		if err != nil {
			t.Fatalf("%q: %v", text, err)
		}
		n, err := io.Copy(io.Discard, resp.Body)
		if err != nil {
			t.Fatalf("%q: %v", text, err)
		}
		var p parser
		p.reset(false)
		used, whole, err := feedIn(&p, text, 1+r.IntN(40))
		if err != nil || !whole || used != len(text) || p.answer.status != resp.StatusCode || p.answer.body != n ||
			p.close != resp.Close {
			t.Fatalf("%q: %d of %d, whole %t, status %d (%d), body %d (%d), close %t (%t), %v", text, used, len(text), whole,
				p.answer.status, resp.StatusCode, p.answer.body, n, p.close, resp.Close, err)
		}
	}
}

func randomAnswer(r *rand.Rand) string {
	var b bytes.Buffer
	fmt.Fprintf(&b, "HTTP/1.1 %d Some reason\r\n", []int{200, 201, 206, 301, 404, 500, 503}[r.IntN(7)])
	for range r.IntN(4) {
		fmt.Fprintf(&b, "X-%d: %s\r\n", r.IntN(100), strings.Repeat("v", r.IntN(30)))
	}
	if r.IntN(4) == 0 {
		b.WriteString("Connection: close\r\n")
	}
	if r.IntN(2) == 0 {
		n := r.IntN(200)
		fmt.Fprintf(&b, "CONTENT-length: %d\r\n\r\n%s", n, strings.Repeat("b", n))
		return b.String()
	}
	b.WriteString("Transfer-Encoding: chunked\r\n\r\n")
	for range r.IntN(5) {
		n := 1 + r.IntN(100)
		fmt.Fprintf(&b, "%x\r\n%s\r\n", n, strings.Repeat("c", n))
	}
	b.WriteString("0\r\n\r\n")
	return b.String()
}
