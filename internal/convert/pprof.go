package convert

import (
	"fmt"
	"io"

	"github.com/google/pprof/profile"

	"plimsoll/internal/record"
	"plimsoll/internal/session"
)

// writePprof gives CPU time and, where it was sampled, waiting as two kinds of samples of one profile, of which a reader takes CPU time
// unless it is told otherwise (go tool pprof -sample_index=waiting).
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
	out.DefaultSampleType, out.Comments = "cpu", []string{p.Name}
	if !p.Start.IsZero() {
		out.TimeNanos = p.Start.UnixNano()
	}
	out.DurationNanos = p.Span.Nanoseconds()
	return out.Write(w)
}

// pprofOf is a profile whose samples are of the given kind: 0 CPU time, 1 waiting.
func pprofOf(p record.Profile, kind int) *profile.Profile {
	stacks := make([]record.Stack, len(p.Stacks))
	for i, s := range p.Stacks {
		s.Frames = framesOf(s)
		stacks[i] = s
	}
	p.Stacks = stacks
	out := session.Pprof(p)
	out.SampleType = []*profile.ValueType{
		{Type: "samples", Unit: "count"}, {Type: "cpu", Unit: "nanoseconds"}, {Type: "waits", Unit: "count"}, {Type: "waiting", Unit: "nanoseconds"},
	}
	for _, s := range out.Sample {
		values := make([]int64, len(out.SampleType))
		copy(values[2*kind:], s.Value)
		s.Value = values
	}
	return out
}
