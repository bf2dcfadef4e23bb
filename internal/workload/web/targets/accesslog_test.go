package targets

import (
	"os"
	"path/filepath"
	"reflect"
	"strings"
	"testing"
)

// TestAccessLogs: each format is read as its requests, weighted by their counts; what is left out is counted.
func TestAccessLogs(t *testing.T) {
	const time = `[10/Oct/2026:13:55:36 +0000]`
	want := func(more ...Target) []Target {
		return append([]Target{{Name: "access.log:1", Method: "GET", URL: "/a?q=1", Weight: 2}}, more...)
	}
	head := Target{Name: "access.log:3", Method: "HEAD", URL: "/b", Weight: 1}
	for name, c := range map[string]struct {
		lines []string
		want  []Target
		left  string
	}{
		"common": {[]string{
			`10.0.0.1 - bob ` + time + ` "GET /a?q=1 HTTP/1.1" 200 2326`, `10.0.0.1 - - ` + time +
				` "GET /a?q=1 HTTP/1.0" 304 -`,
			`::1 - - ` + time + ` "HEAD /b HTTP/2.0" 301 0`}, want(head), ""},
		"combined, with what is left out": {[]string{
			`10.0.0.1 - - ` + time + ` "GET /a?q=1 HTTP/1.1" 200 23 "http://r/" "curl \"x\" GET /no"`,
			`10.0.0.1 - - ` + time + ` "GET /a?q=1 HTTP/1.1" 200 23 "-" "-"`, `10.0.0.1 - - ` + time +
				` "HEAD /b HTTP/1.1" 200 0 "-" "-"`,
			`10.0.0.1 - - ` + time + ` "POST /c HTTP/1.1" 201 0 "-" "-"`, `10.0.0.1 - - ` + time +
				` "\x16\x03\x01" 400 157 "-" "-"`,
			`10.0.0.1 - - ` + time + ` "GET /none HTTP/1.1" 404 0 "-" "-"`, ``, `10.0.0.1 - - ` + time +
				` "OPTIONS * HTTP/1.1" 200 0`,
			`10.0.0.1 - - ` + time + ` "DELETE /a HTTP/1.1" 204 0 "-" "-"`},
			want(head),
			"access.log: 3 of 6 requests are left out: 1 DELETE, 1 POST, 1 that were answered with an error; lines " +
				"without a request: 2"},
		"one virtual host": {[]string{
			`shop.example:443 10.0.0.1 - - ` + time + ` "GET /a?q=1 HTTP/1.1" 200 2`, `shop.example:443 10.0.0.1 - - ` + time +
				` "GET /a?q=1 HTTP/1.1" 200 2`}, want(), ""},
		"several of them": {[]string{
			`shop.example:443 10.0.0.1 - - ` + time + ` "GET /a?q=1 HTTP/1.1" 200 2`, `shop.example:443 10.0.0.1 - - ` + time +
				` "GET /a?q=1 HTTP/1.1" 200 2`, `api.example 10.0.0.1 - - ` + time + ` "HEAD /b HTTP/1.1" 200 2`},
			[]Target{{Name: "access.log:1", Method: "GET", URL: "/a?q=1", Weight: 2, Header: []string{"Host: shop.example"}},
				{Name: "access.log:3", Method: "HEAD", URL: "/b", Weight: 1, Header: []string{"Host: api.example"}}}, ""},
		"nginx in JSON": {[]string{
			`{"remote_addr":"10.0.0.1","request":"GET /a?q=1 HTTP/1.1","status":"200"}`,
			`{"request_method":"GET","request_uri":"/a?q=1","status":200}`, `{"method":"HEAD","path":"/b","status":204}`},
			want(head), ""},
		"Caddy": {[]string{
			`{"level":"info","request":{"method":"GET","host":"h","uri":"/a?q=1"},"status":200}`,
			`{"level":"info","request":{"method":"GET","host":"h","uri":"/a?q=1"},"status":200}`, `{"level":"info"}`}, want(),
			"access.log: all requests are sent; lines without a request: 1"},
		"a load balancer's": {[]string{
			`https 2026-10-10T13:55:36Z app/x 10.0.0.1:1 - 0 0 0 200 200 1 2 "GET https://shop.example:443/a?q=1 HTTP/2.0" "-"`,
			`https 2026-10-10T13:55:36Z app/x 10.0.0.1:1 - 0 0 0 200 200 1 2 "GET https://shop.example:443/a?q=1 HTTP/2.0" "-"`},
			want(), ""},
		"bytes that are no text": {[]string{`10.0.0.1 - - ` + time + ` "GET /\xC3\xA4 HTTP/1.1" 200 0`},
			[]Target{{Name: "access.log:1", Method: "GET", URL: "/%C3%A4", Weight: 1}}, ""},
	} {
		mix, err := packed(t, strings.Join(c.lines, "\n")+"\n", LogMethods)
		if err != nil || !reflect.DeepEqual(mix.Targets, c.want) || mix.Log.Left(LogMethods) != c.left {
			t.Errorf("%s: %+v, %q, %v", name, mix.Targets, mix.Log.Left(LogMethods), err)
		}
	}
}

