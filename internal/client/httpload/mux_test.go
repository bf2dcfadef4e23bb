package httpload

import (
	"bytes"
	"crypto/tls"
	"encoding/binary"
	"errors"
	"fmt"
	"io"
	"iter"
	"net"
	"net/http"
	"net/http/httptest"
	"runtime"
	"strconv"
	"strings"
	"sync/atomic"
	"testing"
	"time"

	"golang.org/x/net/http2"
	"golang.org/x/net/http2/hpack"

	"plimsoll/internal/base/simtest"
	"plimsoll/internal/client/load"
)

// second starts Go's server of HTTP/2, by TLS or without.
func second(t *testing.T, secure bool, handle http.HandlerFunc) Config {
	t.Helper()
	s := httptest.NewUnstartedServer(handle)
	s.Config.Protocols = new(http.Protocols)
	s.Config.Protocols.SetHTTP1(true)
	s.Config.Protocols.SetHTTP2(true)
	s.Config.Protocols.SetUnencryptedHTTP2(true)
	s.EnableHTTP2 = true
	if secure {
		s.StartTLS()
	} else {
		s.Start()
	}
	t.Cleanup(s.Close)
	return Config{URLs: []string{s.URL + "/"}, TLS: unverified(), Protocol: HTTP2}
}

// TestSecondVersion loads a real server by closed and open loops, with and without TLS, with one and several streams.
func TestSecondVersion(t *testing.T) {
	simtest.Long(t)
	for _, secure := range []bool{false, true} {
		for _, streams := range []int{1, 3} {
			var served, old, conns atomic.Int64
			c := second(t, secure, func(w http.ResponseWriter, r *http.Request) {
				served.Add(1)
				if r.ProtoMajor != 2 || r.Header.Get("X-A") != "b" || r.Host != "shop.example" {
					old.Add(1)
				}
				if strings.HasSuffix(r.RemoteAddr, ":0") {
					conns.Add(1)
				}
				io.WriteString(w, "hello, world\n")
			})
			c.Streams, c.Header, c.Expect = streams, []string{"X-A: b", "Host: shop.example"}, Expect{Body: []byte("world")}
			got := ask(t, c, clients(8), 8, 300*time.Millisecond)
			if got.err != nil || !whole(got) || errorsOf(got.Result) > 0 || got.Bytes != 13*got.Ops ||
				got.stats.Statuses[200] != got.Ops || old.Load() > 0 {
				t.Errorf("TLS %v, %d streams: %d operations, %d bytes, errors %v (%v), %d odd requests, %v", secure, streams,
					got.Ops, got.Bytes, got.Errors, got.stats.First, old.Load(), got.err)
			}
			if n := served.Load(); n < got.Ops || n > got.Ops+8 {
				t.Errorf("the server counts %d requests, not %d", n, got.Ops)
			}
			if got := ask(t, c, rate(2000), 8, 300*time.Millisecond); got.err != nil || !whole(got) || errorsOf(got.Result) > 0 {
				t.Errorf("an open loop: %d operations of %d, errors %v (%v), %v", got.Ops, got.Offered, got.Errors, got.stats.First,
					got.err)
			}
		}
	}
}

// TestSecondVersionsBodies: bodies beyond the windows of both sides arrive whole, chunks and statuses too.
func TestSecondVersionsBodies(t *testing.T) {
	var wrong atomic.Int64
	c := second(t, false, func(w http.ResponseWriter, r *http.Request) {
		n, _ := io.Copy(io.Discard, r.Body)
		switch r.URL.Path {
		case "/put":
			if n != 3<<20 || r.Method != "PUT" || r.ContentLength != 3<<20 {
				wrong.Add(1)
			}
			w.WriteHeader(http.StatusCreated)
		case "/get":
			for range 100 {
				io.WriteString(w, strings.Repeat("y", 10_000))
				w.(http.Flusher).Flush()
			}
		case "/head":
			w.Header().Set("Content-Length", "5000")
		}
	})
	base := strings.TrimSuffix(c.URLs[0], "/")
	c.URLs, c.Streams = nil, 3
	c.Requests = []Request{{URL: base + "/put", Method: "PUT", Body: make([]byte, 3<<20)},
		{URL: base + "/get", Header: []string{"X-Long: " + strings.Repeat("z", 60_000)}},
		{URL: base + "/head", Method: "HEAD"}}
	got := ask(t, c, clients(3), 3, 500*time.Millisecond)
	s := got.stats.Statuses
	if got.err != nil || errorsOf(got.Result) > 0 || wrong.Load() > 0 || s[200] == 0 || s[201] == 0 || got.Bytes == 0 ||
		got.Bytes%1_000_000 != 0 {
		t.Errorf("%d operations, %d bytes, errors %v (%v), %d wrong, %v", got.Ops, got.Bytes, got.Errors, got.stats.First,
			wrong.Load(), got.err)
	}
}

