package main

import (
	"bytes"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"slices"
	"testing"

	"github.com/santhosh-tekuri/jsonschema/v6"
)

// checked is main that refuses a document that its schema does not allow. Scripts run it.
func checked() {
	args, repo := os.Args[1:], os.Getenv("REPO")
	if repo == "" || len(args) == 0 || !slices.Contains([]string{"show", "compare", "history"}, args[0]) ||
		!slices.Contains(args, "--json") {
		main()
	}
	var out bytes.Buffer
	code := start(args, os.Stdin, &out, os.Stderr, os.Getenv)
	if err := valid(repo, args[0], out.Bytes()); err != nil {
		fmt.Fprintln(os.Stderr, err)
		os.Exit(exitInvalid)
	}
	io.Copy(os.Stdout, &out)
	os.Exit(code)
}

// exitInvalid is no exit code of Plimsoll.
const exitInvalid = 99

// valid returns an error if a document of `VERB --json` is not as docs/schema says; none of no document.
func valid(repo, verb string, document []byte) error {
	if len(document) == 0 {
		return nil
	}
	is, err := jsonschema.NewCompiler().Compile(filepath.Join(repo, "docs", "schema", verb+".schema.json"))
	if err != nil {
		return err
	}
	value, err := jsonschema.UnmarshalJSON(bytes.NewReader(document))
	if err != nil {
		return err
	}
	return is.Validate(value)
}

// TestSchemaRefuses: a document that lacks a key, or whose finding has a body of another kind, is refused.
func TestSchemaRefuses(t *testing.T) {
	const doc = `{"format":1,"baseline":"a","pairs":[],"findings":[{"kind":"by_chance","cells":[],"notes":[],"body":{"verdicts":10,"alpha":0.05,"expected":0.5}}]}`
	if err := valid("../..", "compare", []byte(doc)); err != nil {
		t.Fatal(err)
	}
	for _, part := range []string{`"baseline":"a",`, `"alpha":0.05,`} {
		if valid("../..", "compare", bytes.ReplaceAll([]byte(doc), []byte(part), nil)) == nil {
			t.Errorf("a document without %s is allowed", part)
		}
	}
	if valid("../..", "compare", bytes.ReplaceAll([]byte(doc), []byte("by_chance"), []byte("by_nobody"))) == nil {
		t.Error("a kind that is not documented is allowed")
	}
}
