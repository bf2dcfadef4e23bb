// Notices prints the licences of what the program contains: the modules that it is linked with, and the libraries of
// its pages. It fails if one has no licence that it knows, or one that asks for more than its text beside the program.
// A module may hold packages of others, so that licences from each linked package's directory up to its module's are
// taken.
//
//	go list -deps -json=Module,Dir PACKAGE | notices [-json FILE] "$(go env GOROOT)" DIRECTORY... >NOTICES
//
// PACKAGE is the program's; in each DIRECTORY lie libraries, each in a directory NAME-VERSION with its licence. FILE
// gets the licences of each part by their SPDX names, for lists that scanners read: {"NAME VERSION": ["MIT"]}.
package main

import (
	"cmp"
	"encoding/json"
	"errors"
	"flag"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"runtime"
	"slices"
	"strings"

	"github.com/google/licensecheck"
)

// leastCovered is the share of a licence file, in per cent, that must be the text of known licences.
const leastCovered = 75

// allowed are the licences that ask for no more than their text beside the program, by their SPDX names.
func allowed() []string {
	return []string{"0BSD", "Apache-2.0", "BSD-2-Clause", "BSD-3-Clause", "BSL-1.0", "CC0-1.0", "ISC", "MIT", "Unlicense",
		"Zlib"}
}

// part is something with a licence of its own. Within are the directories below its own that lead to what is linked.
type part struct {
	name, version, dir string
	within             []string
}

func main() {
	spdx := flag.String("json", "", "`FILE` for the licences of each part by their SPDX names")
	flag.Parse()
	if flag.NArg() == 0 {
		fmt.Fprintln(os.Stderr, "usage: go list -deps -json=Module,Dir PACKAGE | notices [-json FILE] GOROOT DIRECTORY...")
		os.Exit(2)
	}
	if err := write(os.Stdout, os.Stdin, flag.Arg(0), flag.Args()[1:], *spdx); err != nil {
		fmt.Fprintln(os.Stderr, "notices:", err)
		os.Exit(1)
	}
}

func write(w io.Writer, list io.Reader, goroot string, libraries []string, spdx string) error {
	parts, err := modules(list)
	if err != nil {
		return err
	}
	parts = append(parts, part{name: "go", version: strings.TrimPrefix(runtime.Version(), "go"), dir: goroot})
	for _, dir := range libraries {
		more, err := below(dir)
		if err != nil {
			return err
		}
		parts = append(parts, more...)
	}
	slices.SortFunc(parts, func(a, b part) int { return cmp.Compare(a.name, b.name) })
	fmt.Fprintf(w, "Plimsoll contains %d works of others under these licences.\n", len(parts))
	var all []error
	names := map[string][]string{}
	for _, p := range parts {
		known, err := notice(w, p)
		all = append(all, err)
		names[p.name+" "+p.version] = known
	}
	if spdx != "" {
		text, err := json.Marshal(names)
		all = append(all, err, os.WriteFile(spdx, text, 0o600))
	}
	return errors.Join(all...)
}

// modules returns the modules that a program is linked with, from its packages as go list writes them.
func modules(list io.Reader) (parts []part, err error) {
	for d := json.NewDecoder(list); ; {
		var p struct {
			Dir    string
			Module *struct {
				Path, Version, Dir string
				Main               bool
			}
		}
		switch err := d.Decode(&p); {
		case errors.Is(err, io.EOF) && len(parts) > 0:
			return parts, nil
		case errors.Is(err, io.EOF):
			return nil, errors.New("go list names no module")
		case err != nil:
			return nil, fmt.Errorf("go list: %w", err)
		}
		m := p.Module
		if m == nil || m.Main {
			continue
		}
		within, err := between(m.Dir, p.Dir)
		if err != nil {
			return nil, fmt.Errorf("go list: a package of %s: %w", m.Path, err)
		}
		i := slices.IndexFunc(parts, func(p part) bool { return p.name == m.Path })
		if i < 0 {
			i = len(parts)
			parts = append(parts, part{name: m.Path, version: m.Version, dir: m.Dir})
		}
		parts[i].within = append(parts[i].within, within...)
	}
}

