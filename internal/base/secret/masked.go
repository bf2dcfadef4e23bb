package secret

import "strings"

// Masker masks secrets that are written out, and counts them by what they are.
type Masker struct {
	Found map[string]int // by name

	literals Literals
	known    map[string]string // texts without a secret, and masked ones
}

// NewMasker returns a masker.
func NewMasker() *Masker {
	return &Masker{Found: map[string]int{}, literals: NewLiterals(), known: map[string]string{}}
}

// mostKnown bounds the texts whose form is remembered: files may have a million different ones.
const mostKnown = 1 << 16

// Text masks the secrets in a text.
func (m *Masker) Text(text string) string {
	if out, ok := m.known[text]; ok {
		return out
	}
	const most = 4 // rounds: what is masked may have hidden a second secret
	out := text
	for range most {
		before := out
		for _, p := range m.literals.places {
			out = m.place(p, out)
		}
		if out == before {
			break
		}
	}
	if len(m.known) < mostKnown {
		m.known[text] = out
	}
	return out
}

// place masks what one pattern finds.
func (m *Masker) place(p place, text string) string {
	var b strings.Builder
	from := 0
	for _, at := range p.is.FindAllStringSubmatchIndex(text, -1) {
		start, end := at[len(at)-2], at[len(at)-1]
		name := p.name
		if name == "" {
			name = strings.TrimLeft(text[at[2]:at[3]], "-")
		}
		if start < from || !writtenOut(name, text[start:end]) || text[start:end] == Masked {
			continue
		}
		if name == "private key" { // its lines follow
			end = len(text)
		}
		m.Found[name]++
		b.WriteString(text[from:start] + Masked)
		from = end
	}
	return b.String() + text[from:]
}

// Value masks the value of something that has a name, such as a parameter: all of it if the name says that it is a
// secret.
func (m *Masker) Value(name, value string) string {
	if m.literals.named.MatchString(name) && m.literals.Named(name, value) == name && value != Masked {
		m.Found[name]++
		return Masked
	}
	return m.Text(value)
}
