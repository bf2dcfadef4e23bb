package pgbench

import (
	"strings"
	"testing"

	"plimsoll/internal/client/pgscript"
)

// TestReads: what a server in recovery refuses does not only read.
func TestReads(t *testing.T) {
	for text, want := range map[string]bool{
		"\\set a random(1, 2)\nSELECT :a;":                       true,
		"BEGIN;\nSELECT 1;\nSHOW work_mem;\nEND;":                true,
		"SELECT * FROM t WHERE id = 1 FOR UPDATE;":               false,
		"SELECT * FROM t FOR NO KEY UPDATE;":                     false,
		"SELECT 1;\nUPDATE t SET x = 1;":                         false,
		"WITH d AS (DELETE FROM t RETURNING 1) SELECT * FROM d;": false,
		"INSERT INTO t VALUES (1);":                              false,
		"VALUES (1);":                                            true,
	} {
		p, err := pgscript.Parse([]pgscript.Source{{Name: "s", Text: text, Weight: 1}}, false)
		if err != nil {
			t.Fatalf("%s: %v", strings.TrimSpace(text), err)
		}
		if got := reads(p.Scripts[0]); got != want {
			t.Errorf("%s: %v", text, got)
		}
	}
}
