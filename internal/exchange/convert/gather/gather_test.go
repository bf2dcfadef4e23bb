package gather

import (
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"plimsoll/internal/base/usage"
)

const (
	wrkText   = "Running 2s test @ http://127.0.0.1/\n  2 threads and 4 connections\nRequests/sec:  100.00\n"
	goText    = "goos: linux\nBenchmarkX-8  1  2 ns/op\n"
	sysbench  = "sysbench 1.0.20 (using LuaJIT)\n"
	hyperfine = `{"results":[{"command":"true","times":[1]}]}`
)

// tree writes files by their paths into a new folder, and changes to it.
func tree(t *testing.T, files map[string]string) {
	t.Helper()
	t.Chdir(t.TempDir())
	for path, text := range files {
		if err := errors.Join(os.MkdirAll(filepath.Dir(path), 0o700), os.WriteFile(path, []byte(text), 0o600)); err != nil {
			t.Fatal(err)
		}
	}
}

// found returns "NAME FORMAT MACHINE" of each input.
func found(t *testing.T, r Request) []string {
	t.Helper()
	f, err := Find(r)
	if err != nil {
		t.Fatal(err)
	}
	var out []string
	for _, in := range f.Inputs {
		out = append(out, strings.Join([]string{in.Name, in.Format.Name, in.Folder}, " "))
	}
	return out
}

func TestMachineIsTheFolderBelowThePathsShared(t *testing.T) {
	tree(t, map[string]string{
		"r/m6i/wrk.txt": wrkText, "r/m7g/deep/run2/a.txt": wrkText, "r/m7g/deep/run10/a.txt": goText, "r/top.txt": wrkText,
		"m6i.large/wrk.txt": wrkText, "README.md": "no result", "r/run1/a.txt": wrkText, "r/wrk/a.txt": wrkText,
		"r/.hidden/a.txt": wrkText,
	})
	for _, test := range []struct {
		paths []string
		want  []string
	}{
		{[]string{"r/m6i/wrk.txt", "r/m7g/deep/run2/a.txt"}, []string{"m6i/wrk.txt wrk m6i", "m7g/deep/run2/a.txt wrk m7g"}},
		{[]string{"r/m6i", "./r/m7g/"}, []string{"m6i/wrk.txt wrk m6i", "m7g/deep/run2/a.txt wrk m7g",
			"m7g/deep/run10/a.txt go m7g"}},
		{[]string{"r/m6i/wrk.txt"}, []string{"wrk.txt wrk "}},
		{[]string{"m6i.large/wrk.txt"}, []string{"wrk.txt wrk m6i.large"}},
		{[]string{"m6i.large"}, []string{"wrk.txt wrk m6i.large"}},
		{[]string{"r"}, []string{"m6i/wrk.txt wrk m6i", "m7g/deep/run2/a.txt wrk m7g", "m7g/deep/run10/a.txt go m7g",
			"run1/a.txt wrk ", "top.txt wrk ", "wrk/a.txt wrk "}},
	} {
		got := found(t, Request{Paths: test.paths, IsType: func(name string) bool { return name == "m6i.large" }})
		if !slices.Equal(got, test.want) {
			t.Errorf("%v: got %q, want %q", test.paths, got, test.want)
		}
	}
}

func TestOnlyResultsAreTaken(t *testing.T) {
	tree(t, map[string]string{
		"r/a/1.txt": wrkText, "r/a/2.json": hyperfine, "r/b/3.txt": goText, "r/a/log": "started\n", "r/a/empty": "",
		"r/b/photo.png": "\x89PNG\x00\x00",
		"none/a.txt":    "text", "both/a.txt": wrkText + sysbench,
	})
	f, err := Find(Request{Paths: []string{"r"}})
	if err != nil || len(f.Inputs) != 3 || len(f.Skipped) != 3 {
		t.Errorf("%+v, %v", f, err)
	}
	if want := "passed over 3 files without results that are recognised: r/a/empty, r/a/log, " +
		"r/b/photo.png"; f.PassedOver() != want {
		t.Errorf("got %q, want %q", f.PassedOver(), want)
	}
	if got, want := found(t, Request{Paths: []string{"r"}, Format: "go"}),
		[]string{"b/3.txt go b"}; !slices.Equal(got, want) {
		t.Errorf("got %q, want %q", got, want)
	}
	if got := found(t, Request{Paths: []string{"r/a/log"}, Format: "wrk"}); len(got) != 1 {
		t.Errorf("a named file of a stated format: %q", got)
	}
	for path, want := range map[string]string{
		"none": "no results in its 1 file\nhint: ", "none/a.txt": `its format is not recognised: it begins "text"`,
		"r/a/empty": "it is empty", "both/a.txt": "it looks like sysbench and wrk\nhint: ", "both": "--format",
		"absent": "absent: no such file",
	} {
		f, err := Find(Request{Paths: []string{path}})
		if err == nil && len(f.Inputs) == 0 && len(f.Unread) == 1 {
			err = f.Unread[0].Why
		}
		if !usage.Is(err) || !strings.Contains(err.Error(), want) {
			t.Errorf("%s: %v, want %q", path, err, want)
		}
	}
}

