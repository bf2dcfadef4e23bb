package invocation

import (
	"regexp"
	"strings"
	"unicode"

	"plimsoll/internal/base/usage"
)

// Limits of labels in a trial's line.
const (
	maxLabels     = 8
	maxLabelBytes = 64
)

// Labels parses --label NAME=VALUE.
func Labels(texts []string) (map[string]string, error) {
	if len(texts) == 0 {
		return nil, nil
	}
	out := map[string]string{}
	for _, text := range texts {
		name, value, _ := strings.Cut(text, "=")
		switch _, twice := out[name]; {
		case !regexp.MustCompile(`^[A-Za-z0-9][A-Za-z0-9._-]*$`).MatchString(name) || value == "" ||
			strings.ContainsFunc(value, unicode.IsControl):
			return nil, usage.Errorf("--label %q: must be NAME=VALUE\nhint: --label build=main; a name is made of "+
				"letters, digits, '.', '-' and '_'", text)
		case len(name) > maxLabelBytes || len(value) > maxLabelBytes:
			return nil, usage.Errorf("--label %q: name and value have at most %d bytes each", text, maxLabelBytes)
		case twice:
			return nil, usage.Errorf("--label %s is given twice", name)
		}
		out[name] = value
	}
	if len(out) > maxLabels {
		return nil, usage.Errorf("%d labels: at most %d are kept with each run", len(out), maxLabels)
	}
	return out, nil
}
