package main

import (
	"bytes"
	"context"
	"fmt"
	"go/parser"
	"go/token"
	"io"
	"math"
	"math/rand/v2"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"plimsoll/internal/base/simtest"
)

// TestAtMost: the bounds of Clopper and Pearson, by the tables of binomial limits.
func TestAtMost(t *testing.T) {
	for _, c := range []struct {
		failures, tries int
		want            float64
	}{{0, 0, 1}, {0, 1, .95}, {0, 100, 1 - math.Pow(.05, .01)}, {1, 10, .3942}, {5, 50, .1988}, {3, 3, 1}} {
		if got := atMost(c.failures, c.tries); math.Abs(got-c.want) > .0005 {
			t.Errorf("%d of %d: %.4f, want %.4f", c.failures, c.tries, got, c.want)
		}
	}
}

// TestReadSession: the example of docs/format.md, then with a spoilt, a repeated and a torn line.
func TestReadSession(t *testing.T) {
	const trial = `{"kind":"trial","id":"9d01c4-r0-g0-c0-a0","keys":{"machine":"m6gd","machine_id":"5b2f60c1","workload":"erasure","load":"4 cpus","erasure.data":"8","erasure.parity":"4","plimsoll":"1.0.0","go":"go1.26"},"plan":"9d01c4","cell":0,"group":0,"replicate":0,"position":0,"load":{"kind":"closed","level":4,"unit":"cpus"},"start":"2026-03-01T09:12:44.120000000Z","mono_ns":70112000000,"warmup_s":2,"duration_s":30.001,"values":[{"name":"throughput","unit":"B/s","better":"higher","value":11834000000}],"cpu":{"work_s":119.6,"generator_s":0,"machine_s":119.8,"cpus":4,"source":"threads"},"ledger":{"steal_pct":0.01,"cost_s":0.003},"doubts":["throttled for 0.4 s"],"crc":"1bc820d5"}` + "\n"
	const end = `{"kind":"end","plan":"ce4b2afacd0535e0","reason":"done","trials":2,"void":0,"crc":"5ce897f4"}` + "\n"
	path := filepath.Join(t.TempDir(), "s.jsonl")
	for _, c := range []struct {
		text           string
		runs, twice    int
		damaged, valid int
		torn           bool
	}{
		{trial, 1, 0, 0, 1, false},
		{trial + trial, 1, 1, 0, 1, false},
		{trial + trial[:40], 1, 0, 0, 1, true},
		{"{}\n" + trial, 1, 0, 1, 1, false},
		{trial[:100] + "9" + trial[101:], 0, 0, 1, 0, false},
		{trial + end, 1, 0, 0, 1, false},
		{"", 0, 0, 0, 0, false},
	} {
		if err := os.WriteFile(path, []byte(c.text), 0o600); err != nil {
			t.Fatal(err)
		}
		got, err := readSession(path)
		if err != nil || len(got.runs) != c.runs || len(got.twice) != c.twice || got.damaged != c.damaged ||
			got.valid() != c.valid || got.torn != c.torn {
			t.Errorf("%.60q: %+v, %v", c.text, got, err)
		}
	}
}