// between returns the directories from that of a package up to the one below its module's.
func between(module, dir string) (out []string, err error) {
	if module == "" || dir == "" {
		return nil,
			errors.New("its directory is not told: go list takes -json=Module,Dir, and go mod download brings modules")
	}
	for ; dir != module; dir = filepath.Dir(dir) {
		if !strings.HasPrefix(dir, module+string(filepath.Separator)) {
			return nil, fmt.Errorf("%s is not in %s", dir, module)
		}
		out = append(out, dir)
	}
	return out, nil
}

// below returns the libraries in a directory.
func below(dir string) (out []part, err error) {
	entries, err := os.ReadDir(dir)
	if err != nil {
		return nil, err
	}
	for _, e := range entries {
		at := filepath.Join(dir, e.Name())
		i := strings.LastIndex(e.Name(), "-")
		if !e.IsDir() || i <= 0 { // what lies loose has no place for its licence
			return nil, fmt.Errorf("%s is not a directory NAME-VERSION", at)
		}
		out = append(out, part{name: e.Name()[:i], version: e.Name()[i+1:], dir: at})
	}
	if len(out) == 0 {
		return nil, fmt.Errorf("%s: no library", dir)
	}
	return out, nil
}

// notice writes the licence files of a part, and returns its licences.
func notice(w io.Writer, p part) ([]string, error) {
	known, err := stated(w, p, p.dir)
	if err != nil {
		return nil, err
	}
	// One below its root is for what lies there, and does not stand for the part.
	if len(known) == 0 {
		return nil, fmt.Errorf("%s %s has no licence in %s", p.name, p.version, p.dir)
	}
	slices.Sort(p.within)
	for _, dir := range slices.Compact(p.within) {
		more, err := stated(w, p, dir)
		if err != nil {
			return nil, err
		}
		known = append(known, more...)
	}
	slices.Sort(known)
	return slices.Compact(known), nil
}

// stated writes the licence files of one directory of a part, and returns their licences.
func stated(w io.Writer, p part, dir string) (known []string, err error) {
	name := p.name
	if dir != p.dir {
		in, err := filepath.Rel(p.dir, dir)
		if err != nil {
			return nil, err
		}
		name += "/" + filepath.ToSlash(in)
	}
	files, err := licences(dir)
	if err != nil {
		return nil, fmt.Errorf("%s: %w", name, err)
	}
	for _, f := range files {
		text, err := os.ReadFile(f)
		if err != nil {
			return nil, fmt.Errorf("%s: %w", name, err)
		}
		names, err := judged(filepath.Base(f), text)
		if err != nil {
			return nil, fmt.Errorf("%s %s: %w", name, p.version, err)
		}
		known = append(known, names...)
		title := cmp.Or(strings.Join(names, ", "), filepath.Base(f))
		fmt.Fprintf(w, "\n%s\n%s %s: %s\n\n%s\n", strings.Repeat("-", 80), name, p.version, title,
			strings.TrimSpace(string(text)))
	}
	return known, nil
}

// judged returns the licences of a text. A notice need not be one.
func judged(name string, text []byte) ([]string, error) {
	if strings.HasPrefix(strings.ToUpper(name), "NOTICE") || strings.HasPrefix(strings.ToUpper(name), "PATENTS") {
		return nil, nil
	}
	found := licensecheck.Scan(text)
	var names []string
	for _, m := range found.Match {
		if !slices.Contains(allowed(), m.ID) {
			return nil, fmt.Errorf("%s is %s, which is not among %s", name, m.ID, strings.Join(allowed(), ", "))
		}
		names = append(names, m.ID)
	}
	if found.Percent < leastCovered {
		return nil, fmt.Errorf("%.0f %% of %s is a known licence (%s)", found.Percent, name, strings.Join(names, ", "))
	}
	slices.Sort(names)
	return slices.Compact(names), nil
}

// licences returns the files of a directory that state a licence.
func licences(dir string) ([]string, error) {
	entries, err := os.ReadDir(dir)
	if err != nil {
		return nil, err
	}
	begins := []string{"LICENSE", "LICENCE", "COPYING", "NOTICE", "PATENTS", "UNLICENSE"}
	var out []string
	for _, e := range entries {
		stated := slices.ContainsFunc(begins, func(p string) bool { return strings.HasPrefix(strings.ToUpper(e.Name()), p) })
		if e.Type().IsRegular() && stated && filepath.Ext(e.Name()) != ".go" { // notice_response.go is a program's
			out = append(out, filepath.Join(dir, e.Name()))
		}
	}
	return out, nil
}
