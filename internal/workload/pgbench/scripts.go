package pgbench

import (
	"errors"
	"fmt"
	"os"
	"regexp"
	"slices"
	"strconv"
	"strings"

	"github.com/kballard/go-shellquote"

	"plimsoll/internal/base/input"
	"plimsoll/internal/base/nearest"
	"plimsoll/internal/client/pgscript"
)

// pgbench's built-in scripts.
const (
	scriptTPCB   = "tpcb-like"
	scriptSimple = "simple-update"
	scriptSelect = "select-only"
)

func builtins() []string { return []string{scriptTPCB, scriptSimple, scriptSelect} }

// builtinText returns a built-in script, from PostgreSQL's documentation.
func builtinText(name string) string {
	const draw = `\set aid random(1, 100000 * :scale)
`
	const change = `\set bid random(1, 1 * :scale)
\set tid random(1, 10 * :scale)
\set delta random(-5000, 5000)
BEGIN;
UPDATE pgbench_accounts SET abalance = abalance + :delta WHERE aid = :aid;
`
	const look = `SELECT abalance FROM pgbench_accounts WHERE aid = :aid;
`
	const total = `UPDATE pgbench_tellers SET tbalance = tbalance + :delta WHERE tid = :tid;
UPDATE pgbench_branches SET bbalance = bbalance + :delta WHERE bid = :bid;
`
	const note = `INSERT INTO pgbench_history (tid, bid, aid, delta, mtime) VALUES (:tid, :bid, :aid, :delta, ` +
		`CURRENT_TIMESTAMP);
END;
`
	switch name {
	case scriptTPCB:
		return draw + change + look + total + note
	case scriptSimple:
		return draw + change + look + note
	}
	return draw + look
}

// source is one script of the load.
type source struct {
	pgscript.Source
	builtin bool
}

// The limits of a cell.
const (
	maxScripts = 128 // as in pgbench
	maxText    = 64 << 10
	maxWeight  = 1 << 30
)

// header begins a script within the text of several; to the server it is a comment.
const header = "-- script "

func headerOf(line string) (name string, weight int, ok bool) {
	m := regexp.MustCompile(`^-- script (\S+?)(?:@(\d+))?\s*$`).FindStringSubmatch(line)
	if m == nil {
		return "", 0, false
	}
	w, err := weightOf(m[2])
	return strings.ReplaceAll(m[1], "%20", " "), w, err == nil
}

// names splits a value into the names of scripts. One with a space is quoted, or all of the value if there is such a
// file.
func names(value string) []string {
	name, _, _ := cutWeight(value)
	for _, file := range []string{value, name} {
		if info, err := os.Stat(file); err == nil && info.Mode().IsRegular() {
			return []string{value}
		}
	}
	words, err := shellquote.Split(value)
	if err != nil {
		return strings.Fields(value) // an apostrophe in a name
	}
	return words
}

// quoted returns a name as names reads it.
func quoted(name string) string {
	switch {
	case !strings.ContainsAny(name, " \t'\""):
		return name
	case strings.Contains(name, `"`):
		return "'" + name + "'"
	}
	return `"` + name + `"`
}

func weightOf(text string) (int, error) {
	if text == "" {
		return 1, nil
	}
	w, err := strconv.Atoi(text)
	if err != nil || w < 0 || w > maxWeight {
		return 0, fmt.Errorf("the weight %.20q is not a whole number from 0 to %d\nhint: NAME@WEIGHT, as in "+
			"select-only@9", text, maxWeight)
	}
	return w, nil
}

// written reports whether a value is the text of scripts, rather than their names.
func written(value string) bool { return strings.ContainsAny(value, ";\\\n") }

