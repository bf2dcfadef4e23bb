// Package targets reads files of HTTP requests in vegeta's formats: text with method and URL, header lines and a
// reference to a body file, or a JSON object per line.
package targets

import (
	"bufio"
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"
	"maps"
	"path/filepath"
	"slices"
	"strings"

	"plimsoll/internal/base/input"
	"plimsoll/internal/base/list"
	"plimsoll/internal/client/httpload"
)

// The bounds of a file: it travels with every order.
const (
	maxFile    = 4 << 20 // bytes, with the bodies
	maxTargets = 1 << 14
)

// Target is one request.
type Target struct {
	Name   string   // FILE:LINE
	Method string   // "": GET, or POST if there is a body
	URL    string   // of the server, or a path on it
	Header []string `json:",omitempty"` // "Name: value"
	Body   []byte   `json:",omitempty"`
	Weight int      // at least 1
}

// Mix is the content of a file.
type Mix struct {
	Targets []Target
	Log     *Log `json:",omitempty"` // nil if it is no access log
}

// Files are the sources of a targets file's references.
type Files struct {
	Body     func(path string) ([]byte, error) // relative paths as the file states them
	Variable func(name string) (string, error) // ${NAME} in a URL or a header
}

// Pack returns a file's targets with their bodies and variables, for Unpack on the host that sends them. Relative
// paths of bodies start at the working directory, as vegeta's do.
func Pack(path string, variable func(name string) (string, error)) ([]byte, error) {
	mix, err := read(path, variable)
	if errors.Is(err, fs.ErrNotExist) {
		return nil, fmt.Errorf("there is no file %s\nhint: a targets file has lines such as GET http://127.0.0.1:8080/items",
			path)
	}
	if err != nil {
		return nil, err
	}
	if err := oneServer(mix.Targets); err != nil {
		return nil, err
	}
	packed, err := json.Marshal(mix)
	if err == nil && len(packed) > maxFile {
		err = fmt.Errorf("%s: the targets and their bodies exceed %d bytes\nhint: they travel to each generator; use fewer "+
			"or shorter bodies", path, maxFile)
	}
	return packed, err
}

// read reads a file of targets, or an access log.
func read(path string, variable func(name string) (string, error)) (Mix, error) {
	name := filepath.Base(path)
	f, err := input.Open(path)
	if err != nil {
		return Mix{}, err
	}
	defer f.Close()
	r := bufio.NewReaderSize(f, 64<<10)
	if head, _ := r.Peek(64 << 10); isLog(head) {
		c, err := readLog(name, r)
		if err != nil {
			return Mix{}, err
		}
		all, err := c.targets()
		return Mix{all, &c.log}, err
	}
	text, err := input.ReadText(path, maxFile)
	if err != nil {
		return Mix{}, err
	}
	body := func(path string) ([]byte, error) { return input.ReadFile(path, maxFile) }
	all, err := Parse(name, text, Files{Body: body, Variable: variable})
	return Mix{Targets: all}, err
}

// Unpack is the inverse of Pack. Of an access log it returns the requests of some methods, separated by commas.
func Unpack(packed, methods string) (out Mix, err error) {
	if err := json.Unmarshal([]byte(packed), &out); err != nil {
		return out, errors.New("the targets are no file's: " + err.Error())
	}
	if out.Log == nil {
		return out, nil
	}
	out.Targets = list.Filter(out.Targets, func(t Target) bool { return taken(t.Method, methods) })
	if len(out.Targets) == 0 {
		return out, fmt.Errorf("%s: no request is of a method among %s: it has %s\nhint: --log-methods names others; a log "+
			"holds no bodies, so give one by -d", out.Log.Name, methods, strings.Join(slices.Sorted(maps.Keys(out.Log.Methods)),
			", "))
	}
	return out, nil
}

// Parse returns the targets of a text, which is JSON if its first line that is no comment begins with a brace.
func Parse(name string, text []byte, from Files) ([]Target, error) {
	p := &parser{name: name, from: from}
	parse := p.text
	if isJSON(text) {
		parse = p.json
	}
	for line := range bytes.Lines(text) {
		p.line++
		if err := parse(string(bytes.TrimSpace(line))); err != nil {
			return nil, p.at(p.line, err)
		}
		if len(p.out) > maxTargets {
			return nil, p.at(p.line, fmt.Errorf("more than %d targets", maxTargets))
		}
	}
	switch {
	case p.weight > 0:
		return nil, p.at(p.line, errWeightLast)
	case len(p.out) == 0:
		return nil, fmt.Errorf("%s: no target\nhint: a target is a line such as GET http://127.0.0.1:8080/items", name)
	}
	return p.out, nil
}

func isJSON(text []byte) bool {
	for line := range bytes.Lines(text) {
		if line = bytes.TrimSpace(line); len(line) > 0 && line[0] != '#' {
			return line[0] == '{'
		}
	}
	return false
}

// oneServer returns an error that names the first target of another server, or one that cannot be sent.
func oneServer(all []Target) error {
	first, at := "", ""
	for _, t := range all {
		_, server, err := t.request("")
		switch {
		case err != nil:
			return fmt.Errorf("%s: %w", t.Name, err)
		case server == "":
		case first == "":
			first, at = server, t.Name
		case server != first:
			return fmt.Errorf("%s: the target's server is %s, that of %s is %s\nhint: one run loads one server; split the file",
				t.Name, server, at, first)
		}
	}
	return nil
}

// Server returns the scheme and host of the targets; "" if all are paths.
func Server(all []Target) string {
	for _, t := range all {
		if _, server, err := t.request(""); err == nil && server != "" {
			return server
		}
	}
	return ""
}

// Requests returns the targets as requests to a server that takes those without one; it may be "". The common header
// is sent with each, the body with those that have none.
func Requests(all []Target, base string, header []string, body []byte) (out []httpload.Request, weights []int,
	err error) {
	weighted := false
	for _, t := range all {
		r, server, err := t.request(base)
		switch {
		case err != nil:
			return nil, nil, fmt.Errorf("%s: %w", t.Name, err)
		case server == "":
			return nil, nil, fmt.Errorf("%s: the target names no server\nhint: --set http.url=http://HOST:PORT/ names it, or "+
				"--start starts one", t.Name)
		case base != "" && server != base:
			return nil, nil, fmt.Errorf("%s: the target's server is %s, and %s is measured\nhint: "+
				"a path alone, such as GET /items, is one of the measured server", t.Name, server, base)
		}
		r.Header = append(append([]string{}, header...), r.Header...)
		if len(r.Body) == 0 {
			r.Body = body
		}
		out, weighted = append(out, r), weighted || t.Weight != 1
	}
	if !weighted {
		return out, nil, nil
	}
	return out, list.Map(all, func(t Target) int { return t.Weight }), nil
}
