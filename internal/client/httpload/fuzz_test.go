package httpload

import (
	"bufio"
	"io"
	"net/http"
	"strings"
	"testing"
)

// agrees compares an accepted answer with net/http, if that accepts it too.
func agrees(t *testing.T, p *parser, text string) {
	resp, err := http.ReadResponse(bufio.NewReader(strings.NewReader(text)), &http.Request{Method: "GET"})
	if err != nil || resp.StatusCode < 200 || resp.ProtoMinor == 0 &&
		strings.Contains(strings.ToLower(text), "transfer-encoding") {
		return // net/http gives interim answers out, and knows no chunks in HTTP/1.0
	}
	n, err := io.Copy(io.Discard, resp.Body)
	if err != nil {
		return
	}
	if p.answer.status != resp.StatusCode || p.answer.body != n {
		t.Errorf("%q: status %d and a body of %d, to net/http %d and %d", text, p.answer.status, p.answer.body,
			resp.StatusCode, n)
	}
}

func FuzzParser(f *testing.F) {
	f.Add("HTTP/1.1 200 OK\r\nContent-Length: 5\r\n\r\nhello", 3)
	f.Add("HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n5\r\nhello\r\n0\r\n\r\n", 1)
	f.Add("HTTP/1.1 100 C\r\n\r\nHTTP/1.0 200 OK\r\n\r\n", 7)
	f.Add("HTTP/1.0 200 \nTransfer-Encoding: Chunked \n\n00\n0000000\n\n", 2)
	f.Add("HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\nA;x=\"y\"\r\n0123456789\r\n0\r\nT: u\r\n\r\n", 5)
	f.Add("HTTP/1.1 200 OK\r\nX: a\r\n b\r\nContent-Length: 2\r\nContent-Length: 2\r\n\r\nok", 9)
	f.Add("HTTP/1.1 204 No\r\nConnection: close, x\r\n\r\n", 4)
	f.Add("HTTP/1.1 103 Early Hints\r\nLink: a\r\n\r\nHTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n2\r\nab\r\n"+
		"1;x\r\nc\r\n0\r\nExpires: now\r\n\r\n", 1)
	f.Fuzz(func(t *testing.T, text string, piece int) {
		piece = 1 + (piece&0x3f+0x40)&0x3f
		var in, atOnce parser
		in.reset(false)
		atOnce.reset(false)
		used, whole, err := feedIn(&in, text, piece)
		usedAtOnce, wholeAtOnce, errAtOnce := feedIn(&atOnce, text, 0)
		if whole != wholeAtOnce || whole &&
			(used != usedAtOnce || in.answer.status != atOnce.answer.status || in.answer.body != atOnce.answer.body ||
				in.close != atOnce.close) {
			t.Errorf("in pieces of %d: %d %t %v, at once %d %t %v", piece, used, whole, err, usedAtOnce, wholeAtOnce, errAtOnce)
		}
		for at := 0; at <= len(text) && len(text) <= 256; at++ { // every place at which two reads may part
			var p parser
			p.reset(false)
			used, whole, err := feedParts(&p, text, at)
			if whole != wholeAtOnce || (err == nil) != (errAtOnce == nil) ||
				whole && (used != usedAtOnce || p.answer.status != atOnce.answer.status || p.answer.body != atOnce.answer.body ||
					p.close != atOnce.close) {
				t.Errorf("%q parted at %d: %d %t %v, at once %d %t %v", text, at, used, whole, err, usedAtOnce, wholeAtOnce,
					errAtOnce)
			}
		}
		if whole {
			agrees(t, &in, text)
		}
		if used > len(text) || in.answer.body < 0 || in.left < 0 || len(in.pending) > maxHead+64 {
			t.Errorf("%d of %d bytes, body %d, left %d, %d pending", used, len(text), in.answer.body, in.left, len(in.pending))
		}
	})
}
