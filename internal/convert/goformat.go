package convert

import (
	"bufio"
	"errors"
	"io"
	"strings"

	"plimsoll/internal/record"
)

func goFormat() Format {
	return Format{Name: Go, Doc: "what go test -bench prints; it needs --machine", Read: readGo}
}

// goReader reads Go benchmark lines and the configuration lines above them.
type goReader struct {
	Options
	emit   func(record.Trial) error
	config map[string]string        // of the benchmarks that follow
	better map[string]record.Better // by unit, as lines of units say
	found  int
}

func readGo(r io.Reader, o Options, emit func(record.Trial) error) error {
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
	if b, ok := benchLineOf(text); ok {
		g.found++
		return g.benchmark(b)
	}
	if f := strings.Fields(text); len(f) > 2 && f[0] == "Unit" {
		g.unit(f[1], f[2:])
		return nil
	}
	if key, value, ok := strings.Cut(text, ":"); ok && strings.TrimSpace(value) != "" {
		return g.configure(key, strings.TrimSpace(value))
	}
	return nil
}

// unit takes a line such as "Unit p99-ns better=lower".
func (g *goReader) unit(name string, says []string) {
	for _, word := range says {
		switch word {
		case "better=higher":
			g.better[name] = record.Higher
		case "better=lower":
			g.better[name] = record.Lower
		}
	}
}

// configure takes a line such as "goarch: arm64". Tests print others like it.
func (g *goReader) configure(key, value string) error {
	had := g.config[key]
	switch key {
	case "pkg":
	case "goos", "goarch", "cpu":
		if had != "" && had != value {
			return &contradiction{key, value, had}
		}
	default:
		return nil
	}
	g.config[key] = value
	return nil
}
