package s3

import (
	"bytes"
	"errors"
	"html"
	"net/http"
)

// pager follows the listing of a folder over its pages: a store may end a page after any number of keys.
type pager struct {
	cut   element // whether more keys follow
	token element // by which the next page begins
	pages int     // so far
	err   error   // why the next page can't be asked for
}

// mostPages bounds the pages of a folder: each key has one, and some are empty.
const mostPages = 2 * perFolder

var errToken = errors.New("the store cuts the listing (IsTruncated), but gives no NextContinuationToken\n" +
	"hint: does the store know the second version of listings (ListObjectsV2)?")

var errPages = errors.New("the store's listing has no last page")

// begin prepares for the first page.
func (p *pager) begin() {
	p.pages, p.err = 0, nil
	p.turn()
}

func (p *pager) turn() {
	p.cut.begin("<IsTruncated>")
	p.token.begin("<NextContinuationToken>")
}

func (p *pager) feed(b []byte) {
	p.cut.feed(b)
	p.token.feed(b)
}

// end takes the end of a page, and reports whether another one follows.
func (p *pager) end() (more bool) {
	p.pages++
	switch {
	case string(bytes.TrimSpace(p.cut.text)) != "true":
		return false
	case len(p.token.text) == 0:
		p.err = errToken
	case p.pages == mostPages:
		p.err = errPages
	}
	return p.err == nil
}

// composePage appends the request for the next page of a listing to b.
func (s *script) composePage(op *slot, b []byte) (head, body []byte, err error) {
	token := html.UnescapeString(string(op.pager.token.text)) // XML writes &, < and > as HTML does
	op.pager.turn()
	op.counts.seam = seam{}
	q := request{method: http.MethodGet, query: listQuery(string(s.folderKey(op.k)), token, perFolder*2)}
	if b, err = s.signedAnew(b, q); err != nil {
		return nil, nil, err
	}
	return append(b, "\r\n"...), nil, nil
}

// element keeps the text of the first element of a name in an answer whose bytes come in pieces.
type element struct {
	opens string
	text  []byte
	stage elementStage
	seam  seam
}

type elementStage uint8

const (
	outside elementStage = iota
	inside
	behind
)

const elementText = 4 << 10 // bytes that are kept

func (e *element) begin(opens string) {
	e.opens, e.text, e.stage, e.seam = opens, e.text[:0], outside, seam{}
}

func (e *element) feed(b []byte) {
	if e.stage == outside {
		b = e.find(b)
	}
	if e.stage != inside {
		return
	}
	if i := bytes.IndexByte(b, '<'); i >= 0 {
		b, e.stage = b[:i], behind
	}
	e.text = append(e.text, b[:min(len(b), elementText-len(e.text))]...)
}

// find returns the bytes after the mark that opens the element, once it has come.
func (e *element) find(b []byte) []byte {
	joint, before := e.seam.join(e.opens, b)
	if i := bytes.Index(joint, []byte(e.opens)); i >= 0 {
		e.stage = inside
		return b[i+len(e.opens)-before:]
	}
	if i := bytes.Index(b, []byte(e.opens)); i >= 0 {
		e.stage = inside
		return b[i+len(e.opens):]
	}
	return nil
}
