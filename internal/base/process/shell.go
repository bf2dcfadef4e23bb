package process

import (
	"os/exec"
	"path/filepath"
	"regexp"
	"strings"
)

// Locate returns the executable that a shell in a directory would run for a command's first word: what has a slash is
// relative to the directory, anything else is in PATH. An empty directory is this process's own.
func Locate(dir, name string) (string, error) {
	if strings.Contains(name, "/") {
		at := name
		if dir != "" && !filepath.IsAbs(name) {
			at = dir + "/" + name
		}
		_, err := exec.LookPath(at)
		return name, err
	}
	return exec.LookPath(name)
}

// ShellSyntax returns the first part of a command that a shell does not take literally; "" if there is none.
func ShellSyntax(text string) string {
	text = strings.TrimSpace(text)
	if m := assignment().FindString(text); m != "" {
		return m
	}
	found := ""
	Quotation(text, func(i int, quote byte) bool {
		switch c := text[i]; {
		case quote == '\'':
		case c == '`', c == '$' && expands(text[i+1:]), quote == 0 && special(text, i):
			found = string(c)
		}
		return found == ""
	})
	return found
}

// Quotation calls plain for each byte of a shell's text that neither quotes others nor is escaped, with the quotation
// that it is in (0: none), until plain returns false. It returns the quotation that is open at the end.
func Quotation(text string, plain func(i int, quote byte) bool) (open byte) {
	for i := 0; i < len(text); i++ {
		switch c := text[i]; {
		case c == '\\' && open != '\'':
			i++
		case open != 0 && c == open:
			open = 0
		case open == 0 && (c == '\'' || c == '"'):
			open = c
		case !plain(i, open):
			return open
		}
	}
	return open
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

// FirstWord returns the program at the start of a shell's text; "" if its first word alone does not determine it.
func FirstWord(text string) string {
	word := strings.TrimSpace(text)
	if end := strings.IndexAny(word, " \t\n|&;<>"); end >= 0 {
		word = word[:end]
	}
	if word == "" || strings.ContainsAny(word, "\\'\"$`(){}=*?[~#") {
		return ""
	}
	return word
}
