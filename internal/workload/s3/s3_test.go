package s3

import (
	"context"
	"crypto/tls"
	"fmt"
	"io"
	"log"
	"maps"
	"net/http"
	"net/http/httptest"
	"slices"
	"strings"
	"testing"
	"time"

	"plimsoll/internal/base/secret"
	"plimsoll/internal/client/httpload"
	"plimsoll/internal/client/load"
	"plimsoll/internal/record"
	"plimsoll/internal/workload"
	"plimsoll/internal/workload/workloadtest"
)

// params returns the values for a store of the tests, with some replaced.
func params(url string, set record.Params) workload.Params {
	decl := Spec().Workload
	vals := decl.Defaults()
	maps.Copy(vals, record.Params{paramURL: url, paramAccess: "${A}", paramSecret: "${S}", paramSize: "4KiB",
		paramObjects: "40", paramTimeout: "5s", record.ParamClients: "6"})
	maps.Copy(vals, set)
	return workload.NewParams(decl, vals).With(secret.Values{"A": []byte(testAccess), "S": []byte(testSecret)})
}

// loaded is a load that is over.
type loaded struct {
	load.Result
	driver   *driver
	first    error
	spots    []httpload.Spot
	values   map[string]float64
	prepared error
	run      error
	verified error
	closed   error
}

// run loads a store with one lane.
func run(t *testing.T, p workload.Params, at record.LoadPoint, length time.Duration) loaded {
	t.Helper()
	d, err := newDriver(workload.Env{Seed: 7, Lanes: 1, Load: at, Scratch: t.TempDir()}, p)
	if err != nil {
		t.Fatal(err)
	}
	out := loaded{driver: d.(*driver)}
	if out.prepared = d.Prepare(t.Context()); out.prepared != nil {
		out.closed = d.Close()
		return out
	}
	lane, err := d.Lane(0)
	if err != nil {
		t.Fatal(err)
	}
	g, err := load.New(load.Config{Load: at, Lanes: 1, Duration: length, Seed: 3})
	if err != nil {
		t.Fatal(err)
	}
	g.Start(g.Clock().Now())
	out.run = lane.Run(t.Context(), g.Lane(0))
	g.Lane(0).Leave()
	out.Result = g.Result()
	out.verified = d.Verify(t.Context())
	out.first, out.spots, out.values = out.driver.First(), out.driver.loops.Spots(), map[string]float64{}
	for _, v := range out.driver.Extra(out.Result) {
		out.values[v.Name] = v.Value
	}
	out.closed = d.Close()
	return out
}

func failures(r load.Result) int64 {
	n := int64(0)
	for _, of := range r.Errors {
		n += of
	}
	return n
}

func closedLoop(n float64) record.LoadPoint {
	return record.LoadPoint{Kind: record.Closed, Level: n, Unit: record.ParamClients}
}

const everything = "get:4,put:4,head:1,range:2,multipart:1,list:1,delete:2"

// TestEveryOperation: all operations at once, signed and unsigned, over all distributions, without one failure; what is
// written is there, and nothing is left.
func TestEveryOperation(t *testing.T) {
	for name, set := range map[string]record.Params{
		"signed":   {paramOps: everything, paramPart: "1500B", paramRange: "1KiB"},
		"unsigned": {paramOps: everything, paramPayload: payloadUnsigned, paramSize: "1B:1,100KiB:2", paramKeys: "zipf:1.2"},
		"range":    {paramOps: everything, paramSize: "10B-200KiB", paramKeys: sequential, paramPart: "64KiB"},
		"token":    {paramOps: "get,put", paramToken: "temporary"},
		"writes":   {paramOps: "put"},
	} {
		t.Run(name, func(t *testing.T) {
			s := newTestStore()
			p := params(s.start(t), set)
			s.objects["somebody/else"] = []byte("theirs")
			got := run(t, p, closedLoop(6), 150*time.Millisecond)
			for what, err := range map[string]error{"prepare": got.prepared, "run": got.run, "verify": got.verified,
				"close": got.closed, "first": got.first} {
				if err != nil {
					t.Errorf("%s: %v", what, err)
				}
			}
			if got.Ops < 50 || failures(got.Result) > 0 || len(s.unsaid) > 0 {
				t.Errorf("%d operations, errors %v, refused %v", got.Ops, got.Errors, s.unsaid[:min(len(s.unsaid), 3)])
			}
			if len(s.objects) != 1 || len(s.uploads) != 0 || string(s.objects["somebody/else"]) != "theirs" {
				t.Errorf("left: %d objects, %d uploads", len(s.objects), len(s.uploads))
			}
			m, _ := parseMix(p.Text(paramOps))
			for i, one := range got.spots {
				if one.Line != m.kinds()[i].String() || len(m.kinds()) > 1 && one.Done == 0 {
					t.Errorf("%d of %s, want some of %s", one.Done, one.Line, m.kinds()[i])
				}
			}
		})
	}
}

