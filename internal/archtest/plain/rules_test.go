// Package plain checks the language of the pages, strings and comments by the rules in .vale/styles, which vale reads
// too: see CONTRIBUTING.md.
package plain

import (
	"fmt"
	"os"
	"path/filepath"
	"regexp"
	"regexp/syntax"
	"slices"
	"strings"
	"testing"

	"github.com/goccy/go-yaml"
)

const rulesDir = "../../../.vale/styles/Plimsoll"

// rule is one file of a vale style, with the fields that these rules use. Any other field is an error.
type rule struct {
	Name       string            `yaml:"-"` // of the file
	Extends    string            `yaml:"extends"`
	Message    string            `yaml:"message"`
	Level      string            `yaml:"level"`
	Scope      string            `yaml:"scope"` // "" or "sentence"
	IgnoreCase bool              `yaml:"ignorecase"`
	Nonword    bool              `yaml:"nonword"` // tokens may begin and end inside words
	Tokens     []string          `yaml:"tokens"`
	Exceptions []string          `yaml:"exceptions"` // phrases in which a token is allowed; their case counts
	Swap       map[string]string `yaml:"swap"`
	Max        int               `yaml:"max"` // tokens in a scope
	Token      string            `yaml:"token"`

	pattern, allowed *regexp.Regexp
	// A text in small letters without any of these has no match. None: the pattern decides.
	needs []string
}

// finding is one match of a rule.
type finding struct {
	rule, message string
	at            int // offset in the text
}

func readRules(dir string) ([]rule, error) {
	files, err := filepath.Glob(filepath.Join(dir, "*.yml"))
	if err != nil {
		return nil, err
	}
	var out []rule
	for _, f := range files {
		text, err := os.ReadFile(f)
		if err != nil {
			return nil, err
		}
		r, err := readRule(strings.TrimSuffix(filepath.Base(f), ".yml"), text)
		if err != nil {
			return nil, fmt.Errorf("%s: %w", f, err)
		}
		out = append(out, r)
	}
	return out, nil
}

// readRule compiles a rule's patterns as vale does. Go's expressions are the common part of both.
func readRule(name string, text []byte) (rule, error) {
	r := rule{Name: name}
	if err := yaml.UnmarshalWithOptions(text, &r, yaml.Strict()); err != nil {
		return rule{}, err
	}
	tokens := r.Tokens
	switch r.Extends {
	case "existence":
	case "substitution":
		for from := range r.Swap {
			tokens = append(tokens, from)
		}
		slices.Sort(tokens)
	case "occurrence":
		tokens, r.Nonword = []string{r.Token}, true
		if r.Max == 0 {
			return rule{}, fmt.Errorf("occurrence without max")
		}
	default:
		return rule{}, fmt.Errorf("extends %q: only existence, substitution and occurrence are supported", r.Extends)
	}
	if len(tokens) == 0 || r.Scope != "" && r.Scope != "sentence" || r.Level != "error" || r.Message == "" {
		return rule{}, fmt.Errorf("tokens, message, level error and an allowed scope are required")
	}
	form := `(?:%s)`
	if !r.Nonword {
		form = `\b(?:%s)\b`
	}
	if r.IgnoreCase {
		form = `(?i)` + form
	}
	var err error
	if r.pattern, err = regexp.Compile(fmt.Sprintf(form, strings.Join(tokens, "|"))); err != nil {
		return rule{}, err
	}
	tree, err := syntax.Parse(r.pattern.String(), syntax.Perl)
	if err != nil {
		return rule{}, err
	}
	r.needs = needs(tree)
	if len(r.Exceptions) > 0 {
		r.allowed, err = regexp.Compile(`\b(?:` + strings.Join(r.Exceptions, "|") + `)\b`)
	}
	return r, err
}

