// Package codepath holds the code paths of the two sides of a cell against each other: whether both took code of one
// kind.
package codepath

import (
	"slices"

	"plimsoll/internal/record"
)

// code is a kind of code that a library has for one job.
type code string

// The kinds of code, as far as architectures can be held against each other.
const (
	portable code = "portable" // for any CPU
	partial  code = "partial"  // the CPU's instructions, not for all of the job
	full     code = "full"     // the CPU's instructions throughout
)

// rung is code of one kind that a library has for one architecture.
type rung struct {
	code  code
	needs []string // features, as record.CPU has them
	paths []string // as record.KeyPath has them
}

// ladder is a library's code for one architecture, the best first.
type ladder struct {
	workload, arch string
	rungs          []rung
}

// ladders returns those of the libraries whose paths trials state. A library that has no GFNI code does not fall short
// on a CPU with GFNI: only a rung of its own can be missed. NEON and SVE stand on one rung, since the length of the
// CPU's vectors decides which of the two a library takes.
func ladders() []ladder {
	generic := rung{portable, nil, []string{"generic"}}
	return []ladder{
		{"erasure", "amd64", []rung{
			{full, []string{"gfni", "avx512f", "avx512dq"}, []string{"gfni+avx512"}},
			{full, []string{"gfni", "avx"}, []string{"gfni+avx"}},
			{full, []string{"avx2"}, []string{"avx2"}},
			{partial, []string{"avx2"}, []string{"avx2 tables"}},
			{partial, []string{"sse4_2"}, []string{"ssse3 tables"}},
			generic,
		}},
		{"erasure", "arm64", []rung{
			{full, []string{"asimd"}, []string{"sve", "neon"}},
			{partial, []string{"asimd"}, []string{"neon tables"}},
			generic,
		}},
		{"highwayhash", "amd64", []rung{
			{full, []string{"avx2"}, []string{"avx2"}},
			{full, []string{"sse4_2"}, []string{"sse4.1"}},
			generic,
		}},
		{"highwayhash", "arm64", []rung{{full, []string{"asimd"}, []string{"sve", "neon"}}, generic}},
		{"aes-gcm", "amd64", []rung{{full, []string{"aes", "pclmulqdq"}, []string{"aes-ni+pclmulqdq"}}, generic}},
		{"aes-gcm", "arm64", []rung{{full, []string{"aes", "pmull"}, []string{"aes+pmull"}}, generic}},
	}
}

// stand is a code path and its rung on its ladder.
type stand struct {
	path string
	arch string // "" if neither the machine nor the path tells
	rung        // of the path; without code if the path is on no ladder
	best string // the path that this machine's CPU could take as well, if it is a better one
}

// standOf seeks a path among those of the machine's architecture; of a machine
// that is not known, among all.
func standOf(workload, path string, m record.Machine) stand {
	s := stand{path: path, arch: m.Arch}
	for _, l := range ladders() {
		if l.workload != workload || m.Arch != "" && l.arch != m.Arch {
			continue
		}
		for _, r := range l.rungs {
			if slices.Contains(r.paths, path) {
				s.rung = r
				if s.arch == "" && r.code != portable {
					s.arch = l.arch
				}
				return s
			}
			if s.best == "" && offers(m.CPU, r.needs) {
				s.best = r.paths[len(r.paths)-1]
			}
		}
		s.best = ""
	}
	return s
}

// offers reports whether a CPU is known to have all of the features.
func offers(c record.CPU, features []string) bool {
	return !slices.ContainsFunc(features, func(f string) bool { return !slices.Contains(c.Features, f) })
}
