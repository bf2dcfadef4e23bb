package markdown

import (
	"bytes"
	"slices"
	"strings"
	"testing"

	"github.com/yuin/goldmark"
	"github.com/yuin/goldmark/ast"
	"github.com/yuin/goldmark/extension"
	gfm "github.com/yuin/goldmark/extension/ast"
	"github.com/yuin/goldmark/text"

	"plimsoll/internal/record/block"
)

func hostile() []string {
	return []string{
		"a | b", `a \| b`, `\`, "<script>alert(1)</script>", "<!-- ", "[x](http://example.org)", "http://example.org",
		"www.example.org", "me@example.org",
		"**", "*a*", "_a_", "`a`", "# a", "1. a", "12) a", "- a", "+ a", "===", "---", "> a", "    a", "~~~", "a\nb",
		"a\n\n# b", "&lt;", "![a](b)", "[ ] a", "<https://a.b>",
		"@team", "#1", "$x$", "a  b", "|", "||", "<details>", "</summary>", "\\\n", "a\u202eb", "WWW.a.org", "host#1",
		"mailto:a@b.org", ":---", "ftp://a.b",
	}
}

// of returns a document whose every place holds the same text from a file.
func of(s string) []block.Section {
	return []block.Section{{Title: "t" + s, Fixed: s, Level: 2, Blocks: []block.Block{
		block.Sentence{Lead: s, Text: s}, block.Sentence{Text: s},
		block.Table{Columns: []block.Column{{Name: s}, {Name: "b", Right: true}},
			Rows: [][]block.Cell{{{Text: s}, {Text: s, Tone: block.Strong}}, {{Text: s}, {Text: "1"}}}},
		block.Section{Title: s, Fold: true, Blocks: []block.Block{block.Sentence{Text: s}}},
		block.Plot{Title: s, Desc: s},
	}}}
}

// FuzzTextStaysText holds that a parser of GitHub's Markdown finds the same blocks for any text as for a harmless one,
// no link and no HTML but our own, and the text itself in the cells.
func FuzzTextStaysText(f *testing.F) {
	for _, s := range hostile() {
		f.Add(s)
	}
	want, _ := shape(f, "x")
	f.Fuzz(func(t *testing.T, s string) {
		if oneLine(s) == "" {
			return
		}
		got, cells := shape(t, s)
		if !slices.Equal(got, want) {
			t.Errorf("%q changes the document:\n%s\nwant\n%s", s, strings.Join(got, " "), strings.Join(want, " "))
		}
		for _, i := range []int{0, 2, 3, 4} {
			if i >= len(cells) || cells[i] != oneLine(s) {
				t.Errorf("cells %q, want %q in %d", cells, oneLine(s), i)
			}
		}
	})
}

// shape returns the kinds of a document's nodes, texts and our comments apart, and the texts of its cells.
func shape(t testing.TB, s string) (kinds, cells []string) {
	t.Helper()
	var b bytes.Buffer
	if err := Write(&b, of(s)); err != nil {
		t.Fatal(err)
	}
	source := b.Bytes()
	root := goldmark.New(goldmark.WithExtensions(extension.GFM)).Parser().Parse(text.NewReader(source))
	err := ast.Walk(root, func(n ast.Node, entering bool) (ast.WalkStatus, error) {
		switch n := n.(type) {
		case *ast.Text, *ast.String:
			return ast.WalkContinue, nil
		case *ast.RawHTML:
			if string(n.Segments.Value(source)) == split {
				return ast.WalkContinue, nil
			}
		case *gfm.TableCell:
			if entering {
				cells = append(cells, plain(n, source))
			}
		}
		if entering {
			kinds = append(kinds, n.Kind().String())
		} else {
			kinds = append(kinds, ".")
		}
		return ast.WalkContinue, nil
	})
	if err != nil {
		t.Fatal(err)
	}
	return kinds, cells
}

// plain returns the text that a reader sees in a node.
func plain(n ast.Node, source []byte) string {
	var out strings.Builder
	for c := n.FirstChild(); c != nil; c = c.NextSibling() {
		switch c := c.(type) {
		case *ast.Text:
			out.WriteString(unescaped(string(c.Value(source))))
		case *ast.RawHTML:
		default:
			out.WriteString(plain(c, source))
		}
	}
	return out.String()
}

// unescaped returns text as a renderer writes it, without the backslashes of escapes.
func unescaped(s string) string {
	var out strings.Builder
	for i := 0; i < len(s); i++ {
		if s[i] == '\\' && i+1 < len(s) && strings.IndexByte("!\"#$%&'()*+,-./:;<=>?@[\\]^_`{|}~", s[i+1]) >= 0 {
			i++
		}
		out.WriteByte(s[i])
	}
	return out.String()
}

func TestWrite(t *testing.T) {
	var b bytes.Buffer
	err := Write(&b, []block.Section{{Title: "web", Fixed: "4 cpus", Level: 3, Blocks: []block.Block{
		block.Table{Columns: []block.Column{{Name: "metric"}, {Name: "interval", Right: true}},
			Rows: [][]block.Cell{{{Text: "p99"}, {Text: "1 to 2 ms", Tone: block.Strong}}}},
		block.Sentence{Lead: "doubt", Text: "short"},
		block.Section{Title: "why", Fixed: "CPU", Blocks: []block.Block{block.Sentence{Text: "more"}}},
		block.Section{Title: "all", Fold: true,
			Blocks: []block.Block{block.Flame{Title: "CPU", Hint: "9 s", Legend: []block.Key{{Name: "crypto", Share: .5}}}}},
	}}})
	if err != nil {
		t.Fatal(err)
	}
	const want = `### web

4 cpus

| metric | interval |
| --- | ---: |
| p99 | **1 to 2 ms** |

- **doubt** short

**why** CPU

- more

<details><summary>all</summary>

<details><summary>CPU</summary>

9 s

crypto 50.0%

</details>

</details>
`
	if got := b.String(); got != want {
		t.Errorf("%s\nwant\n%s", got, want)
	}
}
