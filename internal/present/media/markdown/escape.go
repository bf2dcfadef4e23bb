package markdown

import (
	"strings"

	"plimsoll/internal/record/block"
)

// split is an empty comment: it keeps a name after "@" or a number after "#" from becoming a link on GitHub, which
// looks for these after it has resolved escapes.
const split = "<!-- -->"

// escape returns text from a file as Markdown that stands for exactly this text, on one line: it can neither end a
// cell, nor begin a list or a heading, nor become a link, HTML, mathematics or emphasis.
func escape(text string) string {
	var b strings.Builder
	text = oneLine(text)
	for i := range len(text) {
		c := text[i]
		if strings.IndexByte("\\`*[]<|~$#", c) >= 0 || marks(text[:i], c, text[i+1:]) {
			b.WriteByte('\\')
		}
		b.WriteByte(c)
		if (c == '@' || c == '#') && i+1 < len(text) {
			b.WriteString(split)
		}
	}
	return b.String()
}

// marks reports whether a byte would be read as markup between these texts: at the start of a line ("- ", "2. "), as
// emphasis, as an entity, or in an address.
func marks(before string, c byte, after string) bool {
	ends := after == "" || after[0] == ' '
	switch c {
	case '-', '+', '=':
		return before == "" && (ends || after[0] == c)
	case '>':
		return before == ""
	case ')':
		return ends && digits(before)
	case '.':
		return ends && digits(before) || strings.HasSuffix(strings.ToLower(before), "www")
	case '_':
		return before == "" || after == "" || !wordly(before[len(before)-1]) || !wordly(after[0])
	case '&':
		return !ends
	case ':': // of a scheme, or of an emoji's name
		return !ends && !digits(after[:1])
	}
	return false
}

func digits(s string) bool { return s != "" && strings.Trim(s, "0123456789") == "" }

func wordly(c byte) bool { return c >= '0' && c <= '9' || c >= 'a' && c <= 'z' || c >= 'A' && c <= 'Z' }

// escapeHTML returns text for an HTML element on a line of its own, within which Markdown is not read.
func escapeHTML(text string) string {
	return strings.NewReplacer("&", "&amp;", "<", "&lt;", ">", "&gt;", "@", "@"+split, "#", "#"+split).
		Replace(oneLine(text))
}

// oneLine returns printable text without line ends and repeated spaces.
func oneLine(text string) string { return strings.Join(strings.Fields(block.Clean(text)), " ") }
