// Package secret is how values that nobody may read get from who gives them to where they are used: what is set refers to them, sessions
// keep the reference, and the values travel beside the orders. It is pure: who reads the environment and files is the command line.
//
// A reference is ${NAME}, a variable of the environment, anywhere in a value, or a whole value @FILE, what the file holds.
package secret

import (
	"crypto/sha256"
	"encoding/hex"
	"regexp"
	"slices"
	"strings"
)

// Values are what references stand for, by their keys: NAME, or @FILE.
type Values map[string][]byte

func variables() *regexp.Regexp { return regexp.MustCompile(`\$?\$\{([A-Za-z_][A-Za-z0-9_]*)\}`) }

// Names are the variables that a text refers to, each once. $${NAME} is none: it stands for ${NAME} itself.
func Names(text string) []string {
	var out []string
	for _, m := range variables().FindAllStringSubmatch(text, -1) {
		if !strings.HasPrefix(m[0], "$$") && !slices.Contains(out, m[1]) {
			out = append(out, m[1])
		}
	}
	return out
}

func kept() *regexp.Regexp { return regexp.MustCompile(`#([0-9a-f]{3})$`) }

// File takes apart a value that is @FILE, as it was typed or, with the digest of what the file held, as a plan has it. @@ begins a text.
func File(value string) (path, digest string, ok bool) {
	path, ok = strings.CutPrefix(value, "@")
	if !ok || path == "" || path[0] == '@' {
		return "", "", false
	}
	if m := kept().FindStringSubmatch(path); m != nil {
		return strings.TrimSuffix(path, m[0]), m[1], true
	}
	return path, "", true
}

// WithDigest is how a plan has a value @FILE: what the file holds is part of what is measured.
func WithDigest(path string, held []byte) string { return "@" + path + "#" + Digest(held) }

// Digest tells two values apart, but for one pair in 4096, and tells no more: three digits fit so many values that nobody can find the
// right one by trying. It has no salt on purpose. With one of its own, each file would give away three digits more.
func Digest(value []byte) string {
	sum := sha256.Sum256(append([]byte("plimsoll secret\x00"), value...))
	return hex.EncodeToString(sum[:2])[:3]
}

// Parts are the values of a text that each stand for themselves: its lines, or all of it.
func Parts(value string, lines bool) []string {
	if lines {
		return strings.Split(value, "\n")
	}
	return []string{value}
}

// Resolve puts what a value refers to in the place of the references; lines says that each of its lines may be @FILE. A reference
// without a value stays.
func (v Values) Resolve(value string, lines bool) string {
	parts := Parts(value, lines)
	for i, part := range parts {
		parts[i] = v.resolve(part)
	}
	return strings.Join(parts, "\n")
}

func (v Values) resolve(value string) string {
	if path, _, ok := File(value); ok {
		if held, ok := v["@"+path]; ok {
			return string(held)
		}
		return value
	}
	return variables().ReplaceAllStringFunc(strings.TrimPrefix(value, escaped(value)), func(ref string) string {
		if strings.HasPrefix(ref, "$$") {
			return ref[1:]
		}
		if held, ok := v[ref[2:len(ref)-1]]; ok {
			return string(held)
		}
		return ref
	})
}

// escaped is what of a value only says that it is no reference.
func escaped(value string) string {
	if strings.HasPrefix(value, "@@") {
		return "@"
	}
	return ""
}

// Keys are the keys of all that a value refers to, whichever way its parameter is read.
func Keys(value string) []string {
	out := Names(value)
	for _, part := range strings.Split(value, "\n") {
		if path, _, ok := File(part); ok {
			out = append(out, "@"+path)
		}
	}
	return out
}

// Digests are those of the variables that some parameters refer to, by name.
func (v Values) Digests(params map[string]string) map[string]string {
	out := map[string]string{}
	for _, value := range params {
		for _, name := range Names(value) {
			if held, ok := v[name]; ok {
				out[name] = Digest(held)
			}
		}
	}
	return out
}

// Unquoted has each variable in a text stand outside the single quotes that enclose it, where a shell puts its value in.
func Unquoted(text string) string {
	return variables().ReplaceAllStringFunc(text, func(ref string) string {
		if strings.HasPrefix(ref, "$$") {
			return ref
		}
		return `'"` + ref + `"'`
	})
}
