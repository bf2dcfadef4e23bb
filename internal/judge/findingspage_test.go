package judge

import (
	"fmt"
	"maps"
	"slices"
	"strings"

	"github.com/invopop/jsonschema"
)

// findingsPage returns docs/findings.md.
func findingsPage(shown, compared schema) []byte {
	p := &page{defs: maps.Clone(shown.root.Definitions)}
	maps.Copy(p.defs, compared.root.Definitions)
	p.WriteString("# Findings\n\n`show --json` and `compare --json` state what follows from the figures as findings, " +
		"each of one kind " +
		"([format.md](format.md) has the rest of both documents).\nThe tables list the keys of their `body`. This page is " +
		"written by `go test ./internal/judge -run TestSchema -update`.\n")
	p.kinds("About cells", shown)
	p.kinds("About two sides, or all", compared)
	p.WriteString("\n## Parts\n\nObjects that bodies hold.\n")
	texts := map[string]string{}
	for i := 0; i < len(p.parts); i++ { // a part may name others
		part := &page{defs: p.defs, parts: p.parts}
		fmt.Fprintf(part, "\n### %s\n\n%s\n", p.parts[i], sentence(p.defs[p.parts[i]].Description))
		part.keys(p.parts[i])
		p.parts, texts[p.parts[i]] = part.parts, part.String()
	}
	for _, name := range slices.Sorted(maps.Keys(texts)) {
		p.WriteString(texts[name])
	}
	return []byte(p.String())
}

// page is a document while it is written.
type page struct {
	strings.Builder
	defs  jsonschema.Definitions
	parts []string // definitions that the page names
}

func (p *page) kinds(title string, s schema) {
	fmt.Fprintf(p, "\n## %s\n", title)
	for _, k := range s.kinds {
		if heading := fmt.Sprintf("\n### `%s`\n", k.Kind); !strings.Contains(p.String(), heading) {
			fmt.Fprintf(p, "%s\n%s\n", heading, sentence(k.Doc))
			p.keys(s.name(k.Body))
		}
	}
}

// keys writes the table of a definition's keys.
func (p *page) keys(name string) {
	def := p.defs[name]
	p.WriteString("\n| key | value | |\n|---|---|---|\n")
	for at := def.Properties.Oldest(); at != nil; at = at.Next() {
		optional := ""
		if !slices.Contains(def.Required, at.Key) {
			optional = ", optional"
		}
		fmt.Fprintf(p, "| `%s` | %s%s | %s |\n", at.Key, p.form(at.Value), optional,
			strings.NewReplacer("|", `\|`, "\n", " ").Replace(at.Value.Description))
	}
}

// form says which values a key can have.
func (p *page) form(s *jsonschema.Schema) string {
	switch {
	case s == nil:
		return "anything"
	case len(s.OneOf) > 0:
		return p.form(s.OneOf[0]) + " or null"
	case s.Ref == "#/$defs/number":
		return "number"
	case s.Ref == "#/$defs/Written":
		return "[note](notes.md)"
	case s.Ref != "":
		return p.part(strings.TrimPrefix(s.Ref, "#/$defs/"))
	case s.Type == "array":
		return "list of " + p.form(s.Items)
	case s.Type == "object":
		return "object of " + p.form(s.AdditionalProperties)
	}
	return map[string]string{"string": "text", "integer": "whole number", "boolean": "truth value"}[s.Type]
}

func (p *page) part(name string) string {
	if !slices.Contains(p.parts, name) {
		p.parts = append(p.parts, name)
	}
	return fmt.Sprintf("[%s](#%s)", name, strings.ToLower(strings.ReplaceAll(name, ".", "")))
}

// sentence returns a text with a capital and a full stop.
func sentence(text string) string {
	if text == "" {
		return ""
	}
	return strings.ToUpper(text[:1]) + strings.TrimSuffix(text[1:], ".") + "."
}
