// Package secret passes confidential values from the user to their place of use: parameters refer to them, sessions
// keep the reference, and the values travel beside the orders. It is pure: the command line reads the environment
// and files.
// A reference is ${NAME}, a variable of the environment, anywhere in a value, or a whole value @FILE, the contents
// of the file.
package secret

import (
	"crypto/sha256"
	"encoding/hex"
	"fmt"
	"regexp"
	"slices"
	"strings"
)

// Values are the values of references by key: NAME, or @FILE.
type Values map[string][]byte

func variables() *regexp.Regexp { return regexp.MustCompile(`\$?\$\{([A-Za-z_][A-Za-z0-9_]*)\}`) }

// Names returns the variables that a text refers to, each once. $${NAME} is none: it stands for ${NAME} itself.
func Names(text string) []string {
	if !strings.Contains(text, "${") {
		return nil // of most texts; to build the expression takes longer than to write a run
	}
	var out []string
	for _, m := range variables().FindAllStringSubmatch(text, -1) {
		if !strings.HasPrefix(m[0], "$$") && !slices.Contains(out, m[1]) {
			out = append(out, m[1])
		}
	}
	return out
}

func kept() *regexp.Regexp { return regexp.MustCompile(`#([0-9a-f]{3})$`) }

// Shielded returns a text with a number in place of each reference to a variable, and what puts the references back:
// for what would encode them, or takes them for no part of a URL.
func Shielded(text string) (plain string, restore func(string) string) {
	stem := "9"
	for strings.Contains(text, stem) {
		stem += "07"
	}
	var back []string
	plain = variables().ReplaceAllStringFunc(text, func(ref string) string {
		number := fmt.Sprintf("%s%04d", stem, len(back)/2) // all are of one length: none begins another
		back = append(back, number, ref)
		return number
	})
	return plain, strings.NewReplacer(back...).Replace
}

// File parses a value @FILE, as typed or, with the digest of the file's contents, as in a plan. @@ begins a text.
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

// Path returns the path in a value that names a file, with or without @.
func Path(value string) string {
	if path, _, ok := File(value); ok {
		return path
	}
	return value
}

// WithDigest returns a value @FILE as it appears in a plan: the file's contents are part of the measured
// configuration.
func WithDigest(path string, held []byte) string { return "@" + path + "#" + Digest(held) }

// Digest distinguishes values, except for one pair in 4096, and reveals no more: three digits match so many values
// that nobody can find the right one by trying. It has no salt on purpose: with a salt each, every file would reveal
// three digits more.
func Digest(value []byte) string {
	sum := sha256.Sum256(append([]byte("plimsoll secret\x00"), value...))
	return hex.EncodeToString(sum[:2])[:3]
}

// Parts returns the independent values of a text: its lines, or all of it.
func Parts(value string, lines bool) []string {
	if lines {
		return strings.Split(value, "\n")
	}
	return []string{value}
}

// Resolve replaces the references in a value; lines reports that each of its lines may be @FILE. A reference without
// a value stays.
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

// escaped returns the prefix of a value that only marks it as no reference.
func escaped(value string) string {
	if strings.HasPrefix(value, "@@") {
		return "@"
	}
	return ""
}

// Keys returns the keys of all references in a value, whichever way its parameter is read.
func Keys(value string) []string {
	out := Names(value)
	for _, part := range strings.Split(value, "\n") {
		if path, _, ok := File(part); ok {
			out = append(out, "@"+path)
		}
	}
	return out
}

// Digests returns those of the variables that parameters refer to, by name.
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

// Unquoted moves each variable in a text out of the single quotes around it, so that a shell expands it.
func Unquoted(text string) string {
	return variables().ReplaceAllStringFunc(text, func(ref string) string {
		if strings.HasPrefix(ref, "$$") {
			return ref
		}
		return `'"` + ref + `"'`
	})
}

// Assigned reports whether a shell script itself assigns a variable, from something else than its value so far: in
// `PW=${PW}`, which hands it on, the value is still that of the environment.
func Assigned(text, name string) bool {
	own := regexp.MustCompile(`(?:^|[\s;&|(])(?:` + name + `=((?:"[^"]*"|'[^']*'|[^\s;&|"'])*)|for\s+` + name +
		`\b([^;\n]*)|read\s+(?:\S+\s+)*` + name + `\b)`)
	itself := regexp.MustCompile(`\$(?:\{` + name + `\b|` + name + `\b)`)
	m := own.FindStringSubmatch(text)
	return m != nil && !itself.MatchString(m[1]) && !itself.MatchString(m[2])
}
