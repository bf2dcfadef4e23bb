package port

import (
	"bytes"
	"cmp"
	"encoding/json"
	"fmt"
	"path"
	"regexp"
	"slices"
	"strings"

	"github.com/BurntSushi/toml"

	"plimsoll/internal/analysis/issue"
)

// packages judges lists of packages by what a version is known for, and by the files that a lock names. Of all others
// it says that they are not judged.
type packages struct{ known issue.List }

func newPackages() packages {
	return packages{known: issue.All()}
}

func (packages) id() string { return "package" }

func (packages) doc() string {
	return "pinned packages that have no binary for arm64"
}

func (packages) settle(*Report) {}

func (packages) needs(file string, _ []byte) Need {
	if listReader(file) != nil {
		return Whole
	}
	return Nothing
}

// pinned is a package of a list.
type pinned struct {
	name, version string // name as "ecosystem/name"
	mark          string // text in quotes by which its line is found
	line          int
	files         []string // of a lock: those that can be installed
	cpu           []string // of package-lock.json: where it can be installed
	variants      []string // that the list takes of it, by processor; fromSource is one
	remedy        string   // of a package that has variants for x86 alone
}

func (c packages) look(f File, r *Report) {
	said, err := listReader(f.Path)(f.Data)
	if err != nil {
		r.LeftOut = append(r.LeftOut, LeftOut{f.Path, err.Error()})
		return
	}
	for _, found := range said.found {
		found.Check, found.File = c.id(), f.Path
		r.add(found)
	}
	r.Packages += len(said.all)
	names := map[string]bool{}
	for _, p := range said.all {
		names[p.name] = true
	}
	for _, p := range said.all {
		c.judge(f.Path, p, names, r)
	}
}

func (c packages) judge(file string, p pinned, names map[string]bool, r *Report) {
	called := strings.TrimSpace(p.name[strings.Index(p.name, "/")+1:] + " " + p.version)
	found := Finding{Check: c.id(), File: file, Line: p.line}
	known := c.known.Of(p.name, p.version)
	for _, i := range known {
		found.Severity, found.Says, found.Remedy, found.Source = RunsSlowly, called+" "+i.Says, i.Remedy, i.Source
		if !strings.Contains(p.name, "/") { // a runtime, whose issue is a sentence
			found.Says = called + ": " + i.Says
		}
		if i.Fails {
			found.Severity = WillNotRun
		}
		r.add(found)
	}
	if c.variants(called, p, found, r) {
		return
	}
	switch {
	case len(known) > 0 || slices.ContainsFunc(p.variants, forArm):
	case strings.HasPrefix(p.name, "nuget/"):
		c.dotnet(called, p, names, found, r)
	case len(p.files) > 0:
		c.wheels(called, p, found, r)
	case len(p.cpu) > 0:
		c.node(called, p, names, found, r)
	case !c.known.Known(p.name):
		r.NotJudged = append(r.NotJudged, Unjudged{file, p.name, p.version, unsaid})
	}
}

// unsaid is why a package is not judged.
const unsaid = "its list does not say for what it is built"

// wheels judges a package by the files that its lock names.
func (packages) wheels(called string, p pinned, found Finding, r *Report) {
	has := func(part string) bool {
		return slices.ContainsFunc(p.files, func(f string) bool { return strings.Contains(f, part) })
	}
	switch {
	case has("-any.whl") || !has("linux") && !has(".whl") || has("linux") && has("aarch64.whl") || !has("x86_64.whl"):
	case has(".tar.gz") || has(".zip"):
		found.Severity, found.Says = WorthChecking, called+" has wheels for x86 and none for Linux on arm64: it is "+
			"compiled from its source"
		found.Remedy = "a newer version with a wheel for aarch64, or a compiler and its libraries where it is installed"
		r.add(found)
	default:
		found.Severity, found.Says = WillNotRun, called+" has wheels for x86, none for Linux on arm64, and no source"
		found.Remedy = "a newer version with a wheel for aarch64, or another package"
		r.add(found)
	}
}

// node judges a package that can be installed on some processors alone: there may be another of it for arm64.
func (packages) node(called string, p pinned, names map[string]bool, found Finding, r *Report) {
	if slices.Contains(p.cpu, "arm64") || !slices.Contains(p.cpu, "x64") || !strings.Contains(p.name, "linux") &&
		strings.ContainsAny(p.name, "-") {
		return
	}
	twin := strings.NewReplacer("x86_64", "arm64", "x64", "arm64").Replace(p.name)
	if !names[twin] {
		found.Severity, found.Says = WillNotRun, called+" is for x64 alone, and the lock has none for arm64"
		found.Remedy = "write the lock anew on a version that has " + strings.TrimPrefix(twin, "npm/")
		r.add(found)
	}
}

// dotnet judges a package of .NET that is one of those for each processor, by its name.
func (c packages) dotnet(called string, p pinned, names map[string]bool, found Finding, r *Report) {
	if forArm(p.name) {
		return
	}
	if !forX86(p.name) || !strings.Contains(p.name, "linux") {
		r.NotJudged = append(r.NotJudged, Unjudged{found.File, p.name, p.version, unsaid})
		return
	}
	twin := strings.NewReplacer("x86_64", "arm64", "x64", "arm64").Replace(p.name)
	if !names[twin] {
		found.Severity, found.Says = WillNotRun, called+" is for x64 alone, and the list has none for arm64"
		found.Remedy = "restore for linux-arm64 too, which takes " + strings.TrimPrefix(twin, "nuget/")
		r.add(found)
	}
}

