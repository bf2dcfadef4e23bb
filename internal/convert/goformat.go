package convert

import (
	"bufio"
	"errors"
	"fmt"
	"io"
	"strings"
	"unicode"
	"unicode/utf8"

	"plimsoll/internal/record"
)

func goFormat() Format {
	return Format{Name: Go, Doc: "what go test -bench prints; it needs --machine", Read: readGo}
}

// goReader reads Go benchmark lines and the configuration lines above them.
type goReader struct {
	Options
	emit   func(Result) error
	config map[string]string        // of the benchmarks that follow
	better map[string]record.Better // by unit, as lines of units say
	found  int
}

func readGo(r io.Reader, o Options, emit func(Result) error) error {
	if o.Machine == "" {
		return errors.New("benchmarks do not say which machine ran them\nhint: --machine NAME says it")
	}
	text, err := textOf(r)
	if err != nil {
		return err
	}
	g := goReader{Options: o, emit: emit, config: map[string]string{}, better: map[string]record.Better{}}
	if err := g.lines(text); err != nil {
		return err
	}
	if g.found == 0 {
		return errors.New("no Go benchmark line\nhint: go test -bench . prints them, without -json")
	}
	return nil
}

// lines takes each line. One that does not fit the buffer is no benchmark's.
func (g *goReader) lines(text *bufio.Reader) error {
	for line := 1; ; line++ {
		got, long, err := text.ReadLine()
		if errors.Is(err, io.EOF) {
			return nil
		}
		if err == nil && !long {
			err = g.line(string(got))
		}
		for err == nil && long {
			_, long, err = text.ReadLine()
		}
		if err != nil && !errors.Is(err, io.EOF) {
			return g.at(line, "%w", err)
		}
	}
}

func (g *goReader) line(text string) error {
	b, why := parseBench(text)
	switch {
	case why == "":
		g.found++
		return g.benchmark(b)
	case why != noBench:
		return fmt.Errorf("benchmark %s: %s\nhint: the line is torn, or something else was printed into it: mend it, or leave it out", brief(b.name), why)
	}
	if f := strings.Fields(text); len(f) > 2 && f[0] == "Unit" {
		return g.unit(f[1], f[2:])
	}
	if key, value, ok := configuration(text); ok {
		return g.configure(key, value)
	}
	return nil
}

// configuration takes a line such as "goarch: arm64" apart: its key begins with a lower-case letter, and has no upper-case one and no
// space; a space or tab stands before the value, which may be missing.
func configuration(text string) (key, value string, ok bool) {
	key, value, ok = strings.Cut(text, ":")
	first, _ := utf8.DecodeRuneInString(key)
	if !ok || !unicode.IsLower(first) || strings.ContainsFunc(key, func(r rune) bool { return unicode.IsSpace(r) || unicode.IsUpper(r) }) {
		return "", "", false
	}
	trimmed := strings.TrimLeft(value, " \t")
	return key, strings.TrimSpace(trimmed), value == "" || trimmed != value
}

// unit takes a line such as "Unit p99-ns better=lower".
func (g *goReader) unit(name string, says []string) error {
	for _, word := range says {
		better := record.Better(strings.TrimPrefix(word, "better="))
		if word == string(better) || better != record.Higher && better != record.Lower {
			continue
		}
		if had, ok := g.better[name]; ok && had != better {
			return fmt.Errorf("%s is better when %s here, and when %s above", brief(name), better, had)
		}
		g.better[strings.Clone(name)] = better
	}
	return nil
}

// configure sets a key for the benchmarks that follow; without a value it has none any more.
func (g *goReader) configure(key, value string) error {
	had := g.config[key]
	switch {
	case key == "coverage" || key == "testing": // what go test says at the end of a package
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

// machineFact is what a comparison calls a key that says something of the machine; "" of the others, which are parameters.
func machineFact(key string) string {
	return map[string]string{"goos": "os", "goarch": "arch", "cpu": "cpu"}[key]
}
