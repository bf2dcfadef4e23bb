package main

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"plimsoll/internal/simtest"
)

// TestNotice: what asks for more than its text, is not known, or states nothing is refused; what is waived is not.
func TestNotice(t *testing.T) {
	simtest.Long(t)
	mit, err := os.ReadFile("../../internal/media/html/assets/vendored/uplot-1.6.32/LICENSE")
	if err != nil {
		t.Fatal(err)
	}
	gpl, err := os.ReadFile("/usr/share/common-licenses/GPL-2")
	if err != nil {
		t.Skip("Debian's copy of the GPL is not here: ", err)
	}
	for name, c := range map[string]struct {
		part  string
		files map[string]string
		want  string // of the error; "" for none
	}{
		"allowed":      {"a", map[string]string{"LICENSE": string(mit)}, ""},
		"a notice too": {"a", map[string]string{"LICENSE.md": string(mit), "NOTICE": "Copyright somebody"}, ""},
		"none":         {"a", map[string]string{"README": string(mit)}, "has no licence"},
		"a notice":     {"a", map[string]string{"NOTICE": "Copyright somebody"}, "has no licence"},
		"own words":    {"a", map[string]string{"LICENSE": "You may look at it on Sundays, and nobody else may."}, "is a known licence"},
		"and more":     {"a", map[string]string{"LICENSE": string(mit) + strings.Repeat("It is not to be used by those who measure machines. ", 40)}, "is a known licence"},
		"other":        {"a", map[string]string{"COPYING": string(gpl)}, "which is not among"},
		"and other":    {"a", map[string]string{"LICENSE": string(mit), "COPYING": string(gpl)}, "which is not among"},
		"waived":       {"github.com/spdx/tools-golang", map[string]string{"LICENSE": string(mit), "COPYING": string(gpl)}, ""},
	} {
		t.Run(name, func(t *testing.T) {
			dir := t.TempDir()
			for file, text := range c.files {
				if err := os.WriteFile(filepath.Join(dir, file), []byte(text), 0o600); err != nil {
					t.Fatal(err)
				}
			}
			var out strings.Builder
			err := notice(&out, part{c.part, "1", dir})
			if (err == nil) != (c.want == "") || err != nil && !strings.Contains(err.Error(), c.want) {
				t.Errorf("%v, want %q", err, c.want)
			}
			if err == nil && !strings.Contains(out.String(), strings.TrimSpace(string(mit))) {
				t.Error("the licence is not in the notice")
			}
		})
	}
}