// needs returns texts of two letters and more, in small letters, one of which is in every match of an expression.
// It returns nil if it finds none. They spare most texts the expression, which takes ten times as long.
func needs(tree *syntax.Regexp) []string {
	var out []string
	switch tree.Op {
	case syntax.OpLiteral:
		if len(tree.Rune) > 1 {
			return []string{strings.ToLower(string(tree.Rune))}
		}
	case syntax.OpCapture, syntax.OpPlus:
		return needs(tree.Sub[0])
	case syntax.OpConcat:
		for _, sub := range tree.Sub {
			if n := needs(sub); out == nil || n != nil && shortest(n) > shortest(out) {
				out = n
			}
		}
	case syntax.OpAlternate:
		for _, sub := range tree.Sub {
			n := needs(sub)
			if n == nil {
				return nil
			}
			out = append(out, n...)
		}
	}
	return out
}

func shortest(texts []string) int {
	return len(slices.MinFunc(texts, func(a, b string) int { return len(a) - len(b) }))
}

// find returns the matches of all rules in a text of one or more sentences.
func find(rules []rule, text string) []finding {
	var out []finding
	sentences, small := sentencesOf(text), strings.ToLower(text)
	for _, r := range rules {
		if r.needs != nil && !slices.ContainsFunc(r.needs, func(n string) bool { return strings.Contains(small, n) }) {
			continue
		}
		if r.Scope == "" {
			out = append(out, r.in(text, 0)...)
			continue
		}
		for _, s := range sentences {
			out = append(out, r.in(text[s[0]:s[1]], s[0])...)
		}
	}
	return out
}

// in returns the matches of a rule in a text that begins at an offset of a longer one.
func (r rule) in(text string, offset int) []finding {
	if r.Max > 0 {
		if n := len(r.pattern.FindAllStringIndex(text, -1)); n > r.Max {
			return []finding{{r.Name, fmt.Sprintf("%s (%d words)", r.Message, n), offset}}
		}
		return nil
	}
	var out []finding
	for _, m := range r.pattern.FindAllStringIndex(text, -1) {
		if !r.allows(text, m) {
			out = append(out, finding{r.Name, r.says(text[m[0]:m[1]]), offset + m[0]})
		}
	}
	return out
}

// allows reports whether a match is inside one of the rule's exceptions.
func (r rule) allows(text string, match []int) bool {
	return r.allowed != nil && slices.ContainsFunc(r.allowed.FindAllStringIndex(text, -1), func(a []int) bool {
		return a[0] <= match[0] && match[1] <= a[1]
	})
}

// says returns the rule's message with the text that it found.
func (r rule) says(found string) string {
	if to, ok := r.Swap[strings.ToLower(found)]; ok {
		return fmt.Sprintf(r.Message, to, found)
	}
	return fmt.Sprintf(r.Message, found)
}

func mustRules(t *testing.T) []rule {
	t.Helper()
	rules, err := readRules(rulesDir)
	if err != nil {
		t.Fatal(err)
	}
	if len(rules) < 10 {
		t.Fatalf("found only %d rules in %s", len(rules), rulesDir)
	}
	return rules
}

// sentencesOf returns the offsets of a text's sentences: they end at a full stop, question or exclamation mark before a
// space and no small letter.
func sentencesOf(text string) [][2]int {
	var out [][2]int
	begin := 0
	for i := 0; i < len(text); i++ {
		if c := text[i]; c != '.' && c != '?' && c != '!' {
			continue
		}
		end := i + 1
		for end < len(text) && strings.IndexByte(`"')]*_`, text[end]) >= 0 {
			end++
		}
		next := end
		for next < len(text) && text[next] == ' ' {
			next++
		}
		if next == end || next == len(text) || text[next] >= 'a' && text[next] <= 'z' || abbreviates(text[begin:i]) {
			continue
		}
		out = append(out, [2]int{begin, end})
		begin = next
	}
	return append(out, [2]int{begin, len(text)})
}

// abbreviates reports whether a text ends with an abbreviation, so that a full stop after it may not end a sentence.
func abbreviates(text string) bool {
	for _, short := range []string{"e.g", "i.e", " vs", "etc", "approx"} {
		if strings.HasSuffix(text, short) {
			return true
		}
	}
	return false
}