// TestSecondVersionAllocatesNothing in its hot loop.
func TestSecondVersionAllocatesNothing(t *testing.T) {
	c := frames(t, func(i int, f *http2.Framer) {
		var b bytes.Buffer
		e := hpack.NewEncoder(&b)
		for h := range requests(f) {
			b.Reset()
			e.WriteField(hpack.HeaderField{Name: ":status", Value: "200"})
			e.WriteField(hpack.HeaderField{Name: "server", Value: "a test"})
			e.WriteField(hpack.HeaderField{Name: "content-length", Value: "5", Sensitive: true})
			f.WriteHeaders(http2.HeadersFrameParam{StreamID: h.StreamID, BlockFragment: b.Bytes(), EndHeaders: true})
			f.WriteData(h.StreamID, true, []byte("hello"))
		}
	})
	c.Streams = 4
	target, err := New(c)
	if err != nil {
		t.Fatal(err)
	}
	g, err := load.New(load.Config{Load: clients(8), Lanes: 1, Duration: 300 * time.Millisecond})
	if err != nil {
		t.Fatal(err)
	}
	lane, err := target.NewLane(t.Context(), 8)
	if err != nil {
		t.Fatal(err)
	}
	defer lane.Close()
	var before, after runtime.MemStats
	runtime.ReadMemStats(&before)
	g.Start(g.Clock().Now())
	err = lane.Run(t.Context(), g.Lane(0))
	runtime.ReadMemStats(&after)
	g.Lane(0).Leave()
	r := g.Result()
	// The framer of the test allocates about 6 times per request; ours must not add to it.
	if per := float64(after.Mallocs-before.Mallocs) / float64(max(r.Ops, 1)); err != nil || r.Ops < 100 ||
		errorsOf(r) > 0 || per > 8 {
		t.Errorf("%.1f allocations per request in %d requests, %v, %v", per, r.Ops, r.Errors, err)
	}
}

// frames serves HTTP/2 by hand: handle gets each connection after the preface and the settings of both sides.
func frames(t *testing.T, handle func(i int, f *http2.Framer), settings ...http2.Setting) Config {
	t.Helper()
	return accepts(t, func(i int, c net.Conn) {
		if _, err := io.ReadFull(c, make([]byte, len(preface))); err != nil {
			return
		}
		f := http2.NewFramer(c, c)
		f.WriteSettings(settings...)
		handle(i, f)
	})
}

// requests returns the requests on a connection of frames, until it ends.
func requests(f *http2.Framer) iter.Seq[*http2.HeadersFrame] {
	return func(yield func(*http2.HeadersFrame) bool) {
		for {
			got, err := f.ReadFrame()
			if err != nil {
				return
			}
			if h, ok := got.(*http2.HeadersFrame); ok && !yield(h) {
				return
			}
		}
	}
}

// accepts serves each connection, by its number.
func accepts(t *testing.T, handle func(i int, c net.Conn)) Config {
	t.Helper()
	l, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { l.Close() })
	go func() {
		for i := 0; ; i++ {
			c, err := l.Accept()
			if err != nil {
				return
			}
			go func() {
				defer c.Close()
				handle(i, c)
			}()
		}
	}()
	return Config{URLs: []string{"http://" + l.Addr().String() + "/"}, Protocol: HTTP2, Timeout: 2 * time.Second}
}

// answers writes an answer without a body.
func answers(f *http2.Framer, number uint32, status byte) {
	f.WriteHeaders(http2.HeadersFrameParam{StreamID: number, BlockFragment: []byte{0x80 | status}, EndHeaders: true,
		EndStream: true})
}

