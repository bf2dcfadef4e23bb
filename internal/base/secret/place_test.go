package secret

import (
	"encoding/json"
	"net/url"
	"testing"
)

func TestResolveIn(t *testing.T) {
	for _, held := range hostile() {
		v := Values{"PW": []byte(held), "U": []byte("me:" + held), "@f": []byte("@" + held)}
		u, err := url.Parse(v.ResolveIn("postgres://b:${PW}@127.0.0.1:5432/bdb?x=${PW}&y=1", false, DSN))
		if err != nil {
			t.Fatalf("%q: %v", held, err)
		}
		if password, _ := u.User.Password(); password != held || u.Host != "127.0.0.1:5432" || u.Path != "/bdb" ||
			u.Query().Get("x") != held || u.Query().Get("y") != "1" {
			t.Errorf("%q: %s", held, u)
		}
		u, err = url.Parse(v.ResolveIn("https://${U}@h/a/${PW}?q=${PW}#f", false, URL))
		if err != nil {
			t.Fatalf("%q: %v", held, err)
		}
		if password, _ := u.User.Password(); password != held || u.User.Username() != "me" || u.Host != "h" ||
			u.Path != "/a/"+held || u.Query().Get("q") != held {
			t.Errorf("%q: %s", held, u)
		}
		var body struct{ A, B string }
		if err := json.Unmarshal([]byte(v.ResolveIn(`{"A":"x${PW}","B":"\"${PW}"}`, false, Body)), &body); err != nil ||
			body.A != "x"+held || body.B != `"`+held {
			t.Errorf("%q: %v, %v", held, body, err)
		}
		form, err := url.ParseQuery(v.ResolveIn("a=1&b=${PW}", false, Form))
		if err != nil || form.Get("a") != "1" || form.Get("b") != held {
			t.Errorf("%q: %v, %v", held, form, err)
		}
		for _, place := range []Place{Plain, URL, DSN, Body, Form} {
			if got := v.ResolveIn("${PW}", false, place); got != held {
				t.Errorf("%q in %d: %q", held, place, got)
			}
			if got := v.ResolveIn("@f", false, place); got != "@"+held {
				t.Errorf("%q in %d: %q", held, place, got)
			}
		}
	}
	v := Values{"A": []byte(`it's \ a`), "D": []byte("h db"), "N": []byte("7"), "H": []byte("[::1]:80")}
	for _, tc := range []struct {
		text  string
		place Place
		want  string
	}{
		{"host=h password=${A} dbname=d", DSN, `host=h password='it\'s \\ a' dbname=d`},
		{`password = 'x\'${A}' user='o\'n'`, DSN, `password = 'x\'it\'s \\ a' user='o\'n'`},
		{"user=b${N}c password=$${A}", DSN, "user='b7c' password=${A}"},
		{"host=h ${D} port=1", DSN, "host=h h db port=1"},
		{"host=${NONE}", DSN, "host='${NONE}'"},
		{"password='' user=${N}", DSN, "password='' user='7'"},
		{"http://${H}/p", URL, "http://[::1]:80/p"},
		{"http://u@${H}", URL, "http://u@[::1]:80"},
		{"http://h/?a=${H} http://h/${H}", URL, "http://h/?a=%5B%3A%3A1%5D%3A80 http://h/%5B%3A%3A1%5D%3A80"},
		{"/p?a=${A}&${D}", URL, "/p?a=it%27s%20%5C%20a&h db"},
		{"postgres:///d?host=${A}", DSN, "postgres:///d?host=it%27s%20%5C%20a"},
		{`{"n":${N},"s":"${A}"}`, Body, `{"n":7,"s":"it's \\ a"}`},
		{`<a b="${A}"/>`, Body, `<a b="it&apos;s \ a"/>`},
		{"plain ${A}", Body, `plain it's \ a`},
		{"${A} x", Body, `it's \ a x`},
		{"${N}&a=${A}", Form, "7&a=it%27s%20%5C%20a"},
	} {
		if got := v.ResolveIn(tc.text, false, tc.place); got != tc.want {
			t.Errorf("%s: %s, want %s", tc.text, got, tc.want)
		}
	}
}

// hostile returns passwords with characters that mean something in some language.
func hostile() []string {
	return []string{"a@b", "a/b", "a%b", "a%41b", "a b", `a\b`, `a\`, `\'`, "a'b", `a"b`, "a#b", "a?b", "a:b", "a&b=c",
		"a+b",
		"aüb", "[a", "a b='c'", "a\tb", "$a", "${PW}", "$$x", "<a>", "a;b", "=", "~"}
}
