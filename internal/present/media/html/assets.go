package html

import (
	"bytes"
	"crypto/sha256"
	"embed"
	"encoding/base64"
	"fmt"
	"html/template"
	"io"
	"slices"
	"strings"
	"unicode"
	"unicode/utf8"

	"plimsoll/internal/record/block"
	"plimsoll/internal/record/figure"
)

// Assets holds the page's template, style and scripts, read-only.
//
//go:embed assets
var Assets embed.FS

// Library is the chart library's folder and name; scripts/vendor-assets fetches it.
const (
	Library     = "assets/vendored/uplot-1.6.32/"
	LibraryName = "uPlot 1.6.32, MIT License"
)

// inline holds the code embedded in the page.
type inline struct{ style, script string }

func readInline() (inline, error) {
	var texts []string
	for _, name := range []string{Library + "LICENSE", Library + "uPlot.iife.min.js", Library + "uPlot.min.css",
		"assets/page.css", "assets/charts.js", "assets/page.js", "assets/saves.js", "assets/flames.js"} {
		text, err := Assets.ReadFile(name)
		if err != nil {
			return inline{}, fmt.Errorf("reading the report's %s: %w", name, err)
		}
		texts = append(texts, strings.TrimSpace(string(text)))
	}
	// The licence replaces the library's banner, whose address would be the only one in a page that fetches nothing.
	_, code, _ := strings.Cut(texts[1], "*/")
	notice := "/*!\n" + LibraryName + "\n\n" + texts[0] + "\n*/\n"
	return inline{
		style:  texts[2] + "\n" + texts[3],
		script: notice + strings.Join(append([]string{strings.TrimSpace(code)}, texts[4:]...), "\n"),
	}, nil
}

// policy returns the content security policy of the page: only its own code runs, and nothing is fetched.
func (in inline) policy() string {
	return fmt.Sprintf("default-src 'none'; style-src %s; script-src %s; base-uri 'none'; form-action 'none'",
		hashOf(in.style), hashOf(in.script))
}

// Policy returns the content security policy of the page for a header: a page's own element cannot say who may frame
// it.
func Policy() (string, error) {
	in, err := readInline()
	if err != nil {
		return "", err
	}
	return in.policy() + "; frame-ancestors 'none'", nil
}

// hashOf returns the policy's source expression for a text that may be in the page.
func hashOf(text string) string {
	sum := sha256.Sum256([]byte(text))
	return "'sha256-" + base64.StdEncoding.EncodeToString(sum[:]) + "'"
}

// Write writes a page from its template and view, with the charts and flame graphs of its sections embedded as data for
// its script.
func Write(w io.Writer, view any, sections []block.Section) error {
	all := flat(sections)
	t, err := pageTemplate(block.Of[block.Chart](all), block.Of[block.Plot](all), block.Of[block.Flame](all))
	if err != nil {
		return err
	}
	if err := t.Execute(undirectedWriter{w}, view); err != nil {
		return fmt.Errorf("writing the report: %w", err)
	}
	return nil
}

// undirectedWriter writes text without characters that turn its direction. A write ends no character halfway.
type undirectedWriter struct{ w io.Writer }

func (u undirectedWriter) Write(text []byte) (int, error) {
	ascii := !slices.ContainsFunc(text, func(b byte) bool { return b >= utf8.RuneSelf })
	if ascii {
		return u.w.Write(text)
	}
	if _, err := u.w.Write(bytes.Map(undirected, text)); err != nil {
		return 0, err
	}
	return len(text), nil
}

// undirected returns what stands for a character in a page: a mark for those that turn the direction of what follows
// them, which a name would do to the sentence around it.
func undirected(r rune) rune {
	if unicode.Is(unicode.Bidi_Control, r) {
		return '\uFFFD'
	}
	return r
}

// pageTemplate returns the page's template, with its code and the charts' data.
func pageTemplate(charts []block.Chart, plots []block.Plot, flames []block.Flame) (*template.Template, error) {
	code, err := readInline()
	if err != nil {
		return nil, err
	}
	data, err := ChartData(charts, plots, flames)
	if err != nil {
		return nil, err
	}
	t := template.New("page.html").Funcs(template.FuncMap{
		"style":   func() template.CSS { return template.CSS(code.style) },
		"script":  func() template.JS { return template.JS(code.script) },
		"charts":  func() template.JS { return template.JS(data) },
		"policy":  code.policy,
		"shape":   shapePath,
		"plotted": drawnPlot,
		"charted": Drawn,
		"flamed":  drawnFlame,
		"tabled":  tableOf,
		"runs":    runsOf,
		"rows":    func(n int) string { return figure.Count(n, "row") },
		"folded":  folded,
		"placed":  placed,
		"side":    sideBySide,
		"library": func() string { return LibraryName },
		"live":    func() bool { return len(charts)+len(flames)+len(plots) > 0 },
		"drawing": func() bool { return len(charts) > 0 },
		"flaming": func() bool { return len(flames) > 0 },
	})
	if t, err = t.ParseFS(Assets, "assets/*.html"); err != nil {
		return nil, fmt.Errorf("reading the report's template: %w", err)
	}
	return t, nil
}
