package secret

import (
	"strings"
	"testing"
)

// TestMasker: what is written out is masked where it stands, references and all else stay.
func TestMasker(t *testing.T) {
	m := NewMasker()
	for text, want := range map[string]string{
		"Authorization: Bearer geheim12345":                     "Authorization: ***",
		"Accept: a\nCookie: s=geheim; t=geheim":                 "Accept: a\nCookie: ***",
		"curl -u me:geheim http://127.0.0.1/":                   "curl -u me:*** http://127.0.0.1/",
		"postgres://me:geheim@127.0.0.1/db?sslmode=off":         "postgres://me:***@127.0.0.1/db?sslmode=off",
		"http://127.0.0.1/?token=geheim&n=1&sig=geheim":         "http://127.0.0.1/?token=***&n=1&sig=***",
		`{"password":"geheim","n":1}`:                           `{"password":"***","n":1}`,
		"x\n-----BEGIN RSA PRIVATE KEY-----\ngeheim\n-----END-": "x\n***",
		"Authorization: Bearer ${TOKEN}":                        "Authorization: Bearer ${TOKEN}",
		"Authorization: Token {token}":                          "Authorization: Token {token}",
		"Authorization: Bearer geheim12345 {token}":             "Authorization: ***",
		"/hello?n=1":                       "/hello?n=1",
		"run --max-token=128":              "run --max-token=128",
		"env GITHUB_TOKEN=geheim ssh host": "env GITHUB_TOKEN=*** ssh host",
	} {
		if got := m.Text(text); got != want {
			t.Errorf("%q: %q, want %q", text, got, want)
		}
		if got := m.Text(m.Text(text)); got != want {
			t.Errorf("%q masked twice: %q", text, got)
		}
	}
	for _, c := range []struct{ name, value, want string }{
		{"password", "geheim", "***"}, {"api_key", "geheim", "***"}, {"password", "${PW}", "${PW}"},
		{"password", "@file#0da", "@file#0da"}, {"password_file", "pw.txt", "pw.txt"},
		{"max_token", "128", "128"}, {"path", "/a?token=geheim", "/a?token=***"},
	} {
		if got := m.Value(c.name, c.value); got != c.want {
			t.Errorf("%s=%s: %q", c.name, c.value, got)
		}
	}
	for name := range m.Found {
		if strings.Contains(name, "geheim") {
			t.Errorf("the name %q tells the secret", name)
		}
	}
}

// FuzzMasker: a masked text is as it is when masked again, and whatever a finder of literals knows is gone from it.
func FuzzMasker(f *testing.F) {
	for _, text := range []string{"Authorization: Bearer geheim12345", "curl -u me:geheim x", "password=a password=b",
		"-----BEGIN PRIVATE KEY-----\nx", `{"token":"a"}`} {
		f.Add("password", text)
	}
	f.Fuzz(func(t *testing.T, name, text string) {
		m := NewMasker()
		once := m.Text(text)
		if again := NewMasker().Text(once); again != once {
			t.Errorf("%q, and again %q", once, again)
		}
		if m.Value(name, text) == "" && text != "" {
			t.Errorf("%q=%q is gone", name, text)
		}
	})
}
