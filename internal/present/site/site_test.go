package site

import (
	"bufio"
	"context"
	"fmt"
	"io"
	"net"
	"net/http"
	"net/http/cookiejar"
	"net/netip"
	"net/url"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"golang.org/x/sys/unix"

	"plimsoll/internal/base/usage"
	"plimsoll/internal/record/session"
)

// copies is a Page that repeats the files.
func copies(_ context.Context, w io.Writer, open func(string) (*os.File, error), paths []string) error {
	for _, path := range paths {
		f, err := open(path)
		if err != nil {
			return usage.Wrap(err)
		}
		defer f.Close()
		if _, err := io.Copy(w, f); err != nil {
			return err
		}
	}
	return nil
}

// served is a site that is served on loopback until the test ends.
type served struct {
	t   *testing.T
	dir string
	url *url.URL
}

func serve(t *testing.T, o Options) served {
	t.Helper()
	s := served{t: t, dir: filepath.Join(t.TempDir(), "results")}
	if err := os.Mkdir(s.dir, 0o700); err != nil {
		t.Fatal(err)
	}
	s.write("one"+session.Suffix, "contents of one")
	o.Dir, o.At = s.dir, netip.MustParseAddrPort("127.0.0.1:0")
	if o.Make.Page == nil {
		o.Make.Page = copies
	}
	ctx, cancel := context.WithCancel(t.Context())
	started, ended := make(chan string, 1), make(chan error, 1)
	go func() { ended <- Serve(ctx, o, io.Discard, func(url string) { started <- url }) }()
	t.Cleanup(func() {
		cancel()
		if err := <-ended; err != nil {
			t.Error(err)
		}
	})
	select {
	case at := <-started:
		var err error
		if s.url, err = url.Parse(at); err != nil {
			t.Fatal(err)
		}
	case err := <-ended:
		ended <- nil
		t.Fatal(err)
	}
	if o.NoToken { // what is read at the start has been: a file that a test writes next is not read half
		s.ask("GET", "/api/sessions?since=1")
	}
	return s
}

func (s served) write(name, text string) {
	s.t.Helper()
	if err := os.WriteFile(filepath.Join(s.dir, name), []byte(text), 0o600); err != nil {
		s.t.Fatal(err)
	}
}

// cookie returns the token as a browser has it after its first request.
func (s served) cookie() string {
	return "plimsoll-" + s.url.Port() + "=" + s.url.Query().Get(tokenKey)
}

// answered is a whole response.
type answered struct {
	*http.Response
	body string
}

// ask makes one request, follows no redirect, and sets headers in pairs.
func (s served) ask(method, target string, headers ...string) answered {
	s.t.Helper()
	r, err := http.NewRequestWithContext(s.t.Context(), method, "http://"+s.url.Host+target, nil)
	if err != nil {
		s.t.Fatal(err)
	}
	for i := 0; i < len(headers); i += 2 {
		r.Header.Set(headers[i], headers[i+1])
	}
	if host := r.Header.Get("Host"); host != "" {
		r.Host = host
	}
	return s.send(r)
}

func (s served) send(r *http.Request) answered {
	s.t.Helper()
	got, err := http.DefaultTransport.RoundTrip(r)
	if err != nil {
		s.t.Fatal(err)
	}
	defer got.Body.Close()
	body, err := io.ReadAll(got.Body)
	if err != nil {
		s.t.Fatal(err)
	}
	return answered{got, string(body)}
}

// raw sends bytes and returns what the server answers until it closes the connection.
func (s served) raw(request string) string {
	s.t.Helper()
	c, err := net.Dial("tcp", s.url.Host)
	if err != nil {
		s.t.Fatal(err)
	}
	defer c.Close()
	if _, err := io.WriteString(c, request); err != nil {
		s.t.Fatal(err)
	}
	got, _ := io.ReadAll(c) // a reset is an end, too
	return string(got)
}

const one = "/report?file=one" + session.Suffix

