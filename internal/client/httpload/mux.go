package httpload

import (
	"bytes"
	"encoding/binary"
	"errors"
	"fmt"

	"plimsoll/internal/client/load"
)

// The frames of HTTP/2 (RFC 9113, section 6).
const (
	frameData = iota
	frameHeaders
	framePriority
	frameReset
	frameSettings
	framePush
	framePing
	frameGoAway
	frameWindow
	frameContinuation
)

// The flags of frames.
const (
	flagEndStream  = 0x1
	flagAck        = 0x1
	flagEndHeaders = 0x4
	flagPadded     = 0x8
	flagPriority   = 0x20
)

// The settings of a connection (RFC 9113, section 6.5.2).
const (
	settingTable   = 1
	settingPush    = 2
	settingStreams = 3
	settingWindow  = 4
	settingFrame   = 5
)

// The codes of errors (RFC 9113, section 7).
const (
	codeRefused = 7
	codeCancel  = 8
)

const (
	frameHead    = 9         // bytes before a frame's payload
	usualWindow  = 65_535    // bytes that may be sent before the other side's settings
	usualFrame   = 16_384    // most bytes of a payload, of ours and of the server's
	ourWindow    = 1<<30 - 1 // bytes that the server may send per stream and per connection: flow control is not measured
	replenish    = 1 << 29   // bytes received after which the server gets new room
	lastStream   = 1<<31 - 1 // numbers of streams end here, and the connection with them
	settingBytes = 6         // of one setting
	preface      = "PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n"
	maxWindow    = 1<<31 - 1
	maxAcks      = 10_000
	maxBlock     = maxHead * 4 // bytes of compressed header fields
)

// flow is the part of a stream that only HTTP/2 has.
type flow struct {
	number   uint32 // on its connection; 0: not sent
	seen     int64  // reads of the connection when it was sent
	answer   answer
	stated   int64  // length of the answer's body by its header fields; −1: none, or it has no body
	window   int64  // bytes of the body that the server still takes
	unsent   []byte // of the body
	received int64  // bytes since the server was last given room
	code     uint32 // why the server ended it
}

// mux is the state of an HTTP/2 connection.
type mux struct {
	conn    *conn
	out     []byte // frames that are not yet handed to the connection
	spare   []byte // backing array of the next out
	pending []byte // an incomplete frame
	reads   int64
	acks    int // not yet accepted by the socket

	settled bool  // the server's settings have come
	most    int64 // streams that the server allows
	leaving bool  // the server takes no more streams
	refused int64 // requests that it has left to another connection
	initial int64 // window of new streams
	window  int64 // of the connection
	frame   int   // most bytes of a payload
	plain   bool  // the server's table is too small for the fields that all requests share
	first   bool  // no request was sent yet
	resize  bool  // the next block announces an empty table

	next     uint32 // number of the next stream
	active   map[uint32]*stream
	done     []*stream // answered, and not yet counted
	reset    []*stream // ended by the server, and not yet counted
	received int64

	table     table
	block     []byte // compressed header fields that continue in another frame
	continues uint32 // the stream that they belong to; 0: none
	ends      bool   // which ends with them
}

// greet begins HTTP/2 on a new connection, and reports whether the server's settings have come.
func (c *conn) greet(t *Target, buf []byte, ended bool) (done bool, f failure) {
	if c.state != greeting {
		if c.secret != nil && c.secret.conn.ConnectionState().NegotiatedProtocol != alpnHTTP2 {
			return false, failure{load.Connect, "tls", errNoHTTP2}
		}
		c.mux = &mux{
			conn: c, most: maxWindow, initial: usualWindow, window: usualWindow, frame: usualFrame, first: true, next: 1,
			active: make(map[uint32]*stream, 2*len(c.streams)), table: table{static: t.static, limit: tableSize},
		}
		c.state = greeting
		c.mux.hello()
	}
	_, f = c.receive(buf, ended)
	if f.some() {
		return false, failure{load.Connect, "HTTP/2", f}
	}
	if f = c.sendFrames(); f.some() || !c.mux.settled {
		return false, f
	}
	f = c.tooMany(load.Connect)
	return !f.some(), f
}

