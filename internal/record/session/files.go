package session

import (
	"fmt"
	"path/filepath"
	"strings"
)

// Suffix is the suffix of session files, as named by `run`.
const Suffix = ".plimsoll.jsonl"

// In returns the paths of the sessions in a directory, in the order of their names.
func In(dir string) []string {
	all, _ := filepath.Glob(filepath.Join(dir, "*"+Suffix)) // the pattern is valid, or has no match
	return all
}

// fileNames returns the names that trials record for the files they were read from: each base name without extension,
// with as many directories as it takes to distinguish it from the others. A single file is not named.
func fileNames(paths []string) []string {
	out, names, files := make([]string, len(paths)), make([]string, len(paths)), map[string]bool{}
	for i, path := range paths {
		out[i] = filepath.Clean(path)
		files[out[i]] = true
		names[i] = trimmed(filepath.ToSlash(out[i]))
	}
	if len(files) < 2 {
		return make([]string, len(paths))
	}
	told := make([]string, len(paths))
	for i := range out {
		for n, all := 1, false; told[i] == "" || !all && meansOther(i, n-1, out, names); n++ {
			told[i], all = last(names[i], n)
		}
	}
	return unlike(out, told)
}

// meansOther reports whether the last n elements of a file's name are those of another file too.
func meansOther(i, n int, files, names []string) bool {
	own, _ := last(names[i], n)
	for k := range files {
		if other, _ := last(names[k], n); files[k] != files[i] && other == own {
			return true
		}
	}
	return false
}

// trimmed returns a path without the extensions of a session.
func trimmed(path string) string {
	for _, ext := range []string{".gz", ".jsonl", ".plimsoll"} {
		if base := filepath.Base(path); len(base) > len(ext) {
			path = strings.TrimSuffix(path, ext)
		}
	}
	return path
}

// last returns the last n elements of a path, and whether these are all.
func last(path string, n int) (name string, all bool) {
	parts := strings.Split(path, "/")
	return strings.Join(parts[max(0, len(parts)-n):], "/"), n >= len(parts)
}

// unlike numbers names that still stand for several files.
func unlike(paths, names []string) []string {
	of := map[string]string{}
	for i := range names {
		name := names[i]
		for n := 2; of[name] != "" && of[name] != paths[i]; n++ {
			name = fmt.Sprintf("%s#%d", names[i], n)
		}
		of[name], names[i] = paths[i], name
	}
	return names
}
