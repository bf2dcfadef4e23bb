package perf

import (
	"bytes"
	"os"
	"reflect"
	"runtime"
	"slices"
	"strings"
	"testing"

	"plimsoll/internal/engine"
	"plimsoll/internal/record"
)

// noSymbols knows nothing.
type noSymbols struct{}

func (noSymbols) name(string, uint64) string { return "" }

func readScript(t *testing.T, text string) *scripted {
	t.Helper()
	s := newScripted(noSymbols{})
	if err := s.read(strings.NewReader(text)); err != nil {
		t.Fatal(err)
	}
	return s
}

func k(names ...string) []record.Frame {
	var out []record.Frame
	for _, n := range names {
		out = append(out, record.Frame{Function: n, Module: record.ModuleKernel})
	}
	return out
}

func TestStacksOfPerfScript(t *testing.T) {
	s := readScript(t, `perf  100/100    1.000000001: PERF_RECORD_FORK(200:200):(100:100)
perf  200/200    1.000000002: PERF_RECORD_COMM exec: postgres:200/200
postgres   200/200    1.500000000: PERF_RECORD_FORK(200:201):(200:200)
        a b (c)   200/201    2.000000000: 
	ffffffff81a71234 tcp_sendmsg ([kernel.kallsyms])
	ffffffffc0123456 nf_hook ([nf_tables])
	    7f0000001234 std::vector<int (*)(char)>::push_back(int (*)(char)) (/opt/a b/lib x.so.1)
	    7f0000001235 [unknown] (/usr/lib/libz.so.1)
	    7f0000001299 [unknown] (/usr/lib/libz.so.1)
	          123456 [unknown] ([unknown])

        a b (c)   200/201    2.001000000: 
	ffffffff81a71234 tcp_sendmsg ([kernel.kallsyms])
	ffffffffc0123456 nf_hook ([nf_tables])
	    7f0000001234 std::vector<int (*)(char)>::push_back(int (*)(char)) (/opt/a b/lib x.so.1)
	    7f0000001777 [unknown] (/usr/lib/libz.so.1)
	           98765 [unknown] ([unknown])

postgres   200/200    3.000000000: 
	    5566001234 ExecScan (/usr/lib/postgresql/15/bin/postgres (deleted))
	    5566001239 clock_gettime ([vdso])
	    5566001240 [unknown] (//anon)
	    5566001241 Interpreter (/tmp/perf-200.map)

postgres   200/200    3.000000000: 

x   201/201    3.100000000:  ffffffff81000000 _text ([kernel.kallsyms])
postgres   200/200    3.200000000: PERF_RECORD_LOST lost 17
`)
	want := []engine.Sampled{
		{Pid: 200, Tid: 201, Stack: record.Stack{Thread: "a b (c)", N: 2, Frames: append(k("tcp_sendmsg", "nf_hook"),
			record.Frame{Function: "std::vector<int (*)(char)>::push_back(int (*)(char))", Module: "lib x.so.1"},
			record.Frame{Module: "libz.so.1"}, record.Frame{})}},
		{Pid: 200, Tid: 200, Stack: record.Stack{Thread: "postgres", N: 1, Frames: []record.Frame{
			{Function: "ExecScan", Module: "postgres"}, {Function: "clock_gettime", Module: "[vdso]"}, {},
			{Function: "Interpreter"}}}},
		{Pid: 200, Tid: 200, Stack: record.Stack{Thread: "postgres", N: 1}},
		{Pid: 201, Tid: 201, Stack: record.Stack{Thread: "x", N: 1, Frames: k("_text")}},
	}
	if got := s.stacks(); !reflect.DeepEqual(got, want) {
		t.Errorf("%+v\nwant %+v", got, want)
	}
	if !reflect.DeepEqual(s.parents, map[int]int{200: 100}) || s.lost != 17 || s.bad != 0 || s.kernelNamed != 5 {
		t.Errorf("%v, %d lost, %d bad, %d of the kernel", s.parents, s.lost, s.bad, s.kernelNamed)
	}
}

// TestARealScript: see testdata/README.md.
func TestARealScript(t *testing.T) {
	b, err := os.ReadFile("testdata/system.txt")
	if err != nil {
		t.Fatal(err)
	}
	s := readScript(t, string(b))
	outer := map[string]string{}
	n := int64(0)
	for _, k := range s.stacks() {
		n += k.N
		f := k.Frames[len(k.Frames)-1]
		outer[k.Thread] = f.Function + " in " + f.Module
	}
	want := map[string]string{"C2 CompilerThre": "Compile::Compile in libjvm.so",
		"compile": "internal/runtime/syscall/linux.Syscall6 in compile", "data-plane-kafk": " in ", "bash": "_start in bash"}
	if n != 6 || !reflect.DeepEqual(outer, want) || s.bad > 0 || s.parents[6656] != 6628 || s.parents[6628] != 1756 {
		t.Errorf("%d samples, %q, %d bad, %v", n, outer, s.bad, s.parents)
	}
}

