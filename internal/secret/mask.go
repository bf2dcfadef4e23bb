package secret

import (
	"encoding/base64"
	"net/url"
	"slices"
	"strconv"
	"strings"
)

// Masked stands in messages where a secret did.
const Masked = "***"

// The bounds of what is masked: a word of three letters stands in too many innocent places.
const (
	leastWhole = 4
	leastWord  = 8
	mostLines  = 64
)

// Mask hides what a text holds of the values, as they stand, and as URLs and quotations write them.
func (v Values) Mask(text string) string {
	if len(v) == 0 || text == "" {
		return text
	}
	for _, hidden := range v.hidden() {
		text = strings.ReplaceAll(text, hidden, Masked)
	}
	return text
}

// hidden are the texts to be masked, the longest first.
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

// Ordinary says of a variable of the environment that every program has it and that it is no secret.
func Ordinary(name string) bool {
	for _, prefix := range []string{"LC_", "XDG_", "LD_", "JAVA_HOME"} {
		if strings.HasPrefix(name, prefix) {
			return true
		}
	}
	return slices.Contains([]string{"PATH", "HOME", "USER", "LOGNAME", "SHELL", "TMPDIR", "PWD", "LANG", "TERM", "HOSTNAME"}, name)
}

// Without is an environment less the variables that are among the values, but for ordinary ones and those that keep names: who is to have
// them is told.
func (v Values) Without(environ []string, keep string) []string {
	return slices.DeleteFunc(slices.Clone(environ), func(entry string) bool {
		name, _, _ := strings.Cut(entry, "=")
		_, secret := v[name]
		return secret && !Ordinary(name) && !strings.Contains(keep, name)
	})
}
