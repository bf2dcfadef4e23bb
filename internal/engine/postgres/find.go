package postgres

import (
	"context"
	"fmt"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strconv"
	"strings"

	"plimsoll/internal/engine"
)

// oldest is the first major version with the settings and helpers used here.
const oldest = 13

// variable sets the directory of the programs.
const variable = "PLIMSOLL_POSTGRES_BIN"

// Find implements engine.Engine. The Install's path is the directory of the programs.
func (Engine) Find(ctx context.Context, p engine.Params) (engine.Install, error) {
	if release := p.Text(ParamRelease); release != ReleaseSystem {
		return released(ctx, release)
	}
	dir, from, err := programs(p.Text(ParamBin))
	if err != nil {
		return engine.Install{}, err
	}
	return installed(ctx, dir, from)
}

// installed returns the programs in a directory.
func installed(ctx context.Context, dir, from string) (engine.Install, error) {
	text, err := engine.Answer(ctx, name, filepath.Join(dir, "postgres"), "--version")
	if err != nil {
		return engine.Install{}, err
	}
	version, err := versionOf(text)
	if err != nil {
		return engine.Install{}, fmt.Errorf("%s: %s: %w", name, dir, err)
	}
	return engine.Install{Name: name, Path: dir, Version: version, From: from}, nil
}

// versionOf parses "postgres (PostgreSQL) 15.18 (Debian …)".
func versionOf(text string) (string, error) {
	m := regexp.MustCompile(`\(PostgreSQL\) (\d+(?:\.\d+|devel|beta\d+|rc\d+)?)`).FindStringSubmatch(text)
	if m == nil {
		return "", fmt.Errorf("it does not print its version: %.80q\nhint: %s=DIR sets the programs to run",
			text, variable)
	}
	if majorOf(m[1]) < oldest {
		return "", fmt.Errorf("version %s is older than %d\nhint: install a newer one; %s=DIR sets its directory",
			m[1], oldest, variable)
	}
	return m[1], nil
}

// majorOf returns 15 for "15.18"; 0 if there is none.
func majorOf(version string) int {
	n, _ := strconv.Atoi(regexp.MustCompile(`^\d+`).FindString(version))
	return n
}

// programs returns the directory of the server's programs: the given one, the variable's, that of PATH, or the
// newest of the distributions' directories.
func programs(given string) (dir, from string, err error) {
	if given != "" {
		if !complete(given) {
			return "", "", fmt.Errorf("%s: %s=%s lacks some of %s\nhint: it is the directory of postgres and "+
				"initdb, such as /usr/lib/postgresql/15/bin",
				name, ParamBin, given, strings.Join(needed(), ", "))
		}
		return given, ParamBin, nil
	}
	path, from, err := engine.Program(name, "postgres", "")
	if err == nil {
		if real, err := filepath.EvalSymlinks(path); err == nil && complete(filepath.Dir(real)) {
			return filepath.Dir(real), from, nil
		}
	}
	var found []string
	for _, pattern := range []string{"/usr/lib/postgresql/*/bin", "/usr/pgsql-*/bin", "/usr/libexec/postgresql*",
		"/usr/local/pgsql/bin"} {
		dirs, err := filepath.Glob(pattern)
		if err != nil {
			return "", "", fmt.Errorf("%s: %w", name, err)
		}
		found = append(found, slices.DeleteFunc(dirs, func(d string) bool { return !complete(d) })...)
	}
	if len(found) == 0 {
		return "", "", &engine.Missing{Engine: name, What: "postgres",
			Looked: "PATH, /usr/lib/postgresql/*/bin, /usr/pgsql-*/bin or /usr/local/pgsql/bin"}
	}
	newest := slices.MaxFunc(found, func(a, b string) int { return numberIn(a) - numberIn(b) })
	return newest, newest, nil
}

// needed returns the programs of a whole installation that are used here.
func needed() []string { return []string{"postgres", "initdb", "pg_controldata", checksumProgram} }

func complete(dir string) bool {
	return !slices.ContainsFunc(needed(), func(program string) bool { return !has(dir, program) })
}

// has reports whether a directory has a program.
func has(dir, program string) bool {
	st, err := os.Stat(filepath.Join(dir, program))
	return err == nil && !st.IsDir() && st.Mode()&0o111 != 0
}

// numberIn returns the major version in a directory's name.
func numberIn(dir string) int {
	n, _ := strconv.Atoi(regexp.MustCompile(`\d+`).FindString(dir))
	return n
}
