package history

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

	"plimsoll/internal/analysis/explore"
	"plimsoll/internal/analysis/explore/exploretest"
	"plimsoll/internal/analysis/finding"
	"plimsoll/internal/record"
	"plimsoll/internal/record/estimate"
)

var update = flag.Bool("update", false, "write docs/schema/serve.schema.json and history.schema.json anew")

const schemaFolder = "../../../docs/schema/"

// documents are those below /api, by name.
func documents() map[string]any {
	return map[string]any{"sessions": explore.SessionsDocument{}, "session": explore.SessionDocument{},
		"compare": explore.SidesDocument{}, "history": Answer{}}
}

// reflector describes types by their comments.
func reflector(t *testing.T) *jsonschema.Reflector {
	t.Helper()
	r := &jsonschema.Reflector{AllowAdditionalProperties: true, Anonymous: true, Mapper: elsewhere}
	for _, dir := range []string{".", "../explore", "../changepoint", "../../record/figure"} {
		if err := r.AddGoComments("plimsoll/internal/analysis/history", dir); err != nil {
			t.Fatal(err)
		}
	}
	return r
}

// schemas returns the schemas by the names of their files: of all documents below /api, a definition for each by the
// name of its path, and of `history --json`.
func schemas(t *testing.T) map[string][]byte {
	t.Helper()
	r := reflector(t)
	served := &jsonschema.Schema{Version: jsonschema.Version, Title: "The documents below /api of plimsoll serve",
		Definitions: jsonschema.Definitions{}}
	for name, doc := range documents() {
		s := r.Reflect(doc)
		for of, def := range s.Definitions {
			served.Definitions[of] = def
		}
		served.Definitions[name] = &jsonschema.Schema{Ref: s.Ref}
	}
	own := r.Reflect(Document{})
	own.Title = "The document of plimsoll history --json"
	out := map[string][]byte{}
	for name, root := range map[string]*jsonschema.Schema{"serve.schema.json": served, "history.schema.json": own} {
		for _, typ := range []reflect.Type{reflect.TypeFor[explore.Cell](), reflect.TypeFor[explore.Row](),
			reflect.TypeFor[Night](), reflect.TypeFor[Ratio](),
			reflect.TypeFor[estimate.Estimate](), reflect.TypeFor[Answer](), reflect.TypeFor[History]()} {
			if def := root.Definitions[typ.Name()]; def != nil {
				nullable(typ, def)
			}
		}
		text, err := json.MarshalIndent(root, "", "  ")
		if err != nil {
			t.Fatal(err)
		}
		out[name] = append(text, '\n')
	}
	return out
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
	for name, want := range schemas(t) {
		path := schemaFolder + name
		if *update {
			if err := os.WriteFile(path, want, 0o644); err != nil {
				t.Fatal(err)
			}
		}
		if got, err := os.ReadFile(path); err != nil || !bytes.Equal(got, want) {
			t.Errorf("%s is not that of the types (%v)\nhint: go test ./internal/analysis/history -run TestSchema -update",
				path, err)
		}
	}
	history, _ := AnswerCell([]explore.Kept{aNight(0, 100, exploretest.Machine("a", "6.1")),
		aNight(1, 101, exploretest.Machine("a", "6.2"))}, "a: http at 8 clients, path=/hello")
	if len(history.Nights) != 2 {
		t.Fatalf("%+v", history)
	}
	none := AnswerCells(nil)
	rows := append(explore.Rows(explore.File{Name: "f"}, aNight(0, 100, exploretest.Machine("a", "6.1")).Summary),
		explore.Rows(explore.File{Problem: "broken"}, explore.Summary{})...)
	rows = append(rows, explore.Rows(explore.File{},
		explore.Summarize(explore.Input{Machines: []record.Machine{exploretest.Machine("b", "6.1")}}))...)
	valid(t, "history", history)
	valid(t, "history", none)
	valid(t, "",
		Of([]explore.Kept{aNight(0, 100, exploretest.Machine("a", "6.1")), aNight(1, 101, exploretest.Machine("a", "6.2")),
			{File: explore.File{Name: "x", Problem: "broken"}}}, false))
	valid(t, "", Of(nil, true))
	valid(t, "sessions", explore.SessionsDocument{Format: explore.Format, Rows: rows, Gone: []string{}})
	valid(t, "session", explore.SessionDocument{Format: explore.Format, Files: []string{"f"}, Answer: []string{},
		Shown: finding.Shown{Machines: map[string]record.Machine{}}.Document(), Problems: []string{}})
	valid(t, "compare", explore.SidesDocument{Format: explore.Format, Files: []string{"f"}, Axes: []string{},
		Sides: []string{}, Answer: []string{}, Shown: finding.Shown{Machines: map[string]record.Machine{}}.Document(),
		Compared: finding.Compared{}.Document(), Problems: []string{}})
}

// valid holds a document to its schema: of a path below /api, or of `history --json`.
func valid(t *testing.T, name string, doc any) {
	t.Helper()
	text, err := json.Marshal(doc)
	if err != nil {
		t.Fatal(err)
	}
	at := "history.schema.json"
	if name != "" {
		at = "serve.schema.json#/$defs/" + name
	}
	s, err := check.NewCompiler().Compile(schemaFolder + at)
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