// TestOpenLoop: a rate is held, and bytes are told by direction.
func TestOpenLoop(t *testing.T) {
	s := newTestStore()
	got := run(t, params(s.start(t), record.Params{paramOps: "get,put", paramConnections: "4", record.ParamClients: "0"}),
		record.LoadPoint{Kind: record.Open, Level: 200, Unit: record.ParamRate}, 300*time.Millisecond)
	if got.prepared != nil || got.run != nil || got.verified != nil || failures(got.Result) > 0 || got.Ops < 20 {
		t.Fatalf("%d operations, %v, %v %v %v", got.Ops, got.Errors, got.prepared, got.run, got.verified)
	}
	values := got.values
	sum := values[metricIngest] + values[metricEgress]
	if values[metricIngest] <= 0 || values[metricEgress] <= 0 || sum < .99*got.BytesPerSecond ||
		sum > 1.01*got.BytesPerSecond {
		t.Errorf("%v, %v B/s together", values, got.BytesPerSecond)
	}
}

// TestLostAndWrong: a store that drops, changes or mixes up what it has acknowledged is found out.
func TestLostAndWrong(t *testing.T) {
	third := func(key string) bool { return strings.HasSuffix(key, "3") }
	for name, c := range map[string]struct {
		set   record.Params
		store func(*testStore)
		want  string // of the load or the verification
	}{
		"a byte differs": {record.Params{paramOps: "get"}, func(s *testStore) { s.corrupt = third },
			"isn't one that was written"},
		"a byte of a range differs": {record.Params{paramOps: "range", paramRange: "4KiB"},
			func(s *testStore) { s.corrupt = third }, "isn't one that was written"},
		"writes are dropped": {record.Params{paramOps: "put", paramKeys: sequential, paramObjects: "10"}, func(s *testStore) {
			s.forget = third
		}, "acknowledged, and isn't there"},
		"an overwrite is dropped": {record.Params{paramOps: "head:9,put:1", paramObjects: "10"}, func(s *testStore) {
			s.forget = func(key string) bool { return s.objects[key] != nil }
		}, "other bytes than it acknowledged"},
		"objects are mixed up": {record.Params{paramOps: "head", paramObjects: "10"}, func(s *testStore) {
			s.answer = func(_ http.ResponseWriter, r *http.Request) bool {
				if r.Method == http.MethodGet && third(r.URL.Path) && !strings.HasSuffix(r.URL.Path, testBucket) {
					s.mu.Lock()
					for key, held := range s.objects {
						if strings.HasSuffix(key, "4") {
							s.objects[strings.TrimPrefix(r.URL.Path, "/"+testBucket+"/")] = held
						}
					}
					s.mu.Unlock()
				}
				return false
			}
		}, "other bytes than it acknowledged"},
	} {
		t.Run(name, func(t *testing.T) {
			s := newTestStore()
			c.store(s)
			got := run(t, params(s.start(t), c.set), closedLoop(2), 100*time.Millisecond)
			text := fmt.Sprint(got.first, got.verified)
			if got.prepared != nil || !strings.Contains(text, c.want) {
				t.Errorf("%v; %s, want %q", got.prepared, text, c.want)
			}
		})
	}
}

