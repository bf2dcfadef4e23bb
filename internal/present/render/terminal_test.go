package render

import (
	"bytes"
	"errors"
	"io"
	"strings"
	"testing"

	"plimsoll/internal/analysis/finding"
	"plimsoll/internal/present/media/json"
	"plimsoll/internal/present/media/term"
	"plimsoll/internal/record"
	"plimsoll/internal/record/block"
)

func listed() []Listed {
	return []Listed{
		{Workload: record.Workload{
			Name: "aes-gcm", Doc: "seals packages as an object store does, on any number of CPUs",
			Loads: []record.LoadKind{record.Closed}, Slices: true,
			Metrics: []record.Metric{{Name: record.Throughput, Unit: "B/s", Better: record.Higher, Doc: "plaintext sealed"}},
			Params: []record.Param{
				{Name: "size", Kind: record.Size, Default: "16KiB", Min: 16, Max: 1 << 30, Doc: "plaintext of one package"},
				{Name: "cpus", Kind: record.CPUs, Default: record.AllCPUs, Min: 1, Max: 1024, Doc: "CPUs to load"},
				{Name: "key", Kind: record.Enum, Default: "256", Choices: []string{"128", "256"}, Doc: "bits of the key"},
				{Name: "verify", Kind: record.Bool, Default: "true",
					Doc: "open every thousandth package again and compare it with the plaintext, outside of the measured time"},
			},
		}},
		{
			Workload: record.Workload{
				Name: "pgbench", Doc: "TPC-B-like transactions", Needs: []string{"postgresql"}, Free: true,
				Loads: []record.LoadKind{record.Closed, record.Open},
				Metrics: []record.Metric{
					{Name: record.Throughput, Unit: "tx/s", Better: record.Higher},
					{Name: record.LatencyP99, Unit: "s", Better: record.Lower},
				},
			},
			Problem: "PostgreSQL is not installed\nhint: plimsoll setup postgresql",
		},
	}
}

// screens are all texts for a terminal.
func screens() map[string]func(io.Writer, term.Style) error {
	return map[string]func(io.Writer, term.Style) error{
		"show":    func(w io.Writer, s term.Style) error { return Show(w, s, sampleShown(), block.Depth{}) },
		"compare": func(w io.Writer, s term.Style) error { return Compare(w, s, compared(), block.Depth{}) },
		"factor":  func(w io.Writer, s term.Style) error { return Compare(w, s, byFactor(), block.Depth{}) },
		"all": func(w io.Writer, s term.Style) error {
			return errors.Join(Show(w, s, sampleShown(), block.Whole()), Compare(w, s, compared(), block.Whole()))
		},
		"machine": func(w io.Writer, s term.Style) error { return Machine(w, s, xeon()) },
		"workloads": func(w io.Writer, s term.Style) error {
			return errors.Join(Workload(w, s, listed()[0]), Workload(w, s, listed()[1]))
		},
		"overview": func(w io.Writer, s term.Style) error {
			return Overview(w, s, Listing{Workloads: listed(), Suites: []ListedSuite{
				{"quick", "what a machine handles; five minutes"}, {"encryption", "what TLS and encryption at rest cost"}}})
		},
		"nothing": func(w io.Writer, s term.Style) error {
			return errors.Join(Show(w, s, finding.Shown{}, block.Depth{}), Compare(w, s, finding.Compared{}, block.Depth{}))
		},
	}
}

func TestScreens(t *testing.T) {
	styles := map[string]term.Style{
		"plain": {Width: 130}, "colour": {Width: 130, Color: true}, "narrow": {Width: 50},
	}
	for screen, write := range screens() {
		for look, style := range styles {
			t.Run(screen+"/"+look, func(t *testing.T) {
				var b bytes.Buffer
				if err := write(&b, style); err != nil {
					t.Fatal(err)
				}
				golden(t, screen+"."+look+".txt", b.Bytes())
			})
		}
	}
}

func TestMarkdown(t *testing.T) {
	for name, write := range map[string]func(io.Writer) error{
		"show":    func(w io.Writer) error { return ShowMarkdown(w, sampleShown(), block.Whole()) },
		"compare": func(w io.Writer) error { return CompareMarkdown(w, compared(), block.Whole()) },
		"report":  func(w io.Writer) error { return ReportMarkdown(w, wholePage()) },
		"nothing": func(w io.Writer) error {
			return errors.Join(ShowMarkdown(w, finding.Shown{}, block.Whole()),
				CompareMarkdown(w, finding.Compared{}, block.Whole()))
		},
	} {
		t.Run(name, func(t *testing.T) {
			var b bytes.Buffer
			if err := write(&b); err != nil {
				t.Fatal(err)
			}
			golden(t, name+".md", b.Bytes())
		})
	}
}

