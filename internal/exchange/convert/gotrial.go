package convert

import (
	"fmt"
	"strconv"
	"strings"

	"plimsoll/internal/exchange/convert/reader"
	"plimsoll/internal/record"
	"plimsoll/internal/record/figure"
)

// contradiction reports a file with the benchmarks of several machines.
type contradiction struct{ key, here, above string }

func (e *contradiction) Error() string {
	return fmt.Sprintf("%s is %s here but %s above: these are two machines\nhint: import their files separately, each "+
		"with its own --machine", e.key, reader.Brief(e.here), reader.Brief(e.above))
}

// benchmark emits the trial of one line, whose name may end with GOMAXPROCS.
func (g *goReader) benchmark(b benchLine, suffixed bool) error {
	base, params, cpus := nameOf(b.name, suffixed)
	g.addConfig(params)
	for name, given := range g.Params {
		if said, ok := params[name]; ok && said != given {
			return fmt.Errorf("%s is %s here, but %s in --param", name, reader.Brief(said), reader.Brief(given))
		}
		params[name] = given
	}
	workload, err := filled(record.KeyWorkload, base, g.Workload)
	if err != nil {
		return err
	}
	load := record.LoadPoint{Kind: record.Closed, Level: float64(cpus), Unit: loadCPUs}
	if err := g.contradicts(load); err != nil {
		return err
	}
	t := record.Trial{Keys: newKeys(Go, g.Machine, workload, params, load), Load: load,
		Slot: record.Slot{Replicate: g.Replicate}}
	g.addFacts(t.Keys)
	if err := g.holds(g.Machine, load); err != nil { // GOMAXPROCS may exceed the number of CPUs
		why, _, _ := strings.Cut(err.Error(), "\n")
		t.Doubts = []string{why}
	}
	if t.Values, err = g.values(b); err != nil {
		return err
	}
	if len(t.Values) == 0 {
		if len(g.unread) == 0 {
			return nil
		}
		return g.emit(Result{Unread: g.unread})
	}
	return g.emit(Result{Trial: t, Unread: g.unread})
}

// addConfig adds the configuration as parameters; a key that the name has too becomes config.KEY.
func (g *goReader) addConfig(params record.Params) {
	for key, value := range g.config {
		if machineFact(key) != "" {
			continue
		}
		if _, ok := params[key]; ok {
			key = "config." + key
		}
		params[key] = value
	}
}

// addFacts adds the configuration about the machine, under the names used by comparisons.
func (g *goReader) addFacts(keys map[string]string) {
	for key, value := range g.config {
		if to := machineFact(key); to != "" {
			keys[to] = value
		}
	}
}

func (g *goReader) values(b benchLine) ([]record.Value, error) {
	var out []record.Value
	for _, printed := range b.values {
		name, unit, better := goMetric(printed.unit)
		switch {
		case impossible(printed):
			return nil, fmt.Errorf("%s is %g %s", reader.Brief(b.name), printed.value, reader.Brief(printed.unit))
		case !figure.IsFinite(printed.value):
			g.left(notNumber(printed, b.name))
			continue
		}
		if said, ok := g.better[printed.unit]; ok {
			better = said
		}
		// A rate below 5 kB/s is printed as 0.00 MB/s; the time is more precise.
		if name == record.Throughput && printed.value == 0 {
			continue
		}
		v, err := inBase(name, unit, better, printed.value)
		if err != nil {
			return nil, err
		}
		out = append(out, v)
	}
	return out, nil
}

// maxLeft bounds the values that are named as left out.
const maxLeft = 3

func (g *goReader) left(sentence string) {
	if len(g.unread) < maxLeft {
		g.unread = append(g.unread, sentence)
	}
}

