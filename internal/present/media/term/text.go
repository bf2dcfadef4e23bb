package term

import (
	"fmt"
	"io"
	"strings"

	"plimsoll/internal/record/block"
)

// minWrap keeps sentences readable on terminals too narrow for their indent.
const minWrap = 24

// Printer writes lines and keeps the first error of the writer.
type Printer struct {
	w     io.Writer
	Style Style
	begun bool
	Err   error
}

// NewPrinter returns a printer on w, with defaultWidth columns if the style has no width.
func NewPrinter(w io.Writer, style Style) *Printer {
	if style.Width <= 0 {
		style.Width = defaultWidth
	}
	return &Printer{w: w, Style: style}
}

// Line prints one line unchanged. After a first error, which Err keeps, it prints nothing.
func (p *Printer) Line(text string) {
	p.begun = true
	if p.Err != nil {
		return
	}
	if _, err := fmt.Fprintln(p.w, strings.TrimRight(text, " ")); err != nil {
		p.Err = fmt.Errorf("writing the text: %w", err)
	}
}

// Gap separates blocks with an empty line, except above the first one.
func (p *Printer) Gap() {
	if p.begun {
		p.Line("")
	}
}

// Note writes a lead word and a sentence wrapped beside it. width is the room for the lead, 0 for its own length.
func (p *Printer) Note(indent int, n block.Sentence, width int) {
	lead := block.Clean(n.Lead)
	hang := indent
	if lead != "" {
		hang += max(width, block.DisplayWidth(lead)) + 2
	}
	lines := Wrap(block.Clean(n.Text), max(p.Style.Width-hang, minWrap))
	head := strings.Repeat(" ", indent)
	if lead != "" {
		head += p.Style.Paint(n.Tone, lead) + strings.Repeat(" ", hang-indent-block.DisplayWidth(lead))
	}
	for i, l := range lines {
		if i > 0 {
			head = strings.Repeat(" ", hang)
		}
		p.Line(head + l)
	}
}

// paragraph writes text wrapped without a lead word.
func (p *Printer) paragraph(indent int, text string) {
	p.Note(indent, block.Sentence{Text: text}, 0)
}

// Notes writes sentences whose lead words share one column.
func (p *Printer) Notes(indent int, notes []block.Sentence) {
	width := 0
	for _, n := range notes {
		width = max(width, block.DisplayWidth(block.Clean(n.Lead)))
	}
	for _, n := range notes {
		p.Note(indent, n, width)
	}
}

// words splits text at the possible line ends: not between a number and its "%".
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

// Wrap breaks text between words into lines of at most width columns; a longer
// word stands alone.
func Wrap(text string, width int) []string {
	lines := []string{""}
	for _, word := range words(text) {
		last := &lines[len(lines)-1]
		switch {
		case *last == "":
			*last = word
		case block.DisplayWidth(*last)+1+block.DisplayWidth(word) <= width:
			*last += " " + word
		default:
			lines = append(lines, word)
		}
	}
	return lines
}

// Heading writes a workload's name, with the values common to all of its rows.
func (p *Printer) Heading(workload, fixed string) {
	text := "  " + p.Style.Paint(block.Strong, block.Clean(workload))
	room := p.Style.Width - block.DisplayWidth(workload) - 4
	lines := Wrap(block.Clean(fixed), max(room, minWrap))
	p.Line(text + "  " + lines[0])
	for _, l := range lines[1:] {
		p.Line(strings.Repeat(" ", block.DisplayWidth(workload)+4) + l)
	}
}

// Write writes a document. The error is the writer's.
func Write(w io.Writer, style Style, parts []block.Section) error {
	p := NewPrinter(w, style)
	p.Documents(parts)
	return p.Err
}
