package engine

import (
	"embed"
	"path"
	"slices"

	"golang.org/x/mod/semver"
)

// Pinned is an embedded folder with one for each release that can be set up: the list of its files, and their SHA-256.
type Pinned struct {
	FS  embed.FS
	Dir string
}

// Releases returns the releases, the newest first.
func (p Pinned) Releases() []string {
	found, err := p.FS.ReadDir(p.Dir)
	if err != nil {
		panic(err) // a broken build of this program
	}
	var out []string
	for _, f := range found {
		if f.IsDir() {
			out = append(out, f.Name())
		}
	}
	slices.SortFunc(out, func(a, b string) int { return semver.Compare("v"+b, "v"+a) })
	return out
}

// File returns a file of the folder; its absence is a broken build of this program.
func (p Pinned) File(elem ...string) []byte {
	text, err := p.FS.ReadFile(path.Join(p.Dir, path.Join(elem...)))
	if err != nil {
		panic(err)
	}
	return text
}
