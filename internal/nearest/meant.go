package nearest

import (
	"slices"
	"strings"
	"unicode"
	"unicode/utf8"
)

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
		any(func(k string) bool { return begins(k, name) && wordEnds(k[len(name):]) }), any(func(k string) bool { return begins(k, name) }),
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
