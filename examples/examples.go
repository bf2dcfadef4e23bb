// Package examples holds five published articles, one folder each: suite.yaml repeats what was measured there,
// README.md says which figure of the article is where, facts.csv and claims.csv hold what it states and what that
// follows from, article.yaml what its page says of it. articles.yaml lists them. The folder published has the data of
// each as a file for import.
package examples

import (
	"embed"
	"io/fs"
)

//go:embed */suite.yaml */facts.csv */claims.csv published/*.csv
//go:embed articles.yaml */article.yaml
var files embed.FS

// Files returns the folders of the articles and the published data, without their pages.
func Files() fs.FS { return files }
