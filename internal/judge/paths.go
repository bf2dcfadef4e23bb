package judge

import (
	"fmt"
	"maps"
	"slices"

	"plimsoll/internal/finding"
	"plimsoll/internal/record"
	"plimsoll/internal/trialset"
)

// unequalPaths says why the code paths that two sides of a cell took are not
// like for like, "" where they are or where a side states none.
//
// One path is equal to itself. Two paths are equal where they are code of one
// kind, and either both or neither are short of the best that their library
// has for their CPU: GFNI against NEON is what the two CPUs can do, AVX2 on a CPU with GFNI
// against NEON is not. Paths of libraries that are not known here are unequal
// where they differ between architectures, since nothing tells that they are equal.
//
// same says that both sides are of one architecture.
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

// sameArch is true of two levels of a factor, which one machine ran; of two
// machines it is false where an architecture is not known.
func (j judgement) sameArch(a, b stand) bool {
	return !trialset.AcrossMachines(j.axis.By) || a.arch != "" && a.arch == b.arch
}

// String is the path with the better one that its CPU could have taken.
func (s stand) String() string {
	if s.best == "" {
		return s.path
	}
	return fmt.Sprintf("%s (this CPU can do %s)", s.path, s.best)
}

// unequal is what unequalPaths says of the sides of a cell, and whether they may
// be compared for all that: on one architecture they may.
func (j judgement) unequal(m trialset.Matched) (why string, may bool) {
	for _, a := range j.stands(m.A) {
		for _, b := range j.stands(m.B) {
			same := j.sameArch(a, b)
			if why = unequalPaths(a, b, same); why != "" {
				return why, same || j.AllowUnequalPaths
			}
		}
	}
	return "", true
}

// stands are the paths of a side's valid trials, without repetition.
func (j judgement) stands(trials []record.Trial) []stand {
	var out []stand
	type ran struct{ machine, workload, path string }
	seen := map[ran]bool{}
	for _, t := range trialset.Valid(trials) {
		r := ran{t.Keys[record.KeyMachine], trialset.WorkloadOf(t), t.Keys[record.KeyPath]}
		if seen[r] {
			continue
		}
		seen[r] = true
		s := standOf(trialset.WorkloadOf(t), t.Keys[record.KeyPath], j.fleet.Of(t))
		if !slices.ContainsFunc(out, func(o stand) bool { return o.path == s.path }) {
			out = append(out, s)
		}
	}
	return out
}

// likeForLike parts the cells that may be compared from those that may not, and
// says of the latter why.
func (j judgement) likeForLike(both []trialset.Matched) (may []trialset.Matched, refused []string) {
	for _, m := range both {
		if why, ok := j.unequal(m); !ok {
			refused = append(refused, fmt.Sprintf("%s: %s", j.name(m), why))
			continue
		}
		may = append(may, m)
	}
	return may, refused
}

// name is a cell's place in the words of tables.
func (j judgement) name(m trialset.Matched) string {
	p, shown := m.Place, maps.Clone(m.Params)
	for _, minor := range trialset.MinorOf(m.A[0], j.plans) {
		delete(shown, minor)
	}
	p.Params = trialset.ParamsText(shown)
	return p.String()
}

// doubtKinds states the code path and the regime of each side, and flags where
// they are unequal and compared nevertheless.
func (j judgement) doubtKinds(c *finding.Comparison, m trialset.Matched) {
	a, b := trialset.Valid(m.A), trialset.Valid(m.B)
	c.PathA, c.PathB = trialset.Common(a, record.KeyPath), trialset.Common(b, record.KeyPath)
	c.RegimeA, c.RegimeB = trialset.Common(a, record.KeyRegime), trialset.Common(b, record.KeyRegime)
	if !c.Primary {
		return
	}
	if why, _ := j.unequal(m); why != "" {
		c.Flag("unequal-code-paths", why)
	}
	if c.RegimeA != "" && c.RegimeB != "" && c.RegimeA != c.RegimeB {
		c.Flag("unequal-regimes", regimeText(c.RegimeA), regimeText(c.RegimeB))
	}
}

func regimeText(regime string) string {
	switch regime {
	case record.RegimeBetween:
		return "cache in part"
	case record.RegimeDRAM:
		return "DRAM"
	}
	return regime
}
