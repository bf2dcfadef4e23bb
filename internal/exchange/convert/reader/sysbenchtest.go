package reader

import (
	"errors"
	"maps"
	"regexp"
	"slices"
	"strings"

	"plimsoll/internal/record"
)

// The built-in tests of sysbench.
const (
	sysbenchCPU     = "cpu"
	sysbenchMemory  = "memory"
	sysbenchFileIO  = "fileio"
	sysbenchThreads = "threads"
	sysbenchMutex   = "mutex"
)

// sysbenchFact is a line that tells which test ran, and its parameters: the groups of the pattern in order. Its test
// is "" if lines of others may be alike.
type sysbenchFact struct {
	test, pattern string
	params        []string
	re            *regexp.Regexp
}

// sysbenchFacts returns the lines of sysbench 0.4 to 1.1 that tell tests apart, by their sources.
func sysbenchFacts() []sysbenchFact {
	out := []sysbenchFact{
		{test: sysbenchCPU, pattern: `^(?:CPU speed:|Doing CPU performance benchmark)$`},
		{test: sysbenchCPU, pattern: `^(?:Prime numbers limit|Maximum prime number checked in CPU test): ([0-9]+)$`,
			params: []string{"prime_limit"}},
		{test: sysbenchMemory,
			pattern: `^(?:Running memory speed test with the following options:|Doing memory operations speed test)$`},
		{test: sysbenchMemory, pattern: `^(?:  block size|Memory block size): ([0-9]+[KMGT]?i?B?)$`,
			params: []string{"block_size"}},
		{test: sysbenchMemory, pattern: `^(?:  total size|Memory transfer size): ([0-9]+[KMGT]?i?B?)$`,
			params: []string{"total_size"}},
		{test: sysbenchMemory, pattern: `^(?:  operation|Memory operations type): ([a-z]+)$`, params: []string{"operation"}},
		{test: sysbenchMemory, pattern: `^(?:  scope|Memory scope type): ([a-z]+)$`, params: []string{"scope"}},
		{test: sysbenchMemory,
			pattern: `^(?:Total operations|Operations performed): [0-9]+ \( *[0-9.]+ (?:per second|ops/sec)\)$`},
		{test: sysbenchMemory, pattern: `^\[ *[0-9.]+s *\] [0-9.]+ MiB/sec$`},
		{test: sysbenchFileIO, pattern: `^(?:File operations:|Extra file open flags: .*|\[ *[0-9.]+s *\] reads: .*|` +
			`Read \S+ +Written \S+ +Total transferred .*|Operations performed: +[0-9]+ [Rr]eads?, .*|` +
			` +(?:read|write): +IOPS=.*)$`},
		{test: sysbenchFileIO, pattern: `^Doing (random r/w|random read|random write|sequential read|sequential write ` +
			`\(creation\)|sequential write|sequential rewrite) test$`, params: []string{"mode"}},
		{test: sysbenchFileIO, pattern: `^([0-9]+) files, ([0-9.]+[KMGT]?i?[Bb]) each$`,
			params: []string{"files", "file_size"}},
		{test: sysbenchFileIO, pattern: `^Block size ([0-9.]+[KMGT]?i?[Bb])$`, params: []string{"block_size"}},
		{test: sysbenchFileIO, pattern: `^Using (.*) I/O mode$`, params: []string{"io_mode"}},
		{test: sysbenchFileIO,
			pattern: `^Periodic FSYNC enabled, calling fsync\(\) each ([0-9]+) requests\.$`, params: []string{"fsync_each"}},
		{test: sysbenchThreads, pattern: `^Doing thread subsystem performance test$`},
		{test: sysbenchThreads, pattern: `^Thread yields per test: ([0-9]+) Locks used: ([0-9]+)$`,
			params: []string{"yields", "locks"}},
		{test: sysbenchMutex, pattern: `^Doing mutex performance test$`},
	}
	for i := range out {
		out[i].re = regexp.MustCompile(out[i].pattern)
	}
	return out
}

// sysbenchTold is what the lines of a run tell of its test.
type sysbenchTold struct {
	test   string // "": not told
	params record.Params
}

// take adds a line; false if it tells nothing.
func (t *sysbenchTold) take(facts []sysbenchFact, line string) bool {
	for _, f := range facts {
		m := f.re.FindStringSubmatch(line)
		if m == nil {
			continue
		}
		t.test = f.test
		for i, name := range f.params {
			if t.params == nil {
				t.params = record.Params{}
			}
			t.params[name] = m[i+1]
		}
		return true
	}
	return false
}

// and returns what is told with what another line tells.
func (t sysbenchTold) and(other sysbenchTold) sysbenchTold {
	if other.test == "" {
		return t
	}
	t.test = other.test
	if len(other.params) > 0 {
		all := maps.Clone(other.params)
		maps.Copy(all, t.params)
		t.params = all
	}
	return t
}

// Benchmark returns the built-in test; "" of a script for databases. threads and mutex print the same, so that only a
// name tells them apart.
func (r sysbenchRun) Benchmark(names string) (string, error) {
	switch {
	case r.told.test != "":
		return r.told.test, nil
	case r.transactions > 0 || r.queries > 0 || r.part < sysbenchGeneral || r.sql:
		return "", nil
	}
	names = strings.ToLower(names)
	var could []string
	for _, test := range []string{sysbenchThreads, sysbenchMutex} {
		if regexp.MustCompile(`(?:^|[^a-z0-9])` + test + `(?:[^a-z]|$)`).MatchString(names) {
			could = append(could, test)
		}
	}
	if len(could) == 1 {
		return could[0], nil
	}
	return "", errors.New("sysbench prints the same of its tests threads and mutex, and nothing here tells which this is" +
		"\nhint: name the test with --workload sysbench-mutex or --workload sysbench-threads, or in the file's name")
}

// commandOfSysbench returns the built-in test that a command of sysbench in the output names; "" if there is none.
func commandOfSysbench(line string) string {
	if !strings.Contains(line, "sysbench") || !strings.Contains(line, "run") {
		return ""
	}
	for _, word := range strings.Fields(line) {
		word = strings.TrimPrefix(word, "--test=")
		if slices.Contains([]string{sysbenchCPU, sysbenchMemory, sysbenchFileIO, sysbenchThreads, sysbenchMutex}, word) {
			return word
		}
	}
	return ""
}

// Params returns the rate, and what the test's lines tell.
func (r sysbenchRun) Params() record.Params {
	out := record.Params{}
	maps.Copy(out, r.told.params)
	if r.rate != "" {
		out["rate"] = r.rate
	}
	return out
}
