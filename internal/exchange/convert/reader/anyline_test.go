package reader

import (
	"regexp"
	"slices"
	"testing"
)

// TestNeededBy: each pattern's lines have one of the strings for which they are inspected.
func TestNeededBy(t *testing.T) {
	for pattern, want := range map[string][]string{
		`^Type +Ops/sec `:      {"Ops/sec "},
		`^(?:abc x|\[ID\] yy)`: {"abc x", "[ID] yy"},
		`^[0-9]+;fio-[0-9]`:    {";fio-"},
		`(?i)^total`:           nil,
		`^(?:ab|[0-9]+)$`:      nil,
		`^(ab)+ c?`:            {"ab"},
	} {
		var got []string
		for _, piece := range neededBy(pattern) {
			got = append(got, string(piece))
		}
		if !slices.Equal(got, want) {
			t.Errorf("%s: %q, want %q", pattern, got, want)
		}
	}
}

// FuzzAnyLine compares AnyLine with the pattern run over the whole text.
func FuzzAnyLine(f *testing.F) {
	patterns := []string{`^Type +Ops/sec `, `^(?:abc x|\[ID\] yy)`, `^.+: \(groupid=[0-9]+\): err=`, `^[ \t]*end$`,
		`(?:^|\r)\S[^\r\n]*: [0-9.]+ per second`}
	for _, text := range []string{"", "Type  Ops/sec  ", "x\nabc x", "a: (groupid=1): err=",
		"n (groupid=\nb: (groupid=2): err=1",
		"\tend\nendx", "end", "a\rSET: 1.0 per second", "per second\n\n"} {
		f.Add(text)
	}
	f.Fuzz(func(t *testing.T, text string) {
		for _, p := range patterns {
			if got, want := AnyLine(p)([]byte(text)), regexp.MustCompile("(?m)"+p).MatchString(text); got != want {
				t.Errorf("%s: %q: %t", p, text, got)
			}
		}
	})
}