// sourcesOf parses the parameter: words, each NAME or NAME@WEIGHT of a built-in script, or the text of one script,
// or of several that each begin with a line "-- script NAME@WEIGHT".
func sourcesOf(value string) ([]source, error) {
	var out []source
	var err error
	if written(value) {
		out = textsOf(value)
	} else {
		out, err = wordsOf(value)
	}
	switch {
	case err != nil:
		return nil, fmt.Errorf("%s: %w", Name, err)
	case len(out) == 0:
		return nil, fmt.Errorf("%s: no script\nhint: available: %s; a file's name stands for its text",
			Name, strings.Join(builtins(), ", "))
	case len(out) > maxScripts:
		return nil, fmt.Errorf("%s: %d scripts exceed the limit of %d\nhint: "+
			"--set %s.%s=… with fewer", Name, len(out), maxScripts, Name, paramScript)
	case len(value) > maxText:
		return nil, fmt.Errorf("%s: the scripts have %d bytes, the limit of a plan is %d\nhint: shorter scripts, "+
			"or fewer", Name, len(value), maxText)
	}
	return out, nil
}

func wordsOf(value string) ([]source, error) {
	var out []source
	for _, word := range names(value) {
		name, weight, err := cutWeight(word)
		if err != nil {
			return nil, err
		}
		if !slices.Contains(builtins(), name) {
			return nil, unknownScript(name)
		}
		out = append(out, source{pgscript.Source{Name: name, Weight: weight, Text: builtinText(name)}, true})
	}
	return out, nil
}

func unknownScript(name string) error {
	known, near := strings.Join(builtins(), ", "), nearest.Of(name, builtins())
	if strings.ContainsRune(name, '/') || strings.HasSuffix(name, ".sql") {
		return fmt.Errorf("there is no file %.60q\nhint: a script is a file in pgbench's language, or built in: %s", name,
			known)
	}
	hint := "available: " + known + "; the text of a script contains a semicolon or a line break"
	switch {
	case near != "":
		hint = "did you mean " + near + "?"
	case regexp.MustCompile(`^\w+$`).MatchString(name):
		hint = fmt.Sprintf("a database is a connection string: plimsoll run %s postgres:///%s; the scripts are %s", Name,
			name, known)
	}
	return fmt.Errorf("no script is named %.60q\nhint: %s", name, hint)
}

// cutWeight splits NAME@WEIGHT; a file's name may contain an @ without a number after it.
func cutWeight(word string) (name string, weight int, err error) {
	at := strings.LastIndexByte(word, '@')
	if at < 0 || strings.Trim(word[at+1:], "0123456789") != "" || at+1 == len(word) {
		return word, 1, nil
	}
	weight, err = weightOf(word[at+1:])
	return word[:at], weight, err
}

func textsOf(value string) []source {
	var out []source
	for line := range strings.Lines(value) {
		name, weight, begins := headerOf(line)
		switch {
		case begins:
			out = append(out, source{Source: pgscript.Source{Name: name, Weight: weight}})
		case len(out) == 0 && strings.TrimSpace(line) == "":
		case len(out) == 0:
			out = append(out, source{Source: pgscript.Source{Name: "script", Weight: 1, Text: line}})
		default:
			out[len(out)-1].Text += line
		}
	}
	for i, s := range out {
		if s.Text == "" && slices.Contains(builtins(), s.Name) {
			out[i].Text, out[i].builtin = builtinText(s.Name), true
		}
	}
	return out
}

// maxScript bounds the bytes read from a script's file, well above the limit of a trial's parameters.
const maxScript = 1 << 20

// inline replaces the names of files in a value by their texts, so that a plan holds everything that is run and
// every host has it. Other values are returned unchanged.
func inline(value string) (string, error) {
	if written(value) {
		return value, nil
	}
	var b strings.Builder
	files := false
	for _, word := range names(value) {
		name, weight, err := cutWeight(word)
		if err != nil {
			return "", err
		}
		fmt.Fprintf(&b, "%s%s@%d\n", header, strings.ReplaceAll(name, " ", "%20"), weight)
		if slices.Contains(builtins(), name) {
			continue
		}
		text, err := input.ReadText(name, maxScript)
		if err != nil {
			if errors.Is(err, os.ErrNotExist) && !strings.Contains(name, "/") {
				return "", unknownScript(name)
			}
			return "", fmt.Errorf("read a script: %w\nhint: a file's name stands for its text, read on the host "+
				"that runs plimsoll", err)
		}
		files = true
		if b.WriteString(string(text)); !strings.HasSuffix(string(text), "\n") {
			b.WriteByte('\n')
		}
	}
	if !files {
		return value, nil
	}
	return b.String(), nil
}