func TestTheTokenBecomesACookie(t *testing.T) {
	s := serve(t, Options{})
	if token := s.url.Query().Get(tokenKey); len(token) < 26 {
		t.Fatalf("%s has no token of 128 bits", s.url)
	}
	got := s.ask("GET", one+"&token="+s.url.Query().Get(tokenKey))
	if at := got.Header.Get("Location"); got.StatusCode != http.StatusSeeOther || at != one {
		t.Errorf("status %d to %q", got.StatusCode, at)
	}
	for _, c := range got.Cookies() {
		if c.Name+"="+c.Value != s.cookie() || !c.HttpOnly || c.SameSite != http.SameSiteStrictMode || c.Path != "/" ||
			c.Domain != "" || c.MaxAge != 0 {
			t.Errorf("%s", c.Raw)
		}
	}
	jar, err := cookiejar.New(nil)
	if err != nil {
		t.Fatal(err)
	}
	browser := http.Client{Jar: jar}
	for _, at := range []string{s.url.String(), "http://" + s.url.Host + one} {
		got, err := browser.Get(at)
		if err != nil {
			t.Fatal(err)
		}
		got.Body.Close()
		if got.StatusCode != http.StatusOK || got.Request.URL.Query().Has(tokenKey) {
			t.Errorf("%s: status %d at %s", at, got.StatusCode, got.Request.URL)
		}
	}
}

func TestWithoutTheTokenNothingIsSaid(t *testing.T) {
	s := serve(t, Options{})
	token := s.url.Query().Get(tokenKey)
	port := s.url.Port()
	for _, target := range []string{"/", one, "/else", "/assets/explorer.js", "/api/sessions", "/api/session?file=one",
		"/api/compare?file=one", "/api/history", "/?token=", "/?token=" + token[1:], "/?token=" + strings.ToLower(token),
		"/?token=wrong&token=" + token, "/?Token=" + token} {
		for _, headers := range [][]string{nil, {"Cookie", "plimsoll-" + port + "=wrong"}, {"Cookie", "plimsoll-=" + token},
			{"Authorization", "Bearer " + token}} {
			got := s.ask("GET", target, headers...)
			if got.StatusCode != http.StatusForbidden || strings.Contains(got.body, "one") ||
				strings.Contains(got.body, token) || len(got.Cookies()) > 0 {
				t.Errorf("%s with %q: status %d: %s", target, headers, got.StatusCode, got.body)
			}
		}
	}
}

// TestRebinding: a page of an attacker's host name that resolves to this machine has that name in its requests.
func TestRebinding(t *testing.T) {
	s := serve(t, Options{HostNames: []string{"bench1.example"}})
	port := s.url.Port()
	for host, status := range map[string]int{
		"127.0.0.1:" + port: 200, "localhost:" + port: 200, "LOCALHOST": 200, "[::1]:8000": 200, "127.0.0.1": 200,
		"Bench1.example:" + port:   200,
		"attacker.example:" + port: 403, "127.0.0.1.attacker.example": 403, "localhost.attacker.example:" + port: 403,
		"attacker.example": 403,
		"0.0.0.0:" + port:  403, "192.0.2.1:" + port: 403, "2130706433": 403, "localhost.": 403, "[fe80::1]": 403,
		"a.localhost": 403,
	} {
		got := s.ask("GET", "/", "Host", host, "Cookie", s.cookie(), "Cookie",
			cookieFor(host)+"="+s.url.Query().Get(tokenKey))
		if got.StatusCode != status {
			t.Errorf("Host %s: status %d, want %d: %s", host, got.StatusCode, status, got.body)
		}
	}
	for _, request := range []string{"GET / HTTP/1.0\r\n\r\n",
		"GET http://attacker.example/ HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\n\r\n"} {
		if got := s.raw(request); !strings.HasPrefix(got, "HTTP/1.1 403") && !strings.HasPrefix(got, "HTTP/1.0 403") {
			t.Errorf("%q: %s", request, got)
		}
	}
}

