package site

import (
	"embed"
	"encoding/json"
	"io/fs"
	"mime"
	"net/http"
	"path"
	"slices"

	"plimsoll/internal/present/media/html"
	"plimsoll/internal/record/figure"
)

// assets holds the explorer's page, style and modules.
//
//go:embed assets
var assets embed.FS

// shellPolicy lets the explorer run and read what this server has, and nothing else. The table library draws with
// styles that scripts set, which no policy stops, and needs none inline.
const shellPolicy = "default-src 'none'; script-src 'self'; style-src 'self'; connect-src 'self'; " +
	"img-src 'self'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'"

const operationsFile = "operations.js"

const tables = "assets/vendored/tabulator-tables-6.5.3/"

// served are the files below /assets/, and where they are.
func servedAssets() map[string]struct {
	from fs.FS
	name string
} {
	type at = struct {
		from fs.FS
		name string
	}
	out := map[string]at{
		"page.css":           {html.Assets, "assets/page.css"},
		"tabulator.css":      {html.Assets, tables + "tabulator_simple.min.css"},
		"tabulator.js":       {html.Assets, tables + "tabulator_esm.min.js"},
		"uplot.css":          {html.Assets, html.Library + "uPlot.min.css"},
		"uplot.js":           {html.Assets, html.Library + "uPlot.iife.min.js"},
		"tables-licence.txt": {html.Assets, tables + "LICENSE"},
		"charts-licence.txt": {html.Assets, html.Library + "LICENSE"},
	}
	own, _ := fs.ReadDir(assets, "assets") // it is embedded
	for _, e := range own {
		out[e.Name()] = at{assets, "assets/" + e.Name()}
	}
	return out
}

// shell sends the explorer, which reads from its URL what to show.
func shell(w http.ResponseWriter, _ *http.Request) {
	limit(w)
	text, err := assets.ReadFile("assets/explorer.html")
	if err != nil {
		http.Error(w, err.Error(), http.StatusInternalServerError)
		return
	}
	w.Header().Set("Content-Security-Policy", shellPolicy)
	w.Header().Set("Content-Type", "text/html; charset=utf-8")
	_, _ = w.Write(text) // the client may be gone
}

// operations is the module that tells the explorer what operations are called, by the list of the terminal.
func operations() []byte {
	names, _ := json.Marshal(figure.Operations()) // strings by strings
	return slices.Concat([]byte("export const operations = "), names, []byte(";\n"))
}

// asset sends a file of the explorer.
func asset(w http.ResponseWriter, r *http.Request) {
	limit(w)
	dir, name := path.Split(r.URL.Path)
	at, ok := servedAssets()[name]
	text, err := operations(), error(nil)
	switch {
	case dir != "/assets/" || !ok && name != operationsFile:
		http.NotFound(w, r)
		return
	case ok:
		text, err = fs.ReadFile(at.from, at.name)
	}
	if err != nil {
		http.Error(w, err.Error(), http.StatusInternalServerError)
		return
	}
	w.Header().Set("Content-Type", mime.TypeByExtension(path.Ext(name)))
	_, _ = w.Write(text) // the client may be gone
}
