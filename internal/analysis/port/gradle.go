package port

import (
	"fmt"
	"strings"

	"github.com/BurntSushi/toml"
)

// gradleLock reads gradle.lockfile: a line group:artifact:version=configurations for each package.
func gradleLock(data []byte) ([]pinned, error) {
	var out []pinned
	for i, line := range lines(data) {
		line = strings.TrimSpace(line)
		if line == "" || line[0] == '#' || strings.HasPrefix(line, "empty=") {
			continue
		}
		name, _, is := strings.Cut(line, "=")
		parts := strings.Split(short(name), ":")
		if !is || len(parts) != 3 || len(name) > maxText {
			return nil, fmt.Errorf("reading the lock: line %d is not group:artifact:version=configurations", i+1)
		}
		out = append(out, pinned{name: "maven/" + parts[0] + "/" + parts[1], version: parts[2], line: i + 1})
	}
	return out, nil
}

// gradleCatalogue reads a version catalogue, such as libs.versions.toml.
func gradleCatalogue(data []byte) ([]pinned, error) {
	var catalogue struct {
		Versions  map[string]any
		Libraries map[string]any
	}
	if err := shallow(data); err != nil {
		return nil, fmt.Errorf("reading the catalogue: %w", err)
	}
	if err := toml.Unmarshal(data, &catalogue); err != nil {
		return nil, fmt.Errorf("reading the catalogue: %w", err)
	}
	var out []pinned
	for _, library := range catalogue.Libraries {
		group, artifact, version := "", "", ""
		switch l := library.(type) {
		case string:
			parts := strings.SplitN(short(l), ":", 3)
			if len(parts) == 3 {
				group, artifact, version = parts[0], parts[1], parts[2]
			}
		case map[string]any:
			group, _ = l["group"].(string)
			artifact, _ = l["name"].(string)
			if module, ok := l["module"].(string); ok {
				group, artifact, _ = strings.Cut(module, ":")
			}
			version = catalogueVersion(l["version"], catalogue.Versions)
		}
		if group == "" || artifact == "" || len(group)+len(artifact) > maxText {
			return nil, fmt.Errorf("reading the catalogue: %.60q is no library: neither group:artifact:version nor a table "+
				"with module, or with group and name", fmt.Sprint(library))
		}
		out = append(out, pinned{name: "maven/" + group + "/" + artifact, version: version, mark: group + ":" + artifact})
	}
	inCatalogue(data, out)
	return out, nil
}

// catalogueVersion returns a library's own version, or the one that it refers to; "" for a range.
func catalogueVersion(v any, versions map[string]any) string {
	for range deepest {
		switch is := v.(type) {
		case string:
			return short(is)
		case map[string]any:
			if ref, ok := is["ref"].(string); ok {
				v = versions[ref]
				continue
			}
			for _, key := range []string{"strictly", "require", "prefer"} {
				if text, ok := is[key].(string); ok && !strings.ContainsAny(text, "[](),+") {
					return short(text)
				}
			}
		}
		return ""
	}
	return ""
}

// inCatalogue finds the lines of libraries, and puts them in their order: those of a table have no order.
func inCatalogue(data []byte, all []pinned) {
	at := make(map[string]int, len(all))
	for i, line := range lines(data) {
		for _, text := range quoted(line) {
			parts := strings.SplitN(short(text), ":", 3)
			if len(parts) >= 2 {
				if mark := parts[0] + ":" + parts[1]; at[mark] == 0 {
					at[mark] = i + 1
				}
			}
		}
	}
	for i := range all {
		all[i].line = at[all[i].mark]
	}
	inOrder(all)
}

// quoted returns the texts in quotation marks of a line.
func quoted(line string) []string {
	var out []string
	for {
		i := strings.IndexAny(line, `"'`)
		if i < 0 {
			return out
		}
		end := strings.IndexByte(line[i+1:], line[i])
		if end < 0 {
			return out
		}
		out = append(out, line[i+1:i+1+end])
		line = line[i+end+2:]
	}
}

// gradleBuild reads the packages that a build of Gradle names as texts, in Groovy or Kotlin. What a program puts
// together it cannot know.
func gradleBuild(data []byte) ([]pinned, error) {
	tokens, err := scripted(data)
	if err != nil {
		return nil, fmt.Errorf("reading the build: %w", err)
	}
	var out variety
	last, keyed := pinned{}, false // the package that was named last, and whether by keys
	for i, t := range tokens {
		if t.text == nil {
			continue
		}
		text := short(string(t.text))
		key := ""
		if i > 1 && (tokens[i-1].mark == ':' || tokens[i-1].mark == '=') {
			key = tokens[i-2].word
		}
		switch group, artifact, version, variant, ok := coordinates(text); {
		case key == "classifier" && last.name != "":
			out.add(last, variable(text), false)
		case key == "group":
			last, keyed = pinned{name: "maven/" + text + "/", line: t.line}, true
		case key == "name" && strings.HasSuffix(last.name, "/"):
			last.name += text
		case key == "version" && keyed && !strings.HasSuffix(last.name, "/") && last.version == "":
			last.version = variable(text)
			out.add(last, "", false)
		case ok:
			last, keyed = pinned{name: "maven/" + group + "/" + artifact, version: version, line: t.line}, false
			out.add(last, variant, false)
		}
	}
	return out.all, nil
}

// variable returns a text, "" if a variable is in it.
func variable(text string) string {
	if strings.Contains(text, "$") {
		return ""
	}
	return text
}

// coordinates splits group:artifact[:version[:classifier]][@extension]. Without a version the group must have a dot, as
// other texts with a colon have not.
func coordinates(text string) (group, artifact, version, variant string, ok bool) {
	if len(text) >= maxText {
		return
	}
	text, _, _ = strings.Cut(text, "@")
	parts := strings.Split(text, ":")
	if len(parts) < 2 || len(parts) > 4 || len(parts) == 2 && !strings.Contains(parts[0], ".") {
		return
	}
	for i, p := range parts {
		if p == "" && i < 2 || strings.ContainsAny(p, " /\\\t\n\"'<>|;%?&") ||
			i == 0 && !strings.ContainsAny(p[:1], "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ") ||
			i < 2 && strings.ContainsAny(p, "$={}()[],+") {
			return
		}
	}
	parts = append(parts, "", "")
	return parts[0], parts[1], variable(parts[2]), variable(parts[3]), true
}
