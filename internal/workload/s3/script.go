package s3

import (
	"bytes"
	"errors"
	"fmt"
	"math/rand/v2"
	"net/http"
	"strconv"

	"plimsoll/internal/client/httpload"
	"plimsoll/internal/client/load"
)

// shared is what the scripts of all lanes have in common.
type shared struct {
	endpoint *endpoint
	prefix   string // of all keys, with a slash at its end
	mix      mix
	order    []kind // of the operations' kinds in httpload.Config.Requests
	sizes    sizes
	content  *content
	objects  *objects
	choice   choice
	rangeLen int64
	partLen  int64
	lanes    int
	seed     uint64
	now      func() int64 // CLOCK_MONOTONIC, ns
}

// script makes the requests of one lane.
type script struct {
	*shared
	r       *rand.Rand
	keys    *chooser
	signed  *signatures
	slots   []slot
	places  [kinds]int // in order
	failed  bool       // an error was worded
	key     []byte     // buffer
	pending request    // to be signed
}

// slot is an operation in flight.
type slot struct {
	kind   kind
	k      int    // object
	state  uint32 // of a write: the state that it makes; of a read: the state that was acknowledged as it began
	size   int64
	from   int64 // of a range
	length int64
	status int

	at      int64 // bytes of the body so far
	variant int   // of the content that it has; −1: unknown yet
	wrong   bool  // it has another content
	held    int64 // Content-Length of an answer to HEAD; −1: none

	text   [512]byte // beginning of the body of a failed answer
	texts  int
	date   string
	counts counter           // of a listing
	pager  pager             // of it
	least  int               // objects of the listed folder that were surely there
	before [perFolder]uint32 // their states as the listing began; absent: it isn't sure

	upload upload
}

// script returns the script of lane i.
func (s *shared) script(i int) httpload.Script {
	r := rand.New(rand.NewPCG(s.seed, uint64(i)+1))
	out := &script{shared: s, r: r, keys: s.choice.chooser(len(s.objects.all), i, s.lanes, r),
		signed: newSignatures(s.endpoint)}
	for at, k := range s.order {
		out.places[k] = at
	}
	return out
}

// perFolder is the number of objects in a folder, which one listing shows.
const perFolder = 100

// appendKey appends the key of an object.
func (s *shared) appendKey(b []byte, k int) []byte {
	b = append(b, s.prefix...)
	b = appendDigits(b, k/perFolder, 5)
	b = append(b, '/')
	return appendDigits(b, k, 8)
}

// keyOf returns the key of an object.
func (s *shared) keyOf(k int) string { return string(s.appendKey(nil, k)) }

func appendDigits(b []byte, n, digits int) []byte {
	for div := pow10(digits - 1); div > 0; div /= 10 {
		b = append(b, byte('0'+n/div%10))
	}
	return b
}

func pow10(n int) int {
	out := 1
	for range n {
		out *= 10
	}
	return out
}

// Begin implements httpload.Script.
func (s *script) Begin(at int, b []byte) (place int, head, body []byte, err error) {
	for len(s.slots) <= at {
		s.slots = append(s.slots, slot{})
	}
	s.signed.turn(s.now())
	op := &s.slots[at]
	op.reset(s.mix.draw(s.r))
	if err := s.take(op); err != nil {
		return 0, nil, nil, err
	}
	head, body, err = s.compose(op, b)
	return s.places[op.kind], head, body, err
}

func (op *slot) reset(k kind) {
	op.kind, op.status, op.at, op.variant, op.wrong, op.held, op.texts = k, 0, 0, -1, false, -1, 0
	op.from = 0
	if k == listFolder {
		op.counts = counter{}
		op.pager.begin()
	}
}

// take chooses the operation's object.
func (s *script) take(op *slot) error {
	k := s.keys.draw()
	if op.kind == listFolder {
		s.folder(op, k)
		return nil
	}
	var found bool
	if op.kind.writes() {
		k, found = s.objects.find(k, func(k int) bool {
			state, ok := s.objects.begin(k, op.kind == del)
			op.state = state
			return ok
		})
	} else {
		k, found = s.objects.find(k, s.readable)
	}
	if !found {
		return errNoObject
	}
	op.k, op.size = k, s.sizes.all[s.objects.sizes[k]]
	switch op.length = op.size; op.kind {
	case get, head:
		op.state = s.objects.all[k].acked.Load()
	case ranged:
		op.state = s.objects.all[k].acked.Load()
		op.length = min(s.rangeLen, op.size)
		op.from = s.r.Int64N(op.size - op.length + 1)
	case multipart:
		op.upload.begin(op.size, s.partLen)
	}
	return nil
}

// readable reports whether an object is there, as far as is known.
func (s *script) readable(k int) bool { return isThere(s.objects.all[k].acked.Load()) }

