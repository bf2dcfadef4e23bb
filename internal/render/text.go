package render

import (
	"fmt"
	"io"
	"strings"
	"unicode"

	"github.com/rivo/uniseg"
)

// minWrap keeps sentences readable on terminals too narrow for their indent.
const minWrap = 24

// printer writes lines and keeps the first error of the writer.
type printer struct {
	w     io.Writer
	style Style
	begun bool
	err   error
}

func newPrinter(w io.Writer, style Style) *printer {
	if style.Width <= 0 {
		style.Width = defaultWidth
	}
	return &printer{w: w, style: style}
}

func (p *printer) line(text string) {
	p.begun = true
	if p.err != nil {
		return
	}
	if _, err := fmt.Fprintln(p.w, strings.TrimRight(text, " ")); err != nil {
		p.err = fmt.Errorf("writing the text: %w", err)
	}
}

// gap separates blocks; nothing stands above the first one.
func (p *printer) gap() {
	if p.begun {
		p.line("")
	}
}

// note writes a lead word and a sentence wrapped beside it. width is the room
// for the lead, 0 for its own length.
func (p *printer) note(indent int, n note, width int) {
	lead := clean(n.Lead)
	hang := indent
	if lead != "" {
		hang += max(width, displayWidth(lead)) + 2
	}
	lines := wrap(clean(n.Text), max(p.style.Width-hang, minWrap))
	head := strings.Repeat(" ", indent)
	if lead != "" {
		head += p.style.paint(n.Ink, lead) + strings.Repeat(" ", hang-indent-displayWidth(lead))
	}
	for i, l := range lines {
		if i > 0 {
			head = strings.Repeat(" ", hang)
		}
		p.line(head + l)
	}
}

// notes writes sentences whose lead words share one column.
func (p *printer) notes(indent int, notes []note) {
	width := 0
	for _, n := range notes {
		width = max(width, displayWidth(clean(n.Lead)))
	}
	for _, n := range notes {
		p.note(indent, n, width)
	}
}

// note is a sentence with a word that says what kind of sentence it is.
type note struct {
	Lead string
	Ink  ink
	Text string
}

// clean makes text from a file safe to print: a machine's name must not be
// able to move the cursor or to turn what follows around.
func clean(s string) string {
	return strings.Map(func(r rune) rune {
		switch {
		case r == '\t' || r == '\n' || r == '\r':
			return ' '
		case unicode.IsControl(r) || unicode.Is(unicode.Cf, r):
			return '\uFFFD'
		}
		return r
	}, s)
}

func displayWidth(s string) int { return uniseg.StringWidth(s) }

// cut shortens s to at most width columns.
func cut(s string, width int) string {
	if displayWidth(s) <= width {
		return s
	}
	var b strings.Builder
	used := 0
	for g := uniseg.NewGraphemes(s); g.Next(); {
		if used += g.Width(); used > width-3 {
			break
		}
		b.WriteString(g.Str())
	}
	return b.String() + "..."
}

// words splits text where a line may end: not between a number and its "%".
func words(text string) []string {
	var out []string
	for _, word := range strings.Fields(text) {
		if strings.HasPrefix(word, "%") && len(out) > 0 {
			out[len(out)-1] += " " + word
			continue
		}
		out = append(out, word)
	}
	return out
}

// wrap breaks text between words into lines of at most width columns; a longer
// word stands alone.
func wrap(text string, width int) []string {
	lines := []string{""}
	for _, word := range words(text) {
		last := &lines[len(lines)-1]
		switch {
		case *last == "":
			*last = word
		case displayWidth(*last)+1+displayWidth(word) <= width:
			*last += " " + word
		default:
			lines = append(lines, word)
		}
	}
	return lines
}
