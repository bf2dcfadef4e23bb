package replace

import (
	"bytes"
	"compress/gzip"
	"errors"
	"io"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"plimsoll/internal/base/usage"
	"plimsoll/internal/record"
	"plimsoll/internal/record/session"
)

// TestSessionsAreNoOutputs: whoever has a session has it as it came: copied, compressed, edited, torn.
func TestSessionsAreNoOutputs(t *testing.T) {
	path := filepath.Join(t.TempDir(), "s")
	w, err := session.Create(path)
	if err != nil {
		t.Fatal(err)
	}
	if err := errors.Join(w.Machine(record.Machine{Format: record.Format, Name: "m"}),
		w.Event(record.Event{Name: "e"}), w.Close()); err != nil {
		t.Fatal(err)
	}
	text, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	s := string(text)
	packed := func(text string) string {
		var b bytes.Buffer
		w := gzip.NewWriter(&b)
		_, err := io.WriteString(w, text)
		if err := errors.Join(err, w.Close()); err != nil {
			t.Fatal(err)
		}
		return b.String()
	}
	for name, c := range map[string]struct {
		text string
		lost bool
	}{
		"as it is":         {s, true},
		"with a BOM":       {"\ufeff" + s, true},
		"after a line":     {"\n" + s, true},
		"after many lines": {strings.Repeat(" \r\n", 9999) + "\ufeff" + s, true},
		"with CRLF":        {strings.ReplaceAll(s, "\n", "\r\n"), true},
		"torn":             {s[:30], true},
		"without its head": {strings.SplitN(s, "\n", 2)[1], true},
		"after other text": {"# mine\n" + s, true},
		"packed":           {packed(s), true},
		"packed and torn":  {packed(strings.Repeat(s, 99))[:200], true},
		"packed after BOM": {packed("\ufeff\n" + s), true},
		"a page":           {"<!doctype html>\n" + strings.Repeat("<p>\n", 99), false},
		"packed text":      {packed("text"), false},
		"a torn archive":   {packed("text")[:5], false},
		"JSON":             {`{"kind":1}`, false},
		"empty":            {"", false},
	} {
		out := filepath.Join(t.TempDir(), "out")
		if err := os.WriteFile(out, []byte(c.text), 0o600); err != nil {
			t.Fatal(err)
		}
		if err := Spares(out, nil); (err != nil) != c.lost || err != nil && !usage.Is(err) {
			t.Errorf("%s: %v", name, err)
		}
	}
}

// TestErrorsOfWritingNameTheOutput: the nameless file beside it is nobody's concern.
func TestErrorsOfWritingNameTheOutput(t *testing.T) {
	path := filepath.Join(t.TempDir(), "out")
	err := File(path, 0o600, func(w io.Writer) error {
		f := w.(*os.File)
		if err := f.Close(); err != nil {
			return err
		}
		_, err := f.WriteString("text")
		return err
	})
	if err == nil || !strings.Contains(err.Error(), "write "+path+":") {
		t.Error(err)
	}
}
