package httpload

import (
	"bytes"
	"errors"
	"slices"
	"strings"

	"golang.org/x/net/http2/hpack"
)

const (
	tableSize  = 4096 // of both tables of a connection before settings, in bytes as RFC 7541, section 4.1, counts them
	entryExtra = 32   // bytes that an entry counts beside its name and value
	emptyTable = 0x20 // at the start of a block: the table is emptied
)

// blocks are a request's compressed header fields. The fields that all requests share enter the server's table with the
// first request of a connection, and are references to it from then on.
type blocks struct{ first, rest, plain []byte }

// compress renders the header fields of all requests.
func (t *Target) compress() {
	var fields [][]hpack.HeaderField
	var same []*request
	for i := range t.requests {
		r := &t.requests[i]
		if r.varied != nil {
			r.varied.compress(r.method, t.origin)
			continue
		}
		same, fields = append(same, r), append(fields, r.pseudo(t.origin))
	}
	if len(same) == 0 {
		return
	}
	shared := sharedBy(fields)
	for i, r := range same {
		r.blocks = rendered(fields[i], shared)
	}
}

// pseudo returns the header fields of HTTP/2 (RFC 9113, section 8.3.1).
func (r *request) pseudo(o origin) []hpack.HeaderField {
	scheme := "http"
	if o.secure {
		scheme = "https"
	}
	out := []hpack.HeaderField{{Name: ":method", Value: r.method}, {Name: ":scheme", Value: scheme}, {Name: ":authority"},
		{Name: ":path", Value: r.path}}
	for _, f := range r.fields {
		if name := strings.ToLower(f.name); name == "host" {
			out[2].Value = f.value
		} else {
			out = append(out, hpack.HeaderField{Name: name, Value: f.value})
		}
	}
	return out
}

// sharedBy returns the fields of all requests that fit into a table together.
func sharedBy(all [][]hpack.HeaderField) map[hpack.HeaderField]bool {
	out, size := map[hpack.HeaderField]bool{}, 0
	for _, f := range all[0] {
		everywhere := !slices.ContainsFunc(all, func(r []hpack.HeaderField) bool { return !slices.Contains(r, f) })
		if n := len(f.Name) + len(f.Value) + entryExtra; everywhere && !out[f] && size+n <= tableSize {
			out[f] = true
			size += n
		}
	}
	return out
}

// rendered encodes a request's fields in the three ways.
func rendered(fields []hpack.HeaderField, shared map[hpack.HeaderField]bool) *blocks {
	var b bytes.Buffer
	e := hpack.NewEncoder(&b)
	block := func(shared map[hpack.HeaderField]bool) []byte {
		b.Reset()
		for _, f := range fields {
			f.Sensitive = !shared[f]
			_ = e.WriteField(f) // to memory: cannot fail
		}
		return bytes.Clone(b.Bytes())
	}
	return &blocks{plain: block(nil), first: block(shared), rest: block(shared)}
}

// table is the server's table of header fields, as far as an answer's status and length need it. It has the sizes of
// the entries and, if one is a status or a length, its value.
type table struct {
	static  *[lastStatic + 1]entry
	entries []entry // the oldest first
	size    int
	limit   int
	short   shortText // of the field that is being decoded: a decoder by interface would have it allocated
}

type entry struct {
	name   int // bytes
	value  int // bytes
	what   meaning
	number int64 // a status, or a length; −1: its text isn't a length
}

// mostDigits is how many digits a length has at most.
const mostDigits = 19

// meaning is the use of a header field here.
type meaning uint8

const (
	otherField meaning = iota
	statusField
	lengthField
)

// meaningOf returns the meaning of a field with a name, which HTTP/2 writes in lower case.
func meaningOf(name []byte) meaning {
	switch string(name) {
	case ":status":
		return statusField
	case "content-length":
		return lengthField
	}
	return otherField
}

func (e entry) size() int { return e.name + e.value + entryExtra }

// lastStatic is the number of entries of the static table (RFC 7541, appendix A).
const lastStatic = 61

// staticTable returns the static table, by index.
func staticTable() *[lastStatic + 1]entry {
	var out [lastStatic + 1]entry
	d := hpack.NewDecoder(tableSize, nil)
	for i := 1; i <= lastStatic; i++ {
		fields, err := d.DecodeFull([]byte{0x80 | byte(i)})
		if err != nil || len(fields) != 1 {
			panic("the static table of HPACK has no entry of its own") // a mistake in the library, covered by tests
		}
		f := fields[0]
		out[i] = entry{name: len(f.Name), value: len(f.Value), what: meaningOf([]byte(f.Name))}
		out[i].number, _ = out[i].what.numberIn([]byte(f.Value))
	}
	return &out
}

var errCompressed = errors.New("header fields that cannot be decompressed")

// decode returns the status in a block, 0 for trailers, and the length of the body that it states. −1: it doesn't.
func (t *table) decode(b []byte) (status int, length int64, err error) {
	length = -1
	for len(b) > 0 {
		var e entry
		switch {
		case b[0]&0x80 != 0: // a field of a table
			e, b, err = t.indexed(b)
		case b[0]&0xc0 == 0x40: // one that enters the table
			if e, b, err = t.literal(b, 6); err == nil {
				t.add(e)
			}
		case b[0]&0xe0 == 0x20:
			b, err = t.resize(b)
		default: // one that does not
			e, b, err = t.literal(b, 4)
		}
		switch {
		case err != nil:
			return 0, -1, err
		case e.what == statusField && status > 0:
			return 0, -1, errors.New("two statuses")
		case e.what == statusField:
			status = int(e.number)
		case e.what == lengthField && e.number < 0:
			return 0, -1, errors.New("the Content-Length is not a number")
		case e.what == lengthField && length >= 0 && length != e.number:
			return 0, -1, errors.New("conflicting Content-Lengths")
		case e.what == lengthField:
			length = e.number
		}
	}
	return status, length, nil
}

