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