// TestServerSaysGoodbye: a server that ends its connections after some requests, as nginx does, costs no request, and
// what it has not processed is sent again.
func TestServerSaysGoodbye(t *testing.T) {
	var conns, refused atomic.Int64
	c := frames(t, func(i int, f *http2.Framer) {
		conns.Add(1)
		served, last := 0, uint32(0)
		for h := range requests(f) {
			if served++; served > 10 {
				refused.Add(1)
				continue // not processed: beyond the last stream of the goodbye
			}
			if last = h.StreamID; served == 10 {
				f.WriteGoAway(last, http2.ErrCodeNo, nil)
			}
			answers(f, h.StreamID, 8)
		}
	})
	c.Streams = 4
	for _, l := range []struct {
		point any
		got   asked
	}{{"closed", ask(t, c, clients(4), 4, 300*time.Millisecond)},
		{"open", ask(t, c, rate(500), 4, 300*time.Millisecond)}} {
		if l.got.err != nil || !whole(l.got) || errorsOf(l.got.Result) > 0 || l.got.stats.Reconnects < 2 ||
			l.got.stats.Retries > 0 {
			t.Errorf("%v: %d operations of %d, %d reconnects, errors %v (%v), %v", l.point, l.got.Ops, l.got.Offered,
				l.got.stats.Reconnects, l.got.Errors, l.got.stats.First, l.got.err)
		}
	}
	t.Logf("%d connections, %d requests after the goodbye", conns.Load(), refused.Load())
	m := mux{active: map[uint32]*stream{}, settled: true}
	for _, number := range []uint32{1, 3, 5} {
		m.active[number] = &stream{flow: flow{number: number}}
	}
	if err := m.goAway([]byte{0, 0, 0, 1, 0, 0, 0, 0}); err != nil || m.refused != 2 || len(m.active) != 1 {
		t.Errorf("%d refused, %d active, %v", m.refused, len(m.active), err)
	}
}

// TestServerEndsStreams: a refused stream is sent again in a closed loop, once, and any other ends its request alone.
func TestServerEndsStreams(t *testing.T) {
	for code, want := range map[http2.ErrCode]string{http2.ErrCodeRefusedStream: "",
		http2.ErrCodeInternal: "INTERNAL_ERROR"} {
		c := frames(t, func(_ int, f *http2.Framer) {
			n := 0
			for h := range requests(f) {
				if n%5 == 0 {
					f.WriteRSTStream(h.StreamID, code)
				} else {
					answers(f, h.StreamID, 9)
				}
				n++
			}
		})
		got := ask(t, c, clients(2), 2, 200*time.Millisecond)
		failed := got.Errors[load.ConnClosed]
		if got.err != nil || !whole(got) || errorsOf(got.Result) != failed || (want == "") != (failed == 0) ||
			(want == "") != (got.stats.Refused > 0) || got.stats.Retries > 0 ||
			got.stats.Statuses[204] != got.Ops || got.stats.Reconnects > 0 {
			t.Errorf("%v: %d operations, %d refused, errors %v (%v), %v", code, got.Ops, got.stats.Refused, got.Errors,
				got.stats.First, got.err)
		}
		if want != "" && (got.stats.First == nil || !strings.Contains(got.stats.First.Error(), want)) {
			t.Errorf("first failure: %v", got.stats.First)
		}
	}
}

// TestServerAllowsFewerStreams: a limit that falls during the load ends the connection, with that reason.
func TestServerAllowsFewerStreams(t *testing.T) {
	c := frames(t, func(_ int, f *http2.Framer) {
		n := 0
		for h := range requests(f) {
			if n++; n == 3 {
				f.WriteSettings(http2.Setting{ID: http2.SettingMaxConcurrentStreams, Val: 1})
			}
			answers(f, h.StreamID, 8)
		}
	})
	c.Streams = 2
	got := ask(t, c, clients(2), 2, 300*time.Millisecond)
	if got.err != nil || !whole(got) || errorsOf(got.Result) != got.Errors[load.Protocol] || got.stats.Reconnects == 0 ||
		!strings.Contains(fmt.Sprint(got.stats.First), "allows 1 streams per connection, not 2") {
		t.Errorf("%d operations, %d reconnects, errors %v (%v), %v", got.Ops, got.stats.Reconnects, got.Errors,
			got.stats.First, got.err)
	}
}