// indexed returns the entry that an index refers to.
func (t *table) indexed(b []byte) (e entry, rest []byte, err error) {
	i, b, err := integer(b, 7)
	if err == nil {
		e, err = t.at(i)
	}
	return e, b, err
}

func (t *table) at(i int) (entry, error) {
	switch {
	case i == 0 || i-lastStatic > len(t.entries):
		return entry{}, errCompressed
	case i <= lastStatic:
		return t.static[i], nil
	}
	return t.entries[len(t.entries)-(i-lastStatic)], nil
}

// literal returns a field whose value, and maybe name, is written out.
func (t *table) literal(b []byte, bits uint) (e entry, rest []byte, err error) {
	i, b, err := integer(b, bits)
	switch {
	case err != nil:
		return e, nil, err
	case i > 0:
		if e, err = t.at(i); err != nil {
			return e, nil, err
		}
	default:
		if e.name, b, err = t.short.read(b); err != nil {
			return e, nil, err
		}
		e.what = meaningOf(t.short.bytes())
	}
	if bits < 6 && e.what == otherField { // the table does not need its length
		b, err = skipText(b)
		return e, b, err
	}
	if e.value, b, err = t.short.read(b); err == nil {
		e.number, err = e.what.numberIn(t.short.bytes())
	}
	return e, b, err
}

// numberIn returns the number in the value of a field. A text that isn't a length is left to decode, since the
// static table has such an entry.
func (m meaning) numberIn(value []byte) (int64, error) {
	switch m {
	case statusField:
		status, err := statusOf(value)
		return int64(status), err
	case lengthField:
		f := framing{length: -1}
		if len(value) > mostDigits || f.setLength(value) != nil {
			return -1, nil
		}
		return f.length, nil
	}
	return 0, nil
}

func statusOf(b []byte) (status int, err error) {
	for _, c := range b {
		if len(b) != 3 || c < '0' || c > '9' {
			return 0, errStatusText
		}
		status = 10*status + int(c-'0')
	}
	if status < 100 {
		return 0, errStatusText
	}
	return status, nil
}

var errStatusText = errors.New("the status is not a three-digit number")

func (t *table) resize(b []byte) (rest []byte, err error) {
	n, b, err := integer(b, 5)
	if err != nil || n > tableSize {
		return nil, errCompressed
	}
	t.limit = n
	t.evict(0)
	return b, nil
}

// add adds an entry; one that is larger than the table only empties it (RFC 7541, section 4.4).
func (t *table) add(e entry) {
	t.evict(e.size())
	if e.size() <= t.limit {
		t.entries = append(t.entries, e)
		t.size += e.size()
	}
}

// evict removes the oldest entries until there is room for so many bytes.
func (t *table) evict(room int) {
	n := 0
	for ; n < len(t.entries) && t.size+room > t.limit; n++ {
		t.size -= t.entries[n].size()
	}
	t.entries = t.entries[:copy(t.entries, t.entries[n:])]
}

// integer decodes an integer with a prefix of so many bits (RFC 7541, section 5.1).
func integer(b []byte, bits uint) (n int, rest []byte, err error) {
	if len(b) == 0 {
		return 0, nil, errCompressed
	}
	most := 1<<bits - 1
	n, b = int(b[0])&most, b[1:]
	if n < most {
		return n, b, nil
	}
	for shift := 0; shift <= 21; shift += 7 {
		if len(b) == 0 {
			break
		}
		c := int(b[0])
		n, b = n+(c&0x7f)<<shift, b[1:]
		if c&0x80 == 0 {
			return n, b, nil
		}
	}
	return 0, nil, errCompressed
}

// shortText keeps the first bytes of a decoded text, which are enough for the names and values of meaning.
type shortText struct {
	head [mostDigits + 1]byte
	n    int // bytes of the whole text
}

func (s *shortText) bytes() []byte { return s.head[:min(s.n, len(s.head))] }

func (s *shortText) Write(b []byte) (int, error) {
	if s.n < len(s.head) {
		copy(s.head[s.n:], b)
	}
	s.n += len(b)
	return len(b), nil
}

// read decodes a text (RFC 7541, section 5.2) and returns its length.
func (s *shortText) read(b []byte) (size int, rest []byte, err error) {
	rest, err = skipText(b)
	if err != nil {
		return 0, nil, err
	}
	n, coded, _ := integer(b, 7)
	s.n = 0
	if b[0]&0x80 == 0 {
		_, _ = s.Write(coded[:n]) // to memory: cannot fail
	} else if _, err := hpack.HuffmanDecode(s, coded[:n]); err != nil {
		return 0, nil, errCompressed
	}
	return s.n, rest, nil
}

// skipText returns the bytes after a text.
func skipText(b []byte) (rest []byte, err error) {
	n, b, err := integer(b, 7)
	if err != nil || n > len(b) {
		return nil, errCompressed
	}
	return b[n:], nil
}
