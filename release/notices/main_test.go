package main

import (
	"encoding/json"
	"errors"
	"io"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"plimsoll/internal/base/simtest"
)

// TestNotice: what asks for more than its text, is not known, or states nothing is refused.
func TestNotice(t *testing.T) {
	simtest.Long(t)
	mit, err := os.ReadFile("../../internal/present/media/html/assets/vendored/uplot-1.6.32/LICENSE")
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
		"own words": {"a", map[string]string{"LICENSE": "You may look at it on Sundays, and nobody else may."},
			"is a known licence"},
		"and more": {"a", map[string]string{"LICENSE": string(mit) +
			strings.Repeat("It is not to be used by those who measure machines. ", 40)}, "is a known licence"},
		"other":     {"a", map[string]string{"COPYING": string(gpl)}, "which is not among"},
		"and other": {"a", map[string]string{"LICENSE": string(mit), "COPYING": string(gpl)}, "which is not among"},
	} {
		t.Run(name, func(t *testing.T) {
			dir := t.TempDir()
			for file, text := range c.files {
				if err := os.WriteFile(filepath.Join(dir, file), []byte(text), 0o600); err != nil {
					t.Fatal(err)
				}
			}
			var out strings.Builder
			_, err := notice(&out, part{name: c.part, version: "1", dir: dir})
			if (err == nil) != (c.want == "") || err != nil && !strings.Contains(err.Error(), c.want) {
				t.Errorf("%v, want %q", err, c.want)
			}
			if err == nil && !strings.Contains(out.String(), strings.TrimSpace(string(mit))) {
				t.Error("the licence is not in the notice")
			}
		})
	}
}

// TestWithin: licences between a module and a linked package are taken, those beside it are not, and a module needs its
// own.
func TestWithin(t *testing.T) {
	const mit = "../../internal/present/media/html/assets/vendored/uplot-1.6.32/LICENSE"
	text, err := os.ReadFile(mit)
	if err != nil {
		t.Fatal(err)
	}
	module := t.TempDir()
	put := func(path, text string) {
		t.Helper()
		path = filepath.Join(module, path)
		if err := errors.Join(os.MkdirAll(filepath.Dir(path), 0o700), os.WriteFile(path, []byte(text), 0o600)); err != nil {
			t.Fatal(err)
		}
	}
	put("a/LICENSE.txt", string(text))
	put("a/b/notice.go", "package b")
	put("c/LICENSE", "Nobody may read this.")
	list := func(dir string) string {
		text, err := json.Marshal(map[string]any{"Dir": dir,
			"Module": map[string]string{"Path": "m", "Version": "v1", "Dir": module}})
		if err != nil {
			t.Fatal(err)
		}
		return string(text)
	}
	of := func(list string) (string, error) {
		parts, err := modules(strings.NewReader(list))
		if err != nil {
			return "", err
		}
		var out strings.Builder
		for _, p := range parts {
			_, one := notice(&out, p)
			err = errors.Join(err, one)
		}
		return out.String(), err
	}
	linked := filepath.Join(module, "a", "b")
	if _, err := of(list(linked)); err == nil || !strings.Contains(err.Error(), "m v1 has no licence in") {
		t.Errorf("the module has none itself: %v", err)
	}
	put("LICENSE", string(text))
	if out, err := of(list(module) + list(linked) + list(linked)); err != nil ||
		strings.Count(out, "\nm/a v1: MIT\n") != 1 || strings.Count(out, "\nm v1: MIT\n") != 1 {
		t.Errorf("%v, and %s", err, out)
	}
	if _, err := of(list(filepath.Join(module, "c"))); err == nil || !strings.Contains(err.Error(), "m/c v1") {
		t.Errorf("one that allows nothing: %v", err)
	}
	for _, dir := range []string{"", filepath.Dir(module)} {
		if _, err := of(list(dir)); err == nil {
			t.Errorf("a package in %q is no error", dir)
		}
	}
}

// TestBelow: each library has a directory with its licence.
func TestBelow(t *testing.T) {
	dir := t.TempDir()
	if _, err := below(dir); err == nil {
		t.Error("no library is no error")
	}
	if err := os.Mkdir(filepath.Join(dir, "a-b-1.2"), 0o700); err != nil {
		t.Fatal(err)
	}
	parts, err := below(dir)
	if err != nil || len(parts) != 1 || parts[0].name != "a-b" || parts[0].version != "1.2" {
		t.Fatalf("%+v, %v", parts, err)
	}
	if _, err := notice(io.Discard, parts[0]); err == nil {
		t.Error("a library without a licence is no error")
	}
	if err := os.WriteFile(filepath.Join(dir, "c-1.js"), nil, 0o600); err != nil {
		t.Fatal(err)
	}
	if _, err := below(dir); err == nil {
		t.Error("a loose file is no error")
	}
}