// TestBadEndpoints: each has a clear error with a hint, at once, and none prints a secret.
func TestBadEndpoints(t *testing.T) {
	for name, c := range map[string]struct {
		set   record.Params
		store func(*testStore)
		want  []string
	}{
		"another bucket": {record.Params{paramURL: "/elsewhere"}, nil, []string{"NoSuchBucket", "create the bucket"}},
		"a bucket of others": {nil, func(s *testStore) {
			s.answer = func(w http.ResponseWriter, _ *http.Request) bool { fail(w, 403, "AccessDenied"); return true }
		}, []string{"status 403, AccessDenied", "a separate bucket"}},
		"wrong access key": {record.Params{paramAccess: "somebody"}, nil,
			[]string{"InvalidAccessKeyId", "AWS_ACCESS_KEY_ID"}},
		"wrong secret key": {record.Params{paramSecret: "swordfish-swordfish"}, nil, []string{"SignatureDoesNotMatch",
			"AWS_SECRET_ACCESS_KEY"}},
		"clocks apart": {nil, func(s *testStore) { s.clock = 20 * time.Minute }, []string{"RequestTimeTooSkewed",
			"clocks differ by more than 15 minutes"}},
		"full": {nil, func(s *testStore) {
			s.answer = func(w http.ResponseWriter, r *http.Request) bool {
				if r.Method == http.MethodPut {
					fail(w, 507, "XMinioStorageFull")
				}
				return r.Method == http.MethodPut
			}
		}, []string{"before the load", "XMinioStorageFull", "the store is full"}},
		"a gigabyte of XML": {nil, func(s *testStore) {
			s.answer = func(w http.ResponseWriter, _ *http.Request) bool {
				piece := []byte(strings.Repeat("<Key>x</Key>", 10000))
				for n := 0; n < 1<<30; n += len(piece) {
					if _, err := w.Write(piece); err != nil {
						break
					}
				}
				return true
			}
		}, []string{"exceeds 4 MiB", "hint: "}},
		"no XML": {nil, func(s *testStore) {
			s.answer = func(w http.ResponseWriter, _ *http.Request) bool { fmt.Fprint(w, "<html>hello"); return true }
		}, []string{"isn't XML of S3"}},
		"another region": {nil, func(s *testStore) {
			s.answer = func(w http.ResponseWriter, _ *http.Request) bool {
				w.WriteHeader(400)
				fmt.Fprint(w, "<Error><Code>AuthorizationHeaderMalformed</Code><Region>eu-west-1</Region></Error>")
				return true
			}
		}, []string{"--region eu-west-1"}},
		"somebody else's objects": {nil, func(s *testStore) {
			s.answer = func(w http.ResponseWriter, _ *http.Request) bool {
				fmt.Fprint(w, "<ListBucketResult><Contents><Key>theirs</Key></Contents></ListBucketResult>")
				return true
			}
		}, []string{"theirs", "prefix"}},
	} {
		t.Run(name, func(t *testing.T) {
			s := newTestStore()
			if c.store != nil {
				c.store(s)
			}
			set := maps.Clone(c.set)
			url := s.start(t)
			if at := set[paramURL]; at != "" {
				set[paramURL] = strings.TrimSuffix(url, "/"+testBucket) + at
			}
			got := run(t, params(url, set), closedLoop(1), 20*time.Millisecond)
			if got.prepared == nil {
				t.Fatal("it was taken")
			}
			text := got.prepared.Error()
			for _, want := range append(c.want, "\nhint: ") {
				if !strings.Contains(text, want) && want != "\nhint: " {
					t.Errorf("%s\nlacks %q", text, want)
				}
			}
			if strings.Contains(text, testSecret) || strings.Contains(text, "swordfish") || len(text) > 1000 {
				t.Errorf("%s", text)
			}
		})
	}
}

// TestCertificates: one that isn't trusted, or is for another name, is refused with what helps.
func TestCertificates(t *testing.T) {
	server := httptest.NewUnstartedServer(newTestStore())
	server.Config.ErrorLog = log.New(io.Discard, "", 0)
	server.StartTLS()
	defer server.Close()
	other := &client{endpoint: &endpoint{host: "other.example"}}
	_, err := tls.Dial("tcp", server.Listener.Addr().String(), &tls.Config{ServerName: "other.example",
		RootCAs: server.Client().Transport.(*http.Transport).TLSClientConfig.RootCAs})
	if text := fmt.Sprint(other.unreachable(err)); !strings.Contains(text, "not other.example") ||
		!strings.Contains(text, "\nhint: use the name in its certificate") {
		t.Errorf("%s", text)
	}
	got := run(t, params(server.URL+"/"+testBucket, nil), closedLoop(1), 20*time.Millisecond)
	if got.prepared == nil || !strings.Contains(got.prepared.Error(), "SSL_CERT_FILE=CA.pem") {
		t.Errorf("%v", got.prepared)
	}
	got = run(t, params(server.URL+"/"+testBucket, record.Params{paramInsecure: "true", paramOps: everything,
		paramSize: "100KiB", paramPart: "70KiB"}), closedLoop(3), 150*time.Millisecond)
	if got.prepared != nil || got.run != nil || got.verified != nil || got.first != nil || got.Ops == 0 {
		t.Errorf("over TLS: %v, %v, %v, %v", got.prepared, got.run, got.verified, got.first)
	}
}

