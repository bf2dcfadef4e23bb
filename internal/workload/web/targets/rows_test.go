package targets

import (
	"os"
	"path/filepath"
	"reflect"
	"strings"
	"testing"
)

// TestRows: a CSV file with quotes arrives as it is, and what is no table of named columns is refused.
func TestRows(t *testing.T) {
	path := filepath.Join(t.TempDir(), "users.csv")
	pack := func(text string) (string, error) {
		if err := os.WriteFile(path, []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
		out, err := PackRows(path, nil)
		return string(out), err
	}
	packed, err := pack("user, full name\nanna,\"a, \"\"b\"\"\"\r\nböb,\n")
	if err != nil {
		t.Fatal(err)
	}
	rows, err := UnpackRows(packed)
	if err != nil || !reflect.DeepEqual(rows.Names, []string{"user", "full name"}) ||
		!reflect.DeepEqual(rows.Cells, [][]string{{"anna", `a, "b"`}, {"böb", ""}}) {
		t.Errorf("%+v, %v", rows, err)
	}
	for text, want := range map[string]string{"": "no rows", "a,b\n": "no rows", "a,a\n1,2\n": `column "a"`,
		"a,\n1,2\n": `column ""`,
		"a,b\n1\n":  "no CSV", "a{,b\n1,2\n": "without {"} {
		if _, err := pack(text); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%q: %v", text, err)
		}
	}
}
