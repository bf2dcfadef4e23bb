package plain

import (
	"bytes"
	"go/ast"
	"go/token"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"unicode"

	"github.com/yuin/goldmark"
	gast "github.com/yuin/goldmark/ast"
	"github.com/yuin/goldmark/extension"
	"github.com/yuin/goldmark/text"
)

// passage is a piece of prose without line breaks: a paragraph, a cell of a table, a string or a comment.
type passage struct {
	text   string
	starts []int // offset at which each line begins
	lines  []int // and its number
}

// add appends a text that is on a line of the file.
func (p *passage) add(text string, line int) {
	p.starts, p.lines = append(p.starts, len(p.text)), append(p.lines, line)
	p.text += text
}

// line returns the line of an offset.
func (p *passage) line(at int) int {
	i, ok := slices.BinarySearch(p.starts, at)
	if !ok {
		i--
	}
	return p.lines[max(i, 0)]
}

// cut returns a part of a passage.
func (p *passage) cut(begin, end int) passage {
	out := passage{text: strings.TrimRight(p.text[begin:end], " \n"), starts: []int{0}, lines: []int{p.line(begin)}}
	for i, at := range p.starts {
		if at > begin && at < end {
			out.starts, out.lines = append(out.starts, at-begin), append(out.lines, p.lines[i])
		}
	}
	return out
}

// pageProse returns a Markdown page's paragraphs, headings, list items and cells of tables. Code becomes asterisks, as
// in vale, and a link is its text. A table after a comment with its name is generated, and is left out.
func pageProse(page []byte) []passage {
	parser := goldmark.New(goldmark.WithExtensions(extension.Table)).Parser()
	var out []passage
	generated := false
	for n := parser.Parse(text.NewReader(page)).FirstChild(); n != nil; n = n.NextSibling() {
		if n.Kind().String() == "Table" && generated {
			continue
		}
		out = append(out, blockProse(n, page)...)
		generated = n.Kind() == gast.KindHTMLBlock
	}
	return out
}

func blockProse(block gast.Node, page []byte) []passage {
	var out []passage
	child := block.FirstChild()
	if child != nil && child.Type() == gast.TypeInline {
		var p passage
		inlineProse(&p, block, page)
		return []passage{p}
	}
	for ; child != nil; child = child.NextSibling() {
		out = append(out, blockProse(child, page)...)
	}
	return out
}

func inlineProse(p *passage, n gast.Node, page []byte) {
	for c := n.FirstChild(); c != nil; c = c.NextSibling() {
		switch c := c.(type) {
		case *gast.CodeSpan, *gast.AutoLink:
			p.text += "***"
		case *gast.Text:
			p.add(string(c.Value(page)), 1+bytes.Count(page[:c.Segment.Start], []byte{'\n'}))
			if c.SoftLineBreak() || c.HardLineBreak() {
				p.text += " "
			}
		case *gast.RawHTML:
			p.text += " "
		default:
			inlineProse(p, c, page)
		}
	}
}

// comments returns the paragraphs of a Go file's comments, without directives and indented examples.
func comments(files *token.FileSet, file *ast.File) []passage {
	var out []passage
	for _, group := range file.Comments {
		var p passage
		end := func() {
			if p.text != "" {
				out = append(out, p)
			}
			p = passage{}
		}
		for _, c := range group.List {
			line := files.Position(c.Slash).Line
			for i, l := range strings.Split(c.Text, "\n") {
				l = strings.TrimSuffix(strings.TrimPrefix(strings.TrimPrefix(l, "//"), "/*"), "*/")
				if l == "" || strings.HasPrefix(l, "\t") || strings.HasPrefix(l, "  ") || !strings.HasPrefix(l, " ") {
					end()
				}
				if strings.HasPrefix(l, " ") && !strings.HasPrefix(l, "  ") {
					p.add(strings.TrimSpace(l)+" ", line+i)
				}
			}
		}
		end()
	}
	return out
}

// texts returns the prose in a Go file's strings. Strings that are joined by + are one, and what else
// is joined with them becomes an asterisk. Each line of a string is a passage.
func texts(files *token.FileSet, file *ast.File) []passage {
	s := &stringReader{files: files, verb: regexp.MustCompile(`%%|%[-+# 0]*[\d.*]*(?:\[\d+\])?[a-zA-Z]`),
		word: regexp.MustCompile(`^["'(]?[A-Za-z][a-z]*(?:['’-][a-z]+)*["')]*[.,:;?!]*$`)}
	ast.Inspect(file, s.visit)
	return s.out
}

// plainVerb returns a verb of package fmt as a reader may see it.
func plainVerb(verb string) string {
	if verb == "%%" {
		return "%"
	}
	return "1"
}

type stringReader struct {
	files *token.FileSet
	verb  *regexp.Regexp // of package fmt
	word  *regexp.Regexp
	out   []passage
}

func (s *stringReader) visit(n ast.Node) bool {
	switch n := n.(type) {
	case *ast.ImportSpec:
		return false
	case *ast.Field:
		if n.Type != nil {
			ast.Inspect(n.Type, s.visit)
		}
		return false
	case *ast.BinaryExpr:
		if n.Op == token.ADD {
			p := &passage{}
			s.join(p, n)
			s.keep(p)
			return false
		}
	case *ast.BasicLit:
		p := &passage{}
		s.join(p, n)
		s.keep(p)
	}
	return true
}

// join appends an operand of a sum to a passage.
func (s *stringReader) join(p *passage, x ast.Expr) {
	switch x := x.(type) {
	case *ast.BinaryExpr:
		if x.Op == token.ADD {
			s.join(p, x.X)
			s.join(p, x.Y)
			return
		}
	case *ast.BasicLit:
		if value, err := strconv.Unquote(x.Value); err == nil && x.Kind == token.STRING {
			for i, l := range strings.SplitAfter(value, "\n") {
				line := s.files.Position(x.ValuePos).Line
				if x.Value[0] == '`' {
					line += i
				}
				p.add(s.verb.ReplaceAllStringFunc(l, plainVerb), line)
			}
		}
		return
	}
	p.text += "*"
	ast.Inspect(x, s.visit)
}

// keep splits a passage at its line breaks, and keeps the lines that are prose.
func (s *stringReader) keep(p *passage) {
	begin := 0
	for _, l := range strings.SplitAfter(p.text, "\n") {
		if s.isProse(l) {
			s.out = append(s.out, p.cut(begin, begin+len(l)))
		}
		begin += len(l)
	}
}

// isProse reports whether a line has three plain words or more, and few names, options or columns of a query.
func (s *stringReader) isProse(line string) bool {
	words, others := 0, 0
	for _, w := range strings.Fields(line) {
		if s.word.MatchString(w) {
			words++
		} else if strings.ContainsFunc(w, unicode.IsLetter) {
			others++
		}
	}
	return words >= 3 && others <= words/2
}
