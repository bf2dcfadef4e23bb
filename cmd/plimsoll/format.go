package main

import (
	"path/filepath"
	"slices"
	"strings"

	"github.com/spf13/pflag"

	"plimsoll/internal/media/json"
)

// The media of documents.
const (
	asText     = "text"
	asJSON     = "json"
	asHTML     = "html"
	asMarkdown = "markdown"
)

// formatFlags choose the medium of a screen.
type formatFlags struct {
	name string
	json bool // the synonym of --format json
}

func (o *formatFlags) addTo(f *pflag.FlagSet) {
	f.StringVar(&o.name, "format", asText, "text, json or markdown")
	f.BoolVar(&o.json, "json", false, "print one JSON document, as --format json")
}

// check settles the medium, and rejects one that is unknown or two at once.
func (o *formatFlags) check(f *pflag.FlagSet) error {
	if err := knownFormat(o.name, asText, asJSON, asMarkdown); err != nil {
		return err
	}
	if !o.json {
		return nil
	}
	if f.Changed("format") && o.name != asJSON {
		return usagef("--json and --format %s ask for two formats\nhint: leave out one of them", o.name)
	}
	o.name = asJSON
	return nil
}

// knownFormat returns an error that lists all formats if the name is none of them.
func knownFormat(name string, known ...string) error {
	if slices.Contains(known, name) {
		return nil
	}
	return usagef("unknown format %q\nhint: --format takes %s", name, strings.Join(known, ", "))
}

// print writes a document in the chosen medium.
func (o formatFlags) print(a *app, text, markdown func() error, document func() any) error {
	switch o.name {
	case asJSON:
		return json.Write(a.stdout, document())
	case asMarkdown:
		return markdown()
	}
	return text()
}

// reportFormat returns the format of a report's file: the one asked for, else that of the file's extension.
func reportFormat(name, file string) (string, error) {
	if name != "" {
		return name, knownFormat(name, asHTML, asMarkdown)
	}
	if ext := strings.ToLower(filepath.Ext(file)); ext == ".md" || ext == ".markdown" {
		return asMarkdown, nil
	}
	return asHTML, nil
}
