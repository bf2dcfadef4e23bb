package port

import (
	"regexp"
	"slices"
	"strings"
)

// truth is what is known of a condition when arm64 is compiled for.
type truth int8

const (
	no truth = iota
	maybe
	yes
)

func (t truth) not() truth { return yes - t }

// macros says what is known of a macro when GCC or Clang compiles for Linux on arm64.
type macros struct {
	names    names
	token    *regexp.Regexp
	negative *regexp.Regexp
	fixed    map[string]truth
	defined  map[string]truth // of the tree: what its definitions hold under at most
	pass     int              // 1 while files are read, more once all macros are known
}

func newMacros() *macros {
	m := &macros{names: newNames(),
		token:    regexp.MustCompile(`[A-Za-z_]\w*|\d\w*|&&|\|\||[<>=!]=|<<|>>|<[\w/.]+>|"[^"]*"|[^\s\w]`),
		negative: regexp.MustCompile(`(?i)(^|_)(NO|NOT|DISABLED?|WITHOUT|FORCE|SKIP)(_|$)|_NO[A-Z]`),
		fixed:    map[string]truth{}, defined: map[string]truth{}, pass: 1}
	for _, name := range strings.Fields("__GNUC__ __linux__ linux __linux __unix__ unix __unix __LP64__ _LP64 __ELF__ " +
		"__SIZEOF_INT128__ " +
		"__aarch64__ __ARM_NEON __ARM_NEON__ __ARM_ARCH __ARM_64BIT_STATE __LITTLE_ENDIAN__ __STDC__") {
		m.fixed[name] = yes
	}
	for _, name := range strings.Fields("_MSC_VER _WIN32 WIN32 _WIN64 WIN64 " +
		"__APPLE__ __MACH__ __CYGWIN__ __MINGW32__ __MINGW64__ __FreeBSD__ __OpenBSD__ __NetBSD__ " +
		"__DragonFly__ __sun __sun__ _AIX __hpux __HAIKU__ __EMSCRIPTEN__ " +
		"__arm__ __ARM_EABI__ _M_ARM _M_ARM64 __powerpc__ __powerpc64__ __ppc__ __PPC__ __PPC64__ " +
		"__ALTIVEC__ __VSX__ __s390__ __s390x__ __riscv __mips__ __mips __sparc__ __sparc __ia64__ __alpha__ " +
		"__loongarch__ __wasm__ __hppa__ __INTEL_COMPILER __CUDACC__ _M_X64 _M_IX86 _M_AMD64 __e2k__") {
		m.fixed[name] = no
	}
	return m
}

// of returns what is known of a macro.
func (m *macros) of(name string) truth {
	if t, ok := m.fixed[name]; ok {
		return t
	}
	if strings.HasPrefix(name, "__ARM_") || m.names.arm.MatchString(name) {
		return maybe
	}
	if m.names.x86(name) && !m.negative.MatchString(name) {
		return no
	}
	if t, ok := m.defined[name]; ok && t == no {
		return no
	}
	return maybe
}

// define notes that a macro is defined where a condition has this truth.
func (m *macros) define(name string, under truth) {
	if old, ok := m.defined[name]; !ok || under > old {
		m.defined[strings.Clone(name)] = under
	}
}

// eval evaluates the condition of #if. What cannot be understood may be true.
func (m *macros) eval(expr string) truth {
	p := &condition{m: m, tokens: m.token.FindAllString(expr, maxTokens)}
	t := p.or(0)
	if p.at < len(p.tokens) && p.tokens[p.at] != ")" {
		return maybe
	}
	return t
}

// The limits of a condition.
const (
	maxDepth  = 64 // brackets in brackets
	maxTokens = 1000
)

// condition is a parser of the expressions of #if.
type condition struct {
	m      *macros
	tokens []string
	at     int
}

func (p *condition) next() string {
	if p.at < len(p.tokens) {
		return p.tokens[p.at]
	}
	return ""
}

func (p *condition) or(depth int) truth {
	t := p.and(depth)
	for p.next() == "||" {
		p.at++
		t = max(t, p.and(depth))
	}
	return t
}

func (p *condition) and(depth int) truth {
	t := p.compared(depth)
	for p.next() == "&&" {
		p.at++
		t = min(t, p.compared(depth))
	}
	return t
}

