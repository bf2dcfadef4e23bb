package httpload

import (
	"bytes"
	"fmt"
	"slices"
	"strconv"
	"strings"

	"golang.org/x/net/http2/hpack"
)

// varied is a request whose path, header or body has values; each is rendered anew when it is taken.
type varied struct {
	path   pattern
	fields []variedField // without Content-Length
	body   pattern
	sized  bool // it has a Content-Length

	head pattern // HTTP/1.1: the request line and the fields
	tail []byte  // the rest of the head

	pseudo []byte // HTTP/2: the compressed fields before the path
}

type variedField struct {
	name, lower string
	host        bool
	value       pattern
}

// Split returns a URL with marks for what is in braces, and what restores them: url.Parse encodes braces and refuses
// blanks.
func Split(text string) (marked string, restore func(string) string) {
	mark := "plv"
	for strings.Contains(text, mark) {
		mark += "v"
	}
	var pairs []string
	marked = braced().ReplaceAllStringFunc(text, func(found string) string {
		m := fmt.Sprintf("%s%dz", mark, len(pairs)/2)
		pairs = append(pairs, m, found)
		return m
	})
	return marked, strings.NewReplacer(pairs...).Replace
}

// bracesEncoded writes the braces of a URL's text as url.Parse does.
func bracesEncoded(p pattern) pattern {
	for i := range p {
		p[i].text = bytes.ReplaceAll(bytes.ReplaceAll(p[i].text, []byte("{"), []byte("%7B")), []byte("}"), []byte("%7D"))
	}
	return p
}

// vary sets what of a rendered request varies; nothing if it has no values. Escaped braces are resolved in any case.
func (r *request) vary(v Values) error {
	before, query, asked := strings.Cut(r.path, "?")
	path, err := v.parse(before, inPath)
	if err != nil {
		return err
	}
	if asked {
		rest, err := v.parse(query, inQuery)
		if err != nil {
			return err
		}
		path = slices.Concat(path, pattern{{text: []byte("?")}}, rest)
	}
	path = bracesEncoded(path)
	out := &varied{path: path}
	some := path.varies()
	var fields []field
	for _, f := range r.fields {
		value, err := v.parse(f.value, inHeader)
		if err != nil {
			return err
		}
		some = some || value.varies()
		if f.name == lengthName {
			out.sized = true
			continue
		}
		out.fields = append(out.fields, variedField{f.name, strings.ToLower(f.name), strings.EqualFold(f.name, "host"),
			value})
		fields = append(fields, field{f.name, value.literal()})
	}
	if out.body, err = v.parse(string(r.body), bodyPlace(r.fields, r.body)); err != nil {
		return err
	}
	if some || out.body.varies() {
		r.varied = out
		return nil
	}
	r.path, r.body = path.literal(), []byte(out.body.literal())
	if out.sized {
		fields = append(fields, field{lengthName, strconv.Itoa(len(r.body))})
	}
	r.fields = fields
	return nil
}

// lengthName is the field that is the last one of a request with a body.
const lengthName = "Content-Length"

// literal returns a text without values.
func (p pattern) literal() string {
	var b strings.Builder
	for _, one := range p {
		b.Write(one.text)
	}
	return b.String()
}

// compose renders the parts of HTTP/1.1 that do not vary.
func (v *varied) compose(method string, once bool) {
	text := func(s string) pattern { return pattern{{text: []byte(s)}} }
	v.head = slices.Concat(text(method+" "), v.path, text(" HTTP/1.1\r\n"))
	for _, f := range v.fields {
		v.head = slices.Concat(v.head, text(f.name+": "), f.value, text("\r\n"))
	}
	if once {
		v.tail = []byte("Connection: close\r\n")
	}
	v.tail = append(v.tail, "\r\n"...)
}

