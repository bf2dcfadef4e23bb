package archtest

import (
	"io/fs"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"

	"github.com/rogpeppe/go-internal/txtar"

	"plimsoll/internal/base/list"
)

// Scripts are for any POSIX shell and awk: on distributions sh is dash, bash or busybox, and awk is mawk, gawk, busybox
// or Kernighan's. scripts/setup-tests installs all of them.

// shell is a program for a shell: a script of the tree, or one inside a page, a txtar or the Makefile.
type shell struct {
	where, text string
	bash        bool // its first line asks for it
}

// shells returns all of the tree's.
func shells(t *testing.T) []shell {
	t.Helper()
	var out []shell
	err := filepath.WalkDir("../..", func(path string, d fs.DirEntry, err error) error {
		if err != nil {
			return err
		}
		if d.IsDir() {
			hidden := strings.HasPrefix(d.Name(), ".") && len(d.Name()) > 2 && d.Name() != ".ci"
			if hidden || d.Name() == "dist" || d.Name() == "results" {
				return filepath.SkipDir
			}
			return nil
		}
		if !slices.Contains([]string{"", ".sh", ".md", ".txtar"}, filepath.Ext(path)) || !d.Type().IsRegular() {
			return nil
		}
		text, err := os.ReadFile(path)
		out = append(out, shellsIn(path, string(text))...)
		return err
	})
	if err != nil {
		t.Fatal(err)
	}
	return out
}

// shellsIn returns those of one file.
func shellsIn(path, text string) []shell {
	first, _, _ := strings.Cut(text, "\n")
	switch {
	case strings.HasPrefix(first, "#!"):
		if !regexp.MustCompile(`^#! ?\S*[/ ](ba|da)?sh\b`).MatchString(first) {
			return nil
		}
		return []shell{{path, text, strings.Contains(first, "bash")}}
	case filepath.Ext(path) == ".sh":
		return []shell{{where: path, text: text}}
	case filepath.Ext(path) == ".md":
		return inPage(path, text)
	case filepath.Ext(path) == ".txtar":
		return inTxtar(path, text)
	case path == "../../Makefile":
		return inMakefile(path, text)
	}
	return nil
}

func inPage(path, text string) []shell {
	var out []shell
	for _, m := range regexp.MustCompile("(?ms)^```sh\\b[^\n]*\n(.*?)^```").FindAllStringSubmatch(text, -1) {
		out = append(out, shell{where: path, text: m[1]})
	}
	return out
}

// inTxtar returns the scripts among a txtar's files, what its lines hand to sh -c, and the lines that start awk.
func inTxtar(path, text string) []shell {
	archive := txtar.Parse([]byte(text))
	var out []shell
	for _, f := range archive.Files {
		out = append(out, shellsIn(path+"/"+f.Name, string(f.Data))...)
	}
	quoted := regexp.MustCompile(`\bsh -[eux]*c '((?:[^']|'')*)'`)
	for line := range strings.Lines(string(archive.Comment)) {
		for _, m := range quoted.FindAllStringSubmatch(line, -1) {
			out = append(out, shell{where: path, text: strings.ReplaceAll(m[1], "''", "'")})
		}
		if awk, ok := strings.CutPrefix(line, "exec awk "); ok {
			out = append(out, shell{where: path, text: "awk " + awk})
		}
	}
	return out
}

func inMakefile(path, text string) []shell {
	text = strings.ReplaceAll(text, "\\\n", " ")
	var out []shell
	for _, m := range regexp.MustCompile(`(?m)^\t[@-]?(.*)$`).FindAllStringSubmatch(text, -1) {
		line := regexp.MustCompile(`\$\(if [^\n]*\)|\$\([A-Z0-9_]+\)|\$@`).ReplaceAllString(m[1], "X")
		out = append(out, shell{where: path, text: strings.ReplaceAll(line, "$$", "$")})
	}
	return out
}

// awkCall is a command line that starts awk.
type awkCall struct {
	where   string
	flags   []string // what stands before the program: -F, and -v with its value as 1
	program string
	file    string // of -f, instead of the program
}

