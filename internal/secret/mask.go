package secret

import (
	"encoding/base64"
	"net/url"
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

// Mask masks the values in a text, as they are, and as URLs and quotations encode them.
func (v Values) Mask(text string) string {
	if len(v) == 0 || text == "" {
		return text
	}
	for _, hidden := range v.hidden() {
		text = strings.ReplaceAll(text, hidden, Masked)
	}
	return text
}

// hidden returns the texts to mask, the longest first.
func (v Values) hidden() []string {
	var out []string
	add := func(text string, least int) {
		if len(text) < least {
			return
		}
		quoted := strconv.Quote(text)
		for _, form := range []string{text, url.QueryEscape(text), url.PathEscape(text), quoted[1 : len(quoted)-1]} {
			if !slices.Contains(out, form) {
				out = append(out, form)
			}
		}
	}
	for key, value := range v {
		if Ordinary(key) {
			continue
		}
		add(base64.StdEncoding.EncodeToString(value), leastWord)
		lines := strings.Split(strings.TrimSpace(string(value)), "\n")
		for i, line := range lines[:min(len(lines), mostLines)] {
			least := leastWord
			if i == 0 && len(lines) == 1 {
				least = leastWhole
			}
			add(strings.TrimSpace(line), least)
			for _, word := range strings.Fields(line) {
				add(word, leastWord)
			}
		}
	}
	slices.SortStableFunc(out, func(a, b string) int { return len(b) - len(a) })
	return out
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
