package detached

import (
	"bytes"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"
)

func sent(t testing.TB, text string) []byte {
	t.Helper()
	file := filepath.Join(t.TempDir(), "a")
	if err := os.WriteFile(file, []byte(text), 0o600); err != nil {
		t.Fatal(err)
	}
	var out bytes.Buffer
	if err := Send(file, &out); err != nil {
		t.Fatal(err)
	}
	return out.Bytes()
}

// TestSessionsArriveWhole: up to the last whole line, in the place of nothing or of an earlier part; else not at all.
func TestSessionsArriveWhole(t *testing.T) {
	whole := string(sent(t, "one\ntwo\nthr"))
	long := strings.Repeat("x", 200<<10) + "\n"
	for name, c := range map[string]struct{ had, arrives, want, err string }{
		"nothing was there": {"", whole, "one\ntwo\n", ""},
		"an earlier part":   {"one\n", whole, "one\ntwo\n", ""},
		"the same":          {"one\ntwo\n", whole, "one\ntwo\n", ""},
		"another session":   {"uno\n", whole, "uno\n", "is another session"},
		"a later part":      {"one\ntwo\nthree\n", whole, "one\ntwo\nthree\n", "is another session"},
		"cut short":         {"", whole[:len(whole)-3], "", "of 8 bytes arrived"},
		"other bytes":       {"", strings.Replace(whole, "two", "tvo", 1), "", "not those that were sent"},
		"no parcel":         {"", "{}\n", "", "unexpected reply instead of a session"},
		"a negative size":   {"", `{"kind":"parcel","bytes":-1}` + "\n", "", "unexpected reply instead of a session"},
		"a size beyond bounds": {"", `{"kind":"parcel","bytes":99999999999999}` + "\n", "",
			"unexpected reply instead of a session"},
		"an endless first line": {"", long, "", "unexpected reply instead of a session"},
		"a long line":           {"", string(sent(t, long+"rest")), long, ""},
		"no whole line":         {"", string(sent(t, "rest")), "", ""},
	} {
		file := filepath.Join(t.TempDir(), "b")
		if c.had != "" {
			if err := os.WriteFile(file, []byte(c.had), 0o600); err != nil {
				t.Fatal(err)
			}
		}
		_, err := Receive(strings.NewReader(c.arrives), file)
		if got, _ := os.ReadFile(file); string(got) != c.want || c.err == "" != (err == nil) ||
			err != nil && !strings.Contains(err.Error(), c.err) {
			t.Errorf("%s: %.80q, %v", name, got, err)
		}
	}
}

func FuzzReceive(f *testing.F) {
	f.Add(sent(f, "one\ntwo\n"), []byte("one\n"))
	f.Add([]byte(`{"kind":"parcel","bytes":3,"sha256":""}`+"\nabc"), []byte{})
	f.Fuzz(func(t *testing.T, arrives, had []byte) {
		file := filepath.Join(t.TempDir(), "b")
		if err := os.WriteFile(file, had, 0o600); err != nil {
			t.Fatal(err)
		}
		_, err := Receive(bytes.NewReader(arrives), file)
		got, rerr := os.ReadFile(file)
		if rerr != nil || err != nil && !bytes.Equal(got, had) || err == nil && !bytes.HasPrefix(got, had) {
			t.Errorf("%q became %q: %v", had, got, err)
		}
	})
}

// TestReceiveKeepsWhatItCannotRead: what is there may be another session.
func TestReceiveKeepsWhatItCannotRead(t *testing.T) {
	file := filepath.Join(t.TempDir(), "b")
	if err := os.Symlink("b", file); err != nil { // opening it fails for root, too
		t.Fatal(err)
	}
	var sent bytes.Buffer
	whole := filepath.Join(t.TempDir(), "a")
	if err := errors.Join(os.WriteFile(whole, []byte("abc"), 0o600), Send(whole, &sent)); err != nil {
		t.Fatal(err)
	}
	if n, err := Receive(&sent, file); err == nil {
		t.Errorf("%d bytes replaced what could not be read", n)
	}
	if to, err := os.Readlink(file); err != nil || to != "b" {
		t.Errorf("%q, %v", to, err)
	}
}

func TestRelayedCommandLines(t *testing.T) {
	for text, want := range map[string]string{
		`["run","exec","a 'b' $c"]` + "\n": `[run exec a 'b' $c]`,
		`["relay"]` + "\n":                 "",
		"[]\n":                             "",
		`["run"]`:                          "",
		"x\n":                              "",
	} {
		args, err := Relayed(strings.NewReader(text + "more"))
		if (err == nil) != (want != "") || err == nil && fmt.Sprint(args) != want {
			t.Errorf("%q: %q, %v", text, args, err)
		}
	}
}
