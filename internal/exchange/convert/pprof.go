package convert

import (
	"cmp"
	"fmt"
	"io"
	"slices"
	"strings"
	"time"

	"github.com/google/pprof/profile"

	"plimsoll/internal/record"
	"plimsoll/internal/record/session"
)

// writePprof writes CPU time and, if sampled, waiting as two sample types of one profile; readers show CPU time by
// default (go tool pprof -sample_index=waiting).
func writePprof(w io.Writer, p Profiled) error {
	all := []*profile.Profile{pprofOf(p.CPU, 0)}
	if len(p.Waits.Stacks) > 0 {
		all = append(all, pprofOf(p.Waits, 1))
	}
	for _, one := range all {
		one.PeriodType, one.Period = all[0].PeriodType, all[0].Period
	}
	out, err := profile.Merge(all)
	if err != nil {
		return fmt.Errorf("joining the profiles of CPU time and of waits: %w", err)
	}
	programFirst(out)
	out.DefaultSampleType, out.Comments = "cpu", []string{p.Name}
	if !p.Start.IsZero() {
		out.TimeNanos = p.Start.UnixNano()
	}
	out.DurationNanos = p.Span.Nanoseconds()
	return out.Write(w)
}

// programFirst moves the program's mapping to the front, because readers name the whole profile after the first. It is
// the mapping that most samples passed through, except for libraries and the system's, such as [kernel] and [vdso]; if
// there is none, the first that is not the system's.
func programFirst(p *profile.Profile) {
	through := map[*profile.Mapping]int64{}
	for _, s := range p.Sample {
		seen := map[*profile.Mapping]bool{}
		for _, l := range s.Location {
			if l.Mapping != nil && !seen[l.Mapping] {
				seen[l.Mapping] = true
				for _, v := range s.Value {
					through[l.Mapping] += v
				}
			}
		}
	}
	slices.SortStableFunc(p.Mapping, func(a, b *profile.Mapping) int {
		return cmp.Or(cmp.Compare(isShared(a.File), isShared(b.File)), cmp.Compare(through[b], through[a]))
	})
	for i, m := range p.Mapping {
		m.ID = uint64(i + 1)
	}
}

// isShared returns 0 for a program, 1 for a library and 2 for a mapping of the system.
func isShared(file string) int {
	switch {
	case file != record.ModuleJava && strings.HasPrefix(file, "["):
		return 2
	case strings.HasSuffix(file, ".so") || strings.Contains(file, ".so."):
		return 1
	}
	return 0
}

// pprofOf returns a profile whose samples have the given type: 0 CPU time, 1 waiting.
func pprofOf(p record.Profile, kind int) *profile.Profile {
	stacks := make([]record.Stack, len(p.Stacks))
	for i, s := range p.Stacks {
		s.Frames = framesOf(s)
		stacks[i] = s
	}
	p.Stacks = stacks
	out := session.Pprof(p)
	out.SampleType = []*profile.ValueType{
		{Type: "samples", Unit: "count"}, {Type: "cpu", Unit: "nanoseconds"}, {Type: "waits", Unit: "count"},
		{Type: "waiting", Unit: "nanoseconds"},
	}
	for _, s := range out.Sample {
		values := make([]int64, len(out.SampleType))
		copy(values[2*kind:], s.Value)
		s.Value = values
	}
	return out
}

// Profiled is the combined profile of all profiled trials of one cell.
type Profiled struct {
	Name  string         // of the cell
	Start time.Time      // of the first trial's measured window; zero if unknown
	Span  time.Duration  // of all their windows
	CPU   record.Profile // CPU time
	Waits record.Profile // waiting threads; without stacks if none were sampled
}

// ProfileOutput is a format in which profiles can be exported.
type ProfileOutput struct {
	Name  string
	Doc   string // short description
	Write func(w io.Writer, p Profiled) error
}

// ProfileOutputs returns the formats in which profiles can be exported.
func ProfileOutputs() []ProfileOutput {
	return []ProfileOutput{
		{"pprof", "the profiles of one cell for go tool pprof, gzipped", writePprof},
		{"speedscope", "the same for speedscope, as JSON", writeSpeedscope},
	}
}

func framesOf(s record.Stack) []record.Frame {
	frames := s.Shown()
	out := make([]record.Frame, len(frames))
	for i, f := range frames {
		out[i] = record.Frame{Function: f.Name(), Module: f.Module}
	}
	return out
}
