package session

import (
	"bytes"
	"flag"
	"os"
	"os/exec"
	"path/filepath"
	"reflect"
	"regexp"
	"slices"
	"strings"
	"testing"

	"github.com/HdrHistogram/hdrhistogram-go"

	"plimsoll/internal/base/simtest"
	"plimsoll/internal/record"
)

var update = flag.Bool("update", false, "make the crcs and data of docs/format.md's examples anew")

var specification = filepath.Join("..", "..", "..", "docs", "format.md")

// blocks are the fenced examples of a language in the specification.
func blocks(t *testing.T, language string) (out []string) {
	t.Helper()
	fence := regexp.MustCompile("(?s)```" + language + "\n(.*?)```")
	for _, m := range fence.FindAllStringSubmatch(string(read(t, specification)), -1) {
		out = append(out, m[1])
	}
	if len(out) == 0 {
		t.Fatalf("no example in %s", language)
	}
	return out
}

func TestFormatExamples(t *testing.T) {
	if *update {
		renew(t)
	}
	for _, block := range blocks(t, "jsonl") {
		log, err := Read(put(t, []byte(block)))
		must(t, err)
		if len(log.Problems) > 0 {
			t.Errorf("%v", log.Problems)
		}
		for _, kind := range kinds() {
			if !strings.Contains(block, opening+kind+`"`) {
				t.Errorf("no example of a %s line", kind)
			}
		}
		series, err := log.Series(log.Trials[0].ID)
		must(t, err)
		windows, err := DecodeWindows(series[0].Data)
		must(t, err)
		histogram, err := DecodeHistogram(series[1].Data)
		must(t, err)
		if len(windows) != 3 || histogram.TotalCount() != 3 || len(log.Events) != 1 || len(log.Ends) != 1 ||
			len(log.Plans) != 1 {
			t.Errorf("the example reads %+v", log)
		}
	}
}

// renew seals the examples again; "@windows" and "@histogram" stand for data.
func renew(t *testing.T) {
	t.Helper()
	h := hdrhistogram.New(1, 3600e9, 3)
	for _, v := range []int64{680_000, 690_000, 1_400_000} {
		must(t, h.RecordValue(v))
	}
	histogram, err := EncodeHistogram(h)
	must(t, err)
	windows, err := EncodeWindows([]int64{11_834_000_000, 11_835_200_000, 11_790_800_000})
	must(t, err)
	doc := read(t, specification)
	for _, block := range blocks(t, "jsonl") {
		filled := strings.NewReplacer("@windows", windows, "@histogram", histogram).Replace(block)
		doc = bytes.Replace(doc, []byte(block), reseal([]byte(filled)), 1)
	}
	must(t, os.WriteFile(specification, doc, 0o600))
}

// Every key that a line can have stands in the specification.
func TestFormatNamesEveryKey(t *testing.T) {
	doc := string(read(t, specification))
	lines := []any{record.Machine{}, record.PlanLine{}, record.Series{}, record.Event{}, record.Trial{}, record.End{}}
	for _, line := range lines {
		for _, key := range keysOf(reflect.TypeOf(line)) {
			if !strings.Contains(doc, "`"+key+"`") {
				t.Errorf("docs/format.md does not name %q of %T", key, line)
			}
		}
	}
}

func keysOf(typ reflect.Type) (keys []string) {
	switch typ.Kind() {
	case reflect.Pointer, reflect.Slice, reflect.Map:
		return keysOf(typ.Elem())
	case reflect.Struct:
		for i := range typ.NumField() {
			f := typ.Field(i)
			if key, _, _ := strings.Cut(f.Tag.Get("json"), ","); key != "" && key != "-" {
				keys = append(keys, key)
			}
			keys = append(keys, keysOf(f.Type)...)
		}
	}
	return keys
}

func TestFormatPython(t *testing.T) {
	simtest.Forks(t)
	python, err := exec.LookPath("python3")
	if err != nil {
		t.Skip("needs python3, to run the specification's crc")
	}
	script := strings.Join(blocks(t, "python"), "") + `
import sys
for line in sys.stdin.buffer:
    line = line.rstrip(b"\n")
    assert b"%08x" % crc32c(line[:-18]) == line[-10:-2], line
`
	cmd := exec.Command(python, "-c", script)
	cmd.Stdin = strings.NewReader(blocks(t, "jsonl")[0])
	if out, err := cmd.CombinedOutput(); err != nil {
		t.Fatalf("%v: %s", err, out)
	}
}

func TestFormatJQ(t *testing.T) {
	simtest.Forks(t)
	if _, err := exec.LookPath("jq"); err != nil {
		t.Skip("needs jq, to run the specification's commands")
	}
	path := put(t, []byte(blocks(t, "jsonl")[0]))
	want := []string{"m6gd\terasure\t4 cpus\t11834000000\n", "bytes dvz\nlatency hdr\n"}
	// the documents' commands are run with all others
	ofSessions := slices.DeleteFunc(blocks(t, "sh"), func(c string) bool {
		return !strings.Contains(c, "FILE\n") || strings.Contains(c, "plimsoll ")
	})
	for i, command := range ofSessions {
		out, err := exec.Command("sh", "-c", strings.ReplaceAll(command, "FILE", path)).CombinedOutput()
		if err != nil || string(out) != want[i] {
			t.Errorf("%s printed %q, %v", command, out, err)
		}
	}
}
