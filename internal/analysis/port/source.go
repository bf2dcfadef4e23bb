package port

import (
	"fmt"
	"path"
	"regexp"
	"slices"
	"strings"
)

// source finds C and C++ that compiles for x86 alone: headers of intrinsics, the compiler's built-in functions, inline
// assembly and #error, each under the conditions of its place.
type source struct {
	macros   *macros
	names    names
	builtin  *regexp.Regexp
	asm      *regexp.Regexp
	x86asm   *regexp.Regexp
	files    []sourceFile
	included map[string][]*place // base name of a header: each place that includes it
	foreign  map[string]bool     // base name of a header: whether all of those are for x86 alone
	arm      map[string]bool     // folders with a file for arm64, or with such a folder
}

// sourceFile is a file with something of x86.
type sourceFile struct {
	path  string
	sites []site
	arm   bool // has code for arm64 too
	uses  bool // calculates with vectors of x86
}

// site is a line that compiles for x86 alone.
type site struct {
	kind  siteKind
	line  int
	text  string
	under *place
}

type siteKind int

const (
	header siteKind = iota
	builtinCall
	inlineAsm
	refusal // #error
)

func newSource() *source {
	return &source{
		macros: newMacros(), names: newNames(),
		builtin: regexp.MustCompile(
			`\b(__builtin_ia32_\w+|__rdtscp?|_rdtscp?|__cpuid(?:ex|_count|_max)?|_mm_pause|_xgetbv)\s*\(`),
		asm: regexp.MustCompile(`\b(?:asm|__asm|__asm__)\b\s*(?:volatile|__volatile__|__volatile|inline|goto|\s)*\(`),
		x86asm: regexp.MustCompile(
			`%%?[re]?(?:ax|bx|cx|dx|si|di|sp|bp)\b|%%?[xyz]mm\d|%%?r(?:8|9|1[0-5])\b|\b(?:cpuid|rdtscp?|xgetbv|[mls]fence|pause|cmpxchg\w*|` +
				`pushf[lq]?|popf[lq]?|popcnt[lq]?|bsr[lq]|bsf[lq]|mulq?l?|addq|adcq|subq|sbbq|mov[lqbw]|lea[lq]|` +
				`xchg[lqbw]?|xadd[lqbw]?|bswap[lq]?|sete|setz|setc|lock|crc32[bwlq]|prefetchnta|` +
				`prefetcht[012]|clflush\w*|rep|stosb|movsb|vzeroupper|int3)\b`),
		included: map[string][]*place{}, foreign: map[string]bool{}, arm: map[string]bool{},
	}
}

func (*source) id() string { return "x86-code" }

func (*source) doc() string {
	return "C and C++ that compiles for x86 alone: headers of intrinsics, built-in functions, inline assembly"
}

func isC(file string) bool {
	switch strings.ToLower(path.Ext(file)) {
	case ".c", ".cc", ".cpp", ".cxx", ".c++", ".h", ".hh", ".hpp", ".hxx", ".inl", ".inc", ".ipp", ".tcc", ".cu", ".cuh":
		return true
	}
	return false
}

func (*source) needs(file string, _ []byte) Need {
	if isC(file) {
		return Whole
	}
	return Nothing
}