// awkCalls returns those of a text for a shell.
func awkCalls(s shell) []awkCall {
	var out []awkCall
	for _, at := range regexp.MustCompile(`(?:^|[\s;|&({!"])awk[ \t]`).FindAllStringIndex(s.text, -1) {
		before := s.text[strings.LastIndexByte(s.text[:at[0]+1], '\n')+1 : at[0]+1]
		if strings.HasPrefix(strings.TrimSpace(before), "#") {
			continue
		}
		words := &wordReader{text: s.text, at: at[1]}
		call := awkCall{where: s.where}
	flags:
		for {
			word, ok := words.next()
			switch {
			case !ok:
				break flags
			case word == "-v" || word == "-F" || word == "-f":
				value, _ := words.next()
				call.set(word, value)
			case strings.HasPrefix(word, "-"):
				call.set(word[:2], word[2:])
			case call.file == "":
				call.program = word
				break flags
			default:
				break flags
			}
		}
		if call.program != "" || call.file != "" {
			out = append(out, call)
		}
	}
	return out
}

func (c *awkCall) set(flag, value string) {
	switch name, _, _ := strings.Cut(value, "="); flag {
	case "-f":
		c.file = value[strings.LastIndexByte(value, ' ')+1:]
	case "-v":
		c.flags = append(c.flags, "-v", name+"=1")
	default:
		c.flags = append(c.flags, flag, value)
	}
}

// wordReader reads words as a shell does. What the shell would put in place of a $ is a 1.
type wordReader struct {
	text string
	at   int
}

// next returns the next word of a command, and false at the command's end.
func (r *wordReader) next() (string, bool) {
	for r.at < len(r.text) && (strings.IndexByte(" \t", r.text[r.at]) >= 0 || strings.HasPrefix(r.text[r.at:], "\\\n")) {
		r.at++
		if r.text[r.at-1] == '\\' {
			r.at++
		}
	}
	start, word := r.at, strings.Builder{}
	for r.at < len(r.text) && strings.IndexByte(" \t\n;|&<>)", r.text[r.at]) < 0 {
		word.WriteString(r.part(" \t\n;|&<>)"))
	}
	return word.String(), r.at > start
}

// part returns the next character of a word, or all that is quoted there.
func (r *wordReader) part(unquoted string) string {
	c := r.text[r.at]
	r.at++
	switch {
	case c == '\'' && unquoted != "":
		quoted, _, _ := strings.Cut(r.text[r.at:], "'")
		r.at += len(quoted) + 1
		return quoted
	case c == '"' && unquoted != "":
		var quoted strings.Builder
		for r.at < len(r.text) && r.text[r.at] != '"' {
			quoted.WriteString(r.part(""))
		}
		r.at++
		return quoted.String()
	case c == '\\' && r.at < len(r.text) && (unquoted != "" || strings.IndexByte("\"$`\\", r.text[r.at]) >= 0):
		r.at++
		return r.text[r.at-1 : r.at]
	case c == '$':
		return r.dollar()
	}
	return string(c)
}

// dollar passes over what follows a $.
func (r *wordReader) dollar() string {
	if strings.HasPrefix(r.text[r.at:], "(") || strings.HasPrefix(r.text[r.at:], "{") {
		for depth := 0; r.at < len(r.text); {
			switch c := r.text[r.at]; c {
			case '(', '{':
				depth++
			case ')', '}':
				depth--
			case '\'', '"', '\\':
				r.part(" ")
				continue
			}
			r.at++
			if depth == 0 {
				break
			}
		}
		return "1"
	}
	name := regexp.MustCompile(`^(\w+|[@*#?$!-])`).FindString(r.text[r.at:])
	r.at += len(name)
	if name == "" {
		return "$"
	}
	return "1"
}

func TestAwkCallsAreFound(t *testing.T) {
	for text, want := range map[string]awkCall{
		`awk '{ print $1 }' f`:                          {program: "{ print $1 }"},
		`echo 1 2 | awk -F '\t' '{ print $2 }'`:         {flags: []string{"-F", `\t`}, program: "{ print $2 }"},
		"x=$(awk -F- -v load=\"$(a -d ' ' <f)\" 'b')":   {flags: []string{"-F", "-", "-v", "load=1"}, program: "b"},
		`r=$(awk "BEGIN { printf \"%d\", $p * ${q} }")`: {program: `BEGIN { printf "%d", 1 * 1 }`},
		"awk -v what=\"SIG$1  $2\" \\\n\t'BEGIN { }'":   {flags: []string{"-v", "what=1"}, program: "BEGIN { }"},
		`awk -v n=3 -f "$root/bench/growth.awk" >f`:     {flags: []string{"-v", "n=1"}, file: "1/bench/growth.awk"},
		`exec sh -c "awk -v n=$((1 + (2))) 'a' f"`:      {flags: []string{"-v", "n=1"}, program: "a"},
	} {
		got := awkCalls(shell{text: text})
		if len(got) != 1 || got[0].program != want.program || got[0].file != want.file ||
			!slices.Equal(got[0].flags, want.flags) {
			t.Errorf("%s: %+v, want %+v", text, got, want)
		}
	}
	for _, text := range []string{"need jq awk\n", "# by awk 'x'", "[!exec:awk] skip 'no awk'", "the table of awk's is"} {
		if got := awkCalls(shell{text: text}); len(got) != 0 {
			t.Errorf("%q: found %+v", text, got)
		}
	}
}