// compose appends the first request of an operation to b.
func (s *script) compose(op *slot, b []byte) (head, body []byte, err error) {
	if op.kind == multipart {
		return s.composeUpload(op, b)
	}
	tag, sum, query := uint64(op.kind)<<56|uint64(op.k)<<4|1, sums{}, ""
	if op.kind == put {
		v := variantOf(op.k, op.state)
		tag |= uint64(v) << 1
		sum = s.content.sums[s.objects.sizes[op.k]][v]
		body = s.content.of(v, op.size)
	}
	b = append(b, methodOf(op.kind)...)
	b = append(append(b, ' '), s.endpoint.path("")...)
	if op.kind == listFolder {
		tag = uint64(listFolder)<<56 | uint64(op.k/perFolder)<<4 | 1
		query = listQuery(string(s.folderKey(op.k)), "", perFolder*2)
		b = append(append(b, '?'), query...)
	} else {
		s.key = s.appendKey(s.key[:0], op.k)
		b = append(append(b, '/'), s.key...)
	}
	s.pending = request{method: methodOf(op.kind), query: query, sums: sum}
	if b, err = s.fields(b, op.kind, tag, sum, s.asked); err != nil {
		return nil, nil, err
	}
	if op.kind == ranged {
		b = append(b, "Range: bytes="...)
		b = strconv.AppendInt(b, op.from, 10)
		b = append(b, '-')
		b = strconv.AppendInt(b, op.from+op.length-1, 10)
		b = append(b, "\r\n"...)
	}
	if op.kind == put {
		b = appendLength(b, op.size)
	}
	return append(b, "\r\n"...), body, nil
}

// asked returns the pending request, for the signer. Only a listing has a query, and no key.
func (s *script) asked() request {
	q := s.pending
	if q.query == "" {
		q.key = string(s.key)
	}
	return q
}

// fields appends the end of a request line and the header fields of a signed request.
func (s *script) fields(b []byte, k kind, tag uint64, sum sums, ask func() request) ([]byte, error) {
	stem, signature, err := s.signed.of(k, tag, ask)
	if err != nil {
		return nil, err
	}
	b = append(b, " HTTP/1.1\r\nHost: "...)
	b = append(b, s.endpoint.host...)
	b = appendField(b, headerDate, s.signed.date)
	b = appendField(b, headerSHA256, s.endpoint.hashOf(sum.sha256))
	if s.endpoint.keys.SessionToken != "" {
		b = appendField(b, headerToken, s.endpoint.keys.SessionToken)
	}
	if sum.crc32c != "" {
		b = appendField(b, headerCRC32C, sum.crc32c)
	}
	b = appendField(b, headerSigned, stem)
	return append(append(b, signature...), "\r\n"...), nil
}

// appendField appends a field after the end of the one before, without its own end.
func appendField(b []byte, name, value string) []byte {
	b = append(b, "\r\n"...)
	b = append(b, name...)
	b = append(b, ": "...)
	return append(b, value...)
}

func appendLength(b []byte, n int64) []byte {
	b = append(b, "Content-Length: "...)
	return append(strconv.AppendInt(b, n, 10), "\r\n"...)
}

func methodOf(k kind) string {
	switch k {
	case put:
		return http.MethodPut
	case head:
		return http.MethodHead
	case del:
		return http.MethodDelete
	case multipart: // of the request that begins it
		return http.MethodPost
	}
	return http.MethodGet
}

// Head implements httpload.Script.
func (s *script) Head(at, status int, text []byte) {
	op := &s.slots[at]
	op.status = status
	switch {
	case op.kind == head:
		if n, err := strconv.ParseInt(string(fieldIn(text, "Content-Length")), 10, 64); err == nil {
			op.held = n
		}
	case op.kind == multipart:
		op.upload.answered(fieldIn(text, "ETag"))
	}
	if status >= http.StatusMultipleChoices && !s.failed {
		op.date = string(fieldIn(text, "Date"))
	}
}

// fieldIn returns a field of a head; nil if it isn't there.
func fieldIn(text []byte, name string) []byte {
	for line := range bytes.SplitSeq(text, []byte{'\n'}) {
		if len(line) > len(name) && line[len(name)] == ':' && bytes.EqualFold(line[:len(name)], []byte(name)) {
			return bytes.TrimSpace(line[len(name)+1:])
		}
	}
	return nil
}

// Body implements httpload.Script.
func (s *script) Body(at int, b []byte) {
	op := &s.slots[at]
	switch {
	case op.status >= http.StatusMultipleChoices:
		op.texts += copy(op.text[op.texts:], b)
	case op.kind == get, op.kind == ranged:
		s.compare(op, b)
	case op.kind == listFolder:
		op.counts.feed(b)
		op.pager.feed(b)
	default:
		op.texts += copy(op.text[op.texts:], b) // of a multipart upload: its id, or an error that comes late
	}
	op.at += int64(len(b))
}