func cookieFor(host string) string { return cookieOf(&http.Request{Host: host}) }

// TestHostsOffLoopback: the address at which the request arrived, and no other.
func TestHostsOffLoopback(t *testing.T) {
	d := door{names: []string{"bench1"}}
	ctx := context.WithValue(t.Context(), http.LocalAddrContextKey,
		net.Addr(&net.TCPAddr{IP: net.ParseIP("192.0.2.7"), Port: 7400}))
	for host, want := range map[string]bool{"192.0.2.7:7400": true, "[::ffff:192.0.2.7]": true, "bench1:7400": true,
		"localhost:7400": false, "127.0.0.1:7400": false, "192.0.2.8": false, "": false} {
		if got := d.isOurs((&http.Request{Host: host}).WithContext(ctx)); got != want {
			t.Errorf("%q: %t", host, got)
		}
	}
}

// TestCrossSiteRequests are refused even with the cookie, which a browser without SameSite would send.
func TestCrossSiteRequests(t *testing.T) {
	s := serve(t, Options{})
	for _, c := range []struct {
		status  int
		headers []string
	}{
		{200, nil},
		{200, []string{"Sec-Fetch-Site", "none", "Sec-Fetch-Mode", "navigate", "Sec-Fetch-Dest", "document"}},
		{200, []string{"Sec-Fetch-Site", "same-origin"}},
		{200, []string{"Origin", "http://" + s.url.Host}},
		{403, []string{"Sec-Fetch-Site", "cross-site", "Sec-Fetch-Mode", "no-cors", "Sec-Fetch-Dest", "image"}},
		{403, []string{"Sec-Fetch-Site", "cross-site", "Sec-Fetch-Mode", "navigate"}},
		{403, []string{"Sec-Fetch-Site", "same-site"}},
		{403, []string{"Sec-Fetch-Site", "Same-Origin"}},
		{403, []string{"Origin", "http://attacker.example"}},
		{403, []string{"Origin", "http://127.0.0.1:1"}},
		{403, []string{"Origin", "null"}},
	} {
		for _, target := range []string{"/", one, "/assets/explorer.js", "/api/sessions", "/api/history"} {
			if got := s.ask("GET", target, append(c.headers, "Cookie", s.cookie())...); got.StatusCode != c.status {
				t.Errorf("%s %q: status %d, want %d", target, c.headers, got.StatusCode, c.status)
			}
		}
	}
}

func TestMethods(t *testing.T) {
	s := serve(t, Options{NoToken: true})
	for _, method := range []string{"POST", "PUT", "DELETE", "PATCH", "OPTIONS", "TRACE", "CONNECT", "PROPFIND", "get"} {
		if got := s.ask(method, "/"); got.StatusCode != http.StatusMethodNotAllowed ||
			got.Header.Get("Allow") != "GET, HEAD" {
			t.Errorf("%s: status %d", method, got.StatusCode)
		}
	}
	if got := s.ask("HEAD", one); got.StatusCode != http.StatusOK || got.body != "" {
		t.Errorf("HEAD: status %d, %q", got.StatusCode, got.body)
	}
}

func TestHeaders(t *testing.T) {
	s := serve(t, Options{})
	for _, c := range []struct{ target, cookie, policy string }{
		{"/", s.cookie(), "default-src 'none'; script-src 'self'; style-src 'self'; connect-src 'self'"},
		{"/compare?file=x", s.cookie(), "default-src 'none'; script-src 'self'; style-src 'self'; connect-src 'self'"},
		{"/assets/explorer.js", s.cookie(), "default-src 'none'; base-uri"},
		{"/api/sessions", s.cookie(), "default-src 'none'; base-uri"},
		{one, s.cookie(), "default-src 'none'; style-src 'sha256-"},
		{"/else", s.cookie(), "default-src 'none'; base-uri"},
		{"/", "", "default-src 'none'; base-uri"},
		{"/?token=" + s.url.Query().Get(tokenKey), "", "default-src 'none'; base-uri"},
	} {
		got := s.ask("GET", c.target, "Cookie", c.cookie)
		for name, value := range map[string]string{"Cache-Control": "no-store", "Cross-Origin-Opener-Policy": "same-origin",
			"Cross-Origin-Resource-Policy": "same-origin",
			"Referrer-Policy":              "no-referrer", "X-Content-Type-Options": "nosniff", "X-Frame-Options": "DENY",
			"Access-Control-Allow-Origin": ""} {
			if got.Header.Get(name) != value {
				t.Errorf("%s: %s is %q", c.target, name, got.Header.Get(name))
			}
		}
		policy := got.Header.Get("Content-Security-Policy")
		if !strings.HasPrefix(policy, c.policy) || !strings.HasSuffix(policy, "; frame-ancestors 'none'") ||
			strings.Contains(policy, "unsafe") {
			t.Errorf("%s: %s", c.target, policy)
		}
	}
}