// TestInterrupted: what a run has written is removed if it is ended while it writes.
func TestInterrupted(t *testing.T) {
	s := newTestStore()
	ctx, cancel := context.WithCancel(t.Context())
	writes := 0
	s.answer = func(_ http.ResponseWriter, r *http.Request) bool {
		s.mu.Lock()
		defer s.mu.Unlock()
		if r.Method == http.MethodPut {
			if writes++; writes == 20 {
				cancel()
			}
		}
		return false
	}
	d, err := newDriver(workload.Env{Seed: 7, Lanes: 1}, params(s.start(t), record.Params{paramObjects: "400"}))
	if err != nil {
		t.Fatal(err)
	}
	if err := d.Prepare(ctx); err == nil {
		t.Error("it was prepared")
	}
	if len(s.objects) == 0 {
		t.Error("nothing was written")
	}
	if err := d.Close(); err != nil || len(s.objects) > 0 {
		t.Errorf("%v, %d objects are left", err, len(s.objects))
	}
	if err := d.Close(); err != nil {
		t.Error(err)
	}
}

// TestUploadsLeft: uploads that failed are ended, however many pages list them, and nobody else's are.
func TestUploadsLeft(t *testing.T) {
	s := newTestStore()
	s.uploads["plimsoll/other#1"] = map[int][]byte{}
	d, err := newDriver(workload.Env{Seed: 7, Lanes: 1}, params(s.start(t), record.Params{paramOps: "multipart"}))
	if err != nil {
		t.Fatal(err)
	}
	if err := d.Prepare(t.Context()); err != nil {
		t.Fatal(err)
	}
	for n := range 3*mostUploads + 5 { // several of each object
		s.uploads[fmt.Sprintf("%s#%02d", d.(*driver).shared.keyOf(n/7), n)] = map[int][]byte{}
	}
	if err := d.Close(); err != nil || len(s.uploads) != 1 || len(s.unsaid) > 0 {
		t.Errorf("%v, %d uploads are left, refused %v", err, len(s.uploads), s.unsaid)
	}
}

// TestUploadsFail: a store that completes no upload, and lists those of one object at a time, is left without any.
func TestUploadsFail(t *testing.T) {
	s := newTestStore()
	s.exactly = true
	s.answer = func(w http.ResponseWriter, r *http.Request) bool {
		if r.Method != http.MethodPost || !r.URL.Query().Has("uploadId") {
			return false
		}
		fail(w, http.StatusInternalServerError, "InternalError")
		return true
	}
	got := run(t, params(s.start(t), record.Params{paramOps: "multipart"}), closedLoop(4), 50*time.Millisecond)
	if failures(got.Result) == 0 || got.closed != nil || len(s.uploads) > 0 {
		t.Errorf("%d failed, %v, %d uploads are left", failures(got.Result), got.closed, len(s.uploads))
	}
}

// TestServe: a store that is there stays where the user's URL is, and a target's has to be at its own address.
func TestServe(t *testing.T) {
	there := params("http://10.0.0.9:9000/bench", nil)
	server, err := serve(workload.Env{}, there)
	if err != nil {
		t.Fatal(err)
	}
	if at, err := server.Start(t.Context()); at != "10.0.0.9:9000" || err != nil {
		t.Errorf("%s, %v", at, err)
	}
	if aim, err := aimed(there, []string{"10.0.0.9:9000"}); err != nil || aim.At[0].IsValid() {
		t.Errorf("%+v, %v", aim, err)
	}
	started := params("", record.Params{paramAccess: "", paramSecret: ""})
	if _, err := serve(workload.Env{}, started); err == nil || !strings.Contains(err.Error(), "no key") {
		t.Errorf("without a key: %v", err)
	}
	for said, want := range map[string]string{"10.0.0.5:9000": "", "http://10.0.0.5:9000": "is no IP address",
		"10.0.0.5:0": "is no IP address"} {
		aim, err := aimed(started, []string{said})
		if want == "" && (err != nil || aim.Target != said || aim.At[0].String() != said) ||
			want != "" && (err == nil || !strings.Contains(err.Error(), want)) {
			t.Errorf("%s: %+v, %v", said, aim, err)
		}
	}
}