// TestServerEndsSeveralStreams: of streams that the server ends at once, for different reasons, those that it refused
// are sent again, and the others fail.
func TestServerEndsSeveralStreams(t *testing.T) {
	for _, codes := range [][2]http2.ErrCode{{http2.ErrCodeInternal, http2.ErrCodeRefusedStream},
		{http2.ErrCodeRefusedStream, http2.ErrCodeInternal}} {
		var pairs atomic.Int64
		c := accepts(t, func(_ int, c net.Conn) {
			io.ReadFull(c, make([]byte, len(preface)))
			var out bytes.Buffer // both frames leave in one write
			f := http2.NewFramer(&out, c)
			f.WriteSettings()
			out.WriteTo(c)
			var held []uint32
			n := -1
			for h := range requests(f) {
				if n++; n%4 > 1 {
					answers(f, h.StreamID, 8)
				} else if held = append(held, h.StreamID); len(held) == 2 {
					f.WriteRSTStream(held[0], codes[0])
					f.WriteRSTStream(held[1], codes[1])
					held = held[:0]
					pairs.Add(1)
				}
				out.WriteTo(c)
			}
		})
		c.Streams, c.Method = 2, "POST"
		got := ask(t, c, clients(2), 2, 200*time.Millisecond)
		// The last pair may end after the window.
		n, failed := pairs.Load(), got.Errors[load.ConnClosed]
		if got.err != nil || !whole(got) || n < 1 || failed < n-1 || failed > n ||
			got.stats.Refused < failed-1 || got.stats.Retries > 0 ||
			!strings.Contains(fmt.Sprint(got.stats.First), "INTERNAL_ERROR") {
			t.Errorf("%v: %d pairs, %d operations, errors %v (%v), %v", codes, n, got.Ops, got.Errors, got.stats.First,
				got.err)
		}
	}
}

// TestSecondVersionsLengths: an answer whose body is longer or shorter than its Content-Length is a failed one, and
// the others of its connection go on. HEAD, 204 and 304 state the length of a body that they don't have.
func TestSecondVersionsLengths(t *testing.T) {
	for _, l := range []struct {
		stated, status, method, body string
		fails                        bool
	}{
		{"10", "200", "GET", "0123456789", false}, {"10", "200", "GET", "01", true}, {"10", "200", "GET", "", true},
		{"10", "200", "POST", "0123456789abcdef", true}, {"0", "200", "GET", "x", true}, {"0", "200", "GET", "", false},
		{"10", "200", "HEAD", "", false}, {"10", "204", "GET", "", false}, {"10", "304", "GET", "", false},
	} {
		c := frames(t, func(_ int, f *http2.Framer) {
			var b bytes.Buffer
			e := hpack.NewEncoder(&b)
			n := 0
			for h := range requests(f) {
				b.Reset()
				e.WriteField(hpack.HeaderField{Name: ":status", Value: l.status})
				if n++; n%2 == 0 {
					e.WriteField(hpack.HeaderField{Name: "content-length", Value: l.stated})
				}
				f.WriteHeaders(http2.HeadersFrameParam{StreamID: h.StreamID, BlockFragment: b.Bytes(), EndHeaders: true,
					EndStream: l.body == ""})
				if l.body != "" {
					f.WriteData(h.StreamID, false, []byte(l.body[:1]))
					f.WriteData(h.StreamID, true, []byte(l.body[1:]))
				}
			}
		})
		c.Method, c.Streams = l.method, 2
		got := ask(t, c, clients(2), 2, 100*time.Millisecond)
		failed := got.Errors[load.Protocol]
		if got.err != nil || !whole(got) || (failed > 0) != l.fails || errorsOf(got.Result) != failed ||
			got.stats.Reconnects > 0 {
			t.Errorf("%v: %d operations, errors %v (%v), %d reconnects, %v", l, got.Ops, got.Errors, got.stats.First,
				got.stats.Reconnects, got.err)
		}
		if l.fails && (got.stats.First == nil || !strings.Contains(got.stats.First.Error(), "Content-Length")) {
			t.Errorf("first failure: %v", got.stats.First)
		}
	}
}

// TestSlowStreams: a request that is never answered ends by its timeout; its connection goes on if the server is alive.
func TestSlowStreams(t *testing.T) {
	simtest.Long(t)
	for _, dead := range []bool{false, true} {
		c := frames(t, func(_ int, f *http2.Framer) {
			n := 0
			for h := range requests(f) {
				if n++; n != 50 && !(dead && n > 50) {
					answers(f, h.StreamID, 8)
				}
			}
		})
		c.Streams, c.Timeout = 2, 300*time.Millisecond
		got := ask(t, c, clients(2), 2, 1200*time.Millisecond)
		if got.err != nil || !whole(got) || got.Errors[load.Timeout] == 0 ||
			errorsOf(got.Result) != got.Errors[load.Timeout] || (got.stats.Reconnects > 0) != dead {
			t.Errorf("dead %v: %d operations, %d reconnects, errors %v (%v), %v", dead, got.Ops, got.stats.Reconnects,
				got.Errors, got.stats.First, got.err)
		}
	}
}