// TestHeaderInjection: nothing of a request makes a header, a line of one, or another host's URL.
func TestHeaderInjection(t *testing.T) {
	s := serve(t, Options{})
	token := "token=" + s.url.Query().Get(tokenKey)
	for target, location := range map[string]string{
		"//attacker.example/?" + token:           "/attacker.example",
		"/%2F%2Fattacker.example/..//x?" + token: "/x",
		"/%5Cattacker.example?" + token:          "/%5Cattacker.example",
		"/x%0d%0aSet-Cookie:%20a=b?" + token:     "/x%0D%0ASet-Cookie:%20a=b",
		"/?a=%0d%0aX-Evil:%201&" + token:         "/?a=%0D%0AX-Evil%3A+1",
	} {
		got := s.ask("GET", target)
		if at := got.Header.Get("Location"); at != location || len(got.Cookies()) != 1 || got.Header.Get("X-Evil") != "" {
			t.Errorf("%s: to %q, %q", target, at, got.Header)
		}
	}
	got := s.raw("GET / HTTP/1.1\r\nHost: localhost\rX-Evil: 1\r\n\r\n")
	if !strings.HasPrefix(got, "HTTP/1.1 400") {
		t.Errorf("a Host with a line end: %s", got)
	}
}

func TestTraversal(t *testing.T) {
	s := serve(t, Options{NoToken: true})
	secret := filepath.Join(filepath.Dir(s.dir), "secret"+session.Suffix)
	if err := os.WriteFile(secret, []byte("the secret"), 0o600); err != nil {
		t.Fatal(err)
	}
	s.write("notes.txt", "the secret")
	for _, name := range []string{"../secret" + session.Suffix, "%2e%2e%2fsecret" + session.Suffix,
		"..%5Csecret" + session.Suffix, url.QueryEscape(secret), "./one" + session.Suffix,
		"notes.txt", "/etc/passwd", "one" + session.Suffix + "%00", "", ".", "one" + session.Suffix + "/../../secret" +
			session.Suffix} {
		if got := s.ask("GET", "/report?file="+name); got.StatusCode != http.StatusNotFound ||
			strings.Contains(got.body, "the secret") {
			t.Errorf("%s: status %d: %s", name, got.StatusCode, got.body)
		}
	}
	for _, target := range []string{"/../secret" + session.Suffix, "/one" + session.Suffix,
		"/report/../../secret" + session.Suffix, "/.%2e/secret" + session.Suffix} {
		if got := s.ask("GET", target); got.StatusCode != http.StatusNotFound {
			t.Errorf("%s: status %d", target, got.StatusCode)
		}
	}
}

