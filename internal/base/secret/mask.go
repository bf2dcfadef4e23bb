package secret

import (
	"encoding/base64"
	"encoding/hex"
	"net/url"
	"regexp"
	"slices"
	"strconv"
	"strings"
)

// Masked replaces a secret in messages.
const Masked = "***"

// The minimum lengths of masked texts: a word of three letters occurs in too many innocent places.
const (
	leastWhole = 4
	leastWord  = 8
	mostLines  = 64
)

// Mask masks the values in a text: as they are, as URLs, quotations, JSON and keywords of a DSN encode them, in
// hexadecimal, and in base64 wherever in the encoded text they lie. Terminal escapes and NUL bytes, which could
// divide a value, are taken out before.
func (v Values) Mask(text string) string {
	if len(v) == 0 || text == "" {
		return text
	}
	text = Unescaped(text)
	for _, hidden := range v.hidden() {
		text = strings.ReplaceAll(text, hidden, Masked)
	}
	for _, c := range v.coded() {
		text = c.masked(text)
	}
	return text
}

// Unescaped returns a text without terminal escapes and NUL bytes, which show nothing and could divide a value. Whoever
// replaces other unprintable characters does so after it.
func Unescaped(text string) string {
	if !strings.ContainsAny(text, "\x1b\x00") {
		return text
	}
	return escapes().ReplaceAllString(text, "")
}

// escapes matches what ECMA-48 calls control sequences, operating system commands and other escapes, and NUL.
func escapes() *regexp.Regexp {
	return regexp.MustCompile("\x1b(?:\\[[0-?]*[ -/]*[@-~]|\\][^\x07\x1b]*(?:\x07|\x1b\\\\)|[ -/]*[0-~])|\x00")
}

// each hands out the texts to mask of every value: its lines and its words, and the value itself.
func (v Values) each(take func(text string, least int)) {
	for key, value := range v {
		if Ordinary(key) {
			continue
		}
		take(base64.StdEncoding.EncodeToString(value), leastWord)
		lines := strings.Split(strings.TrimSpace(string(value)), "\n")
		for i, line := range lines[:min(len(lines), mostLines)] {
			least := leastWord
			if i == 0 && len(lines) == 1 {
				least = leastWhole
			}
			take(strings.TrimSpace(line), least)
			for _, word := range strings.Fields(line) {
				take(word, leastWord)
			}
		}
	}
}

// hidden returns the texts to mask, the longest first.
func (v Values) hidden() []string {
	var out []string
	v.each(func(text string, least int) {
		if len(text) < least {
			return
		}
		quoted := strconv.Quote(text)
		forms := []string{text, url.QueryEscape(text), url.PathEscape(text), percent(text, ""), percent(text, "/"),
			quoted[1 : len(quoted)-1], jsonText(text), xmlText(text), keywordQuoted(text),
			strings.ReplaceAll(text, "'", `'\''`)}
		if len(text) >= leastCoded {
			forms = append(forms, hex.EncodeToString([]byte(text)), strings.ToUpper(hex.EncodeToString([]byte(text))))
		}
		for _, form := range forms {
			if !slices.Contains(out, form) {
				out = append(out, form)
			}
		}
	})
	slices.SortStableFunc(out, func(a, b string) int { return len(b) - len(a) })
	return out
}

// leastCoded is the least length of a value that is looked for in base64, of which only whole characters are known, and
// in hexadecimal.
const leastCoded = 5

// coded is a value in base64 after 0, 1 or 2 other bytes: the characters that no neighbour has a part in.
type coded struct {
	text          string
	before, after bool // one more character has a part of the value
}

// coded returns the values in base64, by the alphabets of RFC 4648 for files and for URLs, the longest first.
func (v Values) coded() []coded {
	var out []coded
	v.each(func(text string, least int) {
		if len(text) < max(least, leastCoded) {
			return
		}
		for shift := range 3 {
			for _, e := range []*base64.Encoding{base64.RawStdEncoding, base64.RawURLEncoding} {
				all := e.EncodeToString(append(make([]byte, shift), text...))
				bits := 8 * (shift + len(text))
				c := coded{text: all[(8*shift+5)/6 : bits/6], before: shift > 0, after: bits%6 > 0}
				if !slices.Contains(out, c) {
					out = append(out, c)
				}
			}
		}
	})
	slices.SortStableFunc(out, func(a, b coded) int { return len(b.text) - len(a.text) })
	return out
}

// masked masks it in a text, with the characters that have a part of it.
func (c coded) masked(text string) string {
	var b strings.Builder
	for {
		at := strings.Index(text, c.text)
		if at < 0 {
			return b.String() + text
		}
		end := at + len(c.text)
		if c.before && at > 0 && inBase64(text[at-1]) {
			at--
		}
		if c.after && end < len(text) && inBase64(text[end]) {
			end++
		}
		b.WriteString(text[:at] + Masked)
		text = strings.TrimLeft(text[end:], "=")
	}
}

func inBase64(c byte) bool {
	return c|0x20 >= 'a' && c|0x20 <= 'z' || c >= '0' && c <= '9' || strings.IndexByte("+/-_", c) >= 0
}

// Ordinary reports whether every program has a variable of that name and it is not secret.
func Ordinary(name string) bool {
	for _, prefix := range []string{"LC_", "XDG_", "LD_", "JAVA_HOME"} {
		if strings.HasPrefix(name, prefix) {
			return true
		}
	}
	return slices.Contains([]string{"PATH", "HOME", "USER", "LOGNAME", "SHELL", "TMPDIR", "PWD", "LANG", "TERM",
		"HOSTNAME"}, name)
}

// Without returns an environment without the variables among the values, except for ordinary ones and those that
// keep names: programs that need them receive them explicitly.
func (v Values) Without(environ []string, keep string) []string {
	return slices.DeleteFunc(slices.Clone(environ), func(entry string) bool {
		name, _, _ := strings.Cut(entry, "=")
		_, secret := v[name]
		return secret && !Ordinary(name) && !strings.Contains(keep, name)
	})
}
