package httpload

import (
	"bytes"
	"fmt"
	"io"
	"net/http"
	"net/http/httptest"
	"path"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"sync"
	"testing"
	"time"

	"plimsoll/internal/record"
)

// TestTextsWithValues: values are filled in, JSON's and GraphQL's braces and what is escaped stay, and what is wrong or
// looks like a value is refused.
func TestTextsWithValues(t *testing.T) {
	rows := &Rows{Names: []string{"name", "full name"}, Cells: [][]string{{`a"b`, "x y"}, {"ü", "z&"}}}
	v := Values{Seed: 1, Run: 2, Part: 1, Parts: 3, Rows: rows}
	const uuid = `[0-9a-f]{8}-[0-9a-f]{4}-4[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}`
	for _, c := range []struct {
		text string
		at   place
		want string // a pattern, of the second request of this generator
	}{
		{`{"a":1,"b":{"c":[{}]}}`, inJSON, regexp.QuoteMeta(`{"a":1,"b":{"c":[{}]}}`)},
		{`{"id":"{uuid}","n":{seq},"r":{random -5 -5}}`, inJSON, `\{"id":"` + uuid + `","n":5,"r":-5\}`},
		{`{"query":"{viewer{name}}"}`, inJSON, regexp.QuoteMeta(`{"query":"{viewer{name}}"}`)},
		{`{{seq} {{uuid} {{x}} $` + `{seq} {{random 1 2}`, inText,
			regexp.QuoteMeta(`{seq} {uuid} {{x}} ${seq} {random 1 2}`)},
		{`{"n":"{column name}","m":"{column full name}"}`, inJSON, regexp.QuoteMeta(`{"n":"a\"b","m":"x y"}`)},
		{"n={column:full name}&q={column name}", inForm, regexp.QuoteMeta("n=x+y&q=a%22b")},
		{"/u/{column full name}/{seq}", inPath, "/u/x%20y/5"},
		{"{random 0 9223372036854775807}", inText, `[0-9]{1,19}`},
		{"{random:3:4}", inText, `[34]`},
	} {
		p, err := v.parse(c.text, c.at)
		if err != nil {
			t.Errorf("%s: %v", c.text, err)
			continue
		}
		d := v.seed(0)
		if c.at == inPath || c.at == inJSON && strings.Contains(c.text, "{column") || c.at == inForm {
			v.Rows.Cells = rows.Cells
		}
		got := string(d.put(nil, p, v.number(1), 0))
		if strings.Contains(c.text, "column") {
			got = string(d.put(nil, p, 4, 0)) // the first row again
		}
		if !regexp.MustCompile(`^` + c.want + `$`).MatchString(got) {
			t.Errorf("%s: %s, want %s", c.text, got, c.want)
		}
	}
	for text, want := range map[string]string{
		"{random}": "takes two whole numbers", "{random 5 1}": "takes two whole numbers",
		"{uuid 4}":        "{uuid} takes no argument",
		"{column nobody}": "no column \"nobody\"\nhint: it has name, full name", "{guid}": "write {uuid}",
		"{rand 1 2}": "write {random",
	} {
		if _, err := v.parse(text, inJSON); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%s: %v", text, err)
		}
	}
	for text, at := range map[string]place{"/a/{id}": inPath, "id={id}": inQuery} {
		if _, err := v.parse(text, at); err == nil || !strings.Contains(err.Error(), "there is no value {id}") {
			t.Errorf("%s: %v", text, err)
		}
	}
	if _, err := (Values{}).parse("{column x}", inText); err == nil || !strings.Contains(err.Error(), "--csv FILE") {
		t.Error(err)
	}
	if _, err := (Values{Rows: &Rows{Names: []string{"x"}, Cells: [][]string{{"a\r\nb"}}}}).parse("{column x}",
		inHeader); err == nil {
		t.Error("a header with a line break")
	}
}

