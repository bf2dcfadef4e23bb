package term

import (
	"fmt"
	"strings"
	"testing"
)

func TestScreenedKeepsOnlyTheEndsOfLines(t *testing.T) {
	for in, want := range map[string]string{
		"plimsoll: reading a: no such file\nhint: b\n": "plimsoll: reading a: no such file\nhint: b\n",
		"title \x1b]0;owned\x07.\n":                    "title \uFFFD]0;owned\uFFFD.\n",
		"clipboard \x1b]52;c;cm0=\x1b\\\n":             "clipboard \uFFFD]52;c;cm0=\uFFFD\\\n",
		"colour \x1b[31m\n":                            "colour \uFFFD[31m\n",
		"turned \u202egnp.exe\u2066\n":                 "turned \uFFFDgnp.exe\uFFFD\n",
		"C1 \u009b2J and raw \x9b2J\n":                 "C1 \uFFFD2J and raw \uFFFD2J\n",
		"over\rwritten\tby\x08\x7f\n":                  "over written by\uFFFD\uFFFD\n",
	} {
		var b strings.Builder
		if n, err := fmt.Fprint(Screened(&b), in); n != len(in) || err != nil {
			t.Errorf("%q: %d, %v", in, n, err)
		}
		if b.String() != want {
			t.Errorf("got %q, want %q", b.String(), want)
		}
	}
}

// TestScreenedInPieces: what is copied from a pipe comes in pieces of any length.
func TestScreenedInPieces(t *testing.T) {
	in := "naïve 日本 \u202e\U0001f600\x9b\n"
	want := "naïve 日本 \uFFFD\U0001f600\uFFFD\n"
	for size := 1; size < len(in); size++ {
		var b strings.Builder
		w := Screened(&b)
		for rest := in; rest != ""; {
			n := min(size, len(rest))
			if wrote, err := w.Write([]byte(rest[:n])); wrote != n || err != nil {
				t.Fatalf("%d, %v", wrote, err)
			}
			rest = rest[n:]
		}
		if b.String() != want {
			t.Errorf("in pieces of %d bytes: %q, want %q", size, b.String(), want)
		}
	}
}
