// Package suites holds the plans that plimsoll carries inside, one YAML file
// each; `plimsoll run NAME` runs one by its file's name.
package suites

import (
	"embed"
	"fmt"
	"strings"

	"plimsoll/internal/plan"
)

//go:embed *.yaml
var files embed.FS

// Default is the suite that `plimsoll run` measures with no argument.
const Default = "quick"

// Names lists the suites.
func Names() []string {
	entries, err := files.ReadDir(".")
	if err != nil {
		panic("suites: the embedded directory cannot be missing: " + err.Error())
	}
	var out []string
	for _, e := range entries {
		out = append(out, strings.TrimSuffix(e.Name(), ".yaml"))
	}
	return out
}

// Find returns the request of the suite of that name; false where there is none.
func Find(name string) (plan.Request, bool, error) {
	text, err := files.ReadFile(name + ".yaml")
	if err != nil {
		return plan.Request{}, false, nil
	}
	req, err := plan.ParseSuite(name, text)
	if err != nil {
		return req, true, fmt.Errorf("embedded %w", err)
	}
	return req, true, nil
}
