package note

import (
	"fmt"
	"regexp"
	"slices"
	"strings"
)

// singular returns a format with the noun behind each whole number that is 1 in the singular, and with its verb. For
// example, "%d probes do not count" becomes "%d probe does not count".
func singular(format string, args []any) string {
	if !slices.ContainsFunc(args, isOne) {
		return format
	}
	return inSingular(counted(), format, args)
}

// counted returns the pattern of a verb of a format and, if a plural noun is behind it, that noun and its verb.
func counted() *regexp.Regexp {
	return regexp.MustCompile(`%[+#]?(?:\.\d)?(?:\[(\d)\])?([a-z%])` +
		`(?:( (?:[A-Za-z]+ )??)([a-z]+s)\b((?: \([^)]*\)| that [a-z ]*?)? (?:are|were|do|have)\b)?)?`)
}

// inSingular is singular with the pattern counted.
func inSingular(counted *regexp.Regexp, format string, args []any) string {
	var out strings.Builder
	rest, next := 0, 0
	for _, at := range counted.FindAllStringSubmatchIndex(format, -1) {
		part := func(i int) string {
			if at[2*i] < 0 {
				return ""
			}
			return format[at[2*i]:at[2*i+1]]
		}
		if part(2) == "%" {
			continue
		}
		arg := next
		if part(1) != "" {
			arg = int(part(1)[0] - '1')
		}
		next = arg + 1
		if part(2) != "d" || arg >= len(args) || !isOne(args[arg]) || part(4) == "" || isVerb(part(4)) {
			continue
		}
		out.WriteString(format[rest:at[8]])
		out.WriteString(nounOf(part(4)))
		verb := part(5)
		if !isApart(format[:at[0]]) {
			verb = strings.NewReplacer(" are", " is", " were", " was", " do", " does", " have", " has").Replace(verb)
		}
		out.WriteString(verb)
		rest = at[1]
	}
	return out.String() + format[rest:]
}

// isApart reports whether a number is in the middle of a subject, which has the verb: "the first of %d runs". In "%d of
// %d runs" the numbers have it.
func isApart(before string) bool {
	stem, of := strings.CutSuffix(before, " of ")
	if !of {
		stem, of = strings.CutSuffix(before, " than ")
	}
	return of && !strings.HasSuffix(stem, "d")
}

// isOne reports whether an argument is printed as 1.
func isOne(arg any) bool { return fmt.Sprint(arg) == "1" }

// isVerb reports whether a word that ends with s continues a sentence about one thing, as in "run %d is unreadable".
func isVerb(word string) bool {
	return slices.Contains([]string{"is", "was", "has", "does", "its", "as", "less"}, word)
}

// nounOf returns the singular of a noun.
func nounOf(plural string) string {
	for _, end := range []string{"ses", "ches", "shes", "xes"} {
		if stem, ok := strings.CutSuffix(plural, end); ok && (end != "ses" || strings.HasSuffix(stem, "s")) {
			return stem + strings.TrimSuffix(end, "es")
		}
	}
	return strings.TrimSuffix(plural, "s")
}
