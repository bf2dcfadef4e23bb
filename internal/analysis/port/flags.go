package port

import (
	"bytes"
	"math"
	"path"
	"regexp"
	"slices"
	"strings"
)

// flags finds options of compilers, of Rust and of the JVM that exist for x86 alone.
type flags struct{ options }

func newFlags() flags { return flags{newOptions()} }

func (flags) id() string { return "x86-flag" }

func (flags) doc() string {
	return "options of compilers and of the JVM that exist for x86 alone"
}

func (flags) needs(file string, head []byte) Need {
	base := strings.ToLower(path.Base(file))
	switch {
	case strings.HasPrefix(string(head), "#!") && strings.Contains(string(head[:min(len(head), 60)]), "sh\n"):
	case slices.ContainsFunc(strings.Fields("makefile gnumakefile dockerfile containerfile"),
		func(p string) bool { return strings.HasPrefix(base, p) }):
	case slices.Contains(strings.Fields("cmakelists.txt configure.ac configure.in sconstruct sconscript build "+
		"build.bazel .bazelrc meson.build "+
		"setup.py setup.cfg pyproject.toml build.rs cargo.toml pom.xml build.xml extconf.rb compile_flags.txt build.zig"),
		base):
	case strings.HasSuffix(strings.ToLower(path.Dir(file)), ".cargo") && strings.HasPrefix(base, "config"):
	case slices.Contains(strings.Fields(".mk .mak .cmake .m4 .am .scons .bzl .gyp .gypi "+
		".sh .bash .go .gradle .kts .pro .pri .cabal .gemspec .rockspec .dockerfile .options"), path.Ext(base)):
	default:
		return Nothing
	}
	return Whole
}

func (flags) settle(*Report) {}

// options are the expressions of the check.
type options struct {
	names                                 names
	compiler, rust, jvm, probe, condition *regexp.Regexp
}

func newOptions() options {
	const end = `(?:$|[\s"'\x60,;)\]\\>}])`
	return options{
		names: newNames(),
		compiler: regexp.MustCompile(`(?:^|[\s"'\x60=,;(\[+:>])(-march=(?:x86-64(?:-v[2-4])?|i[3-6]86|` + processors +
			`)|-mtune=(?:` + processors + `)|` +
			`-m(?:mmx|sse|sse2|sse3|ssse3|sse4|sse4\.[12]|sse4a|avx|avx2|avx512\w+|avxvnni|xop|fma|fma4|f16c|bmi|bmi2|aes|vaes|pclmul|vpclmulqdq|gfni|` +
			`popcnt|lzcnt|sha|rdrnd|rdseed|adx|cx16|crc32|64|32|fpmath=sse|no-sse\w*|no-mmx|no-avx\w*|no-red-zone|cmodel=medium|prefer-vector-width=\d+))` + end),
		rust: regexp.MustCompile(`target-cpu=(x86-64(?:-v[2-4])?|` + processors + `)\b|target-feature=\+?(` + vectors +
			`)\b`),
		jvm: regexp.MustCompile(`(-XX:(?:UseAVX|UseSSE)=\d)`),
		probe: regexp.MustCompile(
			`(?i)check_\w*flag|compile_flag|compiler_flag|has_?(?:flag|argument)|flag_?if_?supported|check_c(?:xx)?_source|try_compile|` +
				`supports?_|get_supported|add_.*_if|cc-option|try_run|required_flags|2>\s*/dev/null`),
		condition: regexp.MustCompile(`(?i)x86|amd64|x64|i[3-6]86|ia32|intel|__SSE|uname|` +
			`processor|target_arch|host_cpu|target_cpu|arch|sunos|solaris|aix|darwin|freebsd|` +
			`(?:^|[^a-z0-9])(?:` + vectors + `)(?:$|[^a-z0-9])`),
	}
}

func (c flags) look(f File, r *Report) {
	goFile := path.Ext(f.Path) == ".go"
	if goFile && !bytes.Contains(f.Data, []byte("#cgo")) {
		return
	}
	text, o := lines(f.Data), c.options
	if generated(text) {
		return
	}
	blocks, above := blockGuards(text, o), newIndents(text, o)
	var found []Finding
	for i, line := range text {
		if goFile && !strings.Contains(line, "#cgo") || isComment(line, goFile) {
			continue
		}
		one, ok := o.in(line)
		if !ok {
			continue
		}
		rest := o.without(line)
		switch {
		case blocks[i] || o.names.machine.MatchString(rest) || o.probe.MatchString(rest) || above.ask(i):
			continue
		case o.names.vector.MatchString(rest) && one.Severity == WillNotBuild:
			one.Severity, one.Says = WorthChecking, one.Says+"; its line names x86's vectors, nothing around it asks for "+
				"the processor"
		}
		one.Check, one.File, one.Line = c.id(), f.Path, i+1
		found = append(found, one)
	}
	for _, one := range merged(found) {
		r.add(one)
	}
}