// TestKeysOf: hosts of one run derive the same keys, and those of another run don't.
func TestKeysOf(t *testing.T) {
	a, err := keysOf("one")
	if again, _ := keysOf("one"); err != nil || again != a || len(a.Access) < 3 || len(a.Secret) < 40 {
		t.Errorf("%v, %v", a, err)
	}
	if b, _ := keysOf("two"); b.Access == a.Access || b.Secret == a.Secret {
		t.Error("two runs share a key")
	}
}

// TestNotRemoved: a run names the objects that a store does not let it remove.
func TestNotRemoved(t *testing.T) {
	s := newTestStore()
	s.answer = func(w http.ResponseWriter, r *http.Request) bool {
		if r.Method != http.MethodDelete {
			return false
		}
		fail(w, http.StatusForbidden, "AccessDenied")
		return true
	}
	got := run(t, params(s.start(t), record.Params{paramOps: "get"}), closedLoop(6), 50*time.Millisecond)
	if doubts := strings.Join(got.driver.Doubts(), "\n"); got.verified != nil ||
		!strings.Contains(doubts, "objects may be left below "+prefix) {
		t.Errorf("%v, %q", got.verified, doubts)
	}
}

// TestDeletesRunOut: a load that only deletes ends with what to do.
func TestDeletesRunOut(t *testing.T) {
	s := newTestStore()
	got := run(t, params(s.start(t), record.Params{paramOps: "delete", paramObjects: "7"}), closedLoop(2), time.Second)
	if got.run == nil || !strings.Contains(got.run.Error(), "no object is left") || got.closed != nil {
		t.Errorf("%v, %v", got.run, got.closed)
	}
}

func TestConformance(t *testing.T) {
	s := newTestStore()
	spec := Spec()
	// The suite resolves no references: these are the test's keys themselves.
	workloadtest.Run(t, spec, workloadtest.Case{Name: "existing", Load: closedLoop(2),
		Params: record.Params{paramURL: s.start(t), paramAccess: testAccess, paramSecret: testSecret, paramSize: "1KiB",
			paramObjects: "10", paramOps: "get,put", record.ParamClients: "2"}})
}

func TestCheck(t *testing.T) {
	for _, c := range []struct {
		set  record.Params
		want string
	}{
		{record.Params{paramOps: "get,fly"}, `"fly" is not an operation`},
		{record.Params{paramOps: "get:0"}, "not a weight"},
		{record.Params{paramOps: "get,get"}, "occurs twice"},
		{record.Params{paramSize: "0B"}, "not an object's size"},
		{record.Params{paramSize: "2GiB"}, "not an object's size"},
		{record.Params{paramSize: "1MiB-1KiB"}, "not above"},
		{record.Params{paramSize: "1KiB:2,1KiB"}, "occurs twice"},
		{record.Params{paramKeys: "normal"}, "not a distribution"},
		{record.Params{paramKeys: "zipf:1"}, "not an exponent"},
		{record.Params{paramOps: "multipart", paramSize: "1GiB", paramPart: "1KiB"}, "more than 10000 parts"},
		{record.Params{paramOps: "put", paramObjects: "15"}, "16 clients write 15 objects"},
		{record.Params{paramURL: "http://h:1/"}, "names no bucket"},
		{record.Params{paramURL: "http://h:1/b/c"}, "more than a bucket"},
		{record.Params{paramURL: "http://u:p@h:1/b"}, "contains credentials"},
		{record.Params{paramURL: "http://h:1/b?x=1"}, "has a query"},
		{record.Params{paramURL: "http://h:1/b", "drives": "4"}, "drives=4 applies only to a store started"},
		{record.Params{paramURL: "http://h:1/b", paramPath: "/x"}, "path=/x applies only to a store started"},
		{record.Params{paramURL: "http://h:1/b", paramAddress: "10.0.0.5"},
			"address=10.0.0.5 applies only to a store started"},
		{record.Params{paramURL: "http://h:1/b", paramAccess: "a", paramSecret: ""}, "belong together"},
		{record.Params{paramAccess: "a"}, "access_key applies only to an existing store"},
		{record.Params{"drives": "2", "parity": "2"}, "at most half"},
		{record.Params{paramFault: "lose@50%"}, "would lose its objects"},
		{record.Params{paramFault: "kill@50%", "drives": "4"}, "is no fault"},
		{record.Params{paramFault: "lose@50%", paramURL: "http://h:1/b"}, "fault=lose@50% applies only to a store started"},
		{record.Params{paramFault: "lose@50%", "drives": "4"}, ""},
		{record.Params{paramOps: "get:3, put"}, ""},
	} {
		decl := Spec().Workload
		vals := decl.Defaults()
		if c.set[paramURL] != "" {
			maps.Copy(vals, record.Params{paramAccess: "a", paramSecret: "b"})
		}
		maps.Copy(vals, c.set)
		err := workloadtest.Check(Spec(), workload.NewParams(decl, vals), record.Machine{})
		if (err == nil) != (c.want == "") || err != nil && (!strings.Contains(err.Error(), c.want) ||
			!strings.Contains(err.Error(), "\nhint: ")) {
			t.Errorf("%v: %v, want %q", c.set, err, c.want)
		}
	}
}

