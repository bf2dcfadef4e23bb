package main

import (
	"bytes"
	"cmp"
	"errors"
	"fmt"
	"io/fs"
	"maps"
	"slices"
	"strings"

	"plimsoll/internal/base/input"
	"plimsoll/internal/base/secret"
	"plimsoll/internal/plan"
	"plimsoll/internal/record"
	"plimsoll/internal/workload"
)

// mostSecret bounds a file that a parameter refers to, because it travels with every order.
const mostSecret = 4 << 20

// secrets resolves the references of a request's values to the environment and to files, and rejects literal secrets,
// because sessions store every value.
func (a *app) secrets(req *plan.Request) (secret.Values, error) {
	out, literals := secret.Values{}, secret.NewLiterals()
	if err := namesNoSecret(req, literals); err != nil {
		return nil, err
	}
	for _, s := range a.agent.Workloads {
		free, err := freeValues(req, s, literals)
		if err != nil {
			return nil, err
		}
		err = req.Each(s.Name, func(name, value string) (string, error) {
			key := s.Name + "." + name
			if written(s, name) {
				return value, nil
			}
			secretIn := literals.Named
			if _, declared := s.Param(name); declared { // http.token is where the token is
				secretIn = func(_, value string) string { return literals.In(value) }
			}
			what := secretIn(name, value)
			for _, text := range filledIn(value, free) {
				what = cmp.Or(what, literals.In(text))
			}
			if what != "" {
				return "", keeps(key, what, howToRefer(s.Workload, name))
			}
			return a.refer(key, s, name, value, out)
		})
		if err != nil {
			return nil, err
		}
	}
	return out, nil
}

// keeps returns the error for a setting with a secret, which it does not repeat.
func keeps(key, what, hint string) error {
	return usagef("%s contains a secret (%s), and sessions keep all settings\nhint: %s", key, what, hint)
}

// namesNoSecret rejects secrets in what a session keeps besides its parameters.
func namesNoSecret(req *plan.Request, literals secret.Literals) error {
	if what := literals.In(req.Energy); what != "" {
		return keeps("--energy", what, "export NAME=… and write ${NAME} in its place, or read it from a file on the target")
	}
	for _, name := range slices.Sorted(maps.Keys(req.Labels)) {
		if what := literals.Named(name, req.Labels[name]); what != "" {
			return keeps("--label "+name, what, "leave it out")
		}
	}
	for _, f := range req.Factors {
		for _, l := range f.Levels {
			if what := literals.In(l.Name); what != "" && !isValue(l) {
				return keeps("--name", what, "choose another name")
			}
		}
	}
	return nil
}

// isValue reports whether a level has a parameter's value as its name.
func isValue(l plan.Level) bool {
	return slices.Contains(slices.Collect(maps.Values(l.Set)), l.Name)
}

// freeValues returns the values of the parameters that only the user has declared, by their place in a command. It
// leaves out values that are a secret by themselves: the error about them is clearer.
func freeValues(req *plan.Request, s workload.Spec, literals secret.Literals) (map[string][]string, error) {
	out := map[string][]string{}
	err := req.Each(s.Name, func(name, value string) (string, error) {
		if _, declared := s.Param(name); !declared && literals.Named(name, value) == "" {
			out["{"+name+"}"] = append(out["{"+name+"}"], value)
		}
		return value, nil
	})
	return out, err
}

// filledIn returns the texts that a value becomes by each value of a parameter in it.
func filledIn(value string, free map[string][]string) []string {
	var out []string
	for _, at := range slices.Sorted(maps.Keys(free)) {
		for _, v := range free[at] {
			if strings.Contains(value, at) {
				out = append(out, strings.ReplaceAll(value, at, v))
			}
		}
	}
	return out
}

// written reports whether a parameter cannot contain a secret: it is not text, a file's text replaces it, or it only
// selects what to read.
func written(s workload.Spec, name string) bool {
	p, declared := s.Param(name)
	return declared && p.Kind != record.Text || s.Inline[name] != nil || name == "pattern"
}

func howToRefer(w record.Workload, name string) string {
	key := w.Name + "." + name
	switch {
	case name == "header":
		return fmt.Sprintf("export TOKEN=…, then --set '%s=Authorization: Bearer ${TOKEN}', or --set %s=@FILE with a "+
			"header in each line", key, key)
	case w.SecretOf(name) == record.SecretDSN:
		return fmt.Sprintf("export PGPW=…, then --set '%s=postgres://USER:${PGPW}@HOST/DATABASE', or --set %s=@FILE; "+
			"PGPASSWORD, ~/.pgpass and a service file on the host that connects keep it out, too", key, key)
	case w.SecretOf(name).Put():
		return fmt.Sprintf("export NAME=… and write ${NAME} in its place, or --set %s=@FILE takes all of the "+
			"value from a file", key)
	case w.SecretOf(name) == record.SecretEnviron:
		return "export NAME=… and write ${NAME} in its place: the command gets it in its environment, on another host too"
	}
	return "put it into a file that the server reads"
}

