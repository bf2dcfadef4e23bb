package main

import (
	"bufio"
	"cmp"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"maps"
	"os"
	"slices"
	"strings"
)

const slowest = 20 // tests that are shown

// event is a line of go test -json.
type event struct {
	Action, Package, Test, Output string
	Elapsed                       float64
}

// times are seconds. What ran several times counts as often, since somebody waited each time.
type times struct {
	packages map[string]float64
	tests    map[[2]string]float64 // by package and test, without its subtests
	cached   map[string]bool       // packages whose times were not taken
	parallel map[[2]string]bool    // tests that wait until the test that they are part of has ended
}

func readTimes(r io.Reader) (times, error) {
	t := times{packages: map[string]float64{}, tests: map[[2]string]float64{}, cached: map[string]bool{},
		parallel: map[[2]string]bool{}}
	lines := bufio.NewReader(r)
	for {
		line, err := lines.ReadBytes('\n')
		if len(line) > 0 {
			var e event
			if err := json.Unmarshal(line, &e); err != nil {
				return t, err
			}
			t.add(e)
		}
		if errors.Is(err, io.EOF) {
			return t, nil
		}
		if err != nil {
			return t, err
		}
	}
}

func (t times) add(e event) {
	id := [2]string{e.Package, e.Test}
	switch {
	case e.Action == "output" && e.Test == "" && strings.HasSuffix(e.Output, "\t(cached)\n"):
		t.cached[e.Package] = true
	case e.Action == "pause":
		t.parallel[id] = true
	case e.Action != "pass" && e.Action != "fail":
	case e.Test == "":
		t.packages[e.Package] += e.Elapsed
	default:
		t.tests[id] += e.Elapsed
		// A test's time holds that of its subtests, unless they are parallel.
		if i := strings.LastIndexByte(e.Test, '/'); i > 0 && !t.parallel[id] {
			t.tests[[2]string{e.Package, e.Test[:i]}] -= e.Elapsed
		}
	}
}

// writeTimes writes the time of each package and the slowest tests, and nothing if there is no such file.
func writeTimes(w io.Writer, name, module string) {
	f, err := os.Open(name)
	if errors.Is(err, fs.ErrNotExist) {
		return
	}
	if err != nil {
		fmt.Fprintf(w, "\nno times of tests: %v\n", err)
		return
	}
	defer f.Close()
	t, err := readTimes(f)
	if err != nil { // a run that was ended leaves a torn line
		fmt.Fprintf(w, "\ntimes of tests up to a line that cannot be read: %s: %v\n", name, err)
	}
	fmt.Fprintf(w, "\nseconds of each package's tests, in %s\n", name)
	sum, few, of := 0.0, 0.0, 0
	for _, pkg := range bySize(t.packages, cmp.Compare) {
		s := t.packages[pkg]
		sum += s
		switch {
		case t.cached[pkg]:
		case s < 0.1:
			few, of = few+s, of+1
		default:
			fmt.Fprintf(w, "%9.1f  %s\n", s, strings.TrimPrefix(pkg, module+"/"))
		}
	}
	fmt.Fprintf(w, "%9.1f  packages below 0.1 s: %d\n", few, of)
	fmt.Fprintf(w, "%9.1f  all packages: %d\n", sum, len(t.packages))
	if len(t.cached) > 0 {
		fmt.Fprintf(w, "%9s  packages from the cache of tests, without times: %d\n", "", len(t.cached))
	}
	fmt.Fprintf(w, "\nseconds of the slowest tests, without their subtests\n")
	tests := bySize(t.tests, func(a, b [2]string) int { return slices.Compare(a[:], b[:]) })
	for _, id := range tests[:min(slowest, len(tests))] {
		fmt.Fprintf(w, "%9.1f  %s %s\n", t.tests[id], strings.TrimPrefix(id[0], module+"/"), id[1])
	}
}

// bySize returns the keys of the largest values first.
func bySize[K comparable](values map[K]float64, order func(a, b K) int) []K {
	return slices.SortedFunc(maps.Keys(values), func(a, b K) int {
		return cmp.Or(cmp.Compare(values[b], values[a]), order(a, b))
	})
}
