package nginx

import (
	"net/http"
	"net/netip"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/prometheus/procfs"

	"plimsoll/internal/engine"
	"plimsoll/internal/record"
)

func TestCheckVersion(t *testing.T) {
	for _, c := range []struct{ text, version, fault string }{
		{"nginx version: nginx/1.22.1\nbuilt with OpenSSL 3.0.20\n", "1.22.1", ""},
		{"nginx version: openresty/1.27.1\n", "1.27.1", ""},
		{"nginx version: nginx/1.19.4\n", "", "version 1.19.4 is older than 1.19.5\nhint: "},
		{"usage: thing\n", "", "does not print its version\nhint: "},
	} {
		got, err := checkVersion(c.text)
		if got != c.version || (err == nil) != (c.fault == "") || err != nil && !strings.Contains(err.Error(), c.fault) {
			t.Errorf("%q: %q, %v, want %q, %q", c.text, got, err, c.version, c.fault)
		}
	}
}

func TestMask(t *testing.T) {
	for _, c := range []struct {
		cpus []int
		want string
	}{
		{nil, ""}, {[]int{0}, "1"}, {[]int{1}, "10"}, {[]int{0, 1, 3}, "1011"}, {[]int{70}, "1" + strings.Repeat("0", 70)},
	} {
		if got := mask(c.cpus); got != c.want {
			t.Errorf("the mask of %v is %s, want %s", c.cpus, got, c.want)
		}
	}
}

func resolve(t *testing.T, set record.Params) engine.Params {
	t.Helper()
	p, err := engine.Resolve(Engine{}, set)
	if err != nil {
		t.Fatal(err)
	}
	return p
}

func TestConfigurationIsOfWhatWasAsked(t *testing.T) {
	s := engine.Settings{Params: resolve(t, record.Params{"tls": "true"}), Threads: 3, CPUs: []int{0, 1}}
	text, err := configure(s, netip.MustParseAddrPort("[::1]:8443"))
	if err != nil {
		t.Fatal(err)
	}
	for _, want := range []string{"worker_processes 3;", "worker_cpu_affinity auto 11;",
		"listen [::1]:8443 backlog=4096 ssl;", "ssl_certificate cert.pem;"} {
		if !strings.Contains(string(text), want) {
			t.Errorf("the configuration lacks %q:\n%s", want, text)
		}
	}
	s = engine.Settings{Params: resolve(t, nil), Threads: 1}
	if text, err = configure(s, netip.MustParseAddrPort("127.0.0.1:80")); err != nil ||
		strings.Contains(string(text), "ssl") || strings.Contains(string(text), "affinity") {
		t.Errorf("without TLS and CPUs: %v\n%s", err, text)
	}
}

func TestFindKnowsWhatIsNotNginx(t *testing.T) {
	path := filepath.Join(t.TempDir(), "nginx")
	t.Setenv(variable, path)
	for _, c := range []struct{ script, want string }{
		{"echo nginx version: nginx/1.30.0", "was built without TLS\nhint: leave out tls"},
		{"echo broken; exit 9", "exit status 9; the last that it printed:\n  broken"},
		{"echo hello", "does not print its version"},
	} {
		if err := os.WriteFile(path, []byte("#!/bin/sh\n"+c.script+"\n"), 0o755); err != nil {
			t.Fatal(err)
		}
		if _, err := (Engine{}).Find(t.Context(), resolve(t, record.Params{"tls": "true"})); err == nil ||
			!strings.Contains(err.Error(), c.want) {
			t.Errorf("%q: %v, want %q", c.script, err, c.want)
		}
	}
}

// TestWorkers starts the real nginx with more workers than CPUs, and holds a
// connection open for more requests than nginx allows by default.
func TestWorkers(t *testing.T) {
	if testing.Short() {
		t.Skip("it needs nginx")
	}
	e := Engine{}
	s := engine.Settings{Params: resolve(t, nil), Scratch: t.TempDir(), Threads: 3, CPUs: []int{0}}
	in, err := e.Find(t.Context(), s.Params)
	if err != nil {
		t.Fatal(err)
	}
	i, err := e.Start(t.Context(), in, s)
	if err != nil {
		t.Fatal(err)
	}
	defer i.Stop(t.Context())
	// The first worker may answer before the others have been forked.
	for end := time.Now().Add(10 * time.Second); children(t, i.Roots()[0]) < 3 && time.Now().Before(end); {
		time.Sleep(10 * time.Millisecond)
	}
	if got := children(t, i.Roots()[0]); got != 3 {
		t.Errorf("there are %d workers, want 3", got)
	}
	const defaultRequests = 1000 // keepalive_requests: nginx.org/en/docs/http/ngx_http_core_module.html
	for n := range defaultRequests + 10 {
		r, err := http.Get("http://" + i.Addrs()[0] + "/hello")
		if err != nil {
			t.Fatal(err)
		}
		r.Body.Read(make([]byte, 64)) // to its end, so that the connection is used again
		r.Body.Close()
		if r.Close {
			t.Fatalf("nginx closes the connection after %d requests", n+1)
		}
	}
}

func children(t *testing.T, pid int) int {
	t.Helper()
	all, err := procfs.AllProcs()
	if err != nil {
		t.Fatal(err)
	}
	n := 0
	for _, p := range all {
		if st, err := p.Stat(); err == nil && st.PPID == pid {
			n++
		}
	}
	return n
}