// TestLinks that leave the directory are named in the list and not followed, even if they take a file's place later.
func TestLinks(t *testing.T) {
	swap := func(string) {}
	s := serve(t,
		Options{NoToken: true,
			Make: Analyses{Page: func(ctx context.Context, w io.Writer, open func(string) (*os.File, error),
				paths []string) error {
				swap(paths[0])
				return copies(ctx, w, open, paths)
			}}})
	secret := filepath.Join(filepath.Dir(s.dir), "secret"+session.Suffix)
	if err := os.WriteFile(secret, []byte("the secret"), 0o600); err != nil {
		t.Fatal(err)
	}
	for name, to := range map[string]string{"in": "one" + session.Suffix, "out": secret,
		"up": "../secret" + session.Suffix, "dangling": "none", "loop": "loop" + session.Suffix} {
		if err := os.Symlink(to, filepath.Join(s.dir, name+session.Suffix)); err != nil {
			t.Fatal(err)
		}
	}
	list := s.ask("GET", "/api/sessions").body
	for name, status := range map[string]int{"in": 200, "out": 404, "up": 404, "dangling": 404, "loop": 404} {
		got := s.ask("GET", "/report?file="+name+session.Suffix)
		if got.StatusCode != status || strings.Contains(got.body, "the secret") {
			t.Errorf("%s: status %d: %s", name, got.StatusCode, got.body)
		}
		if listed := strings.Contains(list, name+session.Suffix); listed != (name != "dangling") {
			t.Errorf("%s is in the list: %t", name, listed)
		}
	}
	for kind, replace := range map[string]func(string) error{
		"link": func(path string) error { return os.Symlink(secret, path) },
		"pipe": func(path string) error { return unix.Mkfifo(path, 0o600) },
	} {
		s.write("two"+session.Suffix, "contents of two")
		swap = func(path string) {
			if err := os.Remove(path); err != nil {
				t.Error(err)
			}
			if err := replace(path); err != nil {
				t.Error(err)
			}
		}
		if got := s.ask("GET", "/report?file=two"+session.Suffix); got.StatusCode != http.StatusBadRequest ||
			strings.Contains(got.body, "the secret") {
			t.Errorf("a %s in a session's place: status %d: %s", kind, got.StatusCode, got.body)
		}
		if err := os.Remove(filepath.Join(s.dir, "two"+session.Suffix)); err != nil {
			t.Fatal(err)
		}
	}
}

// TestSlowClients: a body that does not come is not waited for, large headers are refused, and every wait has a bound.
func TestSlowClients(t *testing.T) {
	s := serve(t, Options{NoToken: true})
	for _, request := range []string{
		"GET / HTTP/1.1\r\nHost: localhost\r\nContent-Length: 1000\r\n\r\nx",
		"GET / HTTP/1.1\r\nHost: localhost\r\nTransfer-Encoding: chunked\r\n\r\n",
		"POST / HTTP/1.1\r\nHost: localhost\r\nContent-Length: 1000\r\n\r\n",
	} {
		if got := s.raw(request); !strings.HasPrefix(got, "HTTP/1.1 4") || !strings.Contains(got, "Connection: close") {
			t.Errorf("%q: %s", request, got)
		}
	}
	// net/http reads 4 kB more than it is told to; not much beyond, or the rest of the request may not fit between client
	// and server.
	long := strings.Repeat("x", maxHeader+8<<10)
	if got := s.raw("GET / HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\nX-Long: " + long +
		"\r\n\r\n"); !strings.HasPrefix(got, "HTTP/1.1 431") {
		t.Errorf("a header of %d bytes: %.100q", len(long), got)
	}
	h := server(t.Context(), nil, io.Discard)
	if h.ReadHeaderTimeout != 10*time.Second || h.WriteTimeout <= 0 || h.IdleTimeout <= 0 || h.ReadTimeout != 0 ||
		h.MaxHeaderBytes != maxHeader {
		t.Errorf("%+v", h)
	}
}

// listening serves until the test ends, and returns the address.
func listening(t *testing.T, h *http.Server) string {
	t.Helper()
	l, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	go func() { _ = h.Serve(l) }()
	t.Cleanup(func() { _ = h.Close() })
	return l.Addr().String()
}