// TestNoSecondVersion: servers that do not speak HTTP/2, or not as much of it, are named before the load.
func TestNoSecondVersion(t *testing.T) {
	first := httptest.NewServer(http.NotFoundHandler())
	defer first.Close()
	secure := httptest.NewTLSServer(http.NotFoundHandler()) // offers HTTP/1.1 alone
	defer secure.Close()
	silent := accepts(t, func(_ int, c net.Conn) { io.Copy(io.Discard, c) })
	silent.Timeout = 100 * time.Millisecond
	few := frames(t, func(_ int, f *http2.Framer) {
		for {
			if _, err := f.ReadFrame(); err != nil {
				return
			}
		}
	}, http2.Setting{ID: http2.SettingMaxConcurrentStreams, Val: 2})
	few.Streams = 3
	away := accepts(t, func(_ int, c net.Conn) {
		io.ReadFull(c, make([]byte, len(preface)))
		http2.NewFramer(c, c).WriteGoAway(0, http2.ErrCodeEnhanceYourCalm, nil)
		io.Copy(io.Discard, c)
	})
	for want, c := range map[string]Config{
		"the server answers in HTTP/1.1": {URLs: []string{first.URL}, Protocol: HTTP2},
		"no application protocol": {URLs: []string{secure.URL}, Protocol: HTTP2,
			TLS: &tls.Config{InsecureSkipVerify: true}},
		"did not answer within 100ms":      silent,
		"allows 2 streams per connection":  few,
		"refuses the connection: ENHANCE_": away,
	} {
		if got := ask(t, c, clients(3), 3, 50*time.Millisecond); got.err == nil || !strings.Contains(got.err.Error(), want) {
			t.Errorf("%s: %v", want, got.err)
		}
	}
}

// TestSmallTable: a server without a table for header fields gets them whole.
func TestSmallTable(t *testing.T) {
	var broken atomic.Int64
	c := frames(t, func(_ int, f *http2.Framer) {
		d := hpack.NewDecoder(0, nil)
		d.SetAllowedMaxDynamicTableSize(0)
		for h := range requests(f) {
			if fields, err := d.DecodeFull(h.HeaderBlockFragment()); err != nil || len(fields) != 5 || fields[4].Value != "b" {
				broken.Add(1)
			}
			answers(f, h.StreamID, 8)
		}
	}, http2.Setting{ID: http2.SettingHeaderTableSize, Val: 0})
	c.Header = []string{"X-A: b"}
	if got := ask(t, c, clients(1), 1, 100*time.Millisecond); got.err != nil || got.Ops < 3 || errorsOf(got.Result) > 0 ||
		broken.Load() > 0 {
		t.Errorf("%d operations, %d that the server cannot read, %v, %v", got.Ops, broken.Load(), got.Errors, got.err)
	}
}

// TestTableFollowsTheLibrary: the status of each block is that which the library decodes, over tables that change.
func TestTableFollowsTheLibrary(t *testing.T) {
	var b bytes.Buffer
	e := hpack.NewEncoder(&b)
	own := table{static: staticTable(), limit: tableSize}
	for i := range 5000 {
		b.Reset()
		if i%700 == 600 {
			e.SetMaxDynamicTableSize(uint32(i % 4096))
		}
		want := []int{200, 404, 503, 299, 201, 418}[i%6]
		e.WriteField(hpack.HeaderField{Name: ":status", Value: fmt.Sprint(want), Sensitive: i%5 == 0})
		e.WriteField(hpack.HeaderField{Name: "date", Value: fmt.Sprint(time.Unix(int64(i/9), 0))})
		e.WriteField(hpack.HeaderField{Name: "x" + strings.Repeat("n", i%80), Value: strings.Repeat("~", i%200),
			Sensitive: i%3 == 0})
		length := int64(-1)
		if i%4 > 0 {
			length = int64(i) << (i % 40)
			e.WriteField(hpack.HeaderField{Name: "content-length", Value: fmt.Sprint(length), Sensitive: i%7 == 0})
		}
		if got, size, err := own.decode(b.Bytes()); err != nil || got != want || size != length {
			t.Fatalf("block %d: %d, %d instead of %d bytes, %v", i, got, size, length, err)
		}
	}
}

