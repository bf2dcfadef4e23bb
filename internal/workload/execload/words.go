package execload

import (
	"errors"
	"fmt"
	"strings"

	"github.com/kballard/go-shellquote"

	"plimsoll/internal/base/secret"
	"plimsoll/internal/record"
	"plimsoll/internal/workload"
)

// levelName is the placeholder for the load's level in a command.
const levelName = "load"

// words returns the argument list that the parameters describe. Values are inserted before the command is split, so
// that one value may yield several words, and the same rule holds with and without a shell. place returns the path
// of an engine that the command names.
func words(p workload.Params, scratch string, place func(name string) (string, bool)) ([]string, error) {
	text, err := commandText(p, scratch, place)
	if err != nil {
		return nil, err
	}
	if text, err = passable(text); err != nil {
		return nil, err
	}
	if p.Bool(paramShell) {
		return []string{"sh", "-c", oneWord(text)}, nil
	}
	argv, err := shellquote.Split(text)
	if err != nil {
		return nil, fmt.Errorf("exec: the command %s ends inside a quotation or after a backslash\nhint: close the "+
			"quotation, or write \\\\' for a literal quote", text)
	}
	if len(argv) == 0 || argv[0] == "" {
		return nil, fmt.Errorf("exec: the command %q names no program\nhint: check the values that it is made of", text)
	}
	return argv, nil
}

// passable returns an error for a text that no process can get as it is meant.
func passable(text string) (string, error) {
	if strings.ContainsRune(text, 0) {
		return "", errors.New("exec: the command contains a NUL byte, which no argument can")
	}
	if name := kept(text); name != "" {
		return "", fmt.Errorf("exec: ${%s} is in single quotes, in which a shell does not expand it\nhint: use "+
			"double quotes; $${%s} is the text itself", name, name)
	}
	return text, nil
}

// commandText returns the command with all values inserted.
func commandText(p workload.Params, scratch string, place func(name string) (string, bool)) (string, error) {
	text := p.Text(paramCommand)
	if strings.TrimSpace(text) == "" {
		return "", errors.New("exec: no command to run\nhint: plimsoll run exec './my-program ARGUMENT'")
	}
	return filled(p, text, scratch, place)
}

// filled returns a text with all values inserted.
func filled(p workload.Params, text, scratch string, place func(name string) (string, bool)) (string, error) {
	return expand(text, func(name string) (string, bool) {
		if path, ok := place(name); ok {
			return path, true
		}
		return lookup(p, scratch, name)
	})
}

// lookup returns the value of a placeholder. The command itself has none: it would contain itself.
func lookup(p workload.Params, scratch, name string) (string, bool) {
	switch name {
	case levelName:
		return level(p), true
	case scratchName:
		return scratch, true
	}
	v, ok := p.All()[name]
	if v == "{"+scratchName+"}" {
		v = scratch
	}
	return v, ok && name != paramCommand
}

// level returns the load's level as text: clients, operations per second, or 1.
func level(p workload.Params) string {
	for _, name := range []string{record.ParamRate, record.ParamClients} {
		if p.Number(name) > 0 {
			return p.Text(name)
		}
	}
	return "1"
}

// expand replaces each {NAME} in text by its value and {{ by a brace. ${ is the shell's.
func expand(text string, value func(name string) (string, bool)) (string, error) {
	var b strings.Builder
	for {
		before, after, found := strings.Cut(text, "{")
		b.WriteString(before)
		if !found {
			return b.String(), nil
		}
		if rest, ok := strings.CutPrefix(after, "{"); ok {
			b.WriteByte('{')
			text = rest
			continue
		}
		if strings.HasSuffix(before, "$") {
			b.WriteByte('{')
			text = after
			continue
		}
		name, rest, closed := strings.Cut(after, "}")
		if !closed {
			return "", fmt.Errorf("exec: the command has { without } before %q\nhint: {{ writes a brace", after)
		}
		v, ok := value(name)
		if !ok && strings.HasPrefix(name, enginePrefix) {
			return "", unknownEngine(name)
		}
		if !ok {
			return "", fmt.Errorf("exec: the command refers to {%s}, but no parameter has that name\nhint: --set "+
				"exec.%s=… gives it a value; {{ writes a brace", name, name)
		}
		if strings.Contains(v, "${") && quoteAt(b.String()) == '\'' {
			v = secret.Unquoted(v)
		}
		b.WriteString(v)
		text = rest
	}
}
