package convert

import (
	"bytes"
	"encoding/json"
	"os"
	"strings"
	"testing"
	"time"

	"github.com/google/pprof/profile"
	"github.com/santhosh-tekuri/jsonschema/v6"

	"plimsoll/internal/record"
)

// someProfiled is of 10 samples of CPU time and 7 of waits, with all that a stack can lack.
func someProfiled() Profiled {
	write := record.Frame{Function: "tcp_sendmsg", Module: record.ModuleKernel}
	method := record.Frame{Function: "sun.nio.ch.SocketDispatcher.write0", Module: record.ModuleJava}
	return Profiled{
		Name: "m: http at 8 clients", Start: time.Date(2026, 3, 1, 10, 0, 0, 0, time.UTC), Span: 6 * time.Second,
		CPU: record.Profile{Clock: record.ClockCycles, PeriodNs: 1e6, Stacks: []record.Stack{
			{Frames: []record.Frame{write, method}, Thread: "net-1", N: 5},
			{Frames: []record.Frame{{Module: "libcrypto.so.3"}, method}, N: 3}, {N: 2},
		}},
		Waits: record.Profile{Clock: record.ClockWall, PeriodNs: 1e7, Stacks: []record.Stack{
			{Frames: []record.Frame{{Function: "ep_poll", Module: record.ModuleKernel}}, Thread: "net-1", N: 6},
			{Frames: []record.Frame{{}}, N: 1},
		}},
	}
}

func written(t *testing.T, write func(*bytes.Buffer) error) []byte {
	t.Helper()
	var b bytes.Buffer
	if err := write(&b); err != nil {
		t.Fatal(err)
	}
	return b.Bytes()
}

func TestPprofIsRead(t *testing.T) {
	p := someProfiled()
	got, err := profile.ParseData(written(t, func(b *bytes.Buffer) error { return writePprof(b, p) }))
	if err != nil {
		t.Fatal(err)
	}
	if err := got.CheckValid(); err != nil {
		t.Fatal(err)
	}
	sums, leaves := make([]int64, 4), map[string]int64{}
	for _, s := range got.Sample {
		for i, v := range s.Value {
			sums[i] += v
		}
		leaves[s.Location[0].Line[0].Function.Name] += s.Value[0] + s.Value[2]
	}
	if sums[0] != 10 || sums[1] != 10e6 || sums[2] != 7 || sums[3] != 70e6 {
		t.Errorf("samples and times add up to %v", sums)
	}
	for name, n := range map[string]int64{"tcp_sendmsg": 5, "[libcrypto.so.3]": 3, "[not walked]": 2, "ep_poll": 6,
		"[unknown]": 1} {
		if leaves[name] != n {
			t.Errorf("%d samples in %s, want %d: %v", leaves[name], name, n, leaves)
		}
	}
	if got.DefaultSampleType != "cpu" || got.DurationNanos != 6e9 || got.TimeNanos != p.Start.UnixNano() ||
		got.Comments[0] != p.Name {
		t.Errorf("type %s, %d ns from %d, %q", got.DefaultSampleType, got.DurationNanos, got.TimeNanos, got.Comments)
	}
}

// TestProfileWithoutWaits is of CPU time alone.
func TestProfileWithoutWaits(t *testing.T) {
	p := someProfiled()
	p.Waits, p.Start = record.Profile{}, time.Time{}
	got, err := profile.ParseData(written(t, func(b *bytes.Buffer) error { return writePprof(b, p) }))
	if err != nil || got.TimeNanos != 0 || len(got.Sample) != 3 {
		t.Errorf("%v, %v", got, err)
	}
	text := written(t, func(b *bytes.Buffer) error { return writeSpeedscope(b, p) })
	if n := strings.Count(string(text), `"sampled"`); n != 1 {
		t.Errorf("%d profiles for speedscope", n)
	}
}

