package codepath

import (
	"fmt"
	"slices"

	"plimsoll/internal/analysis/trialset"
	"plimsoll/internal/record"
)

// unequalPaths returns why the code paths that two sides of a cell took are not like for like, "" if they are or if a
// side states none; same if both sides are of one architecture.
//
// One path is equal to itself. Two paths are equal if they are code of one kind, and either both or neither are short
// of the best that their library has for their CPU: GFNI against NEON is the best of both CPUs, AVX2 on a CPU with GFNI
// against NEON is not. Paths of unknown libraries are unequal if they differ between architectures, since nothing tells
// that they are equal.
func unequalPaths(a, b stand, same bool) string {
	known := a.code != "" && b.code != ""
	switch {
	case a.path == b.path || a.path == "" || b.path == "":
		return ""
	case !known && same:
		return ""
	case !known:
		return fmt.Sprintf("%s against %s, which are not known to be alike", a, b)
	case a.code == b.code && (a.best == "") == (b.best == ""):
		return ""
	}
	return fmt.Sprintf("%s against %s", a, b)
}

// sameArch reports whether two paths are of one architecture: those of two levels of a factor, which one machine ran,
// are; those of two machines are not if an architecture is unknown.
func sameArch(by string, a, b stand) bool {
	return !trialset.AcrossMachines(by) || a.arch != "" && a.arch == b.arch
}

// String returns the path with the better one that its CPU could have taken.
func (s stand) String() string {
	if s.best == "" {
		return s.path
	}
	return fmt.Sprintf("%s (this CPU can do %s)", s.path, s.best)
}

// Unequal returns why the code paths of the two sides of a cell are not alike, "" if they are, and whether both are of
// one architecture.
func Unequal(by string, m trialset.Matched, fleet trialset.Fleet) (why string, sameArchitecture bool) {
	for _, a := range standsOf(m.A, fleet) {
		for _, b := range standsOf(m.B, fleet) {
			same := sameArch(by, a, b)
			if why = unequalPaths(a, b, same); why != "" {
				return why, same
			}
		}
	}
	return "", true
}

// standsOf returns the paths of a side's valid trials, each once.
func standsOf(trials []record.Trial, fleet trialset.Fleet) []stand {
	var out []stand
	type ran struct{ machine, workload, path string }
	seen := map[ran]bool{}
	for _, t := range trialset.Valid(trials) {
		r := ran{t.Keys[record.KeyMachine], trialset.WorkloadOf(t), t.Keys[record.KeyPath]}
		if seen[r] {
			continue
		}
		seen[r] = true
		s := standOf(trialset.WorkloadOf(t), t.Keys[record.KeyPath], fleet.Of(t))
		if !slices.ContainsFunc(out, func(o stand) bool { return o.path == s.path }) {
			out = append(out, s)
		}
	}
	return out
}
