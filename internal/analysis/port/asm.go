package port

import (
	"path"
	"regexp"
	"strings"
)

// assembly finds files of assembly for x86 that are not Go's.
type assembly struct {
	names                          names
	goes, amd, arm, guard, windows *regexp.Regexp
	stems                          stems
	files                          []string
	arms                           map[string]bool // stems of counterparts' paths
	folders, bases                 map[string]bool // their folders, and stems of their names alone
}

func newAssembly() *assembly {
	return &assembly{names: newNames(), stems: newStems(), arms: map[string]bool{}, folders: map[string]bool{},
		bases:   map[string]bool{},
		windows: regexp.MustCompile(`(?i)nasm|masm|win`),
		goes:    regexp.MustCompile(`(?m)^TEXT\s|textflag\.h`),
		amd: regexp.MustCompile(
			`(?i)%[re]?[abcd]x\b|%[re][sd]i\b|%rsp|%[xyz]mm\d|\b[re][abcd]x\b|\b[xyz]mm\d+\b|\br[sb]p\b`),
		arm:   regexp.MustCompile(`(?i)\bv\d+\.(?:16b|8h|4s|2d)|\bldp\s+x\d|\bstp\s+x\d|\bld1\s*\{|\badd\s+x\d+,`),
		guard: regexp.MustCompile(`(?m)^\s*#\s*if.*(?:x86|amd64|X86|AMD64|i386)`)}
}

func (*assembly) id() string { return "assembly" }

func (*assembly) doc() string {
	return "assembly for x86 without a counterpart for arm64"
}

func (*assembly) needs(file string, _ []byte) Need {
	switch path.Ext(file) {
	case ".s", ".S", ".asm", ".nasm", ".sx":
		return Whole
	}
	return Nothing
}

func (a *assembly) look(f File, r *Report) {
	switch text := f.Data; {
	case a.goes.Match(text):
	case a.arm.Match(text) || a.names.arm.MatchString(f.Path):
		a.arms[a.stems.of(f.Path)] = true
		a.folders[path.Dir(f.Path)] = true
		a.bases[a.stems.of(f.Base())] = true
	case a.guard.Match(text):
		r.alternative(a.id(), f.Path, "its code for x86 is guarded")
	case a.amd.Match(text):
		a.files = append(a.files, f.Path)
	}
}

func (a *assembly) settle(r *Report) {
	endings := map[string]map[string]bool{} // by the path without it: several are for several assemblers
	for _, f := range a.files {
		without := strings.TrimSuffix(f, path.Ext(f))
		if endings[without] == nil {
			endings[without] = map[string]bool{}
		}
		endings[without][path.Ext(f)] = true
	}
	for _, f := range a.files {
		switch {
		case a.arms[a.stems.of(f)] || a.folders[path.Dir(f)] || a.bases[a.stems.of(path.Base(f))]:
			r.alternative(a.id(), f, "there is assembly for arm64 too")
		case strings.EqualFold(path.Ext(f), ".asm") &&
			(len(endings[strings.TrimSuffix(f, path.Ext(f))]) > 1 || a.windows.MatchString(path.Base(f))):
			r.alternative(a.id(), f, "is for an assembler of Windows")
		default:
			r.add(Finding{Check: a.id(), Severity: WorthChecking, File: f, Line: 1,
				Says:   "assembly for x86, and none for arm64 is there: what builds it has to leave it out",
				Remedy: "see that its functions have a form in C for arm64, and measure that"})
		}
	}
}
