package session

import (
	"bufio"
	"bytes"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"plimsoll/internal/base/simtest"
)

// TestObjectsAreBounded: an object of three bytes takes hundreds of memory, so that lines of them are refused before
// they are decoded, and plans beyond a number of objects in all.
func TestObjectsAreBounded(t *testing.T) {
	simtest.Long(t)
	most, elements := maxObjects/100, 20_000
	if simtest.Night() {
		most, elements = maxObjects, 2<<20
	}
	machine, err := encode(kindMachine, machineNamed("a", "1"))
	must(t, err)
	cells := many(`{"workload":"w","params":{},"load":{"kind":"closed"}}`, most/21)
	var plans [][]byte
	for n := range 9 {
		plans = append(plans, lineOf(kindPlan, fmt.Sprintf(`"hash":"%d","plan":{"cells":[%s]}`, n, cells)))
	}
	for name, c := range map[string]struct {
		lines [][]byte
		plans int
		want  string // in a problem; "": there is none
	}{
		"empty cells": {[][]byte{lineOf(kindPlan, `"hash":"h","plan":{"cells":[`+many("{}", elements)+`]}`)}, 0,
			"objects in"},
		"null cells": {[][]byte{lineOf(kindPlan, `"hash":"h","plan":{"cells":[`+many("null", elements/2)+`]}`)}, 0,
			"objects in"},
		"empty values": {[][]byte{lineOf(kindTrial, `"id":"t","keys":{},"values":[`+many("{}", elements)+`]`)}, 0,
			"objects in"},
		"a short run":  {[][]byte{lineOf(kindTrial, `"id":"t","keys":{},"values":[`+many("{}", 100)+`]`)}, 0, "objects in"},
		"null values":  {[][]byte{lineOf(kindTrial, `"id":"t","keys":{},"values":[`+many("null", 100)+`]`)}, 0, "objects in"},
		"cells":        {plans[:2], 2, ""},
		"many plans":   {plans, 6, fmt.Sprintf("over %d objects", most)},
		"a plan again": {slices.Repeat(plans[:1], 9), 1, ""},
	} {
		log, err := readWithin(t, most, name, bytes.NewReader(bytes.Join(append([][]byte{machine}, c.lines...), nil)))
		must(t, err)
		said := fmt.Sprint(log.Problems)
		if len(log.Plans) != c.plans || len(log.Trials) > 0 || c.want == "" != (len(log.Problems) == 0) ||
			!strings.Contains(said, c.want) {
			t.Errorf("%s: %d plans, %d runs, %.300s; want %d plans and %q", name, len(log.Plans), len(log.Trials), said, c.plans,
				c.want)
		}
	}
}

// readWithin reads a file whose plans and machines may have so many objects.
func readWithin(t *testing.T, most int, name string, f io.Reader) (*Log, error) {
	t.Helper()
	r := newReader(t.Context())
	if r.objects != 1<<20 {
		t.Errorf("a file may have %d objects, documented 2^20", r.objects)
	}
	r.objects = most
	if err := r.readFile(name, f); err != nil {
		return nil, err
	}
	return r.finish(), nil
}

func lineOf(kind, rest string) []byte { return seal([]byte(opening + kind + `",` + rest)) }

func many(what string, n int) string { return strings.TrimSuffix(strings.Repeat(what+",", n), ",") }