// FuzzTable: for any block, ours and the library agree about its status and about whether it can be read.
func FuzzTable(f *testing.F) {
	var b bytes.Buffer
	e := hpack.NewEncoder(&b)
	e.WriteField(hpack.HeaderField{Name: ":status", Value: "302"})
	e.WriteField(hpack.HeaderField{Name: "location", Value: "/there"})
	f.Add(b.Bytes(), []byte{0xc0, 0x88})
	f.Add([]byte{0x5c, 2, '1', '0', 0x0f, 0x0d, 2, '1', '0'}, []byte{0xbe, 0x5c, 1, 'x'})
	f.Add([]byte{0x3f, 0xe1, 0x1f, 0x48, 0x82, 0x64, 0x02}, []byte{0xbe})
	f.Fuzz(func(t *testing.T, one, two []byte) {
		own := table{static: staticTable(), limit: tableSize}
		library := hpack.NewDecoder(tableSize, nil)
		for _, block := range [][]byte{one, two} {
			fields, theirs := library.DecodeFull(block)
			status, length, err := own.decode(block)
			if theirs != nil || err != nil {
				if theirs == nil && !errors.Is(err, errCompressed) {
					return // two statuses or lengths, or one that is no number
				}
				if theirs == nil {
					t.Errorf("%x: %v", block, err)
				}
				return
			}
			want, size := 0, int64(-1)
			for _, field := range fields {
				switch field.Name {
				case ":status":
					want, _ = statusOf([]byte(field.Value))
				case "content-length":
					size, _ = strconv.ParseInt(field.Value, 10, 64)
				}
			}
			if status != want || length != size {
				t.Errorf("%x: status %d and length %d, not %d and %d", block, status, length, want, size)
			}
		}
	})
}

// FuzzFrames: no bytes of a server break the connection's state, in whatever pieces they come.
func FuzzFrames(f *testing.F) {
	var b bytes.Buffer
	framer := http2.NewFramer(&b, nil)
	framer.WriteSettings(http2.Setting{ID: http2.SettingInitialWindowSize, Val: 100})
	answers(framer, 1, 8)
	framer.WriteData(1, true, []byte("x"))
	framer.WritePing(false, [8]byte{})
	framer.WriteGoAway(1, 0, nil)
	f.Add(b.Bytes(), uint8(7))
	f.Fuzz(func(t *testing.T, b []byte, step uint8) {
		c := &conn{streams: make([]stream, 2)}
		m := &mux{conn: c, initial: usualWindow, window: usualWindow, frame: usualFrame, next: 1, first: true,
			active: map[uint32]*stream{}, table: table{static: staticTable(), limit: tableSize}}
		c.mux = m
		r := &request{body: make([]byte, 100_000),
			blocks: &blocks{first: []byte{0x82}, rest: []byte{0x82}, plain: []byte{0x82}}}
		for i := range c.streams {
			c.streams[i].conn, c.streams[i].request = c, r
			m.post(&c.streams[i])
		}
		for len(b) > 0 {
			n := min(len(b), int(step)+1)
			if f := m.feed(b[:n]); f.some() {
				return
			}
			b = b[n:]
		}
		if len(m.pending) > frameHead+usualFrame || len(m.block) > 2*maxBlock || len(m.active)+len(m.done)+len(m.reset) > 2 ||
			m.window < 0 {
			t.Errorf("%d bytes pending, %d of fields, %d active, %d done, %d reset, window %d", len(m.pending), len(m.block),
				len(m.active), len(m.done), len(m.reset), m.window)
		}
		sent := 0
		for out := m.out; len(out) >= frameHead; {
			size := int(binary.BigEndian.Uint32(out) >> 8)
			if sent += size; size > 1<<24 || frameHead+size > len(out) {
				t.Fatalf("a frame of %d bytes in %d", size, len(out))
			}
			out = out[frameHead+size:]
		}
	})
}

// TestServerThatOnlyTalks: one that sends pings without end and reads nothing does not fill the memory.
func TestServerThatOnlyTalks(t *testing.T) {
	simtest.Long(t)
	c := frames(t, func(_ int, f *http2.Framer) {
		for f.WritePing(false, [8]byte{}) == nil {
		}
	})
	c.Timeout = 300 * time.Millisecond
	got := ask(t, c, clients(2), 2, time.Second)
	if got.err != nil || got.Ops > 0 || errorsOf(got.Result)+got.Unanswered == 0 { // which, depends on who closes first
		t.Errorf("%d operations, errors %v (%v), %d unanswered, %v", got.Ops, got.Errors, got.stats.First, got.Unanswered,
			got.err)
	}
}
