package explore

import (
	"bytes"
	"encoding/json"
	"flag"
	"os"
	"reflect"
	"strings"
	"testing"

	"github.com/invopop/jsonschema"
	check "github.com/santhosh-tekuri/jsonschema/v6"

	"plimsoll/internal/finding"
	"plimsoll/internal/record"
)

var update = flag.Bool("update", false, "write docs/schema/serve.schema.json anew")

const schemaFile = "../../docs/schema/serve.schema.json"

// documents are those below /api, by name.
func documents() map[string]any {
	return map[string]any{"sessions": SessionsDocument{}, "session": SessionDocument{}, "compare": SidesDocument{}, "history": HistoryDocument{}}
}

// schemaOf returns the schema of all documents: a definition for each, by the name of its path.
func schemaOf(t *testing.T) []byte {
	t.Helper()
	r := jsonschema.Reflector{AllowAdditionalProperties: true, Anonymous: true, Mapper: elsewhere}
	for _, dir := range []string{"../explore", "../changepoint", "../estimate"} {
		if err := r.AddGoComments("plimsoll/internal/explore", dir); err != nil {
			t.Fatal(err)
		}
	}
	root := &jsonschema.Schema{Version: jsonschema.Version, Title: "The documents below /api of plimsoll serve", Definitions: jsonschema.Definitions{}}
	for name, doc := range documents() {
		s := r.Reflect(doc)
		for of, def := range s.Definitions {
			root.Definitions[of] = def
		}
		root.Definitions[name] = &jsonschema.Schema{Ref: s.Ref}
	}
	for _, typ := range []reflect.Type{reflect.TypeFor[Cell](), reflect.TypeFor[Row](), reflect.TypeFor[Night](), reflect.TypeFor[HistoryDocument]()} {
		nullable(typ, root.Definitions[typ.Name()])
	}
	text, err := json.MarshalIndent(root, "", "  ")
	if err != nil {
		t.Fatal(err)
	}
	return append(text, '\n')
}

// elsewhere is the schema of a type that another file describes.
func elsewhere(typ reflect.Type) *jsonschema.Schema {
	switch typ {
	case reflect.TypeFor[finding.ShownDocument]():
		return &jsonschema.Schema{Ref: "show.schema.json"}
	case reflect.TypeFor[finding.ComparedDocument]():
		return &jsonschema.Schema{Ref: "compare.schema.json"}
	}
	return nil
}

// nullable lets the pointers of a type be null.
func nullable(typ reflect.Type, def *jsonschema.Schema) {
	for _, f := range reflect.VisibleFields(typ) {
		name, _, _ := strings.Cut(f.Tag.Get("json"), ",")
		if f.Type.Kind() != reflect.Pointer || name == "" {
			continue
		}
		is, _ := def.Properties.Get(name)
		about := is.Description
		is.Description = ""
		def.Properties.Set(name, &jsonschema.Schema{OneOf: []*jsonschema.Schema{is, {Type: "null"}}, Description: about})
	}
}

// TestSchema: docs/schema/serve.schema.json is that of the types, and what they write satisfies it.
func TestSchema(t *testing.T) {
	want := schemaOf(t)
	if *update {
		if err := os.WriteFile(schemaFile, want, 0o644); err != nil {
			t.Fatal(err)
		}
	}
	if got, err := os.ReadFile(schemaFile); err != nil || !bytes.Equal(got, want) {
		t.Errorf("%s is not that of the types (%v)\nhint: go test ./internal/explore -run TestSchema -update", schemaFile, err)
	}
	history, _ := History([]Kept{night(0, 100, machine("a", "6.1")), night(1, 101, machine("a", "6.2"))}, "a: http at 8 clients, path=/hello")
	if len(history.Nights) != 2 {
		t.Fatalf("%+v", history)
	}
	none, _ := History(nil, "")
	rows := append(Rows(File{Name: "f"}, night(0, 100, machine("a", "6.1")).Summary), Rows(File{Problem: "broken"}, Summary{})...)
	rows = append(rows, Rows(File{}, Summarize(Input{Machines: []record.Machine{machine("b", "6.1")}}))...)
	valid(t, "history", history)
	valid(t, "history", none)
	valid(t, "sessions", SessionsDocument{Format: Format, Rows: rows, Gone: []string{}})
	valid(t, "session", SessionDocument{Format: Format, Files: []string{"f"}, Answer: []string{}, Shown: finding.Shown{Machines: map[string]record.Machine{}}.Document(), Problems: []string{}})
	valid(t, "compare", SidesDocument{Format: Format, Files: []string{"f"}, Axes: []string{}, Sides: []string{}, Answer: []string{}, Shown: finding.Shown{Machines: map[string]record.Machine{}}.Document(), Compared: finding.Compared{}.Document(), Problems: []string{}})
}

// valid holds a document to the schema.
func valid(t *testing.T, name string, doc any) {
	t.Helper()
	text, err := json.Marshal(doc)
	if err != nil {
		t.Fatal(err)
	}
	s, err := check.NewCompiler().Compile(schemaFile + "#/$defs/" + name)
	if err != nil {
		t.Fatal(err)
	}
	value, err := check.UnmarshalJSON(bytes.NewReader(text))
	if err != nil {
		t.Fatal(err)
	}
	if err := s.Validate(value); err != nil {
		t.Errorf("%s: %v\n%.1000s", name, err, text)
	}
}
