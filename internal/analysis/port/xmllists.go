package port

import (
	"bytes"
	"encoding/xml"
	"errors"
	"fmt"
	"io"
	"slices"
	"strings"
)

// maxElements bounds the elements of XML in one another. Projects have about ten.
const maxElements = 64

// element is an open element of XML.
type element struct {
	name string
	attr map[string]string // in lower case
	text []byte            // of its own, maxText at most
	line int
}

// walkXML calls leave for each element as it ends, below its open ancestors, outermost first. root is the name that the
// outermost one must have.
func walkXML(data []byte, root string, leave func(above []element, e element)) error {
	d := xml.NewDecoder(bytes.NewReader(data))
	// Names of packages are ASCII, which all encodings that such files have share.
	d.CharsetReader = func(_ string, in io.Reader) (io.Reader, error) { return in, nil }
	var open []element
	seen := false
	for {
		token, err := d.Token()
		switch {
		case errors.Is(err, io.EOF) && seen:
			return nil
		case errors.Is(err, io.EOF):
			return fmt.Errorf("it has no <%s>", root)
		case err != nil:
			return err
		}
		switch t := token.(type) {
		case xml.StartElement:
			line, _ := d.InputPos()
			if len(open) == 0 && t.Name.Local != root {
				return fmt.Errorf("line %d: its outermost element is <%s>, and not <%s>", line, short(t.Name.Local), root)
			}
			if seen = true; len(open) == maxElements {
				return fmt.Errorf("line %d: more than %d elements in one another", line, maxElements)
			}
			e := element{name: t.Name.Local, line: line, attr: map[string]string{}}
			for _, a := range t.Attr {
				e.attr[strings.ToLower(a.Name.Local)] = short(strings.TrimSpace(a.Value))
			}
			open = append(open, e)
		case xml.CharData:
			if n := len(open); n > 0 {
				e := &open[n-1]
				e.text = append(e.text, t[:min(len(t), maxText+1-min(len(e.text), maxText+1))]...)
			}
		case xml.EndElement:
			n := len(open) - 1
			e := open[n]
			open = open[:n]
			leave(open, e)
		}
	}
}

// short cuts a text that no name has.
func short(text string) string { return text[:min(len(text), maxText)] }

// value returns an element's own text; "" if it is too long for a name.
func (e element) value() string {
	if len(e.text) > maxText {
		return ""
	}
	return string(bytes.TrimSpace(e.text))
}

// dependency is one of a pom.xml.
type dependency struct {
	pinned
	group, artifact, classifier string
	chosen                      bool // in a profile for a processor
}

// mavenProject reads the dependencies of a pom.xml, with the properties that it defines itself.
func mavenProject(data []byte) ([]pinned, error) {
	properties := map[string]string{}
	var all []dependency
	var now dependency
	inProfile, byProcessor := -1, false // where the dependencies of the profile begin; whether a processor chooses it
	err := walkXML(data, "project", func(above []element, e element) {
		parent := ""
		if n := len(above); n > 0 {
			parent = above[n-1].name
		}
		switch {
		case parent == "properties":
			properties[e.name] = e.value()
		case parent == "project" && (e.name == "version" || e.name == "groupId"):
			properties["project."+e.name] = e.value()
		case parent == "parent" && len(above) == 2 && (e.name == "version" || e.name == "groupId"):
			properties["project.parent."+e.name] = e.value()
			if properties["project."+e.name] == "" {
				properties["project."+e.name] = e.value()
			}
		case parent == "dependency":
			now.set(e)
		case e.name == "dependency":
			now.line = e.line
			if inProfile < 0 && slices.ContainsFunc(above, func(a element) bool { return a.name == "profile" }) {
				inProfile = len(all)
			}
			all, now = append(all, now), dependency{}
		case e.name == "arch" && parent == "os":
			byProcessor = true
		case e.name == "profile":
			if byProcessor && inProfile >= 0 {
				for i := inProfile; i < len(all); i++ {
					all[i].chosen = true
				}
			}
			inProfile, byProcessor = -1, false
		}
	})
	if err != nil {
		return nil, fmt.Errorf("reading the project: %w", err)
	}
	var out variety
	for _, d := range all {
		group, artifact := filled(d.group, properties), filled(d.artifact, properties)
		if group == "" || artifact == "" {
			continue
		}
		d.name, d.version = "maven/"+group+"/"+artifact, filled(d.version, properties)
		out.add(d.pinned, filled(d.classifier, properties), d.chosen)
	}
	return out.all, nil
}

func (d *dependency) set(e element) {
	switch e.name {
	case "groupId":
		d.group = e.value()
	case "artifactId":
		d.artifact = e.value()
	case "version":
		d.version = e.value()
	case "classifier":
		d.classifier = e.value()
	}
}

