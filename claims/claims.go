// Package claims holds what five published articles state and the figures that it
// follows from, one folder each; `plimsoll claims` recomputes them.
package claims

import (
	"embed"
	"io/fs"
)

//go:embed */*.csv
var files embed.FS

// Files are the folders of the articles.
func Files() fs.FS { return files }
