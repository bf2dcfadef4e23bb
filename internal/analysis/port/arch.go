package port

import (
	"path"
	"regexp"
	"strings"
)

// vectors are the names of x86's instruction sets, as files, macros and options have them.
const vectors = `mmx|sse|sse2|sse3|ssse3|sse4|sse4[._]?[12]|sse4a|avx|avx2|avx512\w*|avxvnni|xop|fma3|fma4|f16c|` +
	`bmi|bmi1|bmi2|aesni|aes_ni|pclmul|pclmulqdq|vpclmulqdq|vaes|gfni|popcnt|lzcnt|shani|sha_ni|rdrand|rdseed|rdtsc`

// processors are x86 processors by their names as -march takes them.
const processors = `nehalem|westmere|sandybridge|ivybridge|haswell|broadwell|skylake(?:-avx512)?|cannonlake|icelake(?:-client|-server)?|` +
	`cascadelake|cooperlake|` +
	`sapphirerapids|graniterapids|tigerlake|alderlake|rocketlake|znver[1-9]|bdver[1-9]|btver[1-9]|k8(?:-sse3)?|athlon\w*|opteron\w*|amdfam10|barcelona|` +
	`atom|silvermont|goldmont|bonnell|knl|knm|core2|core-avx2|core-avx-i|corei7(?:-avx)?|nocona|prescott|pentium\w*`

// machines are the names of the x86 architecture itself.
const machines = `x86[_-]64|x86|x64|amd64|i[3-6]86|ia32`

// arms are the names of arm64 and of its instruction sets.
const arms = `aarch[_-]?64|arm64|armv[89]\w*|arm|neon|asimd|sve2?|sse2neon|simde`

// names finds names of architectures in paths, macros and conditions.
type names struct{ machine, vector, arm *regexp.Regexp }

func word(alternatives string) *regexp.Regexp {
	return regexp.MustCompile(`(?i)(?:^|[^a-z0-9])(?:` + alternatives + `)(?:$|[^a-z0-9])`)
}

func newNames() names {
	return names{
		machine: word(machines),
		vector:  regexp.MustCompile(`(?i)(?:^|[^a-z0-9]|[a-z]{3})(?:` + vectors + `|` + processors + `)(?:$|[^a-z0-9])`),
		arm:     regexp.MustCompile(`(?i)(?:^|[^a-z0-9])(?:` + arms + `)(?:$|[^a-z0-9])|neon|aarch64|arm64`),
	}
}

// x86 reports whether a text names x86 or one of its instruction sets.
func (n names) x86(text string) bool {
	return n.machine.MatchString(text) || n.vector.MatchString(text)
}

// stems takes the names of architectures out of paths, so that counterparts have the same.
type stems struct{ names, marks *strings.Replacer }

func newStems() stems {
	return stems{names: strings.NewReplacer("linux64", "linux", "linux32", "linux",
		"x86_64", "", "x86-64", "", "x8664", "", "x86", "", "x64", "", "amd64", "",
		"i386", "", "i486", "", "i586", "", "i686", "", "ia32", "",
		"aarch_64", "", "aarch-64", "", "aarch64", "", "arm64", "", "armv8", ""),
		marks: strings.NewReplacer("-", "", "_", "", ".", "", "/", "", "!", "")}
}

// of returns the stem of a path.
func (s stems) of(file string) string { return s.marks.Replace(s.names.Replace(strings.ToLower(file))) }

// besides returns the folder of a file and the one above, where a counterpart may lie.
func besides(file string) []string {
	dir := path.Dir(file)
	return []string{dir, path.Dir(dir)}
}

// container returns the archive that holds a file, "" if none does.
func container(file string) string {
	if i := strings.LastIndex(file, "!/"); i >= 0 {
		return file[:i]
	}
	return ""
}

// isTest reports whether a file serves tests alone, by its path.
func isTest(file string) bool {
	for _, part := range strings.Split(strings.ToLower(file), "/") {
		switch part {
		case "test", "tests", "testdata", "testing", "fixtures":
			return true
		}
	}
	return false
}
