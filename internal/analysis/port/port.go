// Package port decides from files and lists of packages what will not build or run on arm64, or runs slowly there. It
// is given bytes with their paths and touches nothing else; package gather reads folders, archives and images for it.
package port

import (
	"cmp"
	"path"
	"slices"
	"strings"
)

// Severity is what a finding means for those who move to arm64.
type Severity string

// The severities, the gravest first.
const (
	WillNotBuild  Severity = "will not build"
	WillNotRun    Severity = "will not run"
	RunsSlowly    Severity = "runs slowly"
	WorthChecking Severity = "worth checking"
)

// Severities returns all of them, the gravest first.
func Severities() []Severity { return []Severity{WillNotBuild, WillNotRun, RunsSlowly, WorthChecking} }

// Finding is something that stands in the way of arm64, at its first line in a file.
type Finding struct {
	Check    string   `json:"check"`
	Severity Severity `json:"severity"`
	File     string   `json:"file"` // what is in an archive follows its name and "!/"
	Line     int      `json:"line"` // 0 for the whole file
	More     int      `json:"more"` // further lines of the file that the same remedy mends
	Says     string   `json:"says"`
	Remedy   string   `json:"remedy"`
	Source   string   `json:"source,omitempty"` // where it is known from
}

// Alternative is code for x86 that has a counterpart for arm64: no finding.
type Alternative struct {
	Check string `json:"check"`
	File  string `json:"file"`
	Says  string `json:"says"`
}

// Unjudged is a package about which nothing can be said without asking a registry.
type Unjudged struct {
	File    string `json:"file"`
	Name    string `json:"name"`
	Version string `json:"version"`
	Why     string `json:"why"`
}

// LeftOut is a file that was not read, or not all of it.
type LeftOut struct {
	File string `json:"file"`
	Why  string `json:"why"`
}

// Report is what is known of a folder, an archive, an image or a list.
type Report struct {
	Format       int           `json:"format"`
	Name         string        `json:"name"`
	Files        int           `json:"files"` // looked at
	Findings     []Finding     `json:"findings"`
	Alternatives []Alternative `json:"alternatives"`
	Packages     int           `json:"packages"` // in lists
	NotJudged    []Unjudged    `json:"not_judged"`
	LeftOut      []LeftOut     `json:"left_out"`
}

// Count returns how many findings have a severity.
func (r Report) Count(s Severity) int {
	n := 0
	for _, f := range r.Findings {
		if f.Severity == s {
			n++
		}
	}
	return n
}

// Need is how much of a file a check wants to see.
type Need int

// The needs.
const (
	Nothing Need = iota
	Head         // its first bytes, HeadBytes at most
	Whole
)

// HeadBytes is the length of a file's head.
const HeadBytes = 512

// File is a file with as much of it as was asked for.
type File struct {
	Path string
	Data []byte
}

// Base returns the last element of the path.
func (f File) Base() string { return path.Base(f.Path) }

// Scan gathers the findings of all checks.
type Scan struct {
	checks []check
	r      Report
}

// check is one kind of thing to look for. It gathers over all files what it needs to know of them together.
type check interface {
	id() string
	doc() string // what it looks for
	needs(path string, head []byte) Need
	look(f File, r *Report)
	settle(r *Report) // after the last file
}

// NewScan returns a scan by all checks.
func NewScan(name string) *Scan {
	return &Scan{checks: checks(), r: Report{Format: 1, Name: name,
		Findings: []Finding{}, Alternatives: []Alternative{}, NotJudged: []Unjudged{}, LeftOut: []LeftOut{}}}
}

// DocOf returns what a check looks for.
func DocOf(check string) string {
	for _, c := range checks() {
		if c.id() == check {
			return c.doc()
		}
	}
	return ""
}

// Needs returns the largest need of all checks.
func (s *Scan) Needs(path string, head []byte) Need {
	most := Nothing
	for _, c := range s.checks {
		most = max(most, c.needs(path, head))
	}
	return most
}

// Look lets the checks that want a file look at it.
func (s *Scan) Look(f File) {
	head := f.Data[:min(len(f.Data), HeadBytes)]
	for _, c := range s.checks {
		if c.needs(f.Path, head) > Nothing {
			c.look(f, &s.r)
		}
	}
}

// Counted counts a file, looked at or not.
func (s *Scan) Counted() { s.r.Files++ }

// LeaveOut notes a file that was not read.
func (s *Scan) LeaveOut(file, why string) { s.r.LeftOut = append(s.r.LeftOut, LeftOut{file, why}) }

// Report returns all findings, the gravest first.
func (s *Scan) Report() Report {
	for _, c := range s.checks {
		c.settle(&s.r)
	}
	gravest := Severities()
	slices.SortStableFunc(s.r.Findings, func(a, b Finding) int {
		return cmp.Or(slices.Index(gravest, a.Severity)-slices.Index(gravest, b.Severity),
			cmp.Compare(a.File, b.File), a.Line-b.Line)
	})
	slices.SortStableFunc(s.r.Alternatives, func(a, b Alternative) int { return cmp.Compare(a.File, b.File) })
	return s.r
}

func (r *Report) add(f Finding) { r.Findings = append(r.Findings, f) }

func (r *Report) alternative(check, file, says string) {
	r.Alternatives = append(r.Alternatives, Alternative{check, file, says})
}

// merged makes one finding of those in one file that one remedy mends.
func merged(found []Finding) []Finding {
	type kind struct {
		file, check, remedy string
		severity            Severity
	}
	var out []Finding
	at := map[kind]int{}
	for _, f := range found {
		is := kind{f.File, f.Check, f.Remedy, f.Severity}
		if i, ok := at[is]; ok {
			out[i].More++
			continue
		}
		at[is] = len(out)
		out = append(out, f)
	}
	return out
}

// lines returns the lines of a text without their ends.
func lines(text []byte) []string {
	return strings.Split(strings.ReplaceAll(string(text), "\r\n", "\n"), "\n")
}