// TestDrippedHeader: a client that sends its header a byte at a time is left once the header's time is over, however
// often it sends.
func TestDrippedHeader(t *testing.T) {
	h := server(t.Context(), http.NotFoundHandler(), io.Discard)
	h.ReadHeaderTimeout = 200 * time.Millisecond // instead of SECURITY.md's ten seconds
	at := listening(t, h)
	began := time.Now()
	c, err := net.Dial("tcp", at)
	if err != nil {
		t.Fatal(err)
	}
	defer c.Close()
	if _, err := io.WriteString(c, "GET / HTTP/1.1\r\nHost: localhost\r\nX-Slow: "); err != nil {
		t.Fatal(err)
	}
	for err == nil && time.Since(began) < time.Minute {
		time.Sleep(10 * time.Millisecond)
		_, err = c.Write([]byte{'x'})
	}
	if err == nil || time.Since(began) < h.ReadHeaderTimeout {
		t.Errorf("after %v: %v", time.Since(began), err)
	}
}

// TestOneAnalysisAtATime: others wait, too many are sent away, and one that nobody waits for ends and lets the next
// begin.
func TestOneAnalysisAtATime(t *testing.T) {
	began, ended, running := make(chan bool, 16), make(chan error, 16), make(chan bool, 1)
	s := serve(t, Options{NoToken: true,
		Make: Analyses{Page: func(ctx context.Context, _ io.Writer, _ func(string) (*os.File, error), _ []string) error {
			select {
			case running <- true:
			default:
				t.Error("two analyses run at a time")
			}
			began <- true
			<-ctx.Done()
			<-running
			ended <- ctx.Err()
			return nil
		}}})
	ctx, leave := context.WithCancel(t.Context())
	r, err := http.NewRequestWithContext(ctx, "GET", "http://"+s.url.Host+one, nil)
	if err != nil {
		t.Fatal(err)
	}
	go func() {
		if got, err := http.DefaultTransport.RoundTrip(r); err == nil {
			got.Body.Close()
		}
	}()
	<-began
	next := s.knock(one)
	defer next.Close()
	if got := s.ask("GET", "/api/sessions"); got.StatusCode != http.StatusOK {
		t.Errorf("the list has to wait: status %d", got.StatusCode)
	}
	leave()
	if err := <-ended; err != context.Canceled { //nolint:errorlint // no cause is meant
		t.Errorf("%v", err)
	}
	<-began // the next one
	ctx, leave = context.WithCancel(t.Context())
	defer leave()
	answers := make(chan *http.Response, maxWaiting+1)
	for range maxWaiting + 1 {
		go func() {
			r, err := http.NewRequestWithContext(ctx, "GET", "http://"+s.url.Host+one, nil)
			if err != nil {
				t.Error(err)
				return
			}
			if got, err := http.DefaultTransport.RoundTrip(r); err == nil {
				got.Body.Close()
				answers <- got
			}
		}()
	}
	if got := <-answers; got.StatusCode != http.StatusServiceUnavailable || got.Header.Get("Retry-After") == "" {
		t.Errorf("status %d, Retry-After %q", got.StatusCode, got.Header.Get("Retry-After"))
	}
}

// knock sends a request whose answer nobody reads.
func (s served) knock(target string) net.Conn {
	s.t.Helper()
	c, err := net.Dial("tcp", s.url.Host)
	if err != nil {
		s.t.Fatal(err)
	}
	w := bufio.NewWriter(c)
	fmt.Fprintf(w, "GET %s HTTP/1.1\r\nHost: localhost\r\n\r\n", target)
	if err := w.Flush(); err != nil {
		s.t.Fatal(err)
	}
	return c
}

func TestOffLoopbackNeedsTheToken(t *testing.T) {
	for _, at := range []string{"0.0.0.0:0", "[::]:0", "192.0.2.7:0"} {
		err := Serve(t.Context(), Options{Dir: t.TempDir(), At: netip.MustParseAddrPort(at), NoToken: true}, io.Discard,
			func(string) { t.Error("it is served") })
		if !usage.Is(err) || !strings.Contains(err.Error(), "--no-token") {
			t.Errorf("%s: %v", at, err)
		}
	}
}