// TestForeign: what another program appends is counted, and neither damaged nor torn by this one.
func TestForeign(t *testing.T) {
	path := filepath.Join(t.TempDir(), "s.jsonl")
	for text, want := range map[string]content{
		foreignLine + "\n" + foreignLine + "\n": {foreign: 2},
		foreignLine + "\n" + foreignLine[:4]:    {foreign: 1},
		foreignLine[:4] + "\n":                  {},
		"of nobody\n{":                          {damaged: 1, torn: true},
	} {
		if err := os.WriteFile(path, []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
		got, err := readSession(path)
		if err != nil || got.foreign != want.foreign || got.damaged != want.damaged || got.torn != want.torn {
			t.Errorf("%q: %+v, %v", text, got, err)
		}
	}
}

// TestDriven: both sets of control characters and those of bidirectional text, also as bytes by themselves, drive a
// terminal.
func TestDriven(t *testing.T) {
	for said, want := range map[string]bool{
		"": false, "a plain line, ± 3 %\n": false, "a\r\n": true, "\x1b[2J": true, "\u0085": true, "\u009b2J": true,
		"\x9b2J":       true,
		"\u200c\u200d": false, "\u202a": true, "\u202e": true, "\u2066": true, "\u2069": true, "\x00": true, "\x7f": true,
	} {
		if got := driven([]byte(said)); got != want {
			t.Errorf("%q: %t", said, got)
		}
	}
}

// TestHeldStill: a run that missed a part of its window must say so, each in the ways that its victim has.
func TestHeldStill(t *testing.T) {
	run := func(void any, p99 float64) line {
		l := line{ID: "a", Void: void, MonoNs: 1e9, Lasts: 3}
		l.Values = append(l.Values, struct {
			Name  string  `json:"name"`
			Value float64 `json:"value"`
		}{"latency_p99", p99})
		return l
	}
	for name, c := range map[string]struct {
		still
		line
		code     int
		hit, bad bool
	}{
		"an agent, said": {still{whom: "agent", from: 2e9, to: 3e9}, run("the measuring process stalled for 1 s", 0), 0,
			true, false},
		"an agent, not said":          {still{whom: "agent", from: 2e9, to: 3e9}, run(nil, 0), 0, true, true},
		"a generator, by its latency": {still{whom: "generator", from: 2e9, to: 3e9}, run(nil, 1), 0, true, true},
		"a server, by its latency":    {still{whom: "server", from: 2e9, to: 3e9}, run(nil, .9), 0, true, false},
		"a server, not said":          {still{whom: "server", from: 2e9, to: 3e9}, run(nil, .1), 0, true, true},
		"all, before the window":      {still{whom: "all", from: 1e8, to: 9e8}, run(nil, 0), 0, false, false},
		"an agent, for too short":     {still{whom: "agent", from: 2e9, to: 2.05e9}, run(nil, 0), 0, false, false},
		"nobody":                      {still{whom: "agent"}, run(nil, 0), 0, false, false},
		"the program, goes on":        {still{whom: "program", from: 2e9, to: 3e9}, run(nil, 0), 0, true, false},
		"the program, fails":          {still{whom: "program", from: 2e9, to: 3e9}, run(nil, 0), 1, true, true},
		"the program, blames an agent": {still{whom: "program", from: 2e9, to: 3e9}, run("no output for 20s; killed", 0), 0,
			true, true},
	} {
		hit, err := c.held(content{runs: map[string]line{"a": c.line}}, c.code)
		if hit != c.hit || (err != nil) != c.bad {
			t.Errorf("%s: hit %t, %v", name, hit, err)
		}
	}
}

// TestFlags: what is no part is refused before anything runs.
func TestFlags(t *testing.T) {
	for _, args := range [][]string{{}, {"--program", "x", "--count", "nothing=3"},
		{"--program", "x", "--count", "kill=many"}, {"--program", "x", "left over"}} {
		if _, err := parse(args, io.Discard); err == nil {
			t.Errorf("%q is taken", args)
		}
	}
	if _, err := campaignOf(t.Context(), []string{"--program", os.Args[0], "--only", "nothing"}, io.Discard); err == nil {
		t.Error("a part that is not there is taken")
	}
}

// TestLedger: what it has is counted, and a line that a cut left is none.
func TestLedger(t *testing.T) {
	path := filepath.Join(t.TempDir(), "ledger")
	for _, e := range []entry{{"a", "kill", 1, true, "", ""}, {"a", "kill", 2, false, "", ""},
		{"a", "remote", 1, true, "it hangs", ""}, {"b", "kill", 3, true, "", ""}} {
		if err := e.add(path); err != nil {
			t.Fatal(err)
		}
	}
	text, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(path, append(text, `{"program":"a","part":"kill","seed":9}`...), 0o600); err != nil {
		t.Fatal(err)
	}
	if _, err := readLedger(path, "a"); err != nil {
		t.Fatal(err)
	}
	if err := (entry{Program: "b", Part: "kill"}).add(path); err != nil { // after what the cut left
		t.Fatal(err)
	}
	done, err := readLedger(path, "a")
	if err != nil {
		t.Fatal(err)
	}
	var r row
	for _, e := range done {
		r.count(e)
	}
	if _, cut := done[entryKey("kill", 0)]; len(done) != 3 || cut || r.tried != 3 || r.hit != 2 || r.failed != 1 {
		t.Errorf("%v, %+v", done, r)
	}
	if err := os.WriteFile(path, []byte("kill\n"), 0o600); err != nil {
		t.Fatal(err)
	}
	if _, err := readLedger(path, "a"); err == nil {
		t.Error("another file is taken for a ledger")
	}
}

// TestSpoil: one line is spoilt, and those before it are passed on as they were.
func TestSpoil(t *testing.T) {
	simtest.Long(t)
	const said = "{\"kind\":\"hello\",\"protocol\":4}\n"
	for seed := range uint64(40) {
		var out bytes.Buffer
		done := false
		w := writer(func(p []byte) (int, error) {
			if out.Len() > 8<<20 {
				return 0, io.ErrClosedPipe
			}
			return out.Write(p)
		})
		spoil(rand.New(rand.NewPCG(seed, 26)), strings.NewReader(strings.Repeat(said, 20)), w, func() { done = true })
		before := rand.New(rand.NewPCG(seed, 26)).IntN(12)
		if !done || !strings.HasPrefix(out.String(), strings.Repeat(said, before)) {
			t.Errorf("seed %d: spoilt %t, after %d bytes", seed, done, out.Len())
		}
	}
}

type writer func([]byte) (int, error)

func (w writer) Write(p []byte) (int, error) { return w(p) }

// TestPlanted: the bugs are planted where the source has their places, and a build knows which one is on.
func TestPlanted(t *testing.T) {
	t.Chdir("../..")
	sources, err := spoilt(bugs())
	if err != nil {
		t.Fatal(err)
	}
	for _, b := range bugs() {
		text := sources[b.file]
		if !strings.Contains(text, fmt.Sprintf("planted(%q)", b.name)) ||
			sources[filepath.Join(filepath.Dir(b.file), "planted.go")] == "" {
			t.Errorf("%q is not in %s, or its package lacks what turns it on", b.name, b.file)
		}
		if _, err := parser.ParseFile(token.NewFileSet(), b.file, text, 0); err != nil {
			t.Errorf("with %q: %v", b.name, err)
		}
	}
	gone := bug{name: "gone", file: "internal/record/session/writer.go", old: "what is not there"}
	if _, err := spoilt([]bug{gone}); err == nil {
		t.Error("a bug without a place is planted")
	}
}

// TestEnough: a part ends once what was looked for is found.
func TestEnough(t *testing.T) {
	tried := 0
	c := &campaign{work: t.TempDir(), to: io.Discard, enough: func() bool { return tried == 3 }}
	c.lanes = 1
	r := c.part(t.Context(), part{name: "never", run: func(context.Context, *trial) outcome { tried++; return outcome{} }},
		make([]uint64, 9))
	if r.tried != 3 || tried != 3 {
		t.Errorf("%d of 3 trials", r.tried)
	}
}

// webRun is a run of a second and a half under two clients whose server took a millisecond for each of three thousand
// requests, and what that server saw.
func webRun() (line, traffic) {
	const ms = int64(1e6)
	seen := traffic{ready: 900 * ms}
	for i := range int64(1600) {
		for conn := range int64(2) {
			at := 1000*ms + i*ms
			seen.all = append(seen.all, exchange{conn: conn, from: at, to: at + ms - 1000})
		}
	}
	l := line{ID: "a", Keys: map[string]string{}, MonoNs: 1100 * ms, Warmup: .1, Lasts: 1.5}
	for name, v := range map[string]float64{"throughput": 2000, "latency_p50": .001, "latency_p99": .001} {
		l.Values = append(l.Values, struct {
			Name  string  `json:"name"`
			Value float64 `json:"value"`
		}{name, v})
	}
	l.Generator = &struct {
		Done   float64 `json:"done"`
		Errors float64 `json:"errors"`
		Bytes  float64 `json:"bytes"`
	}{3000, 0, 3000 * float64(len(hello))}
	return l, seen
}

// TestAgrees: a run agrees with what its server saw, and none does of which one figure is doubled or shifted.
func TestAgrees(t *testing.T) {
	l, seen := webRun()
	if err := l.agrees(seen, 2); err != nil {
		t.Fatal(err)
	}
	for name, spoil := range map[string]func(*line){
		"a doubled throughput": func(l *line) { l.set("throughput", 2) },
		"a halved throughput":  func(l *line) { l.set("throughput", .5) },
		"a doubled median":     func(l *line) { l.set("latency_p50", 2) },
		"half a median":        func(l *line) { l.set("latency_p50", .5) },
		"half a p99":           func(l *line) { l.set("latency_p99", .5) },
		"too much done":        func(l *line) { l.Generator.Done *= 1.1 },
		"too few bytes":        func(l *line) { l.Generator.Bytes *= .9 },
		"no load":              func(l *line) { l.Generator = nil },
		"a later window":       func(l *line) { l.MonoNs += 1e6 },
		"an earlier window":    func(l *line) { l.MonoNs -= 2e8 },
	} {
		l, seen := webRun()
		if spoil(&l); l.agrees(seen, 2) == nil {
			t.Errorf("%s agrees", name)
		}
	}
}

func (l *line) set(name string, by float64) {
	for i := range l.Values {
		if l.Values[i].Name == name {
			l.Values[i].Value *= by
		}
	}
}

// TestTruth: a valid run has a figure and a window in its session's time without a kill; of a void one, or one that was
// imported, nothing is asked.
func TestTruth(t *testing.T) {
	for name, c := range map[string]struct {
		spoil func(*line, *truth)
		bad   bool
	}{
		"whole":                  {func(*line, *truth) {}, false},
		"no figure":              {func(l *line, _ *truth) { l.Values = nil }, true},
		"a figure of 0":          {func(l *line, _ *truth) { l.Values = l.Values[:1]; l.Values[0].Value = 0 }, true},
		"no window":              {func(l *line, _ *truth) { l.MonoNs = 0 }, true},
		"an endless window":      {func(l *line, _ *truth) { l.Lasts = 100 }, true},
		"half a window":          {func(_ *line, k *truth) { k.window *= 2 }, true},
		"killed before":          {func(_ *line, k *truth) { k.struck = []int64{1099e6} }, false},
		"killed in it":           {func(_ *line, k *truth) { k.struck = []int64{1e6, 2599e6} }, true},
		"killed afterwards":      {func(_ *line, k *truth) { k.struck = []int64{2601e6} }, false},
		"killed in it, and void": {func(l *line, k *truth) { l.Void, k.struck = "it died", []int64{2e9} }, false},
		"imported":               {func(l *line, _ *truth) { l.MonoNs, l.Keys["imported"] = 0, "csv" }, false},
	} {
		l, _ := webRun()
		k := truth{began: 1e9, window: 1500 * time.Millisecond}
		if c.spoil(&l, &k); (k.holds(content{order: []line{l}}, 3e9) != nil) != c.bad {
			t.Errorf("%s: %v", name, k.holds(content{order: []line{l}}, 3e9))
		}
	}
}

// TestShared: of what ended with 0 all is there, of what was refused nothing, and somebody wrote.
func TestShared(t *testing.T) {
	const refusal = "another plimsoll is writing to it"
	ended := func(code int, table, said string) *sharer {
		s := &sharer{table: table, code: code, ran: &running{}}
		s.ran.text.WriteString(said)
		return s
	}
	session := func(runs, rows int) content {
		c := content{}
		for range runs {
			c.order = append(c.order, line{Keys: map[string]string{"workload": "exec"}})
		}
		for range rows {
			c.order = append(c.order, line{Keys: map[string]string{"workload": "t"}})
		}
		return c
	}
	for name, c := range map[string]struct {
		sharers
		content
		bad bool
	}{
		"one was refused":         {sharers{ended(0, "", ""), ended(1, "t", refusal)}, session(ordered, 0), false},
		"both wrote":              {sharers{ended(0, "", ""), ended(0, "t", "")}, session(ordered, sharedRows), false},
		"half an import":          {sharers{ended(0, "", ""), ended(0, "t", "")}, session(ordered, sharedRows/2), true},
		"a refused one wrote":     {sharers{ended(0, "", ""), ended(1, "t", refusal)}, session(ordered, 1), true},
		"too many runs":           {sharers{ended(0, "", ""), ended(0, "", "")}, session(ordered+1, 0), true},
		"another failure":         {sharers{ended(0, "", ""), ended(1, "t", "it cannot")}, session(ordered, 0), true},
		"all were refused":        {sharers{ended(1, "", refusal), ended(1, "t", refusal)}, session(0, 0), true},
		"what is there is spoilt": {sharers{ended(0, "", "")}, content{order: session(ordered, 0).order, damaged: 1}, true},
	} {
		if err := c.judge(c.content); (err != nil) != c.bad {
			t.Errorf("%s: %v", name, err)
		}
	}
}

// TestAlike: files differ in more than the time at which they were written.
func TestAlike(t *testing.T) {
	for _, c := range []struct {
		a, b string
		want bool
	}{{"", "", true}, {"a", "a", true}, {"a", "b", false}, {"a", "ab", false},
		{"at 2026-11-29 03:21 UTC", "at 2026-11-29 03:22 UTC", true}, {"2026-11-29,7", "2026-11-30,7", true},
		{"2026-11-29,7", "2026-11-29,8", false}} {
		if alike([]byte(c.a), []byte(c.b)) != c.want {
			t.Errorf("%q and %q: %t", c.a, c.b, !c.want)
		}
	}
}
