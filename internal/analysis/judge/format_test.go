package judge

import (
	"os"
	"reflect"
	"strings"
	"testing"

	"plimsoll/internal/analysis/finding"
)

// TestFormatNamesWhatIsConcluded: docs/format.md names every key of `show --json` and `compare --json`.
func TestFormatNamesWhatIsConcluded(t *testing.T) {
	doc, err := os.ReadFile("../../../docs/format.md")
	if err != nil {
		t.Fatal(err)
	}
	seen := map[reflect.Type]bool{}
	for _, document := range []any{finding.ShownDocument{}, finding.ComparedDocument{}} {
		for _, key := range jsonKeysOf(reflect.TypeOf(document), seen) {
			if !strings.Contains(string(doc), "`"+key+"`") {
				t.Errorf("docs/format.md does not name %q of %T", key, document)
			}
		}
	}
}

// TestFormatNamesEveryKind: docs/format.md lists every kind of finding.
func TestFormatNamesEveryKind(t *testing.T) {
	doc, err := os.ReadFile("../../../docs/format.md")
	if err != nil {
		t.Fatal(err)
	}
	_, lists, _ := strings.Cut(string(doc), "\n- About benchmarks")
	for _, a := range append(cellKinds(), pairKinds()...) {
		if !strings.Contains(lists, " `"+a.Kind+"`") {
			t.Errorf("docs/format.md does not list the finding %q", a.Kind)
		}
	}
}

// jsonKeysOf are the keys of a type of this package and of all that it holds, with the type that has them; what other
// packages declare is a part of the file's format, or has its own table.
func jsonKeysOf(typ reflect.Type, seen map[reflect.Type]bool) (keys []string) {
	switch typ.Kind() {
	case reflect.Pointer, reflect.Slice, reflect.Map:
		return jsonKeysOf(typ.Elem(), seen)
	case reflect.Struct:
		if seen[typ] || typ.PkgPath() != reflect.TypeFor[finding.Shown]().PkgPath() {
			return nil
		}
		seen[typ] = true
		for f := range typ.Fields() {
			if key, _, _ := strings.Cut(f.Tag.Get("json"), ","); key != "" && key != "-" {
				keys = append(keys, key)
			}
			keys = append(keys, jsonKeysOf(f.Type, seen)...)
		}
	}
	return keys
}
