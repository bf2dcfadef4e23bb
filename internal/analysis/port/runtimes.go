package port

import (
	"path"
	"regexp"
	"strings"

	"plimsoll/internal/analysis/issue"
)

// runtimes finds runtimes that are known to be slow on arm64 by their versions: of images in Dockerfiles, and of JDKs
// and Go where they are installed.
type runtimes struct {
	from, java, goes *regexp.Regexp
	known            issue.List
}

func newRuntimes() runtimes {
	return runtimes{known: issue.All(),
		from: regexp.MustCompile(`(?i)^\s*FROM\s+(?:--\S+\s+)?(?:\S*/)?([a-z0-9_-]+):(\d[\w.\-]*)`),
		java: regexp.MustCompile(`^JAVA_VERSION="([^"]+)"`),
		goes: regexp.MustCompile(`^go(\d[\d.]*)`),
	}
}

func (runtimes) id() string { return "runtime" }

func (runtimes) doc() string { return "versions of runtimes that are known to be slow on arm64" }

func (runtimes) settle(*Report) {}

func (runtimes) needs(file string, _ []byte) Need {
	if base := path.Base(file); isDockerfile(file) || base == "release" ||
		base == "VERSION" && path.Base(path.Dir(file)) == "go" {
		return Whole
	}
	return Nothing
}

func (c runtimes) look(f File, r *Report) {
	for i, line := range lines(f.Data) {
		name, version := "", ""
		switch {
		case isDockerfile(f.Path):
			if m := c.from.FindStringSubmatch(line); m != nil {
				name, version = strings.ToLower(m[1]), m[2]
			}
		case f.Base() == "release":
			if m := c.java.FindStringSubmatch(line); m != nil {
				name, version = "java", strings.TrimPrefix(m[1], "1.")
			}
		default:
			if m := c.goes.FindStringSubmatch(line); m != nil {
				name, version = "golang", m[1]
			}
		}
		for _, known := range c.known.Of(name, version) {
			r.add(Finding{Check: c.id(), Severity: RunsSlowly, File: f.Path, Line: i + 1,
				Says: name + " " + version + ": " + known.Says, Remedy: known.Remedy, Source: known.Source})
		}
	}
}
