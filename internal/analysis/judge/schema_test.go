package judge

import (
	"bytes"
	"cmp"
	"flag"
	"os"
	"path"
	"reflect"
	"regexp"
	"slices"
	"strings"
	"testing"

	"github.com/invopop/jsonschema"

	"plimsoll/internal/analysis/finding"
	"plimsoll/internal/machine/catalog"
	"plimsoll/internal/present/media/json"
	"plimsoll/internal/record/note"
)

var update = flag.Bool("update", false, "write docs/schema anew")

// TestSchema: docs/schema has the schemas of both documents, with every kind of finding and the keys of its body.
func TestSchema(t *testing.T) {
	shown, compared := newSchema(t, reflect.TypeFor[finding.ShownDocument](), cellKinds()), newSchema(t,
		reflect.TypeFor[finding.ComparedDocument](), pairKinds())
	for name, want := range map[string][]byte{"show": shown.text(t), "compare": compared.text(t)} {
		name = "../../../docs/schema/" + name + ".schema.json"
		if *update {
			if err := os.WriteFile(name, want, 0o644); err != nil {
				t.Fatal(err)
			}
		}
		if got, err := os.ReadFile(name); err != nil || !bytes.Equal(got, want) {
			t.Errorf("%s is not that of the types (%v)\nhint: go test ./internal/analysis/judge -run TestSchema -update",
				name, err)
		}
	}
}

// TestKinds: each kind has one analyzer and a line of documentation, and those that read others can be ordered.
func TestKinds(t *testing.T) {
	if _, err := finding.Ordered(Analyzers()); err != nil {
		t.Error(err)
	}
	for _, kinds := range [][]finding.Analyzer{Analyzers(), pairKinds()} {
		seen := map[string]bool{}
		for _, a := range kinds {
			if seen[a.Kind] || a.Kind == "" || a.Body != nil && a.Doc == "" {
				t.Errorf("%q is there twice, or has no name or documentation", a.Kind)
			}
			seen[a.Kind] = true
		}
	}
}

// cellKinds are the kinds of findings about cells.
func cellKinds() []finding.Analyzer {
	return byKind(slices.DeleteFunc(Analyzers(), func(a finding.Analyzer) bool { return a.Run == nil || a.Body == nil }))
}

// pairKinds are the kinds of findings about two sides or more.
func pairKinds() []finding.Analyzer {
	return byKind(slices.DeleteFunc(Analyzers(), func(a finding.Analyzer) bool {
		return a.Body == nil || a.Run != nil && a.Pair == nil && a.Sides == nil
	}))
}

func byKind(all []finding.Analyzer) []finding.Analyzer {
	return slices.SortedFunc(slices.Values(all), func(a, b finding.Analyzer) int { return cmp.Compare(a.Kind, b.Kind) })
}

// schema is the JSON schema of a document while it is made.
type schema struct {
	root  *jsonschema.Schema
	kinds []finding.Analyzer
	types map[string]reflect.Type // by the names of definitions
}

// newSchema returns the schema of a document with findings of some kinds.
func newSchema(t *testing.T, document reflect.Type, kinds []finding.Analyzer) schema {
	t.Helper()
	s := schema{kinds: kinds, types: map[string]reflect.Type{}}
	s.reflect(document, nil) // for the types, whose packages have the comments
	r := jsonschema.Reflector{}
	for _, dir := range s.packages() {
		if err := r.AddGoComments("plimsoll/internal/analysis/judge", dir); err != nil {
			t.Fatal(err)
		}
	}
	for at, text := range r.CommentMap {
		text = strings.Join(strings.Fields(text), " ") // a long comment is wrapped in the source
		r.CommentMap[at] = regexp.MustCompile(`\bnil\b`).ReplaceAllString(text, "null")
	}
	s.reflect(document, r.CommentMap)
	for name, def := range s.root.Definitions {
		nullable(s.types[name], def)
	}
	s.addKinds()
	return s
}

