package main

import (
	"errors"
	"path/filepath"
	"slices"
	"strings"

	"github.com/kballard/go-shellquote"

	"plimsoll/internal/base/input"
	"plimsoll/internal/exchange/convert/gather"
	"plimsoll/internal/record/session"
)

// otherwise returns the error of reading sessions. If the paths are results of other tools, a directory or standard
// input, it has the command that reads these.
func (a *app) otherwise(err error, paths []string) error {
	verb := "show"
	if len(a.words) > 0 {
		verb = a.words[0]
	}
	var folder *input.NoFile
	switch {
	case slices.Contains(paths, gather.Stdin):
		return usagef("%s reads files, not standard input\nhint: save it: … > FILE%s, then plimsoll %s FILE%s", verb,
			session.Suffix, verb, session.Suffix)
	case errors.As(err, &folder) && folder.Mode.IsDir():
		return usagef("%s is a directory, not a session\nhint: %s", folder.Path, ofDirectory(verb, folder.Path))
	case errors.Is(err, session.ErrNotSession):
		if formats := formatsOf(paths); len(formats) > 0 {
			return usagef("%s: a result in the format %s, not a plimsoll session\nhint: %s", paths[0], formats[0],
				importing(verb, paths, formats))
		}
	}
	return err
}

// ofDirectory returns the command that reads the sessions in a directory.
func ofDirectory(verb, dir string) string {
	quotedDir := shellquote.Join(filepath.Clean(dir))
	if len(session.In(dir)) == 0 {
		return "plimsoll serve " + quotedDir + " lists sessions, plimsoll import " + quotedDir +
			" reads results of other tools"
	}
	return "plimsoll " + verb + " " + quotedDir + "/*" + session.Suffix
}

// formatsOf returns the format of each path; none if one is of no known format, or of several.
func formatsOf(paths []string) []string {
	var out []string
	for _, path := range paths {
		format := gather.FormatOf(path)
		if format == "" {
			return nil
		}
		out = append(out, format)
	}
	return out
}

// importing returns the commands that import results, each as a machine if it doesn't name one, and the one that reads
// the session.
func importing(verb string, paths, formats []string) string {
	out := "imported" + session.Suffix
	var commands []string
	for i, path := range paths {
		command := "plimsoll import " + shellquote.Join(path)
		if formats[i] != "csv" { // which has a column for it
			name := strings.TrimSuffix(filepath.Base(path), filepath.Ext(path))
			command += " --machine " + shellquote.Join(name)
		}
		commands = append(commands, command+" -o "+out)
	}
	return strings.Join(append(commands, "plimsoll "+verb+" "+out), " && ")
}