// compress renders the fields of HTTP/2 that do not vary. None enters the server's table.
func (v *varied) compress(method string, o origin) {
	scheme, authority := "http", o.host
	if o.secure {
		scheme = "https"
	}
	for _, f := range v.fields {
		if f.host {
			authority = f.value.literal()
		}
	}
	v.pseudo = rendered([]hpack.HeaderField{{Name: ":method", Value: method}, {Name: ":scheme", Value: scheme},
		{Name: ":authority", Value: authority}}, nil).plain
}

// fill renders a stream's request, number n of the load.
func (s *stream) fill(d *draws, n int64, two bool) {
	v := s.request.varied
	s.body = d.put(s.body[:0], v.body, n, s.client)
	s.text = s.text[:0]
	if two {
		s.fillBlock(d, n)
		return
	}
	s.text = d.put(s.text, v.head, n, s.client)
	if v.sized {
		s.text = append(s.text, lengthName+": "...)
		s.text = strconv.AppendInt(s.text, int64(len(s.body)), 10)
		s.text = append(s.text, "\r\n"...)
	}
	s.text = append(append(s.text, v.tail...), s.body...)
}

// fillBlock renders the block of header fields of HTTP/2.
func (s *stream) fillBlock(d *draws, n int64) {
	v := s.request.varied
	s.text = append(s.text, v.pseudo...)
	put := func(name string, value []byte) {
		s.text = append(s.text, neverIndexed)
		s.text = appendText(s.text, name)
		s.text = appendText(s.text, value)
	}
	s.value = d.put(s.value[:0], v.path, n, s.client)
	put(":path", s.value)
	for i := range v.fields {
		f := &v.fields[i]
		if f.host {
			continue
		}
		s.value = d.put(s.value[:0], f.value, n, s.client)
		put(f.lower, s.value)
	}
	if v.sized {
		s.value = strconv.AppendInt(s.value[:0], int64(len(s.body)), 10)
		put("content-length", s.value)
	}
}

// neverIndexed begins a field whose name and value are written out (RFC 7541, section 6.2.3).
const neverIndexed = 0x10

// appendText appends a text that is not compressed (RFC 7541, section 5.2).
func appendText[T string | []byte](b []byte, text T) []byte {
	const most = 0x7f
	n := len(text)
	if n < most {
		return append(append(b, byte(n)), text...)
	}
	b = append(b, most)
	for n -= most; n >= 0x80; n >>= 7 {
		b = append(b, byte(n)|0x80)
	}
	return append(append(b, byte(n)), text...)
}

// payload returns the body of a stream's request.
func (s *stream) payload() []byte {
	if s.request.varied != nil {
		return s.body
	}
	return s.request.body
}

// wire returns the bytes of a stream's request in HTTP/1.1.
func (s *stream) wire() []byte {
	if s.request.varied != nil || s.request.scripted {
		return s.text
	}
	return s.request.bytes
}

// Filled returns the target's first request with values, as one of the load's.
func (t *Target) Filled() Request {
	r := t.requests[0]
	scheme := "http://"
	if t.origin.secure {
		scheme = "https://"
	}
	out := Request{Name: r.name, Method: r.method, URL: scheme + t.origin.inURL + r.path, Body: r.body}
	for _, f := range r.fields {
		if f.name != lengthName {
			out.Header = append(out.Header, f.name+": "+f.value)
		}
	}
	v := r.varied
	if v == nil {
		return out
	}
	d, n := t.values.seed(-1), t.values.number(t.serial.Add(1)-1)
	text := func(p pattern) string { return string(d.put(nil, p, n, 0)) }
	out.URL, out.Body, out.Header = scheme+t.origin.inURL+text(v.path), []byte(text(v.body)), nil
	for _, f := range v.fields {
		out.Header = append(out.Header, f.name+": "+text(f.value))
	}
	return out
}

// Varies reports whether a request of the target has values.
func (t *Target) Varies() bool {
	return slices.ContainsFunc(t.requests, func(r request) bool { return r.varied != nil })
}

// Server returns the scheme and host of the target.
func (t *Target) Server() string {
	if t.origin.secure {
		return "https://" + t.origin.inURL
	}
	return "http://" + t.origin.inURL
}