// goMetric returns the metric for a benchmark's unit. Of others it is that of time and memory, or of a rate.
func goMetric(printed string) (name, unit string, better record.Better) {
	switch base, _ := Base(printed); {
	case base == "s/op":
		return "time", strings.TrimSuffix(printed, "/op"), record.Lower
	case base == "B/s":
		return record.Throughput, printed, record.Higher
	case base == "op/s":
		return base, printed, record.Higher
	}
	return printed, printed, direction(printed, printed)
}

// nameOf splits a benchmark's name: "Seal/size=16KiB/aes-8" is Seal with size=16KiB and sub2=aes on 8 CPUs. A name
// without a number ran on one.
func nameOf(full string, suffixed bool) (base string, params record.Params, cpus int) {
	cpus = 1
	if suffixed {
		full, cpus = cutCPUs(full)
	}
	parts := strings.Split(full, "/")
	params = record.Params{}
	for i, part := range parts[1:] {
		name, value, ok := strings.Cut(part, "=")
		if _, twice := params[name]; !ok || name == "" || value == "" || twice {
			name, value = "sub"+strconv.Itoa(i+1), part
		}
		if value != "" {
			params[name] = value
		}
	}
	return parts[0], params, cpus
}

// mostCPUs is the most that GOMAXPROCS may be: more are of no machine on which Go's tests run.
const mostCPUs = 1 << 10

// cutCPUs strips GOMAXPROCS from a name, which Go appends unless it is 1: a name that ends with -1 ends with that.
func cutCPUs(full string) (name string, cpus int) {
	at := strings.LastIndexByte(full, '-')
	n, err := strconv.ParseUint(full[at+1:], 10, 16)
	if at < 0 || err != nil || n <= 1 || n >= mostCPUs || full[at+1] == '0' {
		return full, 1
	}
	return full[:at], int(n)
}

// suffixes tells whether the numbers at the ends of a block's names are GOMAXPROCS or parts of the names. Go appends it
// to all names of a run or, if it is 1, to none. With -cpu=1,2,4 each benchmark stands there without a number too, and
// with -cpu=2,4 each with the same numbers.
type suffixes struct {
	names map[string]bool
	bare  bool         // some ran with one CPU, or none has a number for that
	cpus  map[int]bool // the numbers that are GOMAXPROCS
	// guessed is set if the numbers of CPUs may be parts of the names as well: one benchmark has them, or several numbers
	// are shared.
	guessed bool
	// unlike is set if benchmarks share some numbers and not all: parts of the names, unless results are missing.
	unlike bool
}

func newSuffixes(names map[string]bool) suffixes {
	out := suffixes{names: names}
	for name := range names {
		_, n := cutCPUs(name)
		out.bare = out.bare || n == 1
	}
	sets, certain, all := map[string]map[int]bool{}, map[int]bool{}, map[int]int{}
	for name := range names {
		base, n := out.cut(name)
		if sets[base] == nil {
			sets[base] = map[int]bool{}
		}
		sets[base][n] = true
		all[n]++
		if !strings.Contains(name, "/") { // a function's name has no hyphen
			certain[n] = true
		}
	}
	if len(certain) > 0 {
		out.cpus = certain
		return out
	}
	same := true
	for _, set := range sets {
		same = same && len(set) == len(all)
	}
	for n, of := range all {
		out.unlike = out.unlike || !same && n > 1 && of > 1
		out.guessed = out.guessed || same && n > 1 && (len(sets) == 1 || !out.bare && len(all) > 1)
		if same {
			certain[n] = true
		}
	}
	out.cpus = certain
	return out
}

// cut is cutCPUs for a block's name: if some ran with one CPU, a number is GOMAXPROCS only if its benchmark did so too.
func (s suffixes) cut(full string) (base string, cpus int) {
	base, cpus = cutCPUs(full)
	if s.bare && !s.names[base] {
		return full, 1
	}
	return base, cpus
}

func (s suffixes) areCPUs(full string) bool {
	_, cpus := s.cut(full)
	return cpus > 1 && s.cpus[cpus]
}
