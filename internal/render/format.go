package render

import (
	"path/filepath"
	"slices"
	"strings"

	"plimsoll/internal/usage"
)

// The formats of documents.
const (
	Text     = "text"
	JSON     = "json"
	HTML     = "html"
	Markdown = "markdown"
)

// CheckFormat returns an error that lists all known formats if the name is none of them.
func CheckFormat(name string, known ...string) error {
	if slices.Contains(known, name) {
		return nil
	}
	return usage.Errorf("unknown format %q\nhint: --format takes %s", name, strings.Join(known, ", "))
}

// ReportFormat returns the format of a report's file: the one asked for, else that of the file's extension.
func ReportFormat(name, file string) (string, error) {
	if name != "" {
		return name, CheckFormat(name, HTML, Markdown)
	}
	if ext := strings.ToLower(filepath.Ext(file)); ext == ".md" || ext == ".markdown" {
		return Markdown, nil
	}
	return HTML, nil
}