func packed(t *testing.T, text, methods string) (Mix, error) {
	t.Helper()
	path := filepath.Join(t.TempDir(), "access.log")
	if err := os.WriteFile(path, []byte(text), 0o600); err != nil {
		t.Fatal(err)
	}
	out, err := Pack(path, files().Variable)
	if err != nil {
		return Mix{}, err
	}
	return Unpack(string(out), methods)
}

// TestAccessLogMethods: others are sent if they are asked for, and a log without one of those asked for says which it
// has.
func TestAccessLogMethods(t *testing.T) {
	const text = "a - - [x] \"POST /a HTTP/1.1\" 200 1\na - - [x] \"PUT /b HTTP/1.1\" 200 1\n"
	mix, err := packed(t, text, "get, post")
	if err != nil || len(mix.Targets) != 1 || mix.Targets[0].Method != "POST" {
		t.Errorf("%+v, %v", mix.Targets, err)
	}
	_, err = packed(t, text, LogMethods)
	if err == nil || !strings.Contains(err.Error(),
		"no request is of a method among GET,HEAD: it has POST, PUT\nhint: --log-methods") {
		t.Error(err)
	}
	if _, err := packed(t, "a - - [x] \"GET /a HTTP/1.1\" 500 1\n", LogMethods); err == nil ||
		!strings.Contains(err.Error(), "no request that was answered without an error") {
		t.Error(err)
	}
}

// TestLargeAccessLog: a log of more requests and URLs than a load can hold keeps proportions and the most frequent.
func TestLargeAccessLog(t *testing.T) {
	var b strings.Builder
	line := func(n int, url string) {
		for range n {
			b.WriteString("a - - [x] \"GET " + url + " HTTP/1.1\" 200 1\n")
		}
	}
	line(60000, "/often")
	line(30000, "/half")
	for i := range maxTargets + 5 {
		line(1, "/once/"+strings.Repeat("x", i%7)+string(rune('a'+i%26))+"/"+strings.Repeat("y",
			i/200)+"/"+string(rune('A'+i%50)))
	}
	mix, err := packed(t, b.String(), LogMethods)
	if err != nil || !mix.Log.Scaled || mix.Log.Rare == 0 {
		t.Fatalf("%+v, %v", mix.Log, err)
	}
	sum := 0
	for _, x := range mix.Targets {
		sum += x.Weight
	}
	if ratio := float64(mix.Targets[0].Weight) / float64(mix.Targets[1].Weight); sum > 1<<16 || ratio < 1.99 ||
		ratio > 2.01 {
		t.Errorf("weights sum to %d, the first two are as %g", sum, ratio)
	}
}

// FuzzAccessLog: whatever is a request of a log can be sent.
func FuzzAccessLog(f *testing.F) {
	f.Add(`h:80 1.2.3.4 - - [x] "GET /a?\x22 HTTP/1.1" 200 1`)
	f.Add(`{"request":{"method":"GET","uri":"/"},"status":200}`)
	f.Fuzz(func(t *testing.T, text string) {
		c, err := readLog("f", strings.NewReader(text))
		if err != nil {
			return
		}
		all, err := c.targets()
		if err != nil {
			return
		}
		if _, _, err := Requests(all, "http://localhost", nil, nil); err != nil {
			t.Errorf("%q: %v", text, err)
		}
	})
}
