// Notices prints the licences of what the program contains: the modules that it is linked with, and the libraries of its
// pages. It fails if one has no licence that it knows, or one that asks for more than its text beside the program.
//
//	go list -deps -json=Module PACKAGE | notices "$(go env GOROOT)" DIRECTORY... >NOTICES
//
// PACKAGE is the program's; below each DIRECTORY lie libraries with a LICENSE.
package main

import (
	"cmp"
	"encoding/json"
	"errors"
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
	return []string{"0BSD", "Apache-2.0", "BSD-2-Clause", "BSD-3-Clause", "BSL-1.0", "CC0-1.0", "ISC", "MIT", "Unlicense", "Zlib"}
}

// waived are licences that stand in a part and do not bind us.
func waived() map[string][]string {
	return map[string][]string{
		// Its code is ours under Apache-2.0 instead; its documents are not in the program.
		"github.com/spdx/tools-golang": {"GPL-2.0", "GPL-2.0-or-later", "CC-BY-4.0"},
	}
}

// part is something with a licence of its own.
type part struct{ name, version, dir string }

func main() {
	if len(os.Args) < 2 {
		fmt.Fprintln(os.Stderr, "usage: go list -deps -json=Module PACKAGE | notices GOROOT DIRECTORY...")
		os.Exit(2)
	}
	if err := write(os.Stdout, os.Stdin, os.Args[1], os.Args[2:]); err != nil {
		fmt.Fprintln(os.Stderr, "notices:", err)
		os.Exit(1)
	}
}

func write(w io.Writer, list io.Reader, goroot string, libraries []string) error {
	parts, err := modules(list)
	if err != nil {
		return err
	}
	parts = append(parts, part{"go", strings.TrimPrefix(runtime.Version(), "go"), goroot})
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
	for _, p := range parts {
		all = append(all, notice(w, p))
	}
	return errors.Join(all...)
}

// modules returns the modules that a program is linked with, from its packages as go list writes them.
func modules(list io.Reader) (parts []part, err error) {
	for d := json.NewDecoder(list); ; {
		var p struct {
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
		if m := p.Module; m != nil && !m.Main && !slices.ContainsFunc(parts, func(p part) bool { return p.name == m.Path }) {
			parts = append(parts, part{m.Path, m.Version, m.Dir})
		}
	}
}

// below returns the libraries below a directory.
func below(dir string) ([]part, error) {
	files, err := filepath.Glob(filepath.Join(dir, "*", "LICENSE"))
	if err != nil || len(files) == 0 {
		return nil, errors.Join(fmt.Errorf("%s: no library with a LICENSE", dir), err)
	}
	var out []part
	for _, f := range files {
		at := filepath.Base(filepath.Dir(f))
		i := strings.LastIndex(at, "-")
		out = append(out, part{at[:max(i, 0)], at[i+1:], filepath.Dir(f)})
	}
	return out, nil
}

// notice writes the licence files of a part.
func notice(w io.Writer, p part) error {
	files, err := licences(p.dir)
	if err != nil {
		return fmt.Errorf("%s: %w", p.name, err)
	}
	known := 0
	for _, f := range files {
		text, err := os.ReadFile(f)
		if err != nil {
			return fmt.Errorf("%s: %w", p.name, err)
		}
		names, err := judged(p.name, filepath.Base(f), text)
		if err != nil {
			return fmt.Errorf("%s %s: %w", p.name, p.version, err)
		}
		known += len(names)
		title := cmp.Or(strings.Join(names, ", "), filepath.Base(f))
		fmt.Fprintf(w, "\n%s\n%s %s: %s\n\n%s\n", strings.Repeat("-", 80), p.name, p.version, title, strings.TrimSpace(string(text)))
	}
	if known == 0 {
		return fmt.Errorf("%s %s has no licence in %s", p.name, p.version, p.dir)
	}
	return nil
}

// judged returns the licences of a text that bind us. A notice need not be one.
func judged(part, name string, text []byte) ([]string, error) {
	if strings.HasPrefix(strings.ToUpper(name), "NOTICE") || strings.HasPrefix(strings.ToUpper(name), "PATENTS") {
		return nil, nil
	}
	found := licensecheck.Scan(text)
	var names []string
	for _, m := range found.Match {
		switch {
		case slices.Contains(waived()[part], m.ID):
			continue
		case !slices.Contains(allowed(), m.ID):
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
		if e.Type().IsRegular() && stated {
			out = append(out, filepath.Join(dir, e.Name()))
		}
	}
	return out, nil
}
