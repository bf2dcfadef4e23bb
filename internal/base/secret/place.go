package secret

import (
	"encoding/json"
	"regexp"
	"strings"
)

// Place is the language of a value, which says how a variable's value is written in it.
type Place int

// The places. A variable that is all of a value, or of a line, is taken as it is: it may be a whole URL or header.
const (
	Plain Place = iota
	// URL is one URL or several, percent-encoded (RFC 3986) in its user, its path except for /, and the values of its
	// query. A variable that is all of the user part is USER or USER:PASSWORD. The scheme and the host are taken as they
	// are.
	URL
	// DSN is PostgreSQL's URL, or libpq's keywords, whose values are quoted.
	DSN
	// Body is JSON or XML, as its first character says, else plain.
	Body
	// Form is application/x-www-form-urlencoded.
	Form
)

// ResolveIn is Resolve for a value in a language, in which no character of a variable's value has a meaning.
func (v Values) ResolveIn(value string, lines bool, place Place) string {
	parts := Parts(value, lines)
	for i, part := range parts {
		if _, _, file := File(part); file {
			parts[i] = v.resolve(part)
			continue
		}
		parts[i] = v.placed(strings.TrimPrefix(part, escaped(part)), place)
	}
	return strings.Join(parts, "\n")
}

func (v Values) placed(text string, place Place) string {
	switch {
	case place == DSN && !strings.Contains(text, "://"):
		return v.keywords(text)
	case place == URL || place == DSN:
		all := strings.Split(text, " ") // several URLs
		for i, one := range all {
			all[i] = v.filled(one, inURL(one))
		}
		return strings.Join(all, " ")
	case place == Body:
		return v.filled(text, inBody(text))
	case place == Form:
		return v.filled(text, inForm(text))
	}
	return v.resolve(text)
}

// span is the place of a reference in a text.
type span struct{ from, to int }

// filled replaces the variables of a text by their values, encoded for where they are.
func (v Values) filled(text string, encode func(at span, held string) string) string {
	var b strings.Builder
	done := 0
	for _, at := range variables().FindAllStringIndex(text, -1) {
		ref := text[at[0]:at[1]]
		b.WriteString(text[done:at[0]])
		done = at[1]
		if held, ok := v[ref[2:len(ref)-1]]; ok && !strings.HasPrefix(ref, "$$") {
			b.WriteString(encode(span{at[0], at[1]}, string(held)))
		} else {
			b.WriteString(v.resolve(ref))
		}
	}
	return b.String() + text[done:]
}

// inURL encodes values for their places in a URL.
func inURL(text string) func(span, string) string {
	_, rest, ok := strings.Cut(text, "://")
	if !ok {
		rest = text // the path of a server's URL, or all of the URL
	}
	host := len(text) - len(rest)
	path := len(text)
	if i := strings.IndexAny(rest, "/?#"); i >= 0 {
		path = host + i
	}
	user := host + max(strings.LastIndexByte(text[host:path], '@'), 0) // its end
	return func(at span, held string) string {
		query := strings.IndexByte(text[path:], '?')
		switch {
		case at.from < host:
			return held
		case at.from == host && at.to == user:
			name, password, both := strings.Cut(held, ":")
			if !both {
				return percent(held, "")
			}
			return percent(name, "") + ":" + percent(password, "")
		case at.from < user:
			return percent(held, "")
		case at.from < path:
			return held
		case query < 0 || at.from < path+query:
			return percent(held, "/")
		case strings.LastIndexByte(text[:at.from], '=') < strings.LastIndexAny(text[:at.from], "?&;"):
			return held // a name, or all of the query
		}
		return percent(held, "")
	}
}

// percent encodes all bytes but unreserved ones (RFC 3986, section 2.3) and those of keep.
func percent(text, keep string) string {
	const hexadecimal = "0123456789ABCDEF"
	var b strings.Builder
	for i := range len(text) {
		c := text[i]
		letter := c|0x20 >= 'a' && c|0x20 <= 'z' || c >= '0' && c <= '9'
		if letter || strings.IndexByte("-._~"+keep, c) >= 0 {
			b.WriteByte(c)
			continue
		}
		b.Write([]byte{'%', hexadecimal[c>>4], hexadecimal[c&15]})
	}
	return b.String()
}

// keywords resolves libpq's keywords and values. A value that refers to a variable is quoted anew.
func (v Values) keywords(text string) string {
	var b strings.Builder
	for text != "" {
		word := regexp.MustCompile(`^\s*(?:\w+\s*=\s*('(?:[^'\\]|\\.)*'|(?:[^\s\\']|\\.)(?:[^\s\\]|\\.)*)|\S+|\s+)`).
			FindStringSubmatchIndex(text)
		if word == nil {
			return b.String() + v.resolve(text)
		}
		whole := text[:word[1]]
		text = text[word[1]:]
		if word[2] < 0 || len(Names(whole[word[2]:])) == 0 {
			b.WriteString(v.filled(whole, func(_ span, held string) string { return held }))
			continue
		}
		value := whole[word[2]:]
		if value[0] == '\'' {
			value = value[1 : len(value)-1]
		}
		value = regexp.MustCompile(`(?s)\\(.)`).ReplaceAllString(value, "$1")
		held := v.resolve(" " + value)[1:] // the space: no reference to a file
		b.WriteString(whole[:word[2]] + "'" + keywordQuoted(held) + "'")
	}
	return b.String()
}

func keywordQuoted(value string) string {
	return strings.NewReplacer(`\`, `\\`, `'`, `\'`).Replace(value)
}

// inBody encodes values for their places in a body, of which JSON has a meaning within its quotations alone.
func inBody(text string) func(span, string) string {
	first := strings.TrimLeft(text, " \t\r\n")
	return func(at span, held string) string {
		switch {
		case strings.HasPrefix(first, "<"):
			return xmlText(held)
		case first != "" && strings.IndexByte(`{["`, first[0]) >= 0 && jsonString(text[:at.from]):
			return jsonText(held)
		}
		return held
	}
}

// jsonString reports whether a JSON text ends within a string.
func jsonString(text string) bool {
	within := false
	for i := 0; i < len(text); i++ {
		switch {
		case within && text[i] == '\\':
			i++
		case text[i] == '"':
			within = !within
		}
	}
	return within
}

// jsonText returns the contents of a JSON string.
func jsonText(held string) string {
	var b strings.Builder
	e := json.NewEncoder(&b)
	e.SetEscapeHTML(false)
	if e.Encode(held) != nil {
		return held
	}
	return strings.TrimSuffix(strings.TrimPrefix(b.String(), `"`), "\"\n")
}

func xmlText(held string) string {
	return strings.NewReplacer("&", "&amp;", "<", "&lt;", ">", "&gt;", `"`, "&quot;", "'", "&apos;").Replace(held)
}

// inForm encodes values of a form, unless a variable is all of it.
func inForm(text string) func(span, string) string {
	return func(at span, held string) string {
		if !strings.Contains(text[:at.from], "=") {
			return held
		}
		return percent(held, "")
	}
}
