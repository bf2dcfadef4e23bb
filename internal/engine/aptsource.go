package engine

import (
	"context"
	"fmt"
	"os"
	"path/filepath"
	"strings"
)

// AptSource is the source of a Debian or Ubuntu package, fetched by a list of sources of our own, so that the
// system's stays as it is. The distribution's patches are not applied.
type AptSource struct {
	Engine  string // names it in messages
	Package string // source package
	Work    string // made anew; the caller removes it
}

// treeDir is the directory below Work into which the source is unpacked.
const treeDir = "tree"

// Steps returns the steps that fetch the source and unpack it: see Tree.
func (a AptSource) Steps() ([]Step, error) {
	if _, _, err := Program(a.Engine, "apt-get", ""); err != nil {
		return nil, fmt.Errorf("%s: fetching the source needs apt-get, which is not here", a.Engine)
	}
	apt := func(args ...string) []string {
		return append([]string{"apt-get", "-q", "-o", "Dir::Etc::SourceList=/dev/null", "-o",
			"Dir::Etc::SourceParts=" + filepath.Join(a.Work, "parts"),
			"-o", "Dir::State::Lists=" + filepath.Join(a.Work, "lists"), "-o", "Dir::Cache=" + filepath.Join(a.Work, "cache")},
			args...)
	}
	unpack := fmt.Sprintf("mkdir %s && tar -xf %s_*.orig.tar.*[zx2] -C %s --no-same-owner", treeDir, a.Package, treeDir)
	return []Step{
		{Does: "write a list of this system's sources to " + a.Work,
			Do: func(context.Context) error { return a.prepare("/etc/apt") }},
		{Does: "read the package lists", Command: apt("update")},
		{Does: "fetch the source of " + a.Package, Command: apt("source", "--download-only", "--tar-only", a.Package),
			Dir: a.Work},
		{Does: "unpack it", Command: []string{"sh", "-c", unpack}, Dir: a.Work},
	}, nil
}

// Tree returns the unpacked directory. Its name contains the version.
func (a AptSource) Tree() (string, error) {
	trees, _ := filepath.Glob(filepath.Join(a.Work, treeDir, a.Package+"-*"))
	if len(trees) != 1 {
		return "", fmt.Errorf("%s: the source fetched into %s has %d trees, not one", a.Engine, a.Work, len(trees))
	}
	return trees[0], nil
}

// prepare writes the system's source lists as lists of source packages.
func (a AptSource) prepare(etc string) error {
	if err := os.RemoveAll(a.Work); err != nil {
		return fmt.Errorf("%s: remove the files of an earlier attempt: %w", a.Engine, err)
	}
	for _, dir := range []string{"parts", filepath.Join("lists", "partial"),
		filepath.Join("cache", "archives", "partial")} {
		if err := os.MkdirAll(filepath.Join(a.Work, dir), 0o755); err != nil {
			return fmt.Errorf("%s: %w\nhint: XDG_CACHE_HOME sets another place", a.Engine, err)
		}
	}
	lists, _ := filepath.Glob(filepath.Join(etc, "sources.list.d", "*"))
	written := 0
	for _, list := range append(lists, filepath.Join(etc, "sources.list")) {
		text, err := os.ReadFile(list)
		if err != nil {
			continue // a missing list names no source
		}
		source, ok := asSource(filepath.Base(list), string(text))
		if !ok {
			continue
		}
		if err := os.WriteFile(filepath.Join(a.Work, "parts", filepath.Base(list)), []byte(source), 0o644); err != nil {
			return fmt.Errorf("%s: %w", a.Engine, err)
		}
		written++
	}
	if written == 0 {
		return fmt.Errorf("%s: %s lists no package source\nhint: /etc/apt/sources.list lists them", a.Engine, etc)
	}
	return nil
}

// asSource converts a list of binary packages into one of source packages, in either of apt's two formats
// (sources.list(5)).
func asSource(file, text string) (string, bool) {
	var out []string
	found := false
	for line := range strings.Lines(text) {
		line = strings.TrimRight(line, "\n")
		switch fields := strings.Fields(line); {
		case strings.HasSuffix(file, ".sources") && strings.HasPrefix(line, "Types:"):
			line, found = "Types: deb-src", true
		case strings.HasSuffix(file, ".list") && len(fields) > 0 && fields[0] == "deb":
			line, found = "deb-src"+strings.TrimPrefix(strings.TrimSpace(line), "deb"), true
		case strings.HasSuffix(file, ".list") && len(fields) > 0 && fields[0] == "deb-src":
			continue // already listed
		}
		out = append(out, line)
	}
	return strings.Join(out, "\n") + "\n", found
}
