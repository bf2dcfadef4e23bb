package convert

import (
	"encoding/json"
	"io"
	"slices"

	"plimsoll/internal/record"
)

// speedscopeFile is speedscope's file format according to its schema.
type speedscopeFile struct {
	Schema   string              `json:"$schema"`
	Shared   speedscopeShared    `json:"shared"`
	Profiles []speedscopeProfile `json:"profiles"`
	Name     string              `json:"name"`
	Exporter string              `json:"exporter"`
}

type speedscopeShared struct {
	Frames []speedscopeFrame `json:"frames"`
}

type speedscopeFrame struct {
	Name string `json:"name"`
	File string `json:"file,omitempty"` // mapped file
}

type speedscopeProfile struct {
	Type       string  `json:"type"`
	Name       string  `json:"name"`
	Unit       string  `json:"unit"`
	StartValue int64   `json:"startValue"`
	EndValue   int64   `json:"endValue"`
	Samples    [][]int `json:"samples"` // indices of frames, outermost first
	Weights    []int64 `json:"weights"` // ns
}

const speedscopeSchema = "https://www.speedscope.app/file-format-schema.json"

// writeSpeedscope writes CPU time and, if sampled, waiting as two profiles of one file. Waits are grouped by the name
// of their thread.
func writeSpeedscope(w io.Writer, p Profiled) error {
	out := speedscopeFile{Schema: speedscopeSchema, Shared: speedscopeShared{[]speedscopeFrame{}}, Name: p.Name,
		Exporter: "plimsoll"}
	known := map[record.Frame]int{}
	out.add("CPU time", p.CPU, known)
	if len(p.Waits.Stacks) > 0 {
		waits := p.Waits
		waits.Stacks = slices.Clone(waits.Stacks)
		for i, s := range waits.Stacks {
			waits.Stacks[i].Frames = append(slices.Clone(s.Frames), record.Frame{Function: threadName(s.Thread)})
		}
		out.add("waiting threads", waits, known)
	}
	return json.NewEncoder(w).Encode(out)
}

func threadName(name string) string {
	if name == "" {
		return "[a thread without a name]"
	}
	return name
}

func (f *speedscopeFile) add(name string, p record.Profile, known map[record.Frame]int) {
	out := speedscopeProfile{Type: "sampled", Name: name, Unit: "nanoseconds", Samples: [][]int{}, Weights: []int64{}}
	for _, s := range p.Stacks {
		sample := []int{}
		for _, frame := range slices.Backward(framesOf(s)) {
			i, ok := known[frame]
			if !ok {
				i = len(f.Shared.Frames)
				known[frame] = i
				f.Shared.Frames = append(f.Shared.Frames, speedscopeFrame{Name: frame.Function, File: frame.Module})
			}
			sample = append(sample, i)
		}
		out.Samples = append(out.Samples, sample)
		out.Weights = append(out.Weights, s.N*p.PeriodNs)
		out.EndValue += s.N * p.PeriodNs
	}
	f.Profiles = append(f.Profiles, out)
}
