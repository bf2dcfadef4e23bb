package convert

import (
	"bufio"
	"cmp"
	"errors"
	"fmt"
	"io"
	"maps"
	"strings"
	"unicode"
	"unicode/utf8"

	"plimsoll/internal/base/usage"
	"plimsoll/internal/exchange/convert/reader"
	"plimsoll/internal/record"
)

func goFormat() Format {
	return Format{Name: Go, Doc: "output of go test -bench", Marks: goMarks(), Read: readGo}
}

// goMarks returns the marks of a result line; a name alone is no result.
func goMarks() reader.Marks {
	isLine := reader.AnyLine(`^Benchmark[^\s\p{Ll}]\S*\s+[0-9]+\s+[0-9.e+]+ [^\s0-9]`)
	return reader.Marks{Looks: "a line `BenchmarkName-8  1000  3000 ns/op`, or the events of `-json`",
		Match: func(head []byte) bool { return isLine(head) || isGoEvents(head) }}
}

// goReader reads Go benchmark lines and the configuration lines above them.
type goReader struct {
	Options
	emit   func(Result) error
	config map[string]string        // of the following benchmarks
	better map[string]record.Better // by unit, from Unit lines
	found  int
	block  []goLine // benchmarks whose names are not told from GOMAXPROCS yet
	shared bool     // the last of them has this config
	end    *ending
}

// ending remembers the last byte of an input.
type ending struct {
	io.Reader
	last byte
}

func (e *ending) Read(p []byte) (int, error) {
	n, err := e.Reader.Read(p)
	if n > 0 {
		e.last = p[n-1]
	}
	return n, err
}

// torn returns an error if the input ends in a benchmark's line, within the unit of a value: a file that was cut has no
// end of a line, and a unit of which one of Go's goes on is none of its own.
func (g *goReader) torn(lines int) error {
	if len(g.block) == 0 || g.end.last == '\n' || g.block[len(g.block)-1].line != lines {
		return nil
	}
	values := g.block[len(g.block)-1].values
	unit := values[len(values)-1].unit
	for _, whole := range []string{"ns/op", "MB/s", "B/op", "allocs/op"} {
		if unit != whole && strings.HasPrefix(whole, unit) {
			return g.at(lines, "the file ends within a line: %s is the beginning of %s\nhint: keep the whole output, or leave "+
				"the line out", reader.Brief(unit), whole)
		}
	}
	return nil
}

// goLine is a benchmark's line with what stood above it.
type goLine struct {
	benchLine
	line   int
	config map[string]string
}

// maxBlock bounds the lines of a block; those behind it are told by their own.
const maxBlock = 1 << 11

func readGo(r io.Reader, o Options, emit func(Result) error) error {
	if o.Machine = cmp.Or(o.Machine, o.Folder); o.Machine == "" {
		return o.unnamed("Go benchmarks do not name their machine")
	}
	end := &ending{Reader: r}
	text, err := textOf(end)
	if err != nil {
		return err
	}
	text, events, err := joined(text)
	if err != nil {
		return err
	}
	if events {
		o.File += ", its output joined"
	}
	g := goReader{end: end, Options: o, emit: emit, config: map[string]string{}, better: map[string]record.Better{}}
	if err := g.lines(text); err != nil {
		return err
	}
	if g.found == 0 {
		return errors.New("no Go benchmark line\nhint: use the output of `go test -bench .`")
	}
	return nil
}

// lines handles each line. One that does not fit the buffer is not a benchmark.
func (g *goReader) lines(text *bufio.Reader) error {
	for line := 1; ; line++ {
		got, long, err := text.ReadLine()
		if errors.Is(err, io.EOF) {
			if err := cmp.Or(g.torn(line-1), g.flush()); err != nil || len(g.unread) == 0 || g.found == 0 {
				return err
			}
			return g.emit(Result{Unread: g.unread})
		}
		if err == nil && !long {
			err = g.line(line, string(got))
		}
		for err == nil && long {
			_, long, err = text.ReadLine()
		}
		if err != nil && !errors.Is(err, io.EOF) {
			return g.located(line, err)
		}
	}
}

// located adds a line to an error without one.
func (g *goReader) located(line int, err error) error {
	if usage.Is(err) {
		return err
	}
	return g.at(line, "%w", err)
}