// in returns what is found in a line.
func (o options) in(line string) (Finding, bool) {
	if m := o.compiler.FindStringSubmatch(line); m != nil {
		if strings.HasPrefix(m[1], "-mtune=") || strings.HasPrefix(m[1], "-march=") {
			return Finding{Severity: WillNotBuild, Says: m[1] + " names an x86 processor",
				Remedy: "set it for x86 alone; for arm64 -march=armv8.2-a (Neoverse and later), or -mcpu= of the processor"}, true
		}
		return Finding{Severity: WillNotBuild, Says: m[1] + " is an option of x86: compilers for arm64 refuse it",
			Remedy: "set it for x86 alone; arm64 has NEON without an option, and CRC and AES by -march=armv8-a+crc+crypto"}, true
	}
	if m := o.rust.FindString(line); m != "" {
		return Finding{Severity: WillNotBuild, Says: m + " is of x86",
			Remedy: "set it below [target.'cfg(target_arch = \"x86_64\")']"}, true
	}
	if m := o.jvm.FindString(line); m != "" {
		return Finding{Severity: WillNotRun, Says: m + " is an option of x86: the JVM does not start with it on arm64",
			Remedy: "leave it out, or add -XX:+IgnoreUnrecognizedVMOptions"}, true
	}
	return Finding{}, false
}

// without returns a line without its options of x86, so that they do not guard themselves.
func (o options) without(line string) string {
	// Neighbours share the blank between them, which is in one match alone: two rounds take all.
	for {
		all := o.compiler.FindAllStringSubmatchIndex(line, -1)
		if all == nil {
			return o.rust.ReplaceAllString(line, "")
		}
		var rest strings.Builder
		at := 0
		for _, m := range all {
			rest.WriteString(line[at:m[2]])
			at = m[3]
		}
		rest.WriteString(line[at:])
		line = rest.String()
	}
}

// generated reports whether a script was made by autoconf, whose sources are looked at instead.
func generated(text []string) bool {
	for _, line := range text[:min(len(text), 20)] {
		for _, mark := range []string{"generated by gnu autoconf", "generated by automake",
			"generated automatically using autoconf"} {
			if strings.Contains(strings.ToLower(line), mark) {
				return true
			}
		}
	}
	return false
}

func isComment(line string, goFile bool) bool {
	line = strings.TrimSpace(line)
	if goFile {
		return false
	}
	return slices.ContainsFunc([]string{"#", "//", "dnl ", "<!--", "* "},
		func(mark string) bool { return strings.HasPrefix(line, mark) })
}

// blockGuards says of each line whether a block of make, CMake, autoconf or the shell around it asks for the processor.
func blockGuards(text []string, o options) []bool {
	begin := regexp.MustCompile(
		`(?i)^\s*(?:ifeq|ifneq|ifdef|ifndef|if|elif|elseif|else\s*if|else\s+ifeq|case|while|for|foreach|function|macro)\b[\s(\[]*(.*)`)
	end := regexp.MustCompile(`(?i)^\s*(?:endif|fi|esac|done|endforeach|endfunction|endmacro|endwhile)\b`)
	label := regexp.MustCompile(`^\s*\(?["']?([\w*|.\- "']+)\)\s*(?:$|[^)]*)`)
	type open struct {
		guard  bool // it or one around it asks
		isCase bool
	}
	var stack []open
	out := make([]bool, len(text))
	for i, line := range text {
		lower := strings.ToLower(strings.TrimSpace(line))
		switch m := begin.FindStringSubmatch(line); {
		case end.MatchString(line):
			stack = stack[:max(len(stack)-1, 0)]
		case m != nil && (strings.HasPrefix(lower, "elif") || strings.HasPrefix(lower, "else")):
			if n := len(stack); n > 0 {
				stack[n-1].guard = stack[n-1].guard || o.condition.MatchString(o.without(m[1]))
			}
		case m != nil && !(strings.HasPrefix(lower, "if ") && strings.HasSuffix(lower, "; fi")):
			around := len(stack) > 0 && stack[len(stack)-1].guard
			stack = append(stack, open{
				guard:  around || !strings.HasPrefix(lower, "for") && o.condition.MatchString(o.without(m[1])),
				isCase: strings.HasPrefix(lower, "case")})
		default:
			if n := len(stack); n > 0 && stack[n-1].isCase {
				if m := label.FindStringSubmatch(line); m != nil {
					stack[n-1].guard = stack[n-1].guard || o.condition.MatchString(m[1])
				}
			}
		}
		out[i] = len(stack) > 0 && stack[len(stack)-1].guard
	}
	return out
}

// indentedLines bounds how far up the lines are sought that a line is below by its indentation.
const indentedLines = 200

// indents are the indentations of a text's lines, each measured once, and what is known of the lines that others stand
// below.
type indents struct {
	text  []string
	o     options
	depth []int // bytes; blank lines have the largest number, so that no line stands below one
	asks  map[int]bool
}

func newIndents(text []string, o options) *indents {
	out := &indents{text: text, o: o, depth: make([]int, len(text)), asks: map[int]bool{}}
	for i, line := range text {
		out.depth[i] = len(line) - len(strings.TrimLeft(line, " \t"))
		if strings.TrimSpace(line) == "" {
			out.depth[i] = math.MaxInt
		}
	}
	return out
}

// ask reports whether a line stands below one, by their indentation, that asks for the processor.
func (d *indents) ask(at int) bool {
	depth := d.depth[at]
	for i := at - 1; i >= 0 && i > at-indentedLines && depth > 0; i-- {
		if d.depth[i] >= depth {
			continue
		}
		depth = d.depth[i]
		asks, ok := d.asks[i]
		if !ok {
			above := d.o.without(d.text[i])
			asks = d.o.condition.MatchString(above) && !strings.HasPrefix(strings.TrimSpace(above), "#") ||
				d.o.probe.MatchString(above)
			d.asks[i] = asks
		}
		if asks {
			return true
		}
	}
	return false
}
