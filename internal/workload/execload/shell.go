package execload

import (
	"regexp"
	"strconv"
	"strings"

	"plimsoll/internal/base/process"
	"plimsoll/internal/base/secret"
	"plimsoll/internal/record"
	"plimsoll/internal/workload"
)

// derivedShell returns, as a value of the parameter shell, whether a command needs a shell to mean what was typed. A
// command with a mistake, which check reports, needs none.
func derivedShell(vals record.Params) string {
	p := workload.NewParams(record.Workload{Params: append(commandParams(), append(outputParams(), loadParams()...)...)},
		vals)
	text, err := commandText(p, "/"+scratchName, anywhere)
	return strconv.FormatBool(err == nil && process.ShellSyntax(text) != "")
}

// quoteAt returns the open quotation at the end of a text; 0 if there is none.
func quoteAt(text string) (quote byte) {
	return process.Quotation(text, func(int, byte) bool { return true })
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
