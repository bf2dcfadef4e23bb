package process

import (
	"strings"
	"testing"
)

func TestLastWords(t *testing.T) {
	var w LastWords
	for range 1000 {
		w.Write([]byte("many words "))
	}
	w.Write([]byte("the end"))
	if s := w.String(); len(s) > lastWords || !strings.HasSuffix(s, "many words the end") {
		t.Errorf("%d bytes are kept, with the end %q", len(s), s[len(s)-10:])
	}
	w.Write([]byte(strings.Repeat("x", 3*lastWords) + "é\n"))
	if s := w.String(); len(s) > lastWords || !strings.HasSuffix(s, "xé") {
		t.Errorf("%d bytes are kept, with the end %q", len(s), s[len(s)-10:])
	}
}

// TestPlainMakesWhole: what a terminal does not show divides no secret that is masked afterwards.
func TestPlainMakesWhole(t *testing.T) {
	o := Output{Tail: []byte("a \x1b[31mhun\x1b[0mter\x0022\n\x1b]0;title\ab\tc")}
	if got := o.Plain(); got != "a hunter22\nb c" {
		t.Errorf("%q", got)
	}
}
