package axis

import (
	"slices"
	"strings"
	"unicode"

	"plimsoll/internal/analysis/trialset"
	"plimsoll/internal/record/figure"
)

// Names returns the sides as texts name them: machines and files as they are, a factor's levels in short.
func Names(by, a, b string) (nameA, nameB string) {
	if by == "" || trialset.AcrossMachines(by) || by == ByFile {
		return a, b
	}
	return figure.Short(a, b), figure.Short(b, a)
}

// Labels is Names with the factor before its levels, for sentences.
func Labels(by, a, b string) (labelA, labelB string) {
	a, b = Names(by, a, b)
	return Label(by, a), Label(by, b)
}

// Subjects returns the sides as the subject and the object of a sentence. Levels that name something, such as libraries
// and commands, have no parameter; others do, such as tls=true.
func Subjects(by, a, b string) (nameA, nameB string) {
	a, b = Names(by, a, b)
	labelA, labelB := Label(by, a), Label(by, b)
	if labelA == a || names(a) && names(b) {
		return a, b
	}
	short := func(label string) string {
		param, _, _ := strings.Cut(label, "=")
		return label[strings.LastIndexByte(param, '.')+1:]
	}
	return short(labelA), short(labelB)
}

// names reports whether a level means something without its parameter: words, and not a switch.
func names(level string) bool {
	switches := []string{"true", "false", "on", "off", "yes", "no", "auto", "none", "default", "all", "always", "never"}
	runes := []rune(level)
	return len(runes) > 1 && unicode.IsLetter(runes[0]) && !slices.Contains(switches, strings.ToLower(level))
}
