package execload

import (
	"regexp"
	"strconv"
	"strings"

	"plimsoll/internal/record"
	"plimsoll/internal/secret"
	"plimsoll/internal/workload"
)

// derivedShell returns, as a value of the parameter shell, whether a command needs a shell to mean what was typed. A
// command with a mistake, which check reports, needs none.
func derivedShell(vals record.Params) string {
	p := workload.NewParams(record.Workload{Params: append(commandParams(), append(outputParams(), loadParams()...)...)},
		vals)
	text, err := commandText(p, "/"+scratchName, anywhere)
	return strconv.FormatBool(err == nil && shellSyntax(text) != "")
}

// shellSyntax returns the first part of a command that a shell does not take literally; "" if there is none.
func shellSyntax(text string) string {
	text = strings.TrimSpace(text)
	if m := assignment().FindString(text); m != "" {
		return m
	}
	var quote byte
	for i := 0; i < len(text); i++ {
		c := text[i]
		switch {
		case c == '\\' && quote != '\'':
			i++
		case quote != 0 && c == quote:
			quote = 0
		case quote == 0 && (c == '\'' || c == '"'):
			quote = c
		case quote == '\'':
		case c == '`', c == '$' && expands(text[i+1:]):
			return string(c)
		case quote == 0 && special(text, i):
			return string(c)
		}
	}
	return ""
}

// quoteAt returns the open quotation at the end of a text; 0 if there is none.
func quoteAt(text string) (quote byte) {
	for i := 0; i < len(text); i++ {
		switch c := text[i]; {
		case c == '\\' && quote != '\'':
			i++
		case quote != 0 && c == quote:
			quote = 0
		case quote == 0 && (c == '\'' || c == '"'):
			quote = c
		}
	}
	return quote
}

// kept returns a variable to which only single quotes refer, in a command that starts no other interpreter that
// would expand it.
func kept(text string) string {
	if regexp.MustCompile(`\b(?:[a-z]*sh|env|[a-z]*awk|perl|python[0-9.]*|ruby|node)\b`).MatchString(text) {
		return ""
	}
	for _, name := range secret.Names(text) {
		before, _, _ := strings.Cut(text, "${"+name+"}")
		if quoteAt(before) == '\'' {
			return name
		}
	}
	return ""
}

// oneWord quotes each variable of ours that nothing quotes in a shell's text, whose value is then one word and no
// pattern. In a here-document and in arithmetic quotes would be part of the text, or an error.
func oneWord(text string) string {
	if strings.Contains(text, "<<") || strings.Contains(text, "((") {
		return text
	}
	var b strings.Builder
	for {
		at := -1
		for _, name := range secret.Names(text) {
			if i := strings.Index(text, "${"+name+"}"); i >= 0 && (at < 0 || i < at) && !secret.Assigned(text, name) {
				at = i
			}
		}
		if at < 0 {
			return b.String() + text
		}
		ref := text[at : at+strings.IndexByte(text[at:], '}')+1]
		quoted := at > 0 && (text[at-1] == '\\' || text[at-1] == '$')
		b.WriteString(text[:at])
		if text = text[at+len(ref):]; !quoted && quoteAt(b.String()) == 0 {
			ref = `"` + ref + `"`
		}
		b.WriteString(ref)
	}
}

// assignment matches the assignment of a variable before the command that receives it.
func assignment() *regexp.Regexp { return regexp.MustCompile(`^[A-Za-z_][A-Za-z0-9_]*=`) }

// expands reports whether a $ before this text is special.
func expands(after string) bool {
	return after != "" && (strings.IndexByte("{(@*#?$!-_", after[0]) >= 0 || after[0] >= '0' && after[0] <= '9' ||
		after[0]|0x20 >= 'a' && after[0]|0x20 <= 'z')
}

// special reports whether the byte at i, outside quotations, is special to a shell.
func special(text string, i int) bool {
	begins := i == 0 || strings.IndexByte(" \t\n", text[i-1]) >= 0
	switch c := text[i]; c {
	case '|', '&', ';', '<', '>', '(', ')', '*', '?', '\n':
		return true
	case '~', '#':
		return begins
	case '[':
		word, _, _ := strings.Cut(text[i:], " ")
		return strings.LastIndexByte(word, ']') > 1
	}
	return false
}

// firstWord returns the program at the start of a shell's text; "" if its first word alone does not determine it.
func firstWord(text string) string {
	word := strings.TrimSpace(text)
	if end := strings.IndexAny(word, " \t\n|&;<>"); end >= 0 {
		word = word[:end]
	}
	if word == "" || strings.ContainsAny(word, "\\'\"$`(){}=*?[~#") {
		return ""
	}
	return word
}
