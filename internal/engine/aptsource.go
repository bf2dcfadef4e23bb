package engine

import (
	"context"
	"fmt"
	"os"
	"path/filepath"
	"strings"
)

// AptSource is the source of a package as Debian and Ubuntu have it, fetched by a list of sources of our own, so that
// the system's stays as it is. Patches of the distribution are not applied.
type AptSource struct {
	Engine  string // names it in messages
	Package string // of source
	Work    string // a directory that is made anew, and is the caller's to remove
}

// treeDir is where, in the directory of work, the source is unpacked.
const treeDir = "tree"

// Steps fetch the source and unpack it: see Tree.
func (a AptSource) Steps() ([]Step, error) {
	if _, _, err := Program(a.Engine, "apt-get", ""); err != nil {
		return nil, fmt.Errorf("%s: the source is fetched with apt-get only, which is not here", a.Engine)
	}
	apt := func(args ...string) []string {
		return append([]string{"apt-get", "-q", "-o", "Dir::Etc::SourceList=/dev/null", "-o", "Dir::Etc::SourceParts=" + filepath.Join(a.Work, "parts"),
			"-o", "Dir::State::Lists=" + filepath.Join(a.Work, "lists"), "-o", "Dir::Cache=" + filepath.Join(a.Work, "cache")}, args...)
	}
	unpack := fmt.Sprintf("mkdir %s && tar -xf %s_*.orig.tar.*[zx2] -C %s --no-same-owner", treeDir, a.Package, treeDir)
	return []Step{
		{Does: "list where this system's sources are, in " + a.Work, Do: func(context.Context) error { return a.prepare("/etc/apt") }},
		{Does: "read what sources there are", Command: apt("update")},
		{Does: "fetch the source of " + a.Package, Command: apt("source", "--download-only", "--tar-only", a.Package), Dir: a.Work},
		{Does: "unpack it", Command: []string{"sh", "-c", unpack}, Dir: a.Work},
	}, nil
}

// Tree is the directory that was unpacked. Its name has the version.
func (a AptSource) Tree() (string, error) {
	trees, _ := filepath.Glob(filepath.Join(a.Work, treeDir, a.Package+"-*"))
	if len(trees) != 1 {
		return "", fmt.Errorf("%s: what was fetched into %s holds %d trees, not one", a.Engine, a.Work, len(trees))
	}
	return trees[0], nil
}

// prepare writes the system's lists of sources as lists of source packages.
func (a AptSource) prepare(etc string) error {
	if err := os.RemoveAll(a.Work); err != nil {
		return fmt.Errorf("%s: remove what an earlier try left: %w", a.Engine, err)
	}
	for _, dir := range []string{"parts", filepath.Join("lists", "partial"), filepath.Join("cache", "archives", "partial")} {
		if err := os.MkdirAll(filepath.Join(a.Work, dir), 0o755); err != nil {
			return fmt.Errorf("%s: %w\nhint: XDG_CACHE_HOME puts it elsewhere", a.Engine, err)
		}
	}
	lists, _ := filepath.Glob(filepath.Join(etc, "sources.list.d", "*"))
	written := 0
	for _, list := range append(lists, filepath.Join(etc, "sources.list")) {
		text, err := os.ReadFile(list)
		if err != nil {
			continue // one that is not there names no source
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
		return fmt.Errorf("%s: %s names no source of packages\nhint: /etc/apt/sources.list is where they are listed", a.Engine, etc)
	}
	return nil
}

// asSource turns a list of binary packages into one of source packages, in either of apt's two forms
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
			continue // it is there once already
		}
		out = append(out, line)
	}
	return strings.Join(out, "\n") + "\n", found
}