func (s *source) look(f File, _ *Report) {
	if s.names.arm.MatchString(f.Base()) || s.names.arm.MatchString(path.Base(path.Dir(f.Path))) {
		dir := path.Dir(f.Path)
		s.arm[dir] = true
		if above := path.Dir(dir); above != "." {
			s.arm[above] = true
		}
	}
	text := lines(withoutComments(f.Data))
	r := reading{s: s, of: sourceFile{path: f.Path}, text: text, quoted: map[quotedLine]quotation{}}
	for i := 0; i < len(text); i++ {
		first := i
		for strings.HasSuffix(text[i], `\`) && i+1 < len(text) {
			i++
		}
		r.line(first, joined(text[first:i+1]))
	}
	if len(r.of.sites) > 0 {
		s.files = append(s.files, r.of)
	}
}

// joined returns a line with those that continue it.
func joined(lines []string) string {
	if len(lines) == 1 {
		return lines[0]
	}
	var all strings.Builder
	for _, line := range lines[:len(lines)-1] {
		all.WriteString(strings.TrimSuffix(line, `\`))
		all.WriteByte(' ')
	}
	all.WriteString(lines[len(lines)-1])
	return all.String()
}

// reading follows the conditions of one file.
type reading struct {
	s      *source
	of     sourceFile
	text   []string
	quoted map[quotedLine]quotation // what is known of lines within assembly
	open   []branch
	latest string // the name of #ifndef in the line before: a guard, if it is defined now
}

// line looks at the line of an index, with those that continue it.
func (r *reading) line(at int, line string) {
	if directive, ok := strings.CutPrefix(strings.TrimSpace(line), "#"); ok {
		name, argument := strings.TrimSpace(directive), ""
		if i := strings.IndexAny(name, ` (<"`); i >= 0 {
			name, argument = name[:i], name[i:]
		}
		r.directive(at, strings.TrimSpace(name), strings.TrimSpace(argument))
		if name != "define" {
			return
		}
	}
	if strings.TrimSpace(line) == "" {
		return
	}
	r.latest = ""
	if m := r.s.builtin.FindStringSubmatch(line); m != nil {
		r.site(builtinCall, at, m[1])
	}
	if loc := r.s.asm.FindStringIndex(line); loc != nil {
		if m := r.assembly(line[loc[1]:], at); m != "" {
			r.site(inlineAsm, at, strings.Trim(m, "%"))
		}
	}
	if strings.Contains(line, "_mm") || strings.Contains(line, "__m128") {
		r.of.uses = true
	}
	if !r.of.arm && (strings.Contains(line, "vld1q_") || strings.Contains(line, "float32x4_t") ||
		strings.Contains(line, "uint8x16_t")) {
		r.of.arm = true
	}
}

// asmLines bounds the lines of one inline assembly that are looked at.
const asmLines = 40

// assembly returns the first instruction of x86 in the quotes of a statement that begins in the line of an index, with
// the rest of that line given. Lines below may be within many such statements and are looked at once.
func (r *reading) assembly(first string, at int) string {
	q := r.s.quotation(first, quotedLine{first: true})
	for i := at + 1; i < min(at+asmLines, len(r.text)) && q.instruction == "" && !q.ends; i++ {
		is := quotedLine{at: i, within: q.some}
		next, known := r.quoted[is]
		if !known {
			next = r.s.quotation(r.text[i], is)
			r.quoted[is] = next
		}
		next.some = next.some || q.some
		q = next
	}
	return q.instruction
}

// quotedLine is a line of a statement with inline assembly.
type quotedLine struct {
	at     int
	first  bool // the statement begins in it
	within bool // text in quotes is in a line before it
}

// quotation is what the quotes of a line have.
type quotation struct {
	instruction string // the first of x86
	some        bool   // there are quotes
	ends        bool   // the statement, or its text, ends in the line
}

func (s *source) quotation(line string, is quotedLine) quotation {
	var b strings.Builder
	inside, ends := false, false
	last := strings.LastIndexByte(line, ';')
	for j := 0; j < len(line) && !ends; j++ {
		switch c := line[j]; {
		case c == '"':
			inside = !inside
			b.WriteByte(' ')
		case inside && c == '\\' && j+1 < len(line):
			b.WriteByte(' ')
			j++
		case inside:
			b.WriteByte(c)
		case c == ';' || c == ':' && !is.first && (is.within || b.Len() > 0) && j <= last:
			ends = true
		}
	}
	return quotation{instruction: s.x86asm.FindString(b.String()), some: b.Len() > 0, ends: ends}
}

func (r *reading) site(kind siteKind, at int, text string) {
	r.of.sites = append(r.of.sites, site{kind, at + 1, strings.Clone(text), r.place()})
}

func (r *reading) directive(at int, name, argument string) {
	guarded := r.latest
	r.latest = ""
	switch name {
	case "if":
		r.begin(argument)
	case "ifdef":
		r.begin("defined(" + firstWord(argument) + ")")
	case "ifndef":
		r.latest = firstWord(argument)
		r.begin("!defined(" + r.latest + ")")
	case "elif", "elifdef", "elifndef", "else", "endif":
		r.continued(name, argument)
	case "define":
		if macro := firstWord(argument); macro == guarded && guarded != "" {
			last := &r.open[len(r.open)-1]
			last.now = last.before
		} else if macro != "" {
			r.s.macros.define(macro, r.s.macros.under(r.place()))
		}
	case "include", "include_next", "import":
		r.include(at, argument)
	case "error":
		if r.s.names.x86Alone(r.place()) {
			r.site(refusal, at, strings.Trim(argument, `"`))
		}
	}
}

// place returns what the next line stands under.
func (r *reading) place() *place {
	if len(r.open) == 0 {
		return nil
	}
	return r.open[len(r.open)-1].now
}

// maxOpen bounds the nesting of #if: what is deeper is taken for the same part.
const maxOpen = 200

func (r *reading) begin(condition string) {
	if r.s.names.arm.MatchString(condition) {
		r.of.arm = true
	}
	if len(r.open) < maxOpen {
		before := r.place()
		r.open = append(r.open, branch{before: before, now: before.and(condition), condition: condition})
	}
}

func (r *reading) continued(name, argument string) {
	if len(r.open) == 0 {
		return
	}
	if r.s.names.arm.MatchString(argument) && name != "endif" {
		r.of.arm = true
	}
	last := &r.open[len(r.open)-1]
	if name == "endif" {
		r.open = r.open[:len(r.open)-1]
		return
	}
	if last.past < maxOpen {
		last.past++
		last.before = last.before.and("!(" + last.condition + ")")
	}
	switch name {
	case "elif":
		last.condition = argument
	case "elifdef":
		last.condition = "defined(" + firstWord(argument) + ")"
	case "elifndef":
		last.condition = "!defined(" + firstWord(argument) + ")"
	default:
		last.condition = ""
	}
	last.now = last.before.and(last.condition)
}

func (r *reading) include(at int, argument string) {
	name := strings.Trim(firstWord(argument), `<>"`)
	switch base := path.Base(name); {
	case isX86Header(name):
		r.site(header, at, name)
	case name == "arm_neon.h" || base == "sse2neon.h" || strings.HasPrefix(name, "simde/"):
		r.of.arm = true
	default:
		if r.s.names.arm.MatchString(base) {
			r.of.arm = true
		}
		base = strings.Clone(base)
		r.s.included[base] = append(r.s.included[base], r.place())
	}
}

func firstWord(text string) string {
	if i := strings.IndexAny(text, " \t("); i > 0 {
		return text[:i]
	}
	return text
}

func (s *source) settle(r *Report) {
	s.macros.pass++
	for base, all := range s.included {
		s.foreign[base] = !slices.ContainsFunc(all, func(p *place) bool { return s.macros.under(p) > no })
	}
	for _, f := range s.files {
		s.judge(f, r)
	}
}

// judge decides about a file with something of x86.
func (s *source) judge(f sourceFile, r *Report) {
	var found []Finding
	guarded := site{line: -1}
	for _, at := range f.sites {
		switch t := s.macros.under(at.under); {
		case t > no:
			found = append(found, s.finding(f, at, t))
		case at.kind != refusal && guarded.line < 0 && at.kind != builtinCall:
			guarded = at
		}
	}
	switch {
	case len(found) > 0 && (strings.Contains(f.path, "try_compile") || strings.Contains(f.path, "conftest")):
		r.alternative(s.id(), f.path, "is compiled to try whether it can be")
	case len(found) > 0 && s.guardedByItsName(f):
		r.alternative(s.id(), f.path, "is compiled for x86 alone, and there are files for arm64 beside it")
	case len(found) > 0:
		for _, one := range merged(found) {
			r.add(s.softened(f, one))
		}
	case guarded.line >= 0 && f.arm:
		r.alternative(s.id(), f.path, "its code for x86 is guarded, and it has code for arm64")
	case guarded.line >= 0:
		s.generic(f, guarded, r)
	}
}

// generic tells of a file whose code for x86 is guarded, and that has none for arm64.
func (s *source) generic(f sourceFile, at site, r *Report) {
	if at.kind == header && !f.uses || at.kind == inlineAsm && s.trivial(at.text) || s.guardedByItsName(f) {
		r.alternative(s.id(), f.path, "its code for x86 is guarded")
		return
	}
	r.add(Finding{Check: s.id(), Severity: RunsSlowly, File: f.path, Line: at.line,
		Says: fmt.Sprintf("%s is guarded, and the file has no code for arm64: generic code runs there, if there is any",
			s.what(at)),
		Remedy: "measure it on arm64; if it matters, write a NEON part or take a library that has one"})
}

// trivial reports whether assembly asks the processor something or waits, so that nothing is calculated slower without
// it.
func (s *source) trivial(text string) bool {
	return slices.Contains(strings.Fields("cpuid rdtsc rdtscp xgetbv pause rep mfence lfence sfence int3"), text) ||
		strings.HasPrefix(text, "prefetch")
}

func (s *source) finding(f sourceFile, at site, t truth) Finding {
	out := Finding{Check: s.id(), Severity: WillNotBuild, File: f.path, Line: at.line,
		Says: s.what(at) + " compiles for x86 alone, and nothing guards it"}
	if t == maybe {
		out.Severity, out.Says = WorthChecking, s.what(at)+" compiles for x86 alone, under a condition that does not name it"
	}
	switch at.kind {
	case header:
		out.Remedy = "guard it by #ifdef __x86_64__ and give arm64 NEON or generic code, or include sse2neon.h or " +
			"SIMDe instead"
	case refusal:
		out.Says = "refuses all but x86: #error " + at.text
		out.Remedy = "add arm64 to the condition, with a part of its own or the generic one"
	default:
		out.Remedy = "guard it by #ifdef __x86_64__, with a compiler's builtin or a library's function for other processors"
	}
	return out
}

func (s *source) what(at site) string {
	switch at.kind {
	case header:
		return "<" + at.text + ">"
	case builtinCall:
		return at.text + "()"
	}
	return "inline assembly of x86 (" + at.text + ")"
}

// guardedByItsName reports whether a file is chosen for x86 from outside: every file that includes it does so for x86
// alone, or its path names x86 and there are files for arm64 or guards beside it.
func (s *source) guardedByItsName(f sourceFile) bool {
	return s.foreign[path.Base(f.path)] || s.names.x86(f.path) && slices.ContainsFunc(besides(f.path),
		func(dir string) bool { return s.arm[dir] })
}

// softened lowers what is found in a file that is for x86 by its name: what builds it may leave it out.
func (s *source) softened(f sourceFile, one Finding) Finding {
	if one.Severity == WillNotBuild && s.names.x86(f.path) {
		one.Severity = WorthChecking
		one.Says = strings.TrimSuffix(one.Says, ", and nothing guards it") +
			"; the file is for x86 by its name, and none for arm64 is beside it"
	}
	return one
}

// withoutComments blanks the comments of C and keeps the lines.
func withoutComments(text []byte) []byte {
	out := slices.Clone(text)
	const code, line, block, double, single = 0, 1, 2, 3, 4
	state := code
	for i := 0; i < len(out); i++ {
		c, next := out[i], byte(0)
		if i+1 < len(out) {
			next = out[i+1]
		}
		switch state {
		case code:
			switch {
			case c == '/' && next == '/':
				state, out[i] = line, ' '
			case c == '/' && next == '*':
				state, out[i], out[i+1] = block, ' ', ' '
				i++
			case c == '"':
				state = double
			case c == '\'':
				state = single
			}
		case line:
			if c == '\n' {
				state = code
			} else {
				out[i] = ' '
			}
		case block:
			if c == '*' && next == '/' {
				state, out[i], out[i+1] = code, ' ', ' '
				i++
			} else if c != '\n' {
				out[i] = ' '
			}
		default:
			if c == '\\' && next != '\n' {
				i++
			} else if c == '\n' || state == double && c == '"' || state == single && c == '\'' {
				state = code
			}
		}
	}
	return out
}
