package session

import (
	"bytes"
	"cmp"
	"encoding/base64"
	"errors"
	"fmt"
	"io"
	"slices"

	"compress/gzip"

	"github.com/google/pprof/profile"

	"plimsoll/internal/record"
)

// maxProfile and maxPacked bound the bytes of a profile, unpacked and packed.
const (
	maxProfile = 8 << 20
	maxPacked  = 1 << 20
)

// maxParts bounds the parts of a profile (samples, locations, labels, names): each takes a few bytes in the file, but
// hundreds once parsed.
const maxParts = 1 << 19

// threadLabel is the label of a sample for its thread's name, as written by async-profiler and by converters of perf.
const threadLabel = "thread"

// Pprof converts p to the format of `go tool pprof`.
func Pprof(p record.Profile) *profile.Profile {
	out := &profile.Profile{
		SampleType: []*profile.ValueType{{Type: "samples", Unit: "count"}, {Type: "time", Unit: "nanoseconds"}},
		PeriodType: &profile.ValueType{Type: p.Clock, Unit: "nanoseconds"},
		Period:     p.PeriodNs,
	}
	b := pprofBuilder{out: out, mappings: map[string]*profile.Mapping{}, locations: map[record.Frame]*profile.Location{}}
	for _, s := range p.Stacks {
		sample := &profile.Sample{Value: []int64{s.N, s.N * p.PeriodNs}}
		if s.Thread != "" {
			sample.Label = map[string][]string{threadLabel: {s.Thread}}
		}
		for _, f := range s.Frames {
			sample.Location = append(sample.Location, b.location(f))
		}
		out.Sample = append(out.Sample, sample)
	}
	return out
}

type pprofBuilder struct {
	out       *profile.Profile
	mappings  map[string]*profile.Mapping
	locations map[record.Frame]*profile.Location
}

func (b pprofBuilder) mapping(module string) *profile.Mapping {
	m := b.mappings[module]
	if m == nil && module != "" {
		m = &profile.Mapping{ID: uint64(len(b.mappings) + 1), File: module, HasFunctions: true}
		b.mappings[module] = m
		b.out.Mapping = append(b.out.Mapping, m)
	}
	return m
}

func (b pprofBuilder) location(f record.Frame) *profile.Location {
	if l := b.locations[f]; l != nil {
		return l
	}
	id := uint64(len(b.locations) + 1)
	fn := &profile.Function{ID: id, Name: f.Function, SystemName: f.SystemName()}
	l := &profile.Location{ID: id, Mapping: b.mapping(f.Module), Line: []profile.Line{{Function: fn}}}
	b.locations[f] = l
	b.out.Function = append(b.out.Function, fn)
	b.out.Location = append(b.out.Location, l)
	return l
}

// EncodeProfile encodes a profile for a series with record.EncProfile: gzipped pprof in base64. It fails if the result
// exceeds 1 MiB, or if DecodeProfile would fail; then the sampling was too fine.
func EncodeProfile(p record.Profile) (string, error) {
	var packed, whole bytes.Buffer
	err := Pprof(p).WriteUncompressed(&whole)
	if err == nil && whole.Len() > maxProfile {
		err = fmt.Errorf("%d distinct stacks take %d bytes, over the limit of %d", len(p.Stacks), whole.Len(), maxProfile)
	}
	if err == nil {
		err = countParts(whole.Bytes())
	}
	if err == nil {
		err = Pprof(p).Write(&packed)
	}
	if err != nil {
		return "", fmt.Errorf("encode a profile: %w", err)
	}
	if packed.Len() > maxPacked {
		return "", fmt.Errorf("encode a profile: %d distinct stacks take %d bytes, over the limit of %d", len(p.Stacks),
			packed.Len(), maxPacked)
	}
	return base64.StdEncoding.EncodeToString(packed.Bytes()), nil
}

// DecodeProfile is the inverse of EncodeProfile; it reads profiles of other tools too if they count samples. It fails
// above 8 MiB or if there are too many parts.
func DecodeProfile(data string) (record.Profile, error) {
	p, err := decodeProfile(data)
	if err != nil {
		return record.Profile{}, fmt.Errorf("decode a profile: %w", err)
	}
	return p, nil
}

func decodeProfile(data string) (p record.Profile, err error) {
	raw, err := base64.StdEncoding.DecodeString(data)
	if err != nil {
		return p, err
	}
	unpacked, err := gzip.NewReader(bytes.NewReader(raw))
	if err != nil {
		return p, err
	}
	text, err := io.ReadAll(io.LimitReader(unpacked, maxProfile+1))
	if err != nil {
		return p, err
	}
	if len(text) > maxProfile {
		return p, fmt.Errorf("over %d bytes", maxProfile)
	}
	if err := countParts(text); err != nil {
		return p, err
	}
	read, err := profile.ParseUncompressed(text)
	if err == nil {
		err = read.CheckValid()
	}
	if err != nil {
		return p, err
	}
	return fromPprof(read)
}

func fromPprof(read *profile.Profile) (record.Profile, error) {
	if len(read.SampleType) == 0 || read.SampleType[0].Unit != "count" {
		return record.Profile{}, errors.New("its samples have no count")
	}
	p := record.Profile{PeriodNs: read.Period}
	if read.PeriodType != nil {
		p.Clock = read.PeriodType.Type
	}
	frames := make(map[*profile.Location][]record.Frame, len(read.Location))
	for _, l := range read.Location {
		frames[l] = framesAt(l)
	}
	for _, s := range read.Sample {
		stack := record.Stack{N: s.Value[0], Frames: slices.Grow([]record.Frame(nil), len(s.Location))}
		for _, l := range s.Location {
			stack.Frames = append(stack.Frames, frames[l]...)
		}
		if names := s.Label[threadLabel]; len(names) > 0 {
			stack.Thread = names[0]
		}
		p.Stacks = append(p.Stacks, stack)
	}
	return p, nil
}

func frameOf(f *profile.Function, module string) record.Frame {
	out := record.Frame{Function: cmp.Or(f.Name, f.SystemName), Module: module}
	if module == record.ModuleJava {
		_, out.Code, _ = record.CutCode(f.SystemName)
	}
	return out
}

// framesAt returns the frames at a location: several if functions were inlined.
func framesAt(l *profile.Location) []record.Frame {
	module := ""
	if l.Mapping != nil {
		module = l.Mapping.File
	}
	if len(l.Line) == 0 {
		return []record.Frame{{Module: module}}
	}
	var out []record.Frame
	for _, line := range l.Line {
		if line.Function == nil {
			out = append(out, record.Frame{Module: module})
			continue
		}
		out = append(out, frameOf(line.Function, module))
	}
	return out
}