// tooMany returns the failure of a connection whose server allows fewer streams than it has.
func (c *conn) tooMany(class load.Class) failure {
	if c.mux.most >= int64(len(c.streams)) {
		return failure{}
	}
	return failure{class, "HTTP/2",
		fmt.Errorf("the server allows %d streams per connection, not %d", c.mux.most, len(c.streams))}
}

var errNoHTTP2 = errors.New("the server does not offer HTTP/2")

// hello appends the preface and the client's settings.
func (m *mux) hello() {
	m.out = append(m.out, preface...)
	m.head(2*settingBytes, frameSettings, 0, 0)
	for _, s := range [][2]uint32{{settingPush, 0}, {settingWindow, ourWindow}} {
		m.out = binary.BigEndian.AppendUint16(m.out, uint16(s[0]))
		m.out = binary.BigEndian.AppendUint32(m.out, s[1])
	}
	m.room(0, ourWindow-usualWindow)
}

// head appends the head of a frame.
func (m *mux) head(size, kind int, flags byte, number uint32) {
	m.out = append(m.out, byte(size>>16), byte(size>>8), byte(size), byte(kind), flags)
	m.out = binary.BigEndian.AppendUint32(m.out, number)
}

// word appends a frame whose payload is 32 bits.
func (m *mux) word(kind int, number, value uint32) {
	m.head(4, kind, 0, number)
	m.out = binary.BigEndian.AppendUint32(m.out, value)
}

// room lets the server send n more bytes.
func (m *mux) room(number uint32, n int64) { m.word(frameWindow, number, uint32(n)) }

// sendFrames hands the frames to the socket, as far as it accepts them.
func (c *conn) sendFrames() failure {
	m := c.mux
	switch {
	case len(m.out) == 0:
	case c.secret != nil:
		if err := c.secret.seal(m.out); err != nil {
			return failure{load.ConnClosed, "sending", err}
		}
		m.out = m.out[:0]
	case len(c.out) > 0:
		c.out = append(c.out, m.out...)
		m.out = m.out[:0]
	default:
		c.out, m.out, m.spare = m.out, m.spare[:0], m.out
	}
	f := c.flush()
	if len(c.out) == 0 {
		m.acks = 0
	}
	return f
}

// post appends the frames of a stream's request.
func (m *mux) post(s *stream) {
	s.number, s.seen, s.window, s.received = m.next, m.reads, m.initial, 0
	s.answer.reset()
	m.next += 2
	m.active[s.number] = s
	m.headers(s)
	if s.unsent = s.payload(); len(s.unsent) > 0 {
		m.send(s)
	}
	m.leaving = m.leaving || m.next > lastStream-uint32(2*len(m.conn.streams)) // those that are free may still begin
}

// headers appends the header fields of a stream's request.
func (m *mux) headers(s *stream) {
	block := s.text
	if b := s.request.blocks; s.request.varied == nil {
		block = b.rest
		switch {
		case m.plain:
			block = b.plain
		case m.first:
			block = b.first
		}
		m.first = false
	}
	if m.resize {
		m.resize = false
		block = append([]byte{emptyTable}, block...)
	}
	kind, flags := frameHeaders, byte(0)
	if len(s.payload()) == 0 {
		flags = flagEndStream
	}
	for {
		n := min(len(block), m.frame)
		if n == len(block) {
			flags |= flagEndHeaders
		}
		m.head(n, kind, flags, s.number)
		m.out = append(m.out, block[:n]...)
		if block = block[n:]; len(block) == 0 {
			return
		}
		kind, flags = frameContinuation, 0
	}
}

// send appends as much of a stream's body as the server takes.
func (m *mux) send(s *stream) {
	for len(s.unsent) > 0 {
		n := min(int64(len(s.unsent)), int64(m.frame), s.window, m.window)
		if n <= 0 {
			return
		}
		flags := byte(0)
		if n == int64(len(s.unsent)) {
			flags = flagEndStream
		}
		m.head(int(n), frameData, flags, s.number)
		m.out = append(m.out, s.unsent[:n]...)
		s.unsent, s.window, m.window = s.unsent[n:], s.window-n, m.window-n
	}
}

