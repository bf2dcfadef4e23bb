package redpanda

import (
	"fmt"
	"os"
	"path/filepath"

	"plimsoll/internal/engine"
)

// program is how a node is run.
type program struct {
	path    string   // to execute: the program, or the loader that comes with it
	args    []string // of the loader
	program string
	from    string // how it was found
}

// layouts are the places of the program below a directory into which a package was unpacked: those of the tarball, and
// those of the deb.
func layouts() []string {
	return []string{"libexec/redpanda", "opt/redpanda/libexec/redpanda", "bin/redpanda", "opt/redpanda/bin/redpanda",
		"usr/bin/redpanda", "redpanda"}
}

// installed is where the packages put it.
const installed = "/opt/redpanda"

// find finds the program: a file, the directory of an unpacked package, or "" for the one that is installed.
func find(bin string) (program, error) {
	if bin == "" {
		if p, err := unpacked(installed, installed); err == nil {
			return p, nil
		}
		path, from, err := engine.Program(name, name, "")
		if err != nil {
			return program{},
				fmt.Errorf("%s: it is neither in PATH nor in %s, and plimsoll sets up none\nhint: %s.%s=FILE names its program; "+
					"for a package, dpkg-deb -x FILE.deb DIR or tar -xf FILE.tar.gz -C DIR, and %s.%s=DIR", name, installed, name,
					ParamBin, name, ParamBin)
		}
		return alone(path, from), nil
	}
	bin, err := filepath.Abs(bin) // a node starts in a directory of its own
	if err != nil {
		return program{}, fmt.Errorf("%s: %w", name, err)
	}
	st, err := os.Stat(bin)
	switch {
	case err != nil:
		return program{}, fmt.Errorf("%s: %w\nhint: %s.%s is its program, or the directory of an unpacked package", name, err,
			name, ParamBin)
	case st.IsDir():
		return unpacked(bin, ParamBin)
	case st.Mode()&0o111 == 0:
		return program{}, fmt.Errorf("%s: %s is no program\nhint: unpack a package first: "+
			"dpkg-deb -x FILE.deb DIR or tar -xf FILE.tar.gz -C DIR, and %s.%s=DIR", name, bin, name, ParamBin)
	}
	return withLoader(bin, ParamBin), nil
}

// unpacked finds the program below a directory.
func unpacked(dir, from string) (program, error) {
	for _, l := range layouts() {
		path := filepath.Join(dir, l)
		if st, err := os.Stat(path); err == nil && !st.IsDir() && st.Mode()&0o111 != 0 {
			return withLoader(path, from), nil
		}
	}
	return program{}, fmt.Errorf("%s: %s has none of %q\nhint: is it where a deb or tarball of Redpanda was unpacked?",
		name, dir, layouts())
}

func alone(path, from string) program { return program{path: path, program: path, from: from} }

// withLoader runs the program of a package by the loader and the libraries beside it, if it has them: it is built for
// the path of an installed package, and may lie elsewhere.
func withLoader(path, from string) program {
	lib := filepath.Join(filepath.Dir(filepath.Dir(path)), "lib")
	loader := filepath.Join(lib, "ld.so")
	if filepath.Base(filepath.Dir(path)) != "libexec" {
		return alone(path, from)
	}
	if st, err := os.Stat(loader); err != nil || st.Mode()&0o111 == 0 {
		return alone(path, from)
	}
	return program{path: loader, args: []string{"--library-path", lib, path}, program: path, from: from}
}

var _ engine.Engine = Engine{}
