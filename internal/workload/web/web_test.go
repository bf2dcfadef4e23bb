package web

import (
	"errors"
	"net"
	"net/url"
	"os"
	"reflect"
	"strings"
	"syscall"
	"testing"
	"time"

	"plimsoll/internal/client/httpload"
	"plimsoll/internal/engine"
	engines "plimsoll/internal/engine/all"
	"plimsoll/internal/record"
	"plimsoll/internal/workload"
	"plimsoll/internal/workload/workloadtest"
)

// with returns the workload's values, with some replaced.
func with(set record.Params) workload.Params {
	decl := Spec().Workload
	p := decl.Defaults()
	for name, v := range set {
		p[name] = v
	}
	return workload.NewParams(decl, p)
}

// TestEnginesMeanTheSameByAName: a parameter of several engines is declared here once.
func TestEnginesMeanTheSameByAName(t *testing.T) {
	known := map[string]record.Param{}
	for _, e := range engines.Webs() {
		for _, d := range e.Params() {
			o, there := known[d.Name]
			if d.Doc, o.Doc = "", ""; there && !reflect.DeepEqual(d, o) {
				t.Errorf("%s of %s is %+v, of another engine %+v", d.Name, e.Name(), d, o)
			}
			known[d.Name] = d
			own, ok := Spec().Param(d.Name)
			if ok == (d.Name == engine.ParamSeed) || ok && own.Kind != d.Kind {
				t.Errorf("%s of %s is here %+v", d.Name, e.Name(), own)
			}
		}
	}
	if server, _ := Spec().Param(paramServer); len(server.Choices) != len(engines.Webs())+1 {
		t.Errorf("server can be %v", server.Choices)
	}
}

func TestHeatOf(t *testing.T) {
	for _, c := range []struct {
		server, heat string
		want         time.Duration
		fails        bool
	}{
		{"netty", "auto", 10 * time.Second, false}, {"netty", "short", 5 * time.Second, false},
		{"embedded", "short", 0, false}, {"url", "short", 0, false}, {"netty", "0s", 0, false},
		{"netty", "1500ms", 1500 * time.Millisecond, false},
		{"nginx", "auto", 0, false}, {"embedded", "auto", 0, false}, {"url", "auto", 0, false},
		{"url", "2s", 2 * time.Second, false},
		{"netty", "10", 0, true}, {"netty", "-1s", 0, true}, {"netty", "2h", 0, true}, {"netty", "", 0, true},
	} {
		got, err := heatOf(with(record.Params{paramServer: c.server, record.ParamHeat: c.heat}))
		if got != c.want || (err != nil) != c.fails || err != nil && !strings.Contains(err.Error(), "\nhint: ") {
			t.Errorf("%s, %q: %v, %v", c.server, c.heat, got, err)
		}
	}
}

// TestServiceTimesAreTheTrialsOwn: two trials draw other ones, two sides of a pair the same.
func TestServiceTimesAreTheTrialsOwn(t *testing.T) {
	seed := func(of uint64) string {
		s, err := serverOf(workload.Env{Seed: of}, with(record.Params{paramServer: "embedded"}))
		if err != nil {
			t.Fatal(err)
		}
		return s.settings.Params.Text(engine.ParamSeed)
	}
	const large = 1<<64 - 1
	first, again, other := seed(large), seed(large), seed(large-1)
	if seed(1) == seed(2) || first != again || first == other {
		t.Errorf("seeds %s and %s; %s, %s and %s", seed(1), seed(2), first, again, other)
	}
}

func TestEnginesRefuseWhatDoesNotGoTogether(t *testing.T) {
	for _, set := range []record.Params{
		{paramServer: "embedded", "yield": "0.5"}, {paramServer: "embedded", "yield": "0.5", "service": "1ms", "hold": "cpu"},
		{paramServer: "caddy"}, {paramServer: serverURL}, {paramServer: "embedded", paramURL: "http://127.0.0.1/"},
	} {
		err := workloadtest.Check(Spec(), with(set), record.Machine{})
		if err == nil || !strings.Contains(err.Error(), "\nhint: ") {
			t.Errorf("%v: %v", set, err)
		}
	}
	if err := workloadtest.Check(Spec(), with(record.Params{paramServer: "embedded", "yield": "0.5", "service": "1ms"}),
		record.Machine{}); err != nil {
		t.Error(err)
	}
}