// TestValuesOnTheWire: over HTTP/1.1, TLS and HTTP/2, in open and closed loops and by several generators each request
// is whole, and no two have a number or a UUID in common.
func TestValuesOnTheWire(t *testing.T) {
	type seen struct{ number, query, header, body, length string }
	var mu sync.Mutex
	all := map[string][]seen{} // by round: a request that its round aborted may arrive in the next one
	handle := http.HandlerFunc(func(_ http.ResponseWriter, r *http.Request) {
		body, _ := io.ReadAll(r.Body)
		mu.Lock()
		defer mu.Unlock()
		round := path.Dir(r.URL.Path)
		all[round] = append(all[round], seen{path.Base(r.URL.Path), r.URL.RawQuery, r.Header.Get("X-Id"), string(body),
			strconv.FormatInt(r.ContentLength, 10)})
	})
	plain, secure := httptest.NewServer(handle), httptest.NewTLSServer(handle)
	t.Cleanup(plain.Close)
	t.Cleanup(secure.Close)
	for name, c := range map[string]Config{
		"HTTP/1.1": {URLs: []string{plain.URL}}, "TLS": {URLs: []string{secure.URL}, TLS: unverified()},
		"one connection a request": {URLs: []string{plain.URL}, Once: true}, "HTTP/2": second(t, false, handle),
		"HTTP/2 over TLS": second(t, true, handle),
	} {
		for _, l := range []record.LoadPoint{clients(3), rate(2000)} {
			round := fmt.Sprintf("/%s/%v", strings.ReplaceAll(strings.ReplaceAll(name, "/", ""), " ", ""), l.Kind)
			ops := int64(0)
			long := strings.Repeat("x", 300) // longer than one byte of a length of HTTP/2 tells
			for part := range 2 {
				one := c
				one.URLs = []string{strings.TrimSuffix(c.URLs[0], "/") + round + "/{seq}?at={random:1:6}&big=" + long}
				one.Header = []string{"X-Id: {uuid}-" + long, "Content-Type: application/json"}
				one.Body = []byte(`{"n":{seq},"id":"{uuid}","user":"{column user}"}`)
				one.Values = Values{Seed: 7, Run: 8, Part: part, Parts: 2,
					Rows: &Rows{Names: []string{"user"}, Cells: [][]string{{"anna"}, {"b\"ob"}, {"cäsar with a long name"}}}}
				got := ask(t, one, l, 3, 80*time.Millisecond)
				if got.err != nil || got.Ops == 0 || errorsOf(got.Result) > 0 {
					t.Fatalf("%s: %d operations, %v, %v", name, got.Ops, got.Errors, got.err)
				}
				ops += got.Ops
			}
			numbers, ids, users := map[string]bool{}, map[string]bool{}, map[string]bool{}
			form := regexp.MustCompile(`^\{"n":(\d+),"id":"([0-9a-f-]{36})","user":"(anna|b\\"ob|cäsar with a long name)"\}$`)
			mu.Lock()
			for _, r := range all[round] {
				m := form.FindStringSubmatch(r.body)
				if m == nil || r.number != m[1] || !regexp.MustCompile(`^at=[1-6]&big=x{300}$`).MatchString(r.query) ||
					!strings.HasSuffix(r.header, "-"+long) || r.length != strconv.Itoa(len(r.body)) || numbers[m[1]] || ids[m[2]] ||
					ids[r.header[:36]] {
					t.Fatalf("%s, %v: %+v is not of one request, or has what another one has", name, l, r)
				}
				numbers[m[1]], ids[m[2]], ids[r.header[:36]], users[m[3]] = true, true, true, true
			}
			if int64(len(all[round])) < ops || len(users) != 3 {
				t.Errorf("%s, %v: %d requests of %d, users %v", name, l, len(all[round]), ops, users)
			}
			mu.Unlock()
		}
	}
}

// TestValuesWithoutThem: a text without values is as it was, and the first request of the load is a filled one.
func TestValuesWithoutThem(t *testing.T) {
	target, err := New(Config{URLs: []string{"http://127.0.0.1:1/a%7Bb%7D?x={{seq}"}, Header: []string{"A: {{uuid}"},
		Body: []byte(`{"a":{"b":"{{seq}"}}`)})
	if err != nil {
		t.Fatal(err)
	}
	if r := target.requests[0]; r.varied != nil || r.path != "/a%7Bb%7D?x=%7Bseq%7D" ||
		string(r.body) != `{"a":{"b":"{seq}"}}` ||
		!bytes.Contains(r.bytes, []byte("\r\nContent-Length: 19\r\n")) || !bytes.Contains(r.bytes, []byte("A: {uuid}\r\n")) {
		t.Errorf("%+v %s", r, r.bytes)
	}
	target, err = New(Config{URLs: []string{"http://127.0.0.1:1/{seq}"}, Body: []byte("{seq}"),
		Header: []string{"A: b{seq}"}})
	if err != nil {
		t.Fatal(err)
	}
	for n := range 2 {
		want := fmt.Sprint(n + 1)
		if r := target.Filled(); r.URL != "http://127.0.0.1:1/"+want || string(r.Body) != want ||
			!slices.Contains(r.Header, "A: b"+want) || r.Method != "POST" {
			t.Errorf("%+v", r)
		}
	}
	for url, want := range map[string]string{"http://{seq}/": "the server {seq} has a value",
		"http://a/{id}": "there is no value {id}"} {
		if _, err := New(Config{URLs: []string{url}}); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%s: %v", url, err)
		}
	}
}