func TestScreensKeepToTheirWidth(t *testing.T) {
	for screen, write := range screens() {
		for _, width := range []int{60, 80, 100, 200} {
			var b bytes.Buffer
			if err := write(&b, term.Style{Width: width}); err != nil {
				t.Fatal(err)
			}
			for line := range strings.Lines(b.String()) {
				if got := block.DisplayWidth(strings.TrimRight(line, "\n")); got > width {
					t.Errorf("%s at %d columns has a line of %d: %s", screen, width, got, line)
				}
			}
		}
	}
}

// Colour must only colour: without its codes the text is the plain one.
func TestColourChangesNoText(t *testing.T) {
	for screen, write := range screens() {
		var coloured, bare bytes.Buffer
		if err := errors.Join(write(&coloured, term.Style{Width: 90, Color: true}),
			write(&bare, term.Style{Width: 90})); err != nil {
			t.Fatal(err)
		}
		if screen != "nothing" && !strings.Contains(coloured.String(), "\x1b[") {
			t.Errorf("%s has no colour", screen)
		}
		if got := uncoloured(coloured.String()); got != bare.String() {
			t.Errorf("%s differs without its colour:\n%s\nwant\n%s", screen, got, bare.String())
		}
	}
}

// uncoloured removes colours and nothing else.
func uncoloured(s string) string {
	for _, k := range []block.Tone{block.Plain, block.Strong, block.Dim, block.Good, block.Bad, block.Warn} {
		s = strings.ReplaceAll(s, "\x1b["+term.CodeOf(k)+"m", "")
	}
	return s
}

func TestTerminalCannotBeDriven(t *testing.T) {
	s := sampleShown()
	for i := range s.Workloads {
		s.Workloads[i].Machine = "evil\x1b[2J\u202ename\x07\u009b2J"
		s.Workloads[i].Params["size\r"] = "\x1b]0;title\x07"
		s.Workloads[i].Doubts = told("\x1b[31m")
	}
	s.Warnings = told("\x1b[1A")
	var b bytes.Buffer
	if err := Show(&b, term.Style{Width: 120}, s, block.Depth{}); err != nil {
		t.Fatal(err)
	}
	if at := strings.IndexFunc(b.String(), func(r rune) bool {
		return r != '\n' && (r < ' ' || r >= 0x7f && r < 0xa0 || r == '\u202e')
	}); at >= 0 {
		t.Errorf("control character passes: %q", b.String()[at:min(at+20, b.Len())])
	}
	if !strings.Contains(b.String(), "evil\uFFFD[2J\uFFFDname") {
		t.Errorf("the name is lost:\n%s", b.String())
	}
}

func TestAlignsOnDisplayWidth(t *testing.T) {
	var b bytes.Buffer
	p := term.NewPrinter(&b, term.Style{Width: 80})
	p.Table(0, block.Table{
		Columns: []block.Column{{Name: "machine"}, {Name: "value", Right: true}},
		Rows: [][]block.Cell{{{Text: "日本"}, {Text: "1"}}, {{Text: "e\u0301t"}, {Text: "22"}},
			{{Text: "plain"}, {Text: "333"}}},
	})
	for line := range strings.Lines(b.String()) {
		if got := block.DisplayWidth(strings.TrimRight(line, "\n")); got != 14 {
			t.Errorf("width %d of %q, want 14", got, line)
		}
	}
}

// fullDisk fails after some bytes.
type fullDisk struct{ left int }

var errFull = errors.New("no space left on device")

func (f *fullDisk) Write(p []byte) (int, error) {
	if f.left -= len(p); f.left < 0 {
		return 0, errFull
	}
	return len(p), nil
}

func TestWriteErrorsAreReported(t *testing.T) {
	all := screens()
	all["json"] = func(w io.Writer, _ term.Style) error { return json.Write(w, compared()) }
	all["markdown"] = func(w io.Writer, _ term.Style) error { return ReportMarkdown(w, page()) }
	all["report"] = func(w io.Writer, _ term.Style) error { return Report(w, page()) }
	for name, write := range all {
		if err := write(&fullDisk{left: 30}, term.Style{}); !errors.Is(err, errFull) {
			t.Errorf("%s: error %v, want %v", name, err, errFull)
		}
	}
}
