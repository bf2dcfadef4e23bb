// Package nearest finds, among known names, those that a mistyped one may have meant.
package nearest

import (
	"cmp"
	"slices"
	"strings"
	"unicode"
	"unicode/utf8"

	"github.com/agnivade/levenshtein"
)

// longName is longer than any name worth comparing letter by letter: computing a distance takes the product of the
// lengths.
const longName = 100

// Sorted returns the known names, the most similar to name first.
func Sorted(name string, known []string) []string {
	type rated struct {
		name     string
		distance int
	}
	all := make([]rated, len(known))
	for i, k := range known {
		all[i] = rated{k, distance(name, k)}
	}
	slices.SortStableFunc(all, func(a, b rated) int { return cmp.Compare(a.distance, b.distance) })
	sorted := make([]string, len(all))
	for i, r := range all {
		sorted[i] = r.name
	}
	return sorted
}

// Of returns the known name most similar to name, or "" if none is similar: if over a third of its letters, and over
// two, would have to change, or over one of a name of three letters, unless one begins with it.
func Of(name string, known []string) string {
	most := min(max(2, len(name)/3), max(1, len(name)-2))
	if sorted := Sorted(
		name,
		known,
	); len(sorted) > 0 &&
		(distance(name, sorted[0]) <= most || exchanged(name, sorted[0])) {
		return sorted[0]
	}
	begins := func(k string) bool { return len(name) >= 3 && strings.HasPrefix(k, name) }
	if i := slices.IndexFunc(known, begins); i >= 0 {
		return known[i]
	}
	return ""
}

// exchanged reports whether names differ by two exchanged letters, which distance counts as two.
func exchanged(a, b string) bool {
	letters := func(s string) string {
		r := []rune(strings.ToLower(s))
		slices.Sort(r)
		return string(r)
	}
	return distance(a, b) == 2 && letters(a) == letters(b)
}

// distance returns the number of letters to change, ignoring case.
func distance(a, b string) int {
	if len(a) > longName || len(b) > longName {
		return max(len(a), len(b))
	}
	return levenshtein.ComputeDistance(strings.ToLower(a), strings.ToLower(b))
}

// Known is a thing with several names.
type Known struct {
	Name string
	Also []string // such as a machine's type
}

// Meant returns the names of the things that a name may refer to: those with that Name; else those with it in Also;
// else those that begin with it, preferably up to the end of a word ("m5d" is m5d.8xlarge rather than m5dn.8xlarge).
// Case is ignored.
func Meant(name string, known []Known) []string {
	if name == "" {
		return nil
	}
	own := func(is func(string) bool) func(Known) bool { return func(k Known) bool { return is(k.Name) } }
	any := func(is func(string) bool) func(Known) bool {
		return func(k Known) bool { return is(k.Name) || slices.ContainsFunc(k.Also, is) }
	}
	same := func(k string) bool { return strings.EqualFold(k, name) }
	for _, is := range []func(Known) bool{
		own(func(k string) bool { return k == name }), own(same), any(same),
		any(func(k string) bool { return begins(k, name) && wordEnds(k[len(name):]) }),
		any(func(k string) bool { return begins(k, name) }),
	} {
		var out []string
		for _, k := range known {
			if is(k) && !slices.Contains(out, k.Name) {
				out = append(out, k.Name)
			}
		}
		if len(out) > 0 {
			return out
		}
	}
	return nil
}

func begins(text, with string) bool {
	return len(text) >= len(with) && strings.EqualFold(text[:len(with)], with)
}

func wordEnds(rest string) bool {
	r, _ := utf8.DecodeRuneInString(rest)
	return rest == "" || !unicode.IsLetter(r) && !unicode.IsDigit(r)
}