// TestHostileSessionsFitMemory: reading a session takes at most twenty times its size, as SECURITY.md says, whatever
// its lines are, and no time that grows with the square of their number.
func TestHostileSessionsFitMemory(t *testing.T) {
	simtest.Long(t)
	const most = 20
	size, objects, buffers := 512<<10, maxObjects/32, simtest.Heap
	if simtest.Night() {
		size, objects, buffers = 16<<20, maxObjects, 32<<20
	}
	path := filepath.Join(t.TempDir(), "s.jsonl")
	for name, line := range map[string]func(n int) []byte{
		"empty values": func(n int) []byte { return trialLineOf(n, `,"values":[`+many("{}", 2600)+`]`) },
		"long lines":   func(n int) []byte { return trialLineOf(n, `,"values":[`+many("{}", 21_000)+`]`) },
		"values":       func(n int) []byte { return trialLineOf(n, `,"values":[`+many(`{"value":1}`, 600)+`]`) },
		"by JSON":      func(n int) []byte { return trialLineOf(n, `,"values": [`+many(`{"value":1}`, 600)+`]`) },
		"doubts":       func(n int) []byte { return trialLineOf(n, `,"doubts":[`+many(`""`, 2600)+`]`) },
		"parts": func(n int) []byte {
			return trialLineOf(n,
				`,"cpu":{},"cpu_sets":{},"generator":{},"ledger":{},"within":{},"disk":{},"network":{},"clock":{},"heat":{},"rise":{},"regulation":{}`)
		},
		"keys": func(n int) []byte {
			var keys []string
			for i := range 500 {
				keys = append(keys, fmt.Sprintf(`"%d-%d":""`, n, i))
			}
			return lineOf(kindTrial, fmt.Sprintf(`"id":"%d","keys":{%s}`, n, strings.Join(keys, ",")))
		},
		"runs":             func(n int) []byte { return trialLineOf(n, "") },
		"runs with one ID": func(n int) []byte { return lineOf(kindTrial, fmt.Sprintf(`"id":"t","keys":{},"cell":%d`, n)) },
		"runs of machines": func(n int) []byte {
			return lineOf(kindTrial, fmt.Sprintf(`"id":"%d","keys":{"machine":"m","machine_id":"%d"}`, n, n))
		},
		"events":        func(n int) []byte { return lineOf(kindEvent, fmt.Sprintf(`"t_ns":%d`, n)) },
		"ends":          func(int) []byte { return lineOf(kindEnd, `"trials":1`) },
		"series":        func(n int) []byte { return lineOf(kindSeries, fmt.Sprintf(`"trial":"t","name":"%d"`, n)) },
		"series of all": func(n int) []byte { return lineOf(kindSeries, fmt.Sprintf(`"trial":"%d","name":""`, n)) },
		"machines":      func(n int) []byte { return lineOf(kindMachine, fmt.Sprintf(`"format":1,"name":"%d"`, n)) },
		"one name":      func(n int) []byte { return lineOf(kindMachine, fmt.Sprintf(`"format":1,"name":"m","id":"%d"`, n)) },
		"plans":         func(n int) []byte { return lineOf(kindPlan, fmt.Sprintf(`"hash":"%d"`, n)) },
		"unknown":       func(int) []byte { return lineOf("other", `"a":1`) },
		"many kinds":    func(n int) []byte { return lineOf(fmt.Sprint(n), `"a":1`) },
		"bad":           func(int) []byte { return []byte("{}\n") },
		"none":          func(int) []byte { return []byte("\n") },
	} {
		writeLines(t, path, size, line)
		began := time.Now()
		var log *Log
		got := simtest.Least(t, int64(most*size+buffers), func() {
			f, err := os.Open(path)
			must(t, err)
			defer f.Close()
			log, err = readWithin(t, objects, path, f)
			must(t, err)
		})
		t.Logf("%-16s %4d MiB, %.1f times its size, %v; %d problems", name, got>>20, float64(got)/float64(size),
			time.Since(began), len(log.Problems))
		if got > int64(most*size+buffers) {
			t.Errorf("%s: %d MiB of memory for %d MiB", name, got>>20, size>>20)
		}
	}
}

func trialLineOf(n int, rest string) []byte {
	return lineOf(kindTrial, fmt.Sprintf(`"id":"%d","keys":{}%s`, n, rest))
}

// writeLines writes a session of some bytes.
func writeLines(t *testing.T, path string, size int, line func(n int) []byte) {
	t.Helper()
	f, err := os.Create(path)
	must(t, err)
	machine, err := encode(kindMachine, machineNamed("a", "1"))
	must(t, err)
	w := bufio.NewWriter(f)
	_, err = w.Write(machine)
	must(t, err)
	for n := 0; size > 0; n++ {
		wrote, err := w.Write(line(n))
		must(t, err)
		size -= wrote
	}
	must(t, w.Flush())
	must(t, f.Close())
}

// TestObjectsInTexts: what a command said may look like any JSON.
func TestObjectsInTexts(t *testing.T) {
	path := filepath.Join(t.TempDir(), "s.jsonl")
	w, err := Create(path)
	must(t, err)
	must(t, w.Machine(machineNamed("m", "a")))
	trial := trialOn("m", "a", "t0")
	trial.Void = strings.Repeat(`{},"null\`, 300)
	must(t, w.Trial(trial))
	must(t, w.Close())
	log, err := Read(path)
	must(t, err)
	if len(log.Trials) != 1 || log.Trials[0].Void != trial.Void || len(log.Problems) > 0 {
		t.Errorf("%d runs, problems %v", len(log.Trials), log.Problems)
	}
}