// reflect makes the definitions of a document and of the kinds' bodies.
func (s *schema) reflect(document reflect.Type, comments map[string]string) {
	r := jsonschema.Reflector{AllowAdditionalProperties: true, Anonymous: true, CommentMap: comments, Namer: s.name,
		Mapper: mapped}
	s.root = r.ReflectFromType(document)
	add := func(typ reflect.Type) {
		for name, def := range r.ReflectFromType(typ).Definitions {
			s.root.Definitions[name] = def
		}
	}
	for _, k := range s.kinds {
		add(k.Body)
	}
	add(reflect.TypeFor[note.Written]())
	s.root.Definitions["number"] = &jsonschema.Schema{OneOf: []*jsonschema.Schema{{Type: "number"}, {Type: "null"}},
		Description: "null if it is not known or not finite"}
}

// name returns the name of a type's definition: without its package, so that a move between packages does not show.
func (s *schema) name(typ reflect.Type) string {
	if typ.PkgPath() == "" {
		return typ.Name()
	}
	name := typ.Name()
	if had, ok := s.types[name]; ok && had != typ {
		name = path.Base(typ.PkgPath()) + "." + name
	}
	s.types[name] = typ
	return name
}

// mapped returns the definition of a type whose JSON form is not that of its fields.
func mapped(typ reflect.Type) *jsonschema.Schema {
	switch {
	case typ == reflect.TypeFor[note.Note]():
		return &jsonschema.Schema{Ref: "#/$defs/Written"}
	case typ.Kind() == reflect.Float64 || typ == reflect.TypeFor[catalog.Amount]():
		return &jsonschema.Schema{Ref: "#/$defs/number"}
	}
	return nil
}

// packages returns the folders of the types' packages.
func (s *schema) packages() []string {
	var out []string
	for _, typ := range s.types {
		if rest, ok := strings.CutPrefix(typ.PkgPath(), "plimsoll/internal/"); ok && !slices.Contains(out, "../../"+rest) {
			out = append(out, "../../"+rest)
		}
	}
	return out
}

// nullable allows null for the fields of a definition whose Go value may be nil.
func nullable(typ reflect.Type, def *jsonschema.Schema) {
	if typ == nil || typ.Kind() != reflect.Struct {
		return
	}
	for _, f := range reflect.VisibleFields(typ) {
		key, options, _ := strings.Cut(f.Tag.Get("json"), ",")
		of, ok := def.Properties.Get(key)
		if ok && mayBeNull(typ, f.Type.Kind()) && options == "" && of.Ref != "#/$defs/number" {
			def.Properties.Set(key,
				&jsonschema.Schema{OneOf: []*jsonschema.Schema{
					{Ref: of.Ref, Type: of.Type, Items: of.Items, AdditionalProperties: of.AdditionalProperties}, {Type: "null"}},
					Description: of.Description})
		}
	}
}

// mayBeNull reports whether a field can be null: a list can only as a session has it, and is [] where there is nothing.
func mayBeNull(typ reflect.Type, field reflect.Kind) bool {
	return field == reflect.Pointer || strings.HasSuffix(typ.PkgPath(), "/record") &&
		(field == reflect.Slice || field == reflect.Map)
}

// addKinds gives the bodies of findings the types of their kinds.
func (s *schema) addKinds() {
	of := s.root.Definitions["FindingDocument"]
	kind, _ := of.Properties.Get("kind")
	for _, k := range s.kinds {
		kind.Enum = append(kind.Enum, k.Kind)
		body := jsonschema.NewProperties()
		body.Set("body", &jsonschema.Schema{OneOf: []*jsonschema.Schema{{Ref: "#/$defs/" + s.name(k.Body)}, {Type: "null"}}})
		is := jsonschema.NewProperties()
		is.Set("kind", &jsonschema.Schema{Const: k.Kind, Description: k.Doc})
		of.AllOf = append(of.AllOf, &jsonschema.Schema{If: &jsonschema.Schema{Properties: is},
			Then: &jsonschema.Schema{Properties: body}})
	}
}

func (s *schema) text(t *testing.T) []byte {
	t.Helper()
	text, err := json.Marshal(s.root)
	if err != nil {
		t.Fatal(err)
	}
	return text
}
