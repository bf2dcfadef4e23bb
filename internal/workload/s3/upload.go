package s3

import (
	"bytes"
	"fmt"
	"net/http"
	"net/url"
	"strconv"
)

// upload is a multipart upload in progress: a request that begins it, one for each part, and one that completes it.
type upload struct {
	parts int64
	next  int64 // part that is sent next, from 1; 0: the upload isn't begun; parts+1: it is being completed
	part  int64 // bytes of each but the last
	size  int64
	id    string
	etags []string
	etag  string // of the last answer
}

func (u *upload) begin(size, part int64) {
	*u = upload{parts: max(1, (size+part-1)/part), part: part, size: size, etags: u.etags[:0]}
}

// answered takes the ETag of an answer.
func (u *upload) answered(etag []byte) { u.etag = string(etag) }

// The elements of answers to the requests of an upload.
const (
	idOpens, idCloses = "<UploadId>", "</UploadId>"
	errorOpens        = "<Error>"
)

// end takes the end of an answer, and reports whether another request follows. late reports that the store has failed
// after it had answered with a good status.
func (u *upload) end(status int, body []byte) (more, late bool) {
	switch {
	case status != http.StatusOK:
		return false, false
	case u.next == 0:
		_, after, found := bytes.Cut(body, []byte(idOpens))
		id, _, closed := bytes.Cut(after, []byte(idCloses))
		if !found || !closed {
			return false, true
		}
		u.id, u.next = string(id), 1
		return true, false
	case u.next <= u.parts:
		u.etags = append(u.etags, u.etag)
		u.next++
		return true, false
	}
	return false, bytes.Contains(body, []byte(errorOpens))
}

// composeUpload appends the next request of an upload to b.
func (s *script) composeUpload(op *slot, b []byte) (head, body []byte, err error) {
	u := &op.upload
	s.key = s.appendKey(s.key[:0], op.k)
	q := request{method: http.MethodPost, key: string(s.key)}
	var sum sums
	switch {
	case u.next == 0:
		q.query = "uploads="
	case u.next <= u.parts:
		from := (u.next - 1) * u.part
		v := variantOf(op.k, op.state)
		body = s.content.of(v, op.size)[from:min(from+u.part, op.size)]
		q.method = http.MethodPut
		q.query = "partNumber=" + strconv.FormatInt(u.next, 10) + "&uploadId=" + url.QueryEscape(u.id)
		if s.endpoint.payload == "" {
			sum.sha256 = s.content.parts[v].sum(from, op.size)
		}
	default:
		body = u.completion()
		q.query = "uploadId=" + url.QueryEscape(u.id)
		sum.sha256 = hexOf(body)
	}
	q.sums = sum
	if b, err = s.signedAnew(b, q); err != nil {
		return nil, nil, err
	}
	return append(appendLength(b, int64(len(body))), "\r\n"...), body, nil
}

// signedAnew appends the head of a request that isn't repeated, without its length and end.
func (s *script) signedAnew(b []byte, q request) ([]byte, error) {
	text, err := s.signed.authorization(q)
	if err != nil {
		return nil, err
	}
	b = fmt.Appendf(b, "%s %s?%s HTTP/1.1\r\nHost: %s", q.method, s.endpoint.path(q.key), q.query, s.endpoint.host)
	b = appendField(b, headerDate, s.signed.date)
	b = appendField(b, headerSHA256, s.endpoint.hashOf(q.sums.sha256))
	if s.endpoint.keys.SessionToken != "" {
		b = appendField(b, headerToken, s.endpoint.keys.SessionToken)
	}
	return append(appendField(b, headerSigned, text), "\r\n"...), nil
}

// completion returns the body of the request that completes an upload.
func (u *upload) completion() []byte {
	b := []byte("<CompleteMultipartUpload>")
	for i, etag := range u.etags {
		b = fmt.Appendf(b, "<Part><PartNumber>%d</PartNumber><ETag>%s</ETag></Part>", i+1, etag)
	}
	return append(b, "</CompleteMultipartUpload>"...)
}

// Next implements httpload.Script.
func (s *script) Next(at int, b []byte) (head, body []byte) {
	s.signed.turn(s.now())
	op := &s.slots[at]
	var err error
	if op.kind == listFolder {
		head, body, err = s.composePage(op, b)
	} else {
		head, body, err = s.composeUpload(op, b)
	}
	if err != nil { // the signer can't fail for a part or a page if it hasn't for the first request
		return append(b, "\r\n"...), nil
	}
	return head, body
}