func TestSizes(t *testing.T) {
	s, err := parseSizes("1MiB:1,4KiB:3")
	if err != nil || !slices.Equal(s.all, []int64{4096, 1 << 20}) || !slices.Equal(s.weights, []int{3, 1}) {
		t.Errorf("%+v %v", s, err)
	}
	if want := (3*4096. + 1<<20) / 4; s.mean() != want || s.largest() != 1<<20 {
		t.Errorf("mean %v, want %v", s.mean(), want)
	}
	if s, err = parseSizes("1KiB-1MiB"); err != nil || len(s.all) != steps || s.all[0] != 1024 || s.largest() != 1<<20 {
		t.Errorf("%+v %v", s, err)
	}
}

// TestCounter: keys are counted wherever an answer is cut.
func TestCounter(t *testing.T) {
	const text = "<a><Key>1</Key><Key>2</Key></a><Ke<Key>y"
	for size := 1; size <= len(text); size++ {
		var c counter
		for part := range slices.Chunk([]byte(text), size) {
			c.feed(part)
		}
		if c.n != 3 {
			t.Errorf("in pieces of %d: %d keys, want 3", size, c.n)
		}
	}
}

// TestHotLoopAllocatesNothing: once each request is signed, a lane composes and judges without allocating.
func TestHotLoopAllocatesNothing(t *testing.T) {
	store := newTestStore()
	d, err := newDriver(workload.Env{Seed: 7, Lanes: 1}, params(store.start(t), record.Params{
		paramOps: "get:2,put:4,head,range,delete", paramObjects: "20"}))
	if err != nil {
		t.Fatal(err)
	}
	defer d.Close()
	if err := d.Prepare(t.Context()); err != nil {
		t.Fatal(err)
	}
	s := d.(*driver).shared.script(0).(*script)
	b := make([]byte, 0, 4096)
	answer := []byte("HTTP/1.1 200 OK\r\nServer: test\r\nContent-Length: 4096\r\nETag: \"1\"")
	step := func() {
		_, head, _, err := s.Begin(0, b)
		if err != nil {
			t.Fatal(err)
		}
		b = head[:0]
		op, status := &s.slots[0], http.StatusOK
		if op.kind == ranged {
			status = http.StatusPartialContent
		}
		s.Head(0, status, answer)
		if op.kind == get || op.kind == ranged {
			held := s.content.of(variantOf(op.k, op.state), op.size)[op.from : op.from+op.length]
			s.Body(0, held[:len(held)/2])
			s.Body(0, held[len(held)/2:])
		}
		if o, more := s.End(0); o.Err != nil || more {
			t.Fatalf("%s: %v, %v", op.kind, o.Err, more)
		}
	}
	for range 20000 { // each request is signed
		step()
	}
	if n := testing.AllocsPerRun(2000, step); n > 0 {
		t.Errorf("%v allocations an operation", n)
	}
}

// TestPlaces: no two requests of 2048 objects share a place in the cache of signatures.
func TestPlaces(t *testing.T) {
	seen := map[uint64]uint64{}
	for k := range kinds {
		for object := range stretch {
			for v := range variants {
				if v > 0 && k != put {
					break
				}
				tag := uint64(k)<<56 | uint64(object)<<4 | uint64(v)<<1 | 1
				place := placeOf(k, tag)
				if other, taken := seen[place]; taken || place >= cacheSize {
					t.Fatalf("%x and %x have place %d", tag, other, place)
				}
				seen[place] = tag
			}
		}
	}
}