// compare compares a part of an object with the contents that it may have.
func (s *script) compare(op *slot, b []byte) {
	if op.wrong || op.at+int64(len(b)) > op.length {
		op.wrong = true
		return
	}
	at := op.from + op.at
	if op.variant >= 0 && s.content.same(op.variant, op.size, at, b) {
		return
	}
	low, high := s.objects.may(op.k, op.state)
	for state := low; state <= high && state-low < 2*variants; state++ {
		v := variantOf(op.k, state)
		if isThere(state) && s.content.same(v, op.size, at, b) && s.agrees(op, v) {
			op.variant = v
			return
		}
	}
	op.wrong = true
}

// agrees reports whether a variant has the bytes that came before, too.
func (s *script) agrees(op *slot, v int) bool {
	return op.variant < 0 || s.content.same(v, op.size, op.from,
		s.content.of(op.variant, op.size)[op.from:op.from+op.at])
}

// The failures of operations. Failures of answers are worded once.
var (
	errNoObject = errors.New(Name + ": no object is left for the next operation: all were deleted\nhint: more " +
		"--objects, a shorter --for, or more puts than deletes in --ops")
	errStatus  = errors.New(Name + ": an answer with a bad status")
	errContent = errors.New(Name + ": an answer with other content than was written")
)

// End implements httpload.Script.
func (s *script) End(at int) (o httpload.Outcome, more bool) {
	op := &s.slots[at]
	if op.kind == multipart {
		if more, late := op.upload.end(op.status, op.text[:op.texts]); more {
			op.texts, op.at = 0, 0
			return o, true
		} else if late {
			op.status = http.StatusInternalServerError
		}
	}
	if op.kind == listFolder && op.status == http.StatusOK && op.pager.end() {
		return o, true
	}
	bad, wrong := s.judge(op)
	if op.kind.writes() {
		s.objects.end(op.k, op.state, !bad && !wrong)
	}
	switch {
	case bad:
		return httpload.Outcome{Err: s.worded(op, errStatus), Class: load.Status, Status: op.status}, false
	case wrong:
		return httpload.Outcome{Err: s.worded(op, errContent), Class: load.Protocol}, false
	case op.kind == put, op.kind == multipart:
		o.Bytes = op.size
	case op.kind == get, op.kind == ranged:
		o.Bytes = op.at
	}
	return o, false
}

// judge reports whether an answer has a bad status, or content that can't be.
func (s *script) judge(op *slot) (bad, wrong bool) {
	if op.status == http.StatusNotFound && (op.kind == get || op.kind == head || op.kind == ranged) {
		low, high := s.objects.may(op.k, op.state)
		return !mayMiss(low, high, s.mix.has(del)), false
	}
	switch op.kind {
	case get:
		return op.status != http.StatusOK, op.wrong || op.at != op.length
	case ranged:
		return op.status != http.StatusPartialContent, op.wrong || op.at != op.length
	case head:
		return op.status != http.StatusOK, op.held != op.size
	case listFolder:
		return op.status != http.StatusOK, op.pager.err != nil || !s.counted(op)
	case del:
		return op.status != http.StatusNoContent && op.status != http.StatusOK, false
	}
	return op.status != http.StatusOK, false
}

// worded returns the error of a failed operation, in words once.
func (s *script) worded(op *slot, plain error) error {
	if s.failed {
		return plain
	}
	s.failed = true
	doing := fmt.Sprintf("%s of an object of %d bytes", op.kind, op.size)
	if op.kind == listFolder {
		doing = "list of a folder"
	}
	if errors.Is(plain, errStatus) {
		return statusError(doing, op.status, op.text[:op.texts], op.date, s.endpoint.region)
	}
	switch op.kind {
	case head:
		return fmt.Errorf("%s: %s: the store gives its size as %d bytes", Name, doing, op.held)
	case listFolder:
		if op.pager.err != nil {
			return fmt.Errorf("%s: %s, after %d objects: %w", Name, doing, op.counts.n, op.pager.err)
		}
		return fmt.Errorf("%s: %s: it shows %d objects, but %d were written and not deleted", Name, doing, op.counts.n,
			op.least)
	}
	return fmt.Errorf("%s: %s: byte %d of %d isn't one that was written", Name, doing, op.from+op.at, op.size)
}

// Lost implements httpload.Script: it is unknown whether the store has done it.
func (s *script) Lost(at int) {
	if op := &s.slots[at]; op.kind.writes() {
		s.objects.end(op.k, op.state, false)
	}
}