// TestTLSHint: what Go, nginx and Apache answer to plain HTTP at a port of TLS.
func TestTLSHint(t *testing.T) {
	for body, want := range map[string]bool{
		"Client sent an HTTP request to an HTTPS server.\n":                 true,
		"<center>The plain HTTP request was sent to HTTPS port</center>":    true,
		"Reason: You're speaking plain HTTP to an SSL-enabled server port.": true,
		"{\"error\":\"quantity is missing\"}":                               false,
	} {
		if got := tlsHint(400, []byte(body)); (got != "") != want {
			t.Errorf("%q: %q", body, got)
		}
	}
	if got := tlsHint(404, []byte("HTTPS")); got != "" {
		t.Errorf("404: %q", got)
	}
}

// TestAnswerHints: a limit of the server's and an encoded body have their own way out.
func TestAnswerHints(t *testing.T) {
	for _, tc := range []struct {
		status   int
		encoding string
		want     string
	}{
		{429, "", "limits the rate of this client"}, {503, "", "overloaded"}, {500, "", "itself failed"},
		{404, "gzip", "check the path"}, {200, "gzip", "Content-Encoding: gzip"}, {200, "", "expect_body"},
		{200, "identity", "expect_body"},
	} {
		if got := answerHint(tc.status, tc.encoding, httpload.Expect{Body: []byte("x")}); !strings.Contains(got, tc.want) {
			t.Errorf("%d, %q: %q, want %q", tc.status, tc.encoding, got, tc.want)
		}
	}
}

// TestTakeKeepsReferences: a variable in any part of a URL stays one, and what a URL cannot hold is encoded.
func TestTakeKeepsReferences(t *testing.T) {
	for arg, want := range map[string]string{
		"http://127.0.0.1:80/h/${A}":                     "http://127.0.0.1:80/h/${A}",
		"http://127.0.0.1:80/a b/$${A}?q=${B}":           "http://127.0.0.1:80/a%20b/$${A}?q=${B}",
		"http://${HOST}:${PORT}/907/9?q=${A}${A}":        "http://${HOST}:${PORT}/907/9?q=${A}${A}",
		"http://127.0.0.1:8080?t=${A}":                   "http://127.0.0.1:8080/?t=${A}",
		"https://h/${A}0001${B}${C}${D}${E}${F}${G}${H}": "https://h/${A}0001${B}${C}${D}${E}${F}${G}${H}",
	} {
		got, err := take([]string{arg})
		if err != nil || got.Set[paramURL] != want {
			t.Errorf("%s: %q, want %q, %v", arg, got.Set[paramURL], want, err)
		}
	}
}

// TestConnectHint: a server that answered is not asked for.
func TestConnectHint(t *testing.T) {
	const listening, invalid = "is a server listening there?", "not with valid HTTP"
	refused := &net.OpError{Op: "dial", Err: os.NewSyscallError("connect", syscall.ECONNREFUSED)}
	for _, c := range []struct {
		err  error
		want string
	}{
		{refused, listening}, {&net.OpError{Op: "dial", Err: &net.DNSError{IsNotFound: true}}, listening},
		{os.ErrDeadlineExceeded, listening}, {errors.New(`bad Content-Length "x"`), invalid},
		{errors.New("net/http: server response headers exceeded 10485760 bytes; aborted"), invalid},
		{errors.New("malformed MIME header line: x"), invalid},
		{errors.New("net/http: too many 1xx informational responses"), invalid},
	} {
		if got := connectHint(&url.Error{Op: "Get", URL: "http://h/", Err: c.err}, httpload.HTTP1); !strings.Contains(got,
			c.want) {
			t.Errorf("%v: %s", c.err, got)
		}
	}
}