// cancel ends a stream without its answer. One that the server has refused has no number any more: RST_STREAM on
// stream 0 would end the connection (RFC 9113, section 6.4).
func (m *mux) cancel(s *stream) {
	if s.number > 0 {
		m.word(frameReset, s.number, codeCancel)
	}
	delete(m.active, s.number)
	s.number = 0
}

// feed parses received bytes. Streams whose answers are whole are in done then, and those that the server ended in
// reset.
func (m *mux) feed(b []byte) failure {
	m.reads++
	if len(m.pending) > 0 {
		m.pending = append(m.pending, b...)
		b = m.pending
	}
	for len(b) >= frameHead {
		size := int(b[0])<<16 | int(b[1])<<8 | int(b[2])
		if err := m.plausible(b, size); err != nil {
			return failure{load.Protocol, "malformed answer", err}
		}
		if len(b) < frameHead+size {
			break
		}
		number := binary.BigEndian.Uint32(b[5:]) & lastStream
		if err := m.take(b[3], b[4], number, b[frameHead:frameHead+size]); err != nil {
			return failure{load.Protocol, "malformed answer", err}
		}
		b = b[frameHead+size:]
	}
	m.pending = append(m.pending[:0], b...)
	return failure{}
}

// plausible returns an error for a frame's head that no server of HTTP/2 sends.
func (m *mux) plausible(b []byte, size int) error {
	switch {
	case !m.settled && bytes.HasPrefix(b, []byte("HTTP/1.")):
		return fmt.Errorf("the server answers in HTTP/1.1")
	case !m.settled && b[3] != frameSettings && b[3] != frameGoAway:
		return fmt.Errorf("the server does not begin with its settings: it does not speak HTTP/2")
	case size > usualFrame:
		return fmt.Errorf("a frame of %d bytes, more than %d", size, usualFrame)
	case m.continues > 0 && b[3] != frameContinuation:
		return fmt.Errorf("header fields without their end")
	}
	return nil
}

// take handles one frame.
func (m *mux) take(kind, flags byte, number uint32, b []byte) error {
	switch kind {
	case frameData:
		return m.data(flags, number, b)
	case frameHeaders:
		return m.fields(flags, number, b)
	case frameContinuation:
		if m.continues == 0 || number != m.continues {
			return fmt.Errorf("a continuation of nothing")
		}
		return m.more(flags, number, b)
	case frameReset:
		if s := m.active[number]; s != nil && len(b) == 4 {
			s.code = binary.BigEndian.Uint32(b)
			m.leave(s)
			m.reset = append(m.reset, s)
		}
	case frameSettings:
		return m.settings(flags, b)
	case framePush:
		return fmt.Errorf("a push, although pushes are turned off")
	case framePing:
		if flags&flagAck == 0 && len(b) == 8 {
			m.head(8, framePing, flagAck, 0)
			m.out = append(m.out, b...)
			return m.acknowledged()
		}
	case frameGoAway:
		return m.goAway(b)
	case frameWindow:
		return m.widen(number, b)
	}
	return nil // others are ignored (RFC 9113, section 5.5)
}

// unpadded returns a payload without its padding.
func unpadded(flags byte, b []byte) ([]byte, error) {
	if flags&flagPadded == 0 {
		return b, nil
	}
	if len(b) == 0 || int(b[0]) >= len(b) {
		return nil, fmt.Errorf("more padding than payload")
	}
	return b[1 : len(b)-int(b[0])], nil
}

func (m *mux) data(flags byte, number uint32, b []byte) error {
	if m.received += int64(len(b)); m.received >= replenish {
		m.room(0, m.received)
		m.received = 0
	}
	whole := len(b)
	b, err := unpadded(flags, b)
	s := m.active[number]
	if err != nil || s == nil {
		return err
	}
	if s.answer.status == 0 {
		return fmt.Errorf("a body before its status")
	}
	s.answer.take(b)
	if flags&flagEndStream != 0 {
		m.answered(s)
	} else if s.received += int64(whole); s.received >= replenish {
		m.room(number, s.received)
		s.received = 0
	}
	return nil
}

