package detached

import (
	"bytes"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"plimsoll/internal/record"
	"plimsoll/internal/record/session"
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

// lines returns a session of a machine and n events, whose texts have so many bytes.
func lines(t testing.TB, n, bytes int) string {
	t.Helper()
	file := filepath.Join(t.TempDir(), "s")
	w, err := session.Create(file)
	if err != nil {
		t.Fatal(err)
	}
	err = w.Machine(record.Machine{Format: record.Format, Name: "m", ID: "1"})
	for i := range n {
		err = errors.Join(err, w.Event(record.Event{TimeNs: int64(i), Name: "e", Detail: strings.Repeat("x", bytes)}))
	}
	text, rerr := os.ReadFile(file)
	if err = errors.Join(err, w.Close(), rerr); err != nil {
		t.Fatal(err)
	}
	return string(text)
}

// TestFetchSaysWhatItLeaves: a last line that is cut, or is none of a session, is not fetched and is told.
func TestFetchSaysWhatItLeaves(t *testing.T) {
	two := lines(t, 1, 10)
	for rest, want := range map[string]string{
		"":                   fmt.Sprintf("%d bytes", len(two)),
		`{"kind":"ev`:        "without 11 more behind the last line break",
		"rm -rf /":           "without 8 more behind",
		two[:len(two)-1][:9]: "without 9 more",
	} {
		got, err := Receive(bytes.NewReader(sent(t, two+rest)), filepath.Join(t.TempDir(), "b"), most)
		if err != nil || got.Bytes != int64(len(two)) || !strings.Contains(got.Text(), want) ||
			rest == "" && got.Text() != want {
			t.Errorf("%q: %q, %v; want %q", rest, got.Text(), err, want)
		}
	}
	minus := strings.Replace(string(sent(t, two+"x")), `"rest":1`, `"rest":-1`, 1)
	if _, err := Receive(strings.NewReader(minus), filepath.Join(t.TempDir(), "b"), most); err == nil {
		t.Error("a negative rest is taken")
	}
}

// most is more than any session here has.
const most = 1 << 20

// TestSessionsArriveWhole: up to the last whole line, in the place of nothing or of an earlier part; else not at all.
func TestSessionsArriveWhole(t *testing.T) {
	one, two := lines(t, 0, 0), lines(t, 1, 200<<10)
	whole := string(sent(t, two+two[:10]))
	damaged := strings.Replace(two, "xx", "yy", 1)
	parcel := func(bytes int) string {
		return fmt.Sprintf(`{"kind":"parcel","bytes":%d,"sha256":""}`+"\n", bytes)
	}
	for name, c := range map[string]struct{ had, arrives, want, err string }{
		"nothing was there":  {"", whole, two, ""},
		"an earlier part":    {one, whole, two, ""},
		"the same":           {two, whole, two, ""},
		"another session":    {"uno\n", whole, "uno\n", "is another session"},
		"a later part":       {two + "three\n", whole, two + "three\n", "is another session"},
		"cut short":          {"", whole[:len(whole)-3], "", fmt.Sprintf("of %d bytes arrived", len(two))},
		"cut after its head": {"", whole[:len(whole)-len(two)], "", "0 of "},
		"a damaged line":     {"", string(sent(t, damaged+two)), damaged + two, ""},
		"a script":           {"", string(sent(t, "#!/bin/sh\nrm -rf x\n")), "", "no session: line 1"},
		"lines that come later": {"", string(sent(t, strings.SplitN(two, "\n", 2)[1])), "",
			`begin with a line of kind "event"`},
		"mostly something else": {"", string(sent(t, two+strings.Repeat("junk\n", 99))), "", "no session: line 5"},
		"a line without end":    {"", parcel(most) + strings.Repeat("x", most), "", "no session: line 1"},
		"no parcel":             {"", "{}\n", "", "unexpected reply instead of a session"},
		"a negative size":       {"", parcel(-1), "", "unexpected reply instead of a session"},
		"more than is taken":    {"", parcel(most + 1), "", "over the limit of 1MiB\nhint: --max-size 1GiB"},
		"an endless first line": {"", strings.Repeat("x", 200<<10) + "\n", "", "unexpected reply instead of a session"},
		"no whole line":         {"", string(sent(t, "rest")), "", "no whole line yet"},
		"another digest":        {"", strings.Replace(whole, `"sha256":"`, `"sha256":"0`, 1), "", "not those that were sent"},
	} {
		file := filepath.Join(t.TempDir(), "b")
		if c.had != "" {
			if err := os.WriteFile(file, []byte(c.had), 0o600); err != nil {
				t.Fatal(err)
			}
		}
		_, err := Receive(strings.NewReader(c.arrives), file, most)
		if got, _ := os.ReadFile(file); string(got) != c.want || c.err == "" != (err == nil) ||
			err != nil && !strings.Contains(err.Error(), c.err) {
			t.Errorf("%s: %.80q, %v", name, got, err)
		}
	}
}

// TestWhatIsSilentOrEndlessIsEnded: nobody waits for a carrier, or for what it reaches, for ever.
func TestWhatIsSilentOrEndlessIsEnded(t *testing.T) {
	if testing.Short() {
		t.Skip("it waits for a limit of seconds")
	}
	r := relay{silence: 300 * time.Millisecond, most: 1 << 16}
	file := filepath.Join(t.TempDir(), "b")
	began := `printf '{"kind":"parcel","bytes":99,"sha256":""}\n'; `
	for on, want := range map[string]string{
		"sleep 60 #":                      "it said nothing for 300ms",
		began + "sleep 60 #":              "it said nothing for 300ms",
		"exec >&-; sleep 60 #":            "it said nothing for 300ms",
		"trap '' TERM; sleep 60 #":        "it said nothing for 300ms",
		began + "yes '{\"kind\":\"\"}' #": "no session: line 1",
	} {
		if _, err := r.fetch(t.Context(), on, "s", file, most, io.Discard); err == nil ||
			!strings.Contains(err.Error(), want) {
			t.Errorf("fetch through %s: %v", on, err)
		}
		if _, err := os.Stat(file); !errors.Is(err, fs.ErrNotExist) {
			t.Errorf("fetch through %s left a file: %v", on, err)
		}
	}
	for on, want := range map[string]string{
		"sleep 60 #": "it said nothing for 300ms",
		"yes #":      "it says more than 0 MiB",
		"yes >&2 #":  "it says more than 0 MiB",
		`printf '\0' >&2; sleep 0.2; printf '\0' >&2; sleep 0.2; printf 'a\0b' >&2; echo c #`: "",
	} {
		var out, words bytes.Buffer
		err := r.do(t.Context(), on, []string{"status"}, &out, &words)
		if (want == "") != (err == nil) || err != nil && !strings.Contains(err.Error(), want) {
			t.Errorf("through %s: %v", on, err)
		}
		if want == "" && (out.String() != "c\n" || words.String() != "ab") {
			t.Errorf("%q, %q", out.String(), words.String())
		}
	}
}

func FuzzReceive(f *testing.F) {
	f.Add(sent(f, lines(f, 2, 3)), []byte(lines(f, 1, 3)))
	f.Add([]byte(`{"kind":"parcel","bytes":3,"sha256":""}`+"\nabc"), []byte{})
	f.Fuzz(func(t *testing.T, arrives, had []byte) {
		file := filepath.Join(t.TempDir(), "b")
		if err := os.WriteFile(file, had, 0o600); err != nil {
			t.Fatal(err)
		}
		_, err := Receive(bytes.NewReader(arrives), file, most)
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
	if err := errors.Join(os.WriteFile(whole, []byte(lines(t, 1, 3)), 0o600), Send(whole, &sent)); err != nil {
		t.Fatal(err)
	}
	if n, err := Receive(&sent, file, most); err == nil {
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