// deepest is how many properties may stand for one another.
const deepest = 4

// filled replaces the properties of a text; "" if one is not known, as one of a parent, or the text is too long.
func filled(text string, properties map[string]string) string {
	for range deepest {
		before, rest, found := strings.Cut(text, "${")
		if !found {
			return text
		}
		name, after, closed := strings.Cut(rest, "}")
		value, known := properties[name]
		if text = before + value + after; !closed || !known || len(text) > maxText {
			return ""
		}
	}
	if strings.Contains(text, "${") {
		return ""
	}
	return text
}

// variety gathers packages with their variants, each package once.
type variety struct {
	all []pinned
	at  map[string]int
}

// newNatives says what mends a classifier for x86 alone.
const newNatives = "add its classifier for arm64 (such as linux-aarch_64), or choose it by the processor " +
	"(os-maven-plugin, osdetector)"

// add adds a variant of a package; "" is none. One that is chosen by the processor is none either.
func (v *variety) add(p pinned, variant string, chosen bool) {
	if v.at == nil {
		v.at = map[string]int{}
	}
	i, ok := v.at[p.name]
	if !ok {
		i = len(v.all)
		v.at[p.name] = i
		v.all = append(v.all, p)
	}
	at := &v.all[i]
	if at.version == "" {
		at.version = p.version
	}
	if variant != "" && !chosen {
		if len(at.variants) == 0 {
			at.line = p.line
		}
		at.variants, at.remedy = append(at.variants, variant), newNatives
	}
}

// dotnetProject reads the packages of a project of .NET, or of what its projects share, and what these are built for.
func dotnetProject(data []byte) (packageList, error) {
	var out packageList
	err := walkXML(data, "Project", func(above []element, e element) {
		switch e.name {
		case "PackageReference", "PackageVersion", "GlobalPackageReference":
			name := e.attr["include"]
			if name == "" {
				name = e.attr["update"]
			}
			if name != "" {
				out.all = append(out.all, pinned{name: "nuget/" + name, version: dotnetVersion(e), line: e.line})
			}
		case "Version", "VersionOverride":
			if n := len(above); n > 0 && strings.HasPrefix(above[n-1].name, "Package") && above[n-1].attr["version"] == "" {
				above[n-1].attr["version"] = e.value()
			}
		case "RuntimeIdentifier", "RuntimeIdentifiers", "PlatformTarget":
			if !chosenByProcessor(append(slices.Clone(above), e)) {
				out.builtFor(e)
			}
		}
	})
	if err != nil {
		return packageList{}, fmt.Errorf("reading the project: %w", err)
	}
	return out, nil
}

// dotnetVersion returns the version of a reference to a package; "" if a property has it, or it is a range.
func dotnetVersion(e element) string {
	version := e.attr["versionoverride"]
	if version == "" {
		version = e.attr["version"]
	}
	version = strings.Trim(version, "[]")
	if strings.ContainsAny(version, "$*,()") {
		return ""
	}
	return version
}

// chosenByProcessor reports whether a condition on an element or around it asks for the processor or the platform.
func chosenByProcessor(all []element) bool {
	return slices.ContainsFunc(all, func(e element) bool {
		if e.name == "When" && e.attr["condition"] != "" {
			return true
		}
		condition := strings.ToLower(e.attr["condition"])
		return slices.ContainsFunc([]string{"arch", "platform", "runtimeidentifier", "arm64", "x64"},
			func(part string) bool { return strings.Contains(condition, part) })
	})
}

// builtFor notes a property by which a program of .NET is for x86 alone.
func (l *packageList) builtFor(e element) {
	targets := strings.FieldsFunc(e.value(), func(r rune) bool { return r == ';' || r == ' ' || r == '\n' || r == '\t' })
	i := slices.IndexFunc(targets, forX86)
	if i < 0 || slices.ContainsFunc(targets, forArm) {
		return
	}
	f := Finding{Line: e.line, Severity: WillNotRun,
		Says:   fmt.Sprintf("<%s>%s</%s> builds for x86 alone", e.name, targets[i], e.name),
		Remedy: "leave it out and publish with -r linux-arm64 for arm64, or put it under a condition"}
	switch e.name {
	case "RuntimeIdentifiers":
		f.Severity = WorthChecking
		f.Says = fmt.Sprintf("<RuntimeIdentifiers> has %s and nothing for arm64: packages are restored for these alone",
			targets[i])
		f.Remedy = "add linux-arm64"
	case "PlatformTarget":
		f.Remedy = "AnyCPU, or arm64 under a condition"
	}
	l.found = append(l.found, f)
}
