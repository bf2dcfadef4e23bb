package port

import (
	"encoding/json"
	"errors"
	"fmt"
	"maps"
	"slices"
	"strings"
)

// dotnetLock reads packages.lock.json. A target with a processor, such as net8.0/linux-x64, has what is restored for
// that one beside its framework's.
func dotnetLock(data []byte) (packageList, error) {
	var lock struct {
		Dependencies map[string]map[string]struct {
			Resolved string `json:"resolved"`
			Type     string `json:"type"`
		} `json:"dependencies"`
	}
	if err := json.Unmarshal(data, &lock); err != nil {
		return packageList{}, fmt.Errorf("reading the lock: %w", err)
	}
	if lock.Dependencies == nil {
		return packageList{}, errors.New("reading the lock: it has no dependencies, as a packages.lock.json of .NET has")
	}
	var out packageList
	seen := map[string]bool{}
	var runtimes []string
	for _, target := range slices.Sorted(maps.Keys(lock.Dependencies)) {
		_, runtime, _ := strings.Cut(target, "/")
		if runtime != "" {
			runtimes = append(runtimes, short(runtime))
		}
		for _, name := range slices.Sorted(maps.Keys(lock.Dependencies[target])) {
			p := lock.Dependencies[target][name]
			if p.Type == "Project" || len(name) > maxText || seen[name+" "+p.Resolved] {
				continue
			}
			seen[name+" "+p.Resolved] = true
			out.all = append(out.all, pinned{name: "nuget/" + name, version: short(p.Resolved), mark: name})
		}
	}
	locate(data, "", out.all)
	inOrder(out.all)
	if i := slices.IndexFunc(runtimes, forX86); i >= 0 && !slices.ContainsFunc(runtimes, forArm) {
		out.found = append(out.found, Finding{Severity: WorthChecking,
			Says: fmt.Sprintf("the lock is for %s and has nothing for arm64: with --locked-mode nothing is restored there",
				runtimes[i]),
			Remedy: "add linux-arm64 to RuntimeIdentifiers, and write the lock anew"})
	}
	return out, nil
}

// gemLock reads Gemfile.lock: the gems with the platforms that it has them for, the platforms that it is for, and the
// version of Ruby.
func gemLock(data []byte) (packageList, error) {
	var out packageList
	at := map[string]int{}
	section := ""
	var platforms []string
	platformsLine := 0
	for i, line := range lines(data) {
		text := strings.TrimSpace(line)
		switch {
		case text == "":
		case line[0] != ' ':
			if section = text; text != strings.ToUpper(text) || len(text) > maxText || strings.ContainsAny(text, "<=>|") {
				return packageList{}, fmt.Errorf("reading the lock: line %d is neither a section, such as GEM, nor an entry of one",
					i+1)
			}
			if section == "PLATFORMS" {
				platformsLine = i + 1
			}
		case section == "":
			return packageList{}, fmt.Errorf("reading the lock: line %d is in no section, such as GEM", i+1)
		case section == "PLATFORMS":
			platforms = append(platforms, short(text))
		case section == "RUBY VERSION":
			if version, ok := strings.CutPrefix(text, "ruby "); ok {
				version, _, _ = strings.Cut(short(version), "p")
				out.all = append(out.all, pinned{name: "ruby", version: version, line: i + 1})
			}
		case section == "GEM" && strings.HasPrefix(line, "    ") && line[4] != ' ':
			name, version, variant, ok := gem(text)
			if !ok {
				return packageList{}, fmt.Errorf("reading the lock: line %d is no gem with its version", i+1)
			}
			k, known := at[name+" "+version]
			if !known {
				k = len(out.all)
				at[name+" "+version] = k
				out.all = append(out.all, pinned{name: "gem/" + name, version: version, line: i + 1,
					remedy: "bundle lock --add-platform aarch64-linux, on a version of the gem that has it"})
			}
			if forX86(variant) {
				out.all[k].line = i + 1
			}
			out.all[k].variants = append(out.all[k].variants, variant)
		}
	}
	if i := slices.IndexFunc(platforms, forX86); i >= 0 && !slices.ContainsFunc(platforms, forArm) &&
		!slices.Contains(platforms, "ruby") {
		out.found = append(out.found, Finding{Severity: WillNotBuild, Line: platformsLine,
			Says: fmt.Sprintf("the lock is for %s and not for arm64: bundle install refuses it if the lock is frozen",
				platforms[i]),
			Remedy: "bundle lock --add-platform aarch64-linux"})
	}
	return out, nil
}

// gem splits an entry such as "nokogiri (1.15.4-x86_64-linux)".
func gem(text string) (name, version, variant string, ok bool) {
	name, rest, found := strings.Cut(text, " (")
	version, closed := strings.CutSuffix(rest, ")")
	if !found || !closed || len(text) > maxText || name == "" {
		return "", "", "", false
	}
	version, variant, built := strings.Cut(version, "-")
	if !built {
		variant = fromSource
	}
	return name, version, variant, true
}