// awks returns the ways to start an awk.
func awks() map[string][]string {
	return map[string][]string{"mawk": {"mawk"}, "gawk": {"gawk"}, "gawk --posix": {"gawk", "--posix"},
		"original-awk": {"original-awk"}, "busybox awk": {"busybox", "awk"}}
}

// parsed returns what an awk has against a program: it parses all of it, and carries out nothing, since what stands
// before it ends the program both at its beginning and at its end.
func parsed(awk, flags []string, program string) string {
	args := slices.Concat(awk[1:], flags, []string{"BEGIN { exit } END { exit }\n" + program})
	out, err := exec.Command(awk[0], args...).CombinedOutput()
	if err != nil {
		return err.Error() + ": " + string(out)
	}
	return string(out)
}

func TestEveryAwkTakesEveryProgram(t *testing.T) {
	var calls []awkCall
	for _, s := range shells(t) {
		calls = append(calls, awkCalls(s)...)
	}
	if len(calls) < 40 {
		t.Errorf("found only %d programs", len(calls))
	}
	for i, c := range calls {
		if c.file == "" {
			continue
		}
		file := c.file[strings.LastIndex(c.file, "bench/")+len("bench/"):]
		text, err := os.ReadFile(filepath.Join("../../bench", file))
		if err != nil {
			t.Errorf("%s: -f %s: %v", c.where, c.file, err)
		}
		calls[i].program = string(text)
	}
	for name, awk := range awks() {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			if _, err := exec.LookPath(awk[0]); err != nil {
				t.Skip(err)
			}
			if parsed(awk, nil, "{ print") == "" {
				t.Error("it takes half a program: it parses nothing")
			}
			for _, c := range calls {
				if wrong := parsed(awk, c.flags, c.program); wrong != "" {
					t.Errorf("%s: awk %q %s\n%s", c.where, c.flags, c.program, wrong)
				}
			}
		})
	}
	// The mistake that this test is for.
	if _, err := exec.LookPath("gawk"); err == nil && parsed([]string{"gawk"}, []string{"-v", "load=1"}, "1") == "" {
		t.Error("gawk takes a variable called load: leave this out")
	}
}

// checked returns what a shell has against programs. It parses them one after the other in one process, each as a
// subshell, whose end no program that lacks its own can reach.
func checked(sh []string, programs []shell) string {
	var text strings.Builder
	for _, s := range programs {
		text.WriteString("(\n:\n" + s.text + "\n)\n")
	}
	cmd := exec.Command(sh[0], append(sh[1:], "-n")...)
	cmd.Stdin = strings.NewReader(text.String())
	out, err := cmd.CombinedOutput()
	if err != nil {
		return err.Error() + ": " + string(out)
	}
	return string(out)
}

func TestEveryShellTakesEveryScript(t *testing.T) {
	all := shells(t)
	if len(all) < 500 {
		t.Errorf("found only %d programs for a shell", len(all))
	}
	ofBash := list.Filter(all, func(s shell) bool { return s.bash })
	rest := list.Filter(all, func(s shell) bool { return !s.bash })
	for name, sh := range map[string][]string{
		"dash": {"dash"}, "bash": {"bash", "--posix"}, "busybox sh": {"busybox", "sh"}, "bash's own": {"bash"},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			if _, err := exec.LookPath(sh[0]); err != nil {
				t.Skip(err)
			}
			programs := rest
			if len(sh) == 1 && sh[0] == "bash" {
				programs = ofBash
			}
			for _, half := range []string{"if true", "x='", "cat <<E\n", "f() {"} {
				if checked(sh, []shell{{text: half}, {text: "true"}}) == "" {
					t.Errorf("it takes half a script, %q: it parses nothing", half)
				}
			}
			if checked(sh, programs) == "" {
				return
			}
			for _, s := range programs {
				if wrong := checked(sh, []shell{s}); wrong != "" {
					t.Errorf("%s:\n%s\n%s", s.where, s.text, wrong)
				}
			}
		})
	}
}