func TestWhatIsNoScriptIsSaid(t *testing.T) {
	s := newScripted(noSymbols{})
	if err := s.read(strings.NewReader("Error: no such option\n")); err == nil ||
		!strings.Contains(err.Error(), "\nhint: PLIMSOLL_PERF=PATH") {
		t.Errorf("%v", err)
	}
	if err := newScripted(noSymbols{}).read(bytes.NewReader(bytes.Repeat([]byte("x"), maxLine+1))); err == nil {
		t.Error("took an endless line")
	}
}

// TestGoSymbols names a function of this very program, which tests link without symbols.
func TestGoSymbols(t *testing.T) {
	exe, err := os.Executable()
	if err != nil {
		t.Fatal(err)
	}
	pc := reflect.ValueOf(TestGoSymbols).Pointer()
	g := newGoSymbols()
	if got, want := g.name(exe, uint64(pc)), runtime.FuncForPC(pc).Name(); got != want {
		t.Errorf("%q, want %q", got, want)
	}
	for _, file := range []string{"/nowhere", "/proc/self/maps"} {
		if got := g.name(file, uint64(pc)); got != "" {
			t.Errorf("%s: %q", file, got)
		}
	}
	if got := g.name(exe, uint64(pc)-0x400000); runtime.GOARCH == "amd64" &&
		got != "plimsoll/internal/engine/perf.TestGoSymbols" {
		t.Errorf("by its place in the file: %q", got)
	}
	if got := g.name(exe, 1<<40); got != "" {
		t.Errorf("nothing is there, and it is %q", got)
	}
}

func TestFrequencies(t *testing.T) {
	for _, c := range []struct {
		period int64
		way    string
		want   int64
	}{{1, byPointers, mostByPointers}, {1, byTables, mostByTables}, {1e7, byTables, 100}, {1e12, byPointers, 1}} {
		if got := frequency(c.period, c.way); got != c.want {
			t.Errorf("%+v: %d", c, got)
		}
	}
}

func TestArguments(t *testing.T) {
	for _, c := range []struct {
		clock string
		permit
		tids []int
		want []string
	}{
		{record.ClockCPU, machine, nil, []string{"cpu-clock:I", "-a"}},
		{record.ClockCycles, machine, nil, []string{"cycles", "-a"}},
		{record.ClockCPU, userOnly, nil, []string{"cpu-clock:u", "-p"}},
		{record.ClockCPU, ownAndAll, []int{7, 8}, []string{"cpu-clock:I", "7,8", "--per-thread", "fp"}},
	} {
		const want = int64(1e9) / mostByPointers
		args, period := arguments("f", c.clock, c.permit, []int{os.Getpid()}, c.tids, want)
		for _, want := range c.want {
			if !slices.Contains(args, want) {
				t.Errorf("%+v: %q", c, args)
			}
		}
		if period != want || slices.Contains(args, "-a") != (c.permit == machine && c.tids == nil) {
			t.Errorf("%+v: one sample each %d ns: %q", c, period, args)
		}
	}
}

func TestWaysToWalk(t *testing.T) {
	if got := walk([]int{os.Getpid()}, nil); got != byPointers {
		t.Errorf("this program: %s", got)
	}
	if got := walk([]int{os.Getpid(), -1}, nil); got != byTables {
		t.Errorf("another one: %s", got)
	}
	if got := walk(nil, nil); got != byTables {
		t.Errorf("not known: %s", got)
	}
}

func FuzzScript(f *testing.F) {
	f.Add("a 1/2 3.0: \n\tffffffff81a71234 tcp_sendmsg ([kernel.kallsyms])\n\t 12 [unknown] (/x (deleted))\n\n")
	f.Add("a 1/2 3.0: PERF_RECORD_FORK(200:200):(100:100)\nb 1/2 3.0: PERF_RECORD_LOST lost 3\n")
	f.Fuzz(func(t *testing.T, text string) {
		s := newScripted(noSymbols{})
		if s.read(strings.NewReader(text)) != nil {
			return
		}
		n := int64(0)
		for _, k := range s.stacks() {
			n += k.N
		}
		if n > int64(strings.Count(text, "\n")+1) || n < 0 {
			t.Errorf("%d samples of %q", n, text)
		}
	})
}
