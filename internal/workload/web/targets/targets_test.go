package targets

import (
	"errors"
	"os"
	"path/filepath"
	"reflect"
	"strings"
	"testing"
)

// files are sources that know one body and one variable.
func files() Files {
	return Files{
		Body: func(path string) ([]byte, error) {
			if path != "order.json" {
				return nil, errors.New("no such file")
			}
			return []byte("{}"), nil
		},
		Variable: func(name string) (string, error) {
			if name != "TOKEN" {
				return "", errors.New(name + " is not set")
			}
			return "s3cret", nil
		},
	}
}

func TestParse(t *testing.T) {
	for name, c := range map[string]struct {
		text string
		want []Target
	}{
		"one a line": {"GET http://a/1\nHEAD http://a/2\n",
			[]Target{{Name: "f:1", Method: "GET", URL: "http://a/1", Weight: 1},
				{Name: "f:2", Method: "HEAD", URL: "http://a/2", Weight: 1}}},
		"headers, a body, comments and weights": {
			"# all\r\n# weight: 3\r\nPOST \thttp://a/?t=${TOKEN}\r\nA: b: c\r\n# of X\r\nX:${TOKEN} $${TOKEN}\r\n" +
				"@order.json\r\n\r\n\r\nDELETE /z\r\n",
			[]Target{
				{Name: "f:3", Method: "POST", URL: "http://a/?t=s3cret", Header: []string{"A: b: c", "X: s3cret ${TOKEN}"},
					Body: []byte("{}"), Weight: 3}, {Name: "f:10", Method: "DELETE", URL: "/z", Weight: 1}}},
		"JSON": {
			"# objects\n" +
				`{"method":"PUT","url":"http://a/","header":{"B":["1","2"],"A":["${TOKEN}"]},"body":"e30=","weight":2}` + "\n",
			[]Target{
				{Name: "f:2", Method: "PUT", URL: "http://a/", Header: []string{"A: s3cret", "B: 1", "B: 2"}, Body: []byte("{}"),
					Weight: 2}}},
	} {
		if got, err := Parse("f", []byte(c.text), files()); err != nil || !reflect.DeepEqual(got, c.want) {
			t.Errorf("%s: %+v, %v", name, got, err)
		}
	}
}

func TestErrorsNameTheLine(t *testing.T) {
	for text, want := range map[string]string{
		"":                                 "f: no target",
		"# only\n":                         "f: no target",
		"\nhttp://a/\n":                    "f:2: not a request line",
		"GET http://a/\n\nX: y\n":          "f:3: not a request line",
		"GET http://a/\n@order.json\nX: y": "f:3: not a request line",
		"GET http://a/\nnonsense\n":        "f:2: neither a header",
		"POST http://a/\n@none.json\n":     "f:2: the body: no such file",
		"GET http://a/${NONE}\n":           "f:1: NONE is not set",
		"# weight: x\nGET http://a/\n":     "f:1: the weight \"x\" is no whole number",
		"# weight: 0\nGET http://a/\n":     "f:1: the weight 0 is not",
		"GET http://a/\n# weight: 2\n":     "f:2: no target follows",
		"GET http://a/\n# weight: 2\nX: y": "f:3: a weight is followed",
		"# weight: 2\n# weight: 2\n":       "f:2: two weights",
		"{\"method\":\"GET\"}\n":           "f:1: a target without",
		"{}\n{\n":                          "f:1: a target without",
		"{\n":                              "f:1: not a target in JSON",
	} {
		if _, err := Parse("f", []byte(text), files()); err == nil || !strings.HasPrefix(err.Error(), want) {
			t.Errorf("%q: %v, not %s", text, err, want)
		}
	}
}

// TestPackedTargetsAreRequests: as the generator's host sends them.
func TestPackedTargetsAreRequests(t *testing.T) {
	path := filepath.Join(t.TempDir(), "reqs.txt")
	write := func(text string) ([]Target, error) {
		if err := os.WriteFile(path, []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
		packed, err := Pack(path, files().Variable)
		if err != nil {
			return nil, err
		}
		mix, err := Unpack(string(packed), LogMethods)
		return mix.Targets, err
	}
	all, err := write("GET http://u:p@a:80/1\n# weight: 2\nPOST /2\n")
	if err != nil {
		t.Fatal(err)
	}
	requests, weights, err := Requests(all, "http://a:80", []string{"H: i"}, []byte("b"))
	if err != nil || len(requests) != 2 || !reflect.DeepEqual(weights, []int{1, 2}) || Server(all) != "http://a:80" {
		t.Fatalf("%+v, %v, %v", requests, weights, err)
	}
	if r := requests[0]; r.URL != "http://a:80/1" ||
		!reflect.DeepEqual(r.Header, []string{"H: i", "Authorization: Basic dTpw"}) {
		t.Errorf("%+v", r)
	}
	if r := requests[1]; r.URL != "http://a:80/2" || string(r.Body) != "b" || r.Name != "reqs.txt:3" {
		t.Errorf("%+v", r)
	}
	for base, want := range map[string]string{"": "reqs.txt:3: the target names no server",
		"http://b": "reqs.txt:1: the target's server is http://a:80"} {
		if _, _, err := Requests(all, base, nil, nil); err == nil || !strings.HasPrefix(err.Error(), want) {
			t.Errorf("%q: %v", base, err)
		}
	}
	for text, want := range map[string]string{
		"GET http://a/\n\nGET http://b/\n": "reqs.txt:3: the target's server is http://b, that of reqs.txt:1 is http://a",
		"GET ftp://a/\n":                   "reqs.txt:1: ftp://a/ has an unsupported scheme",
		"GET http://a/\nHost\n":            "reqs.txt:2: neither a header",
		"GET http://a/\nConnection: close": "reqs.txt:1: the header Connection is set automatically",
		"CONNECT http://a/\n":              "reqs.txt:1: requests of method CONNECT",
	} {
		if _, err := write(text); err == nil || !strings.HasPrefix(err.Error(), want) {
			t.Errorf("%q: %v", text, err)
		}
	}
}

// FuzzParse: whatever is accepted survives the way to the generator, and no input panics.
func FuzzParse(f *testing.F) {
	f.Add("# weight: 3\nGET http://a/\nX: ${TOKEN}\n@order.json\n\nHEAD /b\n")
	f.Add("{\"method\":\"PUT\",\"url\":\"http://u:p@a/\",\"header\":{\"A\":[\"b\"]},\"body\":\"e30=\",\"weight\":2}\n")
	f.Fuzz(func(t *testing.T, text string) {
		all, err := Parse("f", []byte(text), files())
		if err != nil {
			return
		}
		for _, x := range all {
			if x.Weight < 1 || x.Weight > maxWeight || x.Name == "" || x.Method == "" {
				t.Errorf("%q: %+v", text, x)
			}
		}
		requests, weights, err := Requests(all, "http://localhost", nil, nil)
		if err == nil && (len(requests) != len(all) || weights != nil && len(weights) != len(all)) {
			t.Errorf("%q: %d requests, %d weights of %d targets", text, len(requests), len(weights), len(all))
		}
	})
}