// fields takes the first frame of header fields.
func (m *mux) fields(flags byte, number uint32, b []byte) error {
	b, err := unpadded(flags, b)
	if err != nil {
		return err
	}
	if flags&flagPriority != 0 {
		if len(b) < 5 {
			return fmt.Errorf("a priority that is cut off")
		}
		b = b[5:]
	}
	m.ends = flags&flagEndStream != 0
	return m.more(flags, number, b)
}

// more takes a frame of header fields, and decodes all of them after the last one.
func (m *mux) more(flags byte, number uint32, b []byte) error {
	if flags&flagEndHeaders == 0 || m.continues > 0 {
		m.block = append(m.block, b...)
		b = m.block
	}
	if m.continues = 0; flags&flagEndHeaders == 0 {
		if m.continues = number; len(b) > maxBlock {
			return fmt.Errorf("the header fields exceed %d KiB", maxBlock>>10)
		}
		return nil
	}
	m.block = m.block[:0]
	status, length, err := m.table.decode(b)
	s := m.active[number]
	if err != nil || s == nil {
		return err
	}
	if s.answer.status == 0 {
		if status == 0 {
			return fmt.Errorf("an answer without a status")
		}
		if status >= 200 { // else it is interim: the answer follows
			s.answer.status, s.stated = status, length
			if s.request.head || status == 204 || status == 304 {
				s.stated = -1 // it is of the body that another answer would have
			}
		}
	}
	if m.ends {
		if s.answer.status == 0 {
			return fmt.Errorf("an answer ends with an interim one")
		}
		m.answered(s)
	}
	return nil
}

// answered ends a stream whose answer is whole.
func (m *mux) answered(s *stream) {
	if len(s.unsent) > 0 {
		m.word(frameReset, s.number, codeCancel)
	}
	m.leave(s)
	m.done = append(m.done, s)
}

func (m *mux) leave(s *stream) {
	delete(m.active, s.number)
	s.number, s.unsent = 0, nil
}

func (m *mux) settings(flags byte, b []byte) error {
	if flags&flagAck != 0 {
		return nil
	}
	if len(b)%settingBytes != 0 {
		return fmt.Errorf("settings that are cut off")
	}
	for ; len(b) > 0; b = b[settingBytes:] {
		if err := m.set(binary.BigEndian.Uint16(b), int64(binary.BigEndian.Uint32(b[2:]))); err != nil {
			return err
		}
	}
	m.settled = true
	m.head(0, frameSettings, flagAck, 0)
	return m.acknowledged()
}

// acknowledged bounds what waits for a server that sends and does not read.
func (m *mux) acknowledged() error {
	if m.acks++; m.acks > maxAcks {
		return fmt.Errorf("more than %d settings and pings while the server reads nothing", maxAcks)
	}
	return nil
}

func (m *mux) set(id uint16, value int64) error {
	switch id {
	case settingTable:
		if value < tableSize && !m.plain {
			m.plain, m.resize = true, true
		}
	case settingStreams:
		m.most = value
	case settingWindow:
		if value > maxWindow {
			return fmt.Errorf("a window of %d bytes", value)
		}
		for _, s := range m.active {
			s.window += value - m.initial
		}
		m.initial = value
		m.resume()
	case settingFrame:
		if value < usualFrame || value > 1<<24-1 {
			return fmt.Errorf("frames of at most %d bytes", value)
		}
	}
	return nil
}

// widen gives a stream, or the connection, more room.
func (m *mux) widen(number uint32, b []byte) error {
	if len(b) != 4 {
		return fmt.Errorf("a window without its size")
	}
	n := int64(binary.BigEndian.Uint32(b) & maxWindow)
	if number == 0 {
		m.window += n
	} else if s := m.active[number]; s != nil {
		s.window += n
	}
	if m.window > maxWindow {
		return fmt.Errorf("a window of %d bytes", m.window)
	}
	m.resume()
	return nil
}

