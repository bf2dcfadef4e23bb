package main

import (
	"bytes"
	"encoding/json"
	"fmt"
	"hash/crc32"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
)

// FuzzSession has commands read anything as a session, with a good checksum on each line: they end, blame no machine
// for it, and write nothing that drives a terminal, no script that is not the page's own, and only JSON where that was
// asked for.
func FuzzSession(f *testing.F) {
	const most = 25 << 10 // larger ones take the fuzzer's time
	paths, err := filepath.Glob("testdata/corpus/*/" + corpusSession)
	if err != nil || len(paths) == 0 {
		f.Fatalf("no corpus: %v", err)
	}
	for _, path := range paths {
		text, err := os.ReadFile(path)
		if err != nil {
			f.Fatal(err)
		}
		for verb := range len(readings()) * min(1, most/len(text)) {
			f.Add(text, byte(verb))
		}
	}
	home := f.TempDir()
	f.Fuzz(func(t *testing.T, text []byte, verb byte) {
		dir := t.TempDir()
		t.Chdir(dir)
		if err := os.WriteFile(corpusSession, resealed(text), 0o600); err != nil {
			t.Fatal(err)
		}
		args := readings()[int(verb)%len(readings())]
		var said, complained bytes.Buffer
		code := start(args, strings.NewReader(""), &said, &complained, func(name string) string {
			return map[string]string{"HOME": home, "XDG_CACHE_HOME": home, "XDG_CONFIG_HOME": home, "XDG_STATE_HOME": home,
				"COLUMNS": "100"}[name]
		})
		if code == exitFailed && args[0] != "export" { // there may be no such thing in the other format
			t.Fatalf("%q: exit %d: %.1000s", args, code, complained.String())
		}
		if args[0] != "export" && driven(append(said.Bytes(), complained.Bytes()...)) { // data are as they are
			t.Fatalf("%q printed %.1000q, %.1000q", args, said.String(), complained.String())
		}
		if slices.Contains(args, "--json") && code == exitDone && !json.Valid(said.Bytes()) {
			t.Fatalf("%q printed %.1000s", args, said.String())
		}
		files, err := os.ReadDir(dir)
		if stray := slices.DeleteFunc(files, func(f os.DirEntry) bool {
			return slices.Contains(args, f.Name()) || f.Name() == corpusSession
		}); err != nil || len(stray) > 0 {
			t.Fatalf("%q wrote %v (%v)", args, stray, err)
		}
		if page, err := os.ReadFile("r.html"); err == nil &&
			(bytes.Count(page, []byte("<script")) > 2 || !bytes.HasSuffix(bytes.TrimSpace(page), []byte("</html>"))) {
			t.Fatalf("%d scripts in the page, which ends with %.200q", bytes.Count(page, []byte("<script")),
				page[max(0, len(page)-200):])
		}
	})
}

// readings are the command lines that read a session.
func readings() [][]string {
	return [][]string{
		{"show", corpusSession, "-v", "--all"},
		{"show", corpusSession, "--json"},
		{"show", corpusSession, "--format", "markdown"},
		{"compare", corpusSession},
		{"compare", corpusSession, corpusSession, "--by", "file", "--json"},
		{"report", corpusSession, "-o", "r.html"},
		{"report", corpusSession, "-o", "r.md"},
		{"history", "."},
		{"status", "."},
		{"status", ".", "--json"},
		{"export", corpusSession, "--format", "csv"},
		{"export", corpusSession, "--format", "prometheus"},
		{"__complete", "compare", corpusSession, "--baseline", ""},
	}
}

// resealed gives each line a good checksum.
func resealed(text []byte) (out []byte) {
	for line := range bytes.Lines(text) {
		body := bytes.TrimSuffix(line, []byte("\n"))
		if at := bytes.LastIndex(body, []byte(`,"crc":"`)); at >= 0 {
			body = body[:at]
		}
		out = append(out, body...)
		out = fmt.Appendf(out, `,"crc":"%08x"}`+"\n", crc32.Checksum(body, crc32.MakeTable(crc32.Castagnoli)))
	}
	return out
}
