package render

import (
	"cmp"
	"path/filepath"
	"slices"
	"strings"

	"plimsoll/internal/base/usage"
)

// The formats of documents.
const (
	Text     = "text"
	JSON     = "json"
	HTML     = "html"
	Markdown = "markdown"
	SARIF    = "sarif"
)

// CheckFormat returns an error that lists all known formats if the name is none of them.
func CheckFormat(name string, known ...string) error {
	if slices.Contains(known, name) {
		return nil
	}
	return usage.Errorf("unknown format %q\nhint: --format takes %s", name, strings.Join(known, ", "))
}

// HistoryFormat returns the format of histories: the one asked for, else that of the file's extension, else text.
func HistoryFormat(name string, json bool, file string) (string, error) {
	switch {
	case json && name != "" && name != JSON:
		return "", usage.Errorf("--json and --format %s ask for two formats\nhint: leave out one of them", name)
	case json:
		return JSON, nil
	case name != "":
		return name, CheckFormat(name, Text, JSON, Markdown, HTML)
	}
	byExtension := map[string]string{".html": HTML, ".htm": HTML, ".md": Markdown, ".markdown": Markdown, ".json": JSON}
	return cmp.Or(byExtension[strings.ToLower(filepath.Ext(file))], Text), nil
}

// PortFormat returns the format of what stands in the way of arm64: the one asked for, else text.
func PortFormat(name string, json bool) (string, error) {
	if json {
		return HistoryFormat(name, json, "")
	}
	name = cmp.Or(name, Text)
	return name, CheckFormat(name, Text, JSON, Markdown, SARIF)
}

// ReportFormat returns the format of a report's file: the one asked for, else that of the file's extension.
func ReportFormat(name, file string) (string, error) {
	if name != "" {
		return name, CheckFormat(name, HTML, Markdown)
	}
	ext := filepath.Ext(file)
	page := strings.TrimSuffix(file, ext) + ".html"
	switch ext = strings.ToLower(ext); ext {
	case ".md", ".markdown":
		return Markdown, nil
	case ".pdf", ".png", ".svg", ".docx", ".pptx":
		return "", usage.Errorf("a report is HTML or Markdown, not %s\nhint: -o %s, and print it from the browser", ext[1:],
			page)
	case ".json", ".csv", ".xlsx":
		return "", usage.Errorf("a report is HTML or Markdown, not %s\nhint: plimsoll export FILE --format csv, or plimsoll "+
			"show FILE --json", ext[1:])
	}
	return HTML, nil
}