// resume sends bodies that waited for room.
func (m *mux) resume() {
	for i := range m.conn.streams {
		if s := &m.conn.streams[i]; s.number > 0 && len(s.unsent) > 0 {
			m.send(s)
		}
	}
}

// goAway marks the streams that the server has not seen as not sent.
func (m *mux) goAway(b []byte) error {
	if len(b) < 8 {
		return fmt.Errorf("a goodbye that is cut off")
	}
	if !m.settled {
		return fmt.Errorf("the server refuses the connection: %s", codeName(binary.BigEndian.Uint32(b[4:])))
	}
	last := binary.BigEndian.Uint32(b) & lastStream
	m.leaving = true
	for number, s := range m.active {
		if number > last {
			m.leave(s)
			m.refused++
		}
	}
	return nil
}

// codeName returns the name of an error.
func codeName(code uint32) string {
	names := []string{"NO_ERROR", "PROTOCOL_ERROR", "INTERNAL_ERROR", "FLOW_CONTROL_ERROR", "SETTINGS_TIMEOUT",
		"STREAM_CLOSED", "FRAME_SIZE_ERROR",
		"REFUSED_STREAM", "CANCEL", "COMPRESSION_ERROR", "CONNECT_ERROR", "ENHANCE_YOUR_CALM", "INADEQUATE_SECURITY",
		"HTTP_1_1_REQUIRED"}
	if int64(code) < int64(len(names)) {
		return names[code]
	}
	return fmt.Sprintf("error %d", code)
}

// errLength is malformed by RFC 9113, section 8.1.1, and not of the connection: its other streams go on.
var errLength = errors.New("its body is not as long as its Content-Length")

// receiveFrames handles what has come on an HTTP/2 connection.
func (l *Lane) receiveFrames(clock *load.Lane, c *conn, ended bool) {
	m := c.mux
	f := c.flush()
	if !f.some() || ended {
		_, f = c.receive(l.buf, ended)
	}
	if !f.some() {
		// To go on would have the server refuse requests, which would look like its faults.
		if f = c.tooMany(load.Protocol); f.some() {
			l.note(f)
		}
	}
	l.Stats.Refused += m.refused
	m.refused = 0
	for _, s := range m.done {
		c.reused = true
		if s.stated >= 0 && s.stated != s.answer.body {
			l.drop(clock, s, failure{load.Protocol, "malformed answer", errLength})
		} else {
			l.flying--
			s.busy = false
			l.count(clock, s, &s.answer)
		}
		l.release(clock, s)
	}
	m.done = m.done[:0]
	for _, s := range m.reset {
		l.refused(clock, s)
	}
	m.reset = m.reset[:0]
	switch {
	case m.leaving && len(m.active) == 0, f.some() && !c.busy():
		l.redial(clock, c)
	case f.some():
		l.fail(clock, c, f)
	default:
		l.stop(c)
		l.flush(clock, c)
	}
}

// stop takes the free streams of a connection that the server leaves out of use.
func (l *Lane) stop(c *conn) {
	if c.mux.leaving {
		for i := range c.streams {
			l.free.remove(&c.streams[i])
		}
	}
}

// release frees a stream whose request is over, unless its connection ends.
func (l *Lane) release(clock *load.Lane, s *stream) {
	m := s.conn.mux
	switch {
	case !m.leaving:
		l.free.push(s)
	case len(m.active) == 0 && s.conn.state == sharing && len(m.done) == 0:
		l.redial(clock, s.conn)
	}
}

// refused resends a request that the server has not processed, once, and fails another that it ended.
func (l *Lane) refused(clock *load.Lane, s *stream) {
	m := s.conn.mux
	if s.code == codeRefused && !s.again && !clock.Open() {
		l.Stats.Refused++
		s.again = true
		if !m.leaving {
			m.post(s)
		}
		return
	}
	l.drop(clock, s, failure{load.ConnClosed, "the server ended the stream", fmt.Errorf("%s", codeName(s.code))})
	l.release(clock, s)
}
