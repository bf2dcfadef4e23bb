package note

import (
	"regexp"
	"slices"
	"strings"
	"testing"
	"unicode"
	"unicode/utf8"
)

// verbs are what a format takes: with the number of an argument in a headline, in order elsewhere.
var verbs = regexp.MustCompile(`%[+#]?(?:\.\d)?(?:\[(\d)\])?([a-z])`)

// TestHeadlines: each note has a sentence of its own that fits a line of 80 columns behind its lead, with large figures
// in it, and the figures are those of its text.
func TestHeadlines(t *testing.T) {
	seen := map[string]Code{}
	for _, k := range Kinds() {
		if k.Code == Recorded { // its words are those of a session
			continue
		}
		var args []any
		var kinds []string
		for _, v := range verbs.FindAllStringSubmatch(strings.ReplaceAll(k.Format, "%%", ""), -1) {
			kinds = append(kinds, v[2])
			args = append(args, map[string]any{"d": 1000, "s": "pairs", "v": "pairs"}[v[2]])
			if args[len(args)-1] == nil {
				args[len(args)-1] = 123.456
			}
		}
		for _, v := range verbs.FindAllStringSubmatch(strings.ReplaceAll(k.Headline, "%%", ""), -1) {
			at := strings.Index("123456789", v[1])
			if v[1] == "" || at >= len(kinds) || kinds[at] != v[2] {
				t.Errorf("%s: %q takes an argument of another kind than %q", k.Code, k.Headline, k.Format)
			}
		}
		text := New(k.Code, args...).Headline()
		first, _ := utf8.DecodeRuneInString(text)
		switch {
		case utf8.RuneCountInString(text) > MostHeadline:
			t.Errorf("%s: %q has %d columns", k.Code, text, utf8.RuneCountInString(text))
		case !unicode.IsUpper(first) && !unicode.IsDigit(first) && !strings.HasPrefix(text, "p99") &&
			!strings.HasPrefix(text, "vCPUs"),
			strings.HasSuffix(text, "."), strings.Count(text, " ") < 2, strings.Contains(text, "%!"):
			t.Errorf("%s: %q is no sentence", k.Code, text)
		}
		if had, ok := seen[text]; ok && !slices.Contains(alike(), [2]Code{had, k.Code}) {
			t.Errorf("%s and %s have one headline: %q", had, k.Code, text)
		}
		seen[text] = k.Code
	}
	inner := New("outlier", 3, 7.)
	if got := New("of-side", "a", inner).Headline(); got != inner.Headline() {
		t.Errorf("a note about another one: %q", got)
	}
	if got := FromRecord("something else").Headline(); got != "something else" {
		t.Errorf("a note without headline: %q", got)
	}
}

// alike are pairs that mean one thing and differ in what their texts name.
func alike() [][2]Code {
	return [][2]Code{
		{"profile-left-out", "a-profile-left-out"}, {"profile-of-trial-unreadable", "report-profile-unreadable"},
		{"no-base-without-cpu", "no-base"}, {"offered-not-done", "offered-not-done-crowded"},
	}
}
