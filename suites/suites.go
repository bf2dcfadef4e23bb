// Package suites finds the plans that plimsoll carries inside: `plimsoll run NAME` runs NAME.yaml of this folder, or
// suite.yaml of the folder NAME of examples.
package suites

import (
	"embed"
	"fmt"
	"io/fs"
	"path"
	"slices"
	"strings"

	"plimsoll/examples"
	"plimsoll/internal/plan"
)

//go:embed *.yaml
var files embed.FS

// Default is the suite that `plimsoll run` measures with no argument.
const Default = "quick"

// Articles stands for the suites of all published articles, each a session of its own.
const Articles = "articles"

const articlesDoc = "the five published articles, one after the other, each into a session of its own, and " +
	"a page that " +
	"compares this machine with the published ones; --quick takes half an hour on two CPUs"

// Names lists the suites.
func Names() []string {
	out := []string{Articles}
	for _, name := range matches(files, "*.yaml") {
		out = append(out, strings.TrimSuffix(name, ".yaml"))
	}
	for _, name := range matches(examples.Files(), "*/suite.yaml") {
		out = append(out, path.Dir(name))
	}
	slices.Sort(out)
	return out
}

func matches(files fs.FS, pattern string) []string {
	names, err := fs.Glob(files, pattern)
	if err != nil {
		panic("suites: the pattern is ours and good: " + err.Error())
	}
	return names
}

// Find returns the request of the suite of that name; false if there is none.
func Find(name string) (plan.Request, bool, error) {
	if name == Articles {
		return plan.Request{Name: Articles, Doc: articlesDoc}, true, nil
	}
	text, err := files.ReadFile(name + ".yaml")
	if err != nil {
		text, err = fs.ReadFile(examples.Files(), name+"/suite.yaml")
	}
	if err != nil {
		return plan.Request{}, false, nil
	}
	req, err := plan.ParseSuite(name, text)
	if err != nil {
		return req, true, fmt.Errorf("embedded %w", err)
	}
	return req, true, nil
}