// TestSpeedscopeHoldsItsSchema, as the npm package speedscope 1.25.0 has it.
func TestSpeedscopeHoldsItsSchema(t *testing.T) {
	text := written(t, func(b *bytes.Buffer) error { return writeSpeedscope(b, someProfiled()) })
	schema := speedscopeSchemaOf(t)
	doc, err := jsonschema.UnmarshalJSON(bytes.NewReader(text))
	if err != nil {
		t.Fatal(err)
	}
	if err := schema.Validate(doc); err != nil {
		t.Errorf("%v\n%s", err, text)
	}
	broken, err := jsonschema.UnmarshalJSON(strings.NewReader(strings.Replace(string(text), `"nanoseconds"`, `"ns"`, 1)))
	if err != nil {
		t.Fatal(err)
	}
	if schema.Validate(broken) == nil {
		t.Error("the schema takes a unit that it does not know")
	}
	var got speedscopeFile
	if err := json.Unmarshal(text, &got); err != nil {
		t.Fatal(err)
	}
	for i, want := range []int64{10e6, 70e6} {
		sum := int64(0)
		for _, w := range got.Profiles[i].Weights {
			sum += w
		}
		if sum != want || got.Profiles[i].EndValue != want {
			t.Errorf("profile %d is of %d ns and ends at %d, want %d", i, sum, got.Profiles[i].EndValue, want)
		}
	}
	outermost := got.Shared.Frames[got.Profiles[0].Samples[0][0]]
	thread := got.Shared.Frames[got.Profiles[1].Samples[0][0]]
	if outermost.Name != "sun.nio.ch.SocketDispatcher.write0" || outermost.File != record.ModuleJava ||
		thread.Name != "net-1" {
		t.Errorf("the outermost frames are %+v and %+v", outermost, thread)
	}
}

func speedscopeSchemaOf(t *testing.T) *jsonschema.Schema {
	t.Helper()
	text, err := os.ReadFile("testdata/speedscope/file-format-schema.json")
	if err != nil {
		t.Fatal(err)
	}
	doc, err := jsonschema.UnmarshalJSON(bytes.NewReader(text))
	if err != nil {
		t.Fatal(err)
	}
	c := jsonschema.NewCompiler()
	if err := c.AddResource("speedscope.json", doc); err != nil {
		t.Fatal(err)
	}
	schema, err := c.Compile("speedscope.json")
	if err != nil {
		t.Fatal(err)
	}
	return schema
}

// TestPprofNamesTheProgram: the first mapping, by which readers call a profile, is the program's.
func TestPprofNamesTheProgram(t *testing.T) {
	kernel, libc, program := record.Frame{Function: "read", Module: record.ModuleKernel}, record.Frame{Function: "memcpy",
		Module: "libc.so.6"}, record.Frame{Function: "exec", Module: "postgres"}
	java := record.Frame{Function: "A.run", Module: record.ModuleJava}
	stack := func(n int64, frames ...record.Frame) record.Stack { return record.Stack{N: n, Frames: frames} }
	for _, c := range []struct {
		want   string
		stacks []record.Stack
	}{
		{"postgres", []record.Stack{stack(90, kernel, libc), stack(10, kernel, program)}},
		{"postgres", []record.Stack{stack(1, record.Frame{Function: "main", Module: "sh"}), stack(10, kernel, program)}},
		{record.ModuleJava, []record.Stack{stack(9, libc, java), stack(1, kernel)}},
		{"libc.so.6", []record.Stack{stack(9, kernel), stack(1, libc)}},
		{record.ModuleKernel, []record.Stack{stack(9, kernel)}},
	} {
		p := someProfiled()
		p.CPU.Stacks, p.Waits.Stacks = c.stacks, []record.Stack{stack(1000, kernel)}
		got, err := profile.ParseData(written(t, func(b *bytes.Buffer) error { return writePprof(b, p) }))
		if err != nil || got.CheckValid() != nil || got.Mapping[0].File != c.want || got.Mapping[0].ID != 1 {
			t.Errorf("%v, %v, want %s first", got.Mapping, err, c.want)
		}
	}
}
