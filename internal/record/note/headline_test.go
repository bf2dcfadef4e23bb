package note

import (
	"math"
	"regexp"
	"slices"
	"strings"
	"testing"
	"unicode"
	"unicode/utf8"
)

// verbs are the verbs of a format: always with the number of an argument in a headline.
var verbs = regexp.MustCompile(`%[+#]?(?:\.\d)?(?:\[(\d)\])?([a-z])`)

// house are words that other tools do not use of results, and openings that lead to no sentence.
var house = regexp.MustCompile(`(?i)\b(stands?|stood|lies?|lay|holds?|held|says?|said|tells?|told|beside|alone|` +
	`cells?|trials?|voids?|what|that of|those of|of its own)\b|^Of |^For |\b(is|are|was|were) no\b|\b(has|have) none\b|;`)

// TestHeadlines: each note has a sentence that fits a line of 80 columns behind its lead, with large figures and long
// names in it. The figures are those of its text.
func TestHeadlines(t *testing.T) {
	seen := map[string]Code{}
	for _, k := range Kinds() {
		if k.Code == Recorded { // its words are those of a session
			continue
		}
		args, kinds := sampleArgs(k)
		for _, v := range verbs.FindAllStringSubmatch(strings.ReplaceAll(k.Headline, "%%", ""), -1) {
			at := strings.Index("123456789", v[1])
			if v[1] == "" || at >= len(kinds) || kinds[at] != v[2] {
				t.Errorf("%s: %q takes an argument of another kind than %q", k.Code, k.Headline, k.words())
			}
		}
		for _, v := range verbs.FindAllStringSubmatch(k.Next, -1) {
			if at := strings.Index("123456789", v[1]); v[1] == "" || at >= len(kinds) || kinds[at] != v[2] {
				t.Errorf("%s: %q takes an argument of another kind than %q", k.Code, k.Next, k.Format)
			}
		}
		if k.Runs > len(kinds) || k.Runs > 0 && (k.Next == "" || kinds[k.Runs-1] != "d") {
			t.Errorf("%s: argument %d counts no runs of %q", k.Code, k.Runs, k.Next)
		}
		text := New(k.Code, args...).Headline()
		if why := noSentence(text); why != "" {
			t.Errorf("%s: %q %s", k.Code, text, why)
		}
		if had, ok := seen[text]; ok && !slices.Contains(alike(), [2]Code{had, k.Code}) {
			t.Errorf("%s and %s have one headline: %q", had, k.Code, text)
		}
		seen[text] = k.Code
		if size := New(k.Code, args...).Size(); k.Size != nil && (size <= 0 || math.IsInf(size, 0)) {
			t.Errorf("%s has a size of %g", k.Code, size)
		}
	}
	if got := FromRecord("something else").Headline(); got != "something else" {
		t.Errorf("a note without headline: %q", got)
	}
}

// sampleArgs returns arguments for an entry, as large and as long as they get, and their kinds.
func sampleArgs(k Kind) (args []any, kinds []string) {
	for _, kind := range argKinds(k) {
		kinds = append(kinds, kind)
		args = append(args, map[string]any{"d": 1000, "s": "m6gd.metal-48xl", "v": "pairs"}[kind])
		if args[len(args)-1] == nil {
			args[len(args)-1] = 123.456
		}
	}
	return args, kinds
}

// argKinds returns the verb of each argument that an entry's words take; "" for one that they leave out.
func argKinds(k Kind) []string {
	var kinds []string
	at := 0
	for _, v := range verbs.FindAllStringSubmatch(strings.ReplaceAll(k.words()+" "+k.Hint, "%%", ""), -1) {
		if v[1] != "" {
			at = strings.Index("123456789", v[1])
		}
		kinds = append(kinds, make([]string, max(0, at+1-len(kinds)))...)
		kinds[at] = v[2]
		at++
	}
	return kinds
}

// noSentence returns why a headline is no sentence for a line; "" if it is one. A line adds the benchmark in
// parentheses.
func noSentence(text string) string {
	first, _ := utf8.DecodeRuneInString(text)
	switch n := utf8.RuneCountInString(text); {
	case n > mostHeadline:
		return "is too long"
	case !unicode.IsUpper(first) && !unicode.IsDigit(first) && !strings.HasPrefix(text, "p99") &&
		!strings.HasPrefix(text, "vCPUs"):
		return "does not begin like a sentence"
	case strings.HasSuffix(text, ".") || strings.HasSuffix(text, ")"):
		return "ends in a full stop or a parenthesis"
	case strings.Count(text, " ") < 2 || strings.Contains(text, "%!"):
		return "is no sentence"
	case house.MatchString(text):
		return "has a word of the house: " + house.FindString(text)
	}
	return ""
}

// TestNoSentence: the test of headlines finds each fault.
func TestNoSentence(t *testing.T) {
	for text, sentence := range map[string]bool{
		"Results are noisy: run-to-run variation is 68%": true,
		"runs vary by 68%":      false,
		"The limit stands at 5": false,
		"There is no ratio":     false,
		"Too few":               false,
		"The generator fell behind schedule (p99)":          false,
		"The runs were noisy.":                              false,
		"The runs " + strings.Repeat("x", mostHeadline):     false,
		"Of 5 pairs 3 were disturbed by other programs":     false,
		"The throughput of each cell is a mean of its runs": false,
	} {
		if why := noSentence(text); (why == "") != sentence {
			t.Errorf("%q: %q", text, why)
		}
	}
}

// TestNotesAboutNotes: a note about a side or a machine has the headline and the gravity of the note that it is about.
func TestNotesAboutNotes(t *testing.T) {
	inner := New("outlier", 3, 7.)
	n := New("of-side", "baseline", New("of-side", "candidate", inner))
	if n.Headline() != inner.Headline() || n.Gravity() != Imprecise || n.Size() != .07 {
		t.Errorf("%q, %d, %g", n.Headline(), n.Gravity(), n.Size())
	}
	for code, want := range map[Code]Gravity{"pairs-vary": Imprecise, "unpaired": Biased, "no-valid-trial": Decisive,
		"too-few-replicates": Harmless, Recorded: Harmless} {
		if got := (Note{Code: code}).Gravity(); got != want {
			t.Errorf("%s: %d, want %d", code, got, want)
		}
	}
	some, most := New("line-not-confirmed", 1, 5), New("line-not-confirmed", 2, 4)
	if some.Size() != .2 || most.Size() != .5 {
		t.Errorf("%g, %g", some.Size(), most.Size())
	}
}

// alike are pairs that mean one thing and differ in what their texts name.
func alike() [][2]Code {
	return [][2]Code{
		{"profile-of-trial-unreadable", "report-profile-unreadable"}, {"no-base-without-cpu", "no-base"},
		{"offered-not-done", "offered-not-done-crowded"},
	}
}