// requirements reads what pip freeze writes.
func requirements(data []byte) ([]pinned, error) {
	exact := regexp.MustCompile(`^\s*([A-Za-z0-9][\w.\-]*)(?:\[[^\]]*\])?\s*(?:===?\s*([\w.!+\-]+))?`)
	var out []pinned
	for i, line := range lines(data) {
		if strings.HasPrefix(strings.TrimSpace(line), "-") {
			continue
		}
		if m := exact.FindStringSubmatch(line); m != nil {
			out = append(out, pinned{name: "pypi/" + strings.ToLower(m[1]), version: m[2], line: i + 1})
		}
	}
	return out, nil
}

// pythonLock reads poetry.lock and uv.lock.
func pythonLock(data []byte) ([]pinned, error) {
	var lock struct {
		Package []struct {
			Name, Version string
			Files         []struct{ File string }
			Sdist         struct{ URL string }
			Wheels        []struct{ URL string }
		}
	}
	if err := shallow(data); err != nil {
		return nil, fmt.Errorf("reading the lock: %w", err)
	}
	if err := toml.Unmarshal(data, &lock); err != nil {
		return nil, fmt.Errorf("reading the lock: %w", err)
	}
	var out []pinned
	for _, p := range lock.Package {
		one := pinned{name: "pypi/" + p.Name, version: p.Version, mark: p.Name}
		for _, f := range p.Files {
			one.files = append(one.files, f.File)
		}
		for _, w := range p.Wheels {
			one.files = append(one.files, path.Base(w.URL))
		}
		if p.Sdist.URL != "" {
			one.files = append(one.files, path.Base(p.Sdist.URL))
		}
		out = append(out, one)
	}
	locate(data, "name = ", out)
	return out, nil
}

// locate sets the number of the first line that has each package's mark in quotes after a text, 0 if there is none. It
// reads the list once, however many packages there are.
func locate(data []byte, after string, all []pinned) {
	at := make(map[string]int, len(all))
	for _, p := range all {
		at[p.mark] = 0
	}
	line := 1
	for i := 0; i < len(data); i++ {
		switch data[i] {
		case '\n':
			line++
			continue
		case '"':
		default:
			continue
		}
		end := i + 1
		for end < len(data) && data[end] != '"' && data[end] != '\n' {
			if data[end] == '\\' {
				end++
			}
			end++
		}
		if end >= len(data) || data[end] == '\n' {
			i = min(end, len(data)) - 1 // no text in quotes
			continue
		}
		if n, ok := at[string(data[i+1:end])]; ok && n == 0 && bytes.HasSuffix(data[:i], []byte(after)) {
			at[string(data[i+1:end])] = line
		}
		i = end
	}
	for i := range all {
		all[i].line = at[all[i].mark]
	}
}

func nodeLock(data []byte) ([]pinned, error) {
	var lock struct {
		Packages map[string]struct {
			Version string   `json:"version"`
			CPU     []string `json:"cpu"`
		} `json:"packages"`
	}
	if err := json.Unmarshal(data, &lock); err != nil {
		return nil, fmt.Errorf("reading the lock: %w", err)
	}
	var out []pinned
	for at, p := range lock.Packages {
		if i := strings.LastIndex(at, "node_modules/"); i >= 0 {
			out = append(out, pinned{name: "npm/" + at[i+len("node_modules/"):], version: p.Version,
				mark: at, cpu: p.CPU})
		}
	}
	locate(data, "", out)
	slices.SortFunc(out, func(a, b pinned) int { return cmp.Or(a.line-b.line, strings.Compare(a.mark, b.mark)) })
	return out, nil
}

func cycloneDX(data []byte) ([]pinned, error) {
	var bom struct {
		Components []struct{ PURL, Name, Version string }
	}
	if err := json.Unmarshal(data, &bom); err != nil {
		return nil, fmt.Errorf("reading the CycloneDX document: %w", err)
	}
	var out []pinned
	for _, c := range bom.Components {
		out = append(out, ofURL(c.PURL, c.Name, c.Version))
	}
	locate(data, "", out)
	return out, nil
}

func spdx(data []byte) ([]pinned, error) {
	var doc struct {
		Packages []struct {
			Name         string
			VersionInfo  string
			ExternalRefs []struct{ ReferenceType, ReferenceLocator string }
		}
	}
	if err := json.Unmarshal(data, &doc); err != nil {
		return nil, fmt.Errorf("reading the SPDX document: %w", err)
	}
	var out []pinned
	for _, p := range doc.Packages {
		url := ""
		for _, ref := range p.ExternalRefs {
			if ref.ReferenceType == "purl" {
				url = ref.ReferenceLocator
			}
		}
		out = append(out, ofURL(url, p.Name, p.VersionInfo))
	}
	locate(data, "", out)
	return out, nil
}

// ofURL returns a package by its package URL (pkg:maven/group/name@version), or by its name alone.
func ofURL(url, name, version string) pinned {
	p := pinned{name: "?/" + name, version: version, mark: cmp.Or(url, name)}
	if rest, ok := strings.CutPrefix(url, "pkg:"); ok {
		rest, _, _ = strings.Cut(rest, "?")
		p.name, _, _ = strings.Cut(rest, "@")
	}
	return p
}