// flush emits the benchmarks of a block.
func (g *goReader) flush() error {
	names := map[string]bool{}
	for _, b := range g.block {
		if !exported(b.config) {
			names[b.name] = true
		}
	}
	of := newSuffixes(names)
	switch oneCPU := g.Load.Unit == loadCPUs && g.Load.Level == 1; {
	case of.guessed && oneCPU: // Go appends no number for one CPU
		of = suffixes{}
	case of.guessed:
		g.left(fmt.Sprintf("the numbers at the end of names such as %s are read as GOMAXPROCS (go test -cpu): --load "+
			"cpus=1 reads them as parts of the names", reader.Brief(g.block[0].name)))
	case of.unlike && !oneCPU:
		g.left(fmt.Sprintf("the numbers at the end of names such as %s are read as parts of the names, since not "+
			"every benchmark has the same: go test -cpu gives each to all", reader.Brief(g.block[0].name)))
	}
	block, config := g.block, g.config
	g.block = nil
	for _, b := range block {
		g.config = b.config
		if err := g.benchmark(b.benchLine, !exported(b.config) && of.areCPUs(b.name)); err != nil {
			return g.located(b.line, err)
		}
	}
	g.config = config
	return nil
}

// exported reports whether benchmarks are those of our own export, whose names have no GOMAXPROCS.
func exported(config map[string]string) bool {
	return config["session"] != "" && config["machine"] != ""
}

func (g *goReader) line(at int, text string) error {
	b, why := parseBench(text)
	_, without := resultless(text)
	switch {
	case why == "":
		g.found++
		g.shared = true
		if g.block = append(g.block, goLine{b, at, g.config}); len(g.block) == maxBlock {
			return g.flush()
		}
		return nil
	case without != "":
		g.left(without)
		return nil
	case brokenOff(text) != "":
		g.left(brokenOff(text))
		return nil
	case why != noBench:
		return fmt.Errorf("benchmark %s: %s\nhint: the line is torn or mixed with other output: fix it, or leave it out",
			reader.Brief(b.name), why)
	}
	if f := strings.Fields(text); len(f) > 2 && f[0] == "Unit" {
		return g.unit(f[1], f[2:])
	}
	if key, value, ok := configuration(text); ok {
		return g.configure(key, value)
	}
	return nil
}

// configuration splits a line such as "goarch: arm64": its key begins with a lower-case letter and has no upper-case
// letters or spaces; the value, which may be missing, follows a space or tab.
func configuration(text string) (key, value string, ok bool) {
	key, value, ok = strings.Cut(text, ":")
	first, _ := utf8.DecodeRuneInString(key)
	if !ok || !unicode.IsLower(first) ||
		strings.ContainsFunc(key, func(r rune) bool { return unicode.IsSpace(r) || unicode.IsUpper(r) }) {
		return "", "", false
	}
	trimmed := strings.TrimLeft(value, " \t")
	return key, strings.TrimSpace(trimmed), value == "" || trimmed != value
}

// unit handles a line such as "Unit p99-ns better=lower".
func (g *goReader) unit(name string, says []string) error {
	for _, word := range says {
		better := record.Better(strings.TrimPrefix(word, "better="))
		if word == string(better) || better != record.Higher && better != record.Lower {
			continue
		}
		if had, ok := g.better[name]; ok && had != better {
			return fmt.Errorf("%s is better when %s here, but when %s above", reader.Brief(name), better, had)
		}
		g.better[strings.Clone(name)] = better
	}
	return nil
}

// configure sets a key for the following benchmarks; an empty value deletes it.
func (g *goReader) configure(key, value string) error {
	had := g.config[key]
	if key == "pkg" && had != value {
		if err := g.flush(); err != nil {
			return err
		}
	}
	if had == value && value != "" {
		return nil
	}
	if g.shared {
		g.config, g.shared = maps.Clone(g.config), false // lines above have the old one
	}
	switch {
	case key == "coverage" || key == "testing": // printed by go test at the end of a package
	case value == "" && machineFact(key) == "":
		delete(g.config, key)
	case value == "":
	case had != "" && had != value && machineFact(key) != "":
		return &contradiction{key, value, had}
	default:
		g.config[key] = value
	}
	return nil
}

// machineFact returns the name of a key's fact about the machine; "" for others, which are parameters.
func machineFact(key string) string {
	return map[string]string{"goos": "os", "goarch": "arch", "cpu": "cpu"}[key]
}