// refer resolves the references of one value; a value @FILE gets the digest of the file's contents.
func (a *app) refer(key string, w workload.Spec, name, value string, out secret.Values) (string, error) {
	if pack := w.Files[name]; pack != nil && value != "" {
		return a.pack(key, pack, value, out)
	}
	p, _ := w.Param(name)
	use := w.SecretOf(name)
	if use == "" {
		return value, nil
	}
	parts := secret.Parts(value, p.Lines)
	for i, part := range parts {
		path, _, ok := secret.File(part)
		if ok && use.Put() {
			held, err := readSecret(key, path)
			if err != nil {
				return "", err
			}
			out["@"+path], parts[i] = held, secret.WithDigest(path, held)
			continue
		}
		if err := a.fromEnvironment(key, part, use, out); err != nil {
			return "", err
		}
		if p.Lines && multiline(part, out) {
			return "", usagef("%s: a variable in a part of a line has several lines\nhint: one that is all of the line may "+
				"have several", key)
		}
	}
	return strings.Join(parts, "\n"), nil
}

// multiline reports whether a variable in a line, and not all of it, has several lines.
func multiline(line string, values secret.Values) bool {
	return slices.ContainsFunc(secret.Names(line), func(name string) bool {
		return line != "${"+name+"}" && bytes.ContainsAny(values[name], "\r\n")
	})
}

// pack reads a file that a parameter names, with or without @, and what it refers to.
func (a *app) pack(key string, pack workload.Packer, value string, out secret.Values) (string, error) {
	path := secret.Path(value)
	held, err := pack(path, func(name string) (string, error) {
		err := a.fromEnvironment(key, "${"+name+"}", record.SecretText, out)
		return string(out[name]), err
	})
	if err != nil {
		return "", input.Wrap(fmt.Errorf("%s: %w", key, err))
	}
	out["@"+path] = held
	return secret.WithDigest(path, held), nil
}

func (a *app) fromEnvironment(key, text string, use record.SecretUse, out secret.Values) error {
	for _, name := range secret.Names(text) {
		if use == record.SecretEnviron && secret.Assigned(text, name) {
			continue
		}
		value := a.env(name)
		if value == "" {
			hint := "export " + name + "=…; $${" + name + "} stands for the text itself"
			if use == record.SecretEnviron {
				hint = "export " + name + "=…; a variable of the shell's own is written $" + name + ", and {" + name +
					"} is a parameter"
			}
			return usagef("%s refers to ${%s}, which is not in the environment\nhint: %s", key, name, hint)
		}
		out[name] = []byte(strings.TrimRight(value, "\r\n"))
	}
	return nil
}

func readSecret(key, path string) ([]byte, error) {
	held, err := input.ReadFile(path, mostSecret)
	switch {
	case errors.Is(err, fs.ErrNotExist):
		return nil, usagef("%s=@%s: there is no such file\nhint: @FILE takes the value from a file; a value that begins "+
			"with @ is written @@", key, path)
	case err != nil:
		return nil, input.Wrap(fmt.Errorf("%s=@%s: %w", key, path, err))
	}
	return held, nil
}

// secretsAgain resolves the references in a resumed plan's cells. A file with different contents would be another
// measurement; a variable may differ, which the trials record.
func (a *app) secretsAgain(p record.Plan, file string) (secret.Values, error) {
	out := secret.Values{}
	for _, c := range p.Cells {
		s, known := workload.Find(a.agent.Workloads, c.Workload)
		for name, value := range c.Params {
			if !known || written(s, name) {
				continue
			}
			now, err := a.refer(c.Workload+"."+name, s, name, value, out)
			if err != nil {
				return nil, err
			}
			if now != value {
				return nil, usagef("%s.%s=%s, and the file has another content now\nhint: restore the content with which %s was "+
					"begun, or plimsoll run -o FILE starts a new session", c.Workload, name, value, file)
			}
		}
	}
	return out, nil
}

// changedSecrets warns about variables that have changed since the trials already done.
func changedSecrets(p record.Plan, done []record.Trial, secrets secret.Values) []string {
	var out []string
	for _, t := range done {
		if t.Cell < 0 || t.Cell >= len(p.Cells) {
			continue
		}
		for name, digest := range secrets.Digests(p.Cells[t.Cell].Params) {
			note := fmt.Sprintf("${%s} has another value than when the session began; the runs record it (%s%s)", name,
				record.SecretPrefix, name)
			if old := t.Keys[record.SecretPrefix+name]; old != "" && old != digest && !slices.Contains(out, note) {
				out = append(out, note)
			}
		}
	}
	return out
}