// compared reads an operand. Of one that is compared, only "more than" is known: false of a macro that is not defined,
// true of the version of a compiler.
func (p *condition) compared(depth int) truth {
	t := p.unary(depth)
	operator := ""
	for tok := p.next(); tok != "" && tok != ")" && tok != "&&" && tok != "||"; tok = p.next() {
		if operator == "" {
			operator = tok
		}
		p.at++
		if tok == "(" {
			p.or(depth + 1)
			p.close()
		}
	}
	if operator == "" || t != maybe && (operator == ">" || operator == ">=") {
		return t
	}
	return maybe
}

func (p *condition) close() {
	if p.next() == ")" {
		p.at++
	}
}

func (p *condition) unary(depth int) truth {
	tok := p.next()
	p.at++
	switch {
	case tok == "" || depth > maxDepth:
		return maybe
	case tok == "!":
		return p.unary(depth + 1).not()
	case tok == "(":
		t := p.or(depth + 1)
		p.close()
		return t
	case tok == "defined":
		name := p.argument()
		return p.m.of(name)
	case tok == "0":
		return no
	case tok[0] >= '0' && tok[0] <= '9':
		return yes
	case p.next() == "(":
		return p.called(tok)
	}
	return p.m.of(tok)
}

// argument reads a name that may be in brackets.
func (p *condition) argument() string {
	if p.next() != "(" {
		name := p.next()
		p.at++
		return name
	}
	p.at++
	name := p.next()
	p.at++
	p.close()
	return name
}

// called evaluates a macro with arguments: headers of x86 are not there on arm64.
func (p *condition) called(name string) truth {
	var text strings.Builder
	depth := 0
	for ; p.at < len(p.tokens); p.at++ {
		switch tok := p.next(); tok {
		case "(":
			depth++
		case ")":
			depth--
		default:
			text.WriteString(tok)
		}
		if depth == 0 {
			p.at++
			break
		}
	}
	if strings.HasPrefix(name, "__has_include") && isX86Header(strings.Trim(text.String(), `<>"`)) {
		return no
	}
	return maybe
}

// isX86Header reports whether a header exists for x86 alone.
func isX86Header(name string) bool {
	switch name {
	case "cpuid.h", "x86intrin.h", "x86gprintrin.h", "ia32intrin.h":
		return true
	}
	return strings.HasSuffix(name, "mmintrin.h") || strings.HasPrefix(name, "avx") && strings.HasSuffix(name, "intrin.h")
}

// branch is a group of #if to #endif that is open.
type branch struct {
	before    *place // what its parts stand under: all around it, and that its past parts do not hold
	now       *place // what its present part stands under; before, if it is against a second inclusion
	condition string // of the present part
	past      int
}

// place is the innermost of the conditions that a line stands under. Lines share those around them, so that the
// conditions of a file take no more room than its text, and each is looked at once, however many lines stand under it.
type place struct {
	above     *place
	condition string
	pass      int   // of macros, for which truth holds
	truth     truth // of this condition and all above
	named     bool  // whether x86 and arm are known
	x86, arm  bool  // this condition or one above names it
}

// and returns a place under one more condition; "" is none.
func (p *place) and(condition string) *place {
	if condition == "" {
		return p
	}
	return &place{above: p, condition: strings.Clone(condition)}
}

// upTo returns the places from p up to one that is known, the outermost first, and that one.
func (p *place) upTo(known func(*place) bool) (places []*place, end *place) {
	for ; p != nil && !known(p); p = p.above {
		places = append(places, p)
	}
	slices.Reverse(places)
	return places, p
}

// under returns the truth of all conditions at a place, by the macros that are known when it is first asked in a pass.
func (m *macros) under(p *place) truth {
	places, end := p.upTo(func(p *place) bool { return p.pass == m.pass })
	t := yes
	if end != nil {
		t = end.truth
	}
	for _, p := range places {
		t = min(t, m.eval(p.condition))
		p.truth, p.pass = t, m.pass
	}
	return t
}

// x86Alone reports whether the conditions at a place name x86, and arm64 not.
func (n names) x86Alone(p *place) bool {
	places, end := p.upTo(func(p *place) bool { return p.named })
	var last place
	if end != nil {
		last = *end
	}
	for _, p := range places {
		p.x86 = last.x86 || n.x86(p.condition)
		p.arm = last.arm || strings.Contains(p.condition, "aarch64") || strings.Contains(p.condition, "ARM64")
		p.named, last = true, *p
	}
	return last.x86 && !last.arm
}