// TestOneFileDoesNotStopOthers: what cannot be read is named, with its tool and what to do.
func TestOneFileDoesNotStopOthers(t *testing.T) {
	tree(t, map[string]string{
		"r/a/1.txt": wrkText, "r/a/both.txt": wrkText + sysbench, "r/b/3.txt": goText, "r/b/notes.md": "# notes\n",
		"r/b/siege.log": "Lifting the server siege...\n", "r/b/my.fio": "[global]\nioengine=libaio\n[job]\nrw=read\n",
		"named.txt": "Longest transaction:\t0.1\n", "none/a": "x",
	})
	if err := os.Mkdir("empty", 0o700); err != nil {
		t.Fatal(err)
	}
	f, err := Find(Request{Paths: []string{"r", "named.txt", "none", "empty"}})
	if err != nil || len(f.Inputs) != 2 || len(f.Skipped) != 2 {
		t.Fatalf("%+v, %v", f, err)
	}
	want := map[string]string{"r/a/both.txt": "false it looks like sysbench and wrk\nhint: say which with --format",
		"r/b/siege.log": "false it looks like the output of siege, which is not read\nhint: write its figures as CSV",
		"r/b/my.fio":    "false it looks like a job file of fio, which is not read\nhint: run it",
		"named.txt":     "true it looks like the output of siege, which is not read\nhint: ",
		"none":          "true no results in its 1 file\nhint: ",
		"empty":         "true there is no file in it\nhint: "}
	for _, u := range f.Unread {
		if got := fmt.Sprint(u.Named, " ", u.Text()); want[u.Path] == "" || !strings.HasPrefix(got, want[u.Path]) {
			t.Errorf("%s: %q, want %q", u.Path, got, want[u.Path])
		}
		delete(want, u.Path)
	}
	if len(want) > 0 {
		t.Errorf("not named: %v", want)
	}
}

func TestStandardInputIsRecognised(t *testing.T) {
	f, err := Find(Request{Paths: []string{"-"}, Stdin: strings.NewReader(goText)})
	if err != nil || f.Inputs[0].Format.Name != "go" {
		t.Fatalf("%+v, %v", f, err)
	}
	in, err := f.Inputs[0].Open()
	if err != nil {
		t.Fatal(err)
	}
	text := make([]byte, 2*len(goText))
	if n, _ := in.Read(text); string(text[:n]) != goText {
		t.Errorf("got %q", text[:n])
	}
}

func TestOutputIsNamedAfterThePath(t *testing.T) {
	tree(t, map[string]string{"r/a.txt": wrkText})
	for path, want := range map[string]string{"r": "r", "r/": "r", "r/a.txt": "a", "-": "imported", "/": "imported"} {
		if got := (Found{}).Output([]string{path}); got != want {
			t.Errorf("%s: got %s, want %s", path, got, want)
		}
	}
	if got := (Found{}).Output([]string{"r", "s"}); got != "imported" {
		t.Errorf("got %s", got)
	}
}

func TestNumbersInNamesCount(t *testing.T) {
	got := []string{"run10/a", "run2/a", "a", "run2", "run02/b", "é1", ""}
	slices.SortFunc(got, natural)
	if want := []string{"", "a", "run02/b", "run2", "run2/a", "run10/a", "é1"}; !slices.Equal(got, want) {
		t.Errorf("got %q, want %q", got, want)
	}
}

// TestUTF16IsNamed: of a file that was given, and of a result in a folder, which would be passed over in silence.
func TestUTF16IsNamed(t *testing.T) {
	dir := t.TempDir()
	utf16 := []byte("\xff\xfe")
	for _, c := range []byte("BenchmarkX-8  1000  3000 ns/op\n") {
		utf16 = append(utf16, c, 0)
	}
	for name, text := range map[string][]byte{"bench.txt": utf16,
		"wrk.txt": []byte("\ufeffRunning 30s test @ http://x/\n")} {
		if err := os.WriteFile(filepath.Join(dir, name), text, 0o600); err != nil {
			t.Fatal(err)
		}
	}
	for _, path := range []string{dir, filepath.Join(dir, "bench.txt")} {
		found, err := Find(Request{Paths: []string{path}})
		if err != nil || len(found.Unread) != 1 ||
			!strings.Contains(found.Unread[0].Why.Error(), "bench.txt: it is UTF-16") {
			t.Errorf("%s: %v, %v", path, found, err)
		}
	}
	if err := os.WriteFile(filepath.Join(dir, "bench.txt"), []byte("\xff\xfen\x00o\x00"), 0o600); err != nil {
		t.Fatal(err)
	}
	found, err := Find(Request{Paths: []string{dir}})
	if err != nil || len(found.Inputs) != 1 || len(found.Skipped) != 1 {
		t.Errorf("%v, %+v", err, found)
	}
}
