package explain

import (
	"slices"
	"strconv"
	"strings"

	"plimsoll/internal/analysis/category"
	"plimsoll/internal/analysis/issue"
	"plimsoll/internal/analysis/trialset"
	"plimsoll/internal/record"
	"plimsoll/internal/record/stat"
)

// Issue is a known source of avoidable cost on a machine or with a setting, found on a side.
type Issue struct {
	ID       string        `json:"id"`
	Side     string        `json:"side,omitempty"` // "a", "b" or "both"; "" for a single benchmark
	Category category.Name `json:"category"`
	Says     string        `json:"says"`
	Remedy   string        `json:"remedy"`
	Source   string        `json:"source"`             // its reference
	Versions string        `json:"versions,omitempty"` // of the software that has it; "": it is none of its version
}

// sideFacts are the facts about one side that rules test.
type sideFacts struct {
	workload string
	keys     map[string]string // those equal in all its trials
	machine  record.Machine
	costs    []profiledTrial
}

// applies reports whether a rule holds of a side whose software has one of its versions.
func (r issueRule) applies(f, other sideFacts) bool {
	return (r.versions.Of == "" || f.affected(r.versions)) && r.holds(f, other)
}

// issueRule is a condition on a side, given the other one, under which an issue applies.
type issueRule struct {
	id       string
	category category.Name
	versions issue.Versions // without which it does not apply; zero: any
	holds    func(f, other sideFacts) bool
	says     string
	remedy   string
	source   string
}

func (e *explainer) issues(s sides) []Issue {
	out := []Issue{}
	a, b := e.factsOf(s.a), e.factsOf(s.b)
	for _, r := range issueRules() {
		i := Issue{ID: r.id, Category: r.category, Says: r.says, Remedy: r.remedy, Source: r.source,
			Versions: r.versions.String()}
		switch onA, onB := r.applies(a, b), r.applies(b, a); {
		case onA && onB:
			i.Side = "both"
		case onA:
			i.Side = "a"
		case onB:
			i.Side = "b"
		default:
			continue
		}
		out = append(out, i)
	}
	return out
}

func (e *explainer) factsOf(of []profiledTrial) sideFacts {
	f := sideFacts{keys: map[string]string{}, costs: of, workload: trialset.WorkloadOf(*of[0].trial),
		machine: e.fleet.Of(*of[0].trial)}
	for key, value := range of[0].trial.Keys {
		if !slices.ContainsFunc(of, func(c profiledTrial) bool { return c.trial.Keys[key] != value }) {
			f.keys[key] = value
		}
	}
	return f
}

// param returns a parameter's value; "" if unset.
func (f sideFacts) param(name string) string { return f.keys[f.workload+"."+name] }

// size returns a parameter in bytes; 0 if unset.
func (f sideFacts) size(name string) int64 {
	n, err := record.ParseSize(f.param(name))
	if err != nil {
		return 0
	}
	return n
}

// setting returns a line of the broker's settings, as in server.properties; "" if unset.
func (f sideFacts) setting(name string) string {
	for line := range strings.Lines(f.param("broker.settings")) {
		if key, value, ok := strings.Cut(line, "="); ok && strings.TrimSpace(key) == name {
			return strings.TrimSpace(value)
		}
	}
	return ""
}

// below reports whether a setting is a number from 0 up and under a limit.
func (f sideFacts) below(name string, limit int64) bool {
	n, err := strconv.ParseInt(f.setting(name), 10, 64)
	return err == nil && n >= 0 && n < limit
}

// hasJavaOption reports whether the Java runtime has one of these options, set directly or by its environment.
func (f sideFacts) hasJavaOption(options ...string) bool {
	javaOptions := strings.Fields(f.param("broker.java_options") + " " + f.keys[record.EnginePrefix+"java"])
	return slices.ContainsFunc(javaOptions, func(word string) bool {
		return slices.ContainsFunc(options, func(o string) bool { return strings.HasSuffix(word, o) })
	})
}

// affected reports whether the engine that a range is about has one of its versions. A runtime tells its version
// exactly: 17+35 is 17.0.0.
func (f sideFacts) affected(r issue.Versions) bool {
	version := f.keys[record.EnginePrefix+r.Of]
	if major, build, ok := strings.Cut(version, "+"); ok && !strings.Contains(major, ".") {
		version = major + ".0.0+" + build
	}
	return r.Affects(version)
}

func (f sideFacts) feature(name string) bool { return slices.Contains(f.machine.CPU.Features, name) }

// share returns the share of the CPU time in a category, 0 to 1; 0 without profiles.
func (f sideFacts) share(c category.Name) float64 {
	var all []float64
	for _, t := range f.costs {
		if t.cpu != nil {
			all = append(all, t.cpu.Of(c).Share)
		}
	}
	if len(all) == 0 {
		return 0
	}
	return stat.Mean(all)
}

// function returns the share of the CPU time in innermost functions of these names.
func (f sideFacts) function(patterns ...string) float64 {
	sum, n := 0.0, 0
	for _, t := range f.costs {
		if t.cpu == nil || !(t.cpu.PerOp > 0) {
			continue
		}
		n++
		sum += t.cpu.OfFunctions(patterns...) / t.cpu.PerOp
	}
	if n == 0 {
		return 0
	}
	return sum / float64(n)
}
