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

// Names lists the suites.
func Names() []string {
	var out []string
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
