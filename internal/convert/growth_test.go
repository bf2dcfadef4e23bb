package convert

import (
	"bytes"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"plimsoll/internal/record"
	"plimsoll/internal/simtest"
)

// grown are outputs of n parts by what they are: each sample as often, and each of its lines.
func grown(t *testing.T) map[string]func(n int) []byte {
	t.Helper()
	out := map[string]func(int) []byte{
		"parameters of a run": func(n int) []byte {
			var b bytes.Buffer
			b.WriteString(`{"results":[{"command":"a","mean":1.5,"times":[1,2],"parameters":{"p":"1"`)
			for i := range n {
				fmt.Fprintf(&b, `,"p%d":"1"`, i)
			}
			b.WriteString(`}}]}`)
			return b.Bytes()
		},
		"commands": func(n int) []byte {
			var b bytes.Buffer
			b.WriteString(`{"results":[{"command":"a","mean":1.5,"times":[1,2]}`)
			for i := range n {
				fmt.Fprintf(&b, `,{"command":"a%d","mean":1.5,"times":[1,2]}`, i)
			}
			b.WriteString(`]}`)
			return b.Bytes()
		},
	}
	for _, column := range []string{"machine", "workload", "load", "replicate", "metric", "param.p"} {
		out["CSV of many: "+column] = func(n int) []byte {
			var b bytes.Buffer
			b.WriteString("machine,workload,load,replicate,metric,value,unit,param.p\n")
			for i := range n {
				row := map[string]string{"machine": "m", "workload": "w", "load": "1", "replicate": "0", "metric": "x",
					"param.p": "1"}
				row[column] = strings.TrimLeft(row[column], "0123456789") + fmt.Sprint(i+1)
				fmt.Fprintf(&b, "%s,%s,%s,%s,%s,1.5,s,%s\n", row["machine"], row["workload"], row["load"], row["replicate"],
					row["metric"], row["param.p"])
			}
			return b.Bytes()
		}
	}
	err := filepath.WalkDir("testdata", func(path string, d fs.DirEntry, err error) error {
		if err != nil || d.IsDir() || d.Name() == "README.md" {
			return err
		}
		text, err := os.ReadFile(path)
		if err != nil || len(text) > 64<<10 {
			return err
		}
		out[path] = func(n int) []byte { return bytes.Repeat(text, n/64+1) }
		seen := map[string]bool{}
		for line := range bytes.Lines(text) {
			form := strings.Map(func(r rune) rune { // lines that differ in figures are read alike
				if r >= '0' && r <= '9' {
					return '0'
				}
				return r
			}, string(line))
			if seen[form] || len(seen) > 8 {
				continue
			}
			seen[form] = true
			begin := text[:min(len(text), 1<<10)] // by which its tool is recognised
			out[fmt.Sprintf("%s, line %d", path, len(seen))] = func(n int) []byte {
				return append(bytes.Clone(begin), bytes.Repeat(append([]byte("\n"), line...), n)...)
			}
		}
		return nil
	})
	if err != nil {
		t.Fatal(err)
	}
	return out
}

// TestReadingGrowsLinearly: an output of twice the size takes about twice the time, whatever is in it, also if it is
// refused in the end.
func TestReadingGrowsLinearly(t *testing.T) {
	if !simtest.Night() {
		t.Skip("it measures time, at sizes that take seconds")
	}
	for name, of := range grown(t) {
		t.Run(name, func(t *testing.T) {
			simtest.Doubles(t, 512, 1<<16, func(n int) time.Duration {
				text := of(n)
				formats := Recognise(text[:min(len(text), 64<<10)])
				if strings.HasPrefix(name, "CSV") {
					formats = slices.DeleteFunc(All(), func(f Format) bool { return f.Name != "csv" })
				}
				return simtest.CPU(func() {
					for _, f := range formats {
						var im Import
						_, _ = im.Read(f, bytes.NewReader(text), Options{File: "f", Machine: "m", Workload: "w",
							Replicate: Unnumbered, Params: record.Params{}})
					}
				})
			})
		})
	}
}
