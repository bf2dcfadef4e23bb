package main

import (
	"github.com/spf13/pflag"

	"plimsoll/internal/present/media/json"
	"plimsoll/internal/present/render"
)

// formatFlags choose the format of a screen.
type formatFlags struct {
	name string
	json bool // the synonym of --format json
}

func (o *formatFlags) addTo(f *pflag.FlagSet) {
	f.StringVar(&o.name, "format", render.Text, "`FORMAT`: text, json or markdown")
	f.BoolVar(&o.json, "json", false, "print one JSON document, as --format json")
}

// check settles the format, and rejects one that is unknown or two at once.
func (o *formatFlags) check(f *pflag.FlagSet) error {
	if o.json && f.Changed("format") && o.name != render.JSON {
		return usagef("--json and --format %s ask for two formats\nhint: leave out one of them", o.name)
	}
	if o.json {
		o.name = render.JSON
	}
	return render.CheckFormat(o.name, render.Text, render.JSON, render.Markdown)
}

// print writes a document in the chosen format.
func (o formatFlags) print(a *app, text, markdown func() error, document func() any) error {
	switch o.name {
	case render.JSON:
		return json.Write(a.stdout, document())
	case render.Markdown:
		return markdown()
	}
	return text()
}
