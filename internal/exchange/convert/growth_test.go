package convert

import (
	"bytes"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"plimsoll/internal/base/simtest"
	"plimsoll/internal/exchange/convert/reader"
	"plimsoll/internal/record"
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
		"JMH of forks and counters": func(n int) []byte {
			return []byte(
				`[{"benchmark":"a","mode":"thrpt","forks":1,"primaryMetric":{"score":1,"scoreUnit":"ops/s","rawData":[[1]` +
					strings.Repeat(`,[1]`, n) + `]},"secondaryMetrics":{"a":{"score":1,"scoreUnit":"ops/s","rawData":[[1]]}` +
					numbered(n, `,"a%d":{"score":1,"scoreUnit":"ops/s","rawData":[[1]]}`) + `}}]`)
		},
		"JMH of counters": func(n int) []byte {
			return []byte(
				`[{"benchmark":"a","mode":"thrpt","forks":1,"primaryMetric":{"score":1,"scoreUnit":"ops/s","rawData":[[1]` +
					`]},"secondaryMetrics":{"a":{"score":1,"scoreUnit":"ops/s","rawData":[[1]]}` +
					numbered(n, `,"a%d":{"score":1,"scoreUnit":"ops/s","rawData":[[1]]}`) + `}}]`)
		},
		"fio of jobs": func(n int) []byte {
			return []byte(`{"fio version":"fio-3.36","global options":{"bs":"4k"},"jobs":[` + strings.TrimPrefix(
				numbered(n, `,{"jobname":"a%d","job `+
					`options":{"bs":"4k","rate_iops":"1"},"read":{"iops":1,"bw_bytes":1,"total_ios":1}}`), ",") + `]}`)
		},
		"fio of options": func(n int) []byte {
			return []byte(`{"fio version":"fio-3.36","global options":{"bs":"4k"` + numbered(n, `,"a%d":"1"`) + `},"jobs":[` +
				strings.TrimPrefix(
					numbered(n, `,{"jobname":"a%d","read":{"iops":1,"bw_bytes":1,"total_ios":1}}`), ",") + `]}`)
		},
		"fio of histograms": func(n int) []byte {
			return []byte(
				`{"fio version":"fio-3.36","jobs":[{"jobname":"a","read":{"iops":1,"bw_bytes":1,"total_ios":1,` +
					`"lat_ns":{"bins":{"1":1` +
					numbered(n, `,"%d":1`) + `}}}}]}`)
		},
		"hyperfine of one command with many times": func(n int) []byte {
			return []byte(`{"results":[{"command":"a","mean":1.5,"times":[1` + strings.Repeat(",1", n) + `]}]}`)
		},
		"a command of many words": func(n int) []byte {
			return []byte(`{"results":[{"command":"a` + strings.Repeat(" a", n) + `","mean":1.5,"times":[1,2]}]}`)
		},
		"Go of one line with many units": func(n int) []byte {
			return []byte("BenchmarkA 1 1 ns/op" + numbered(n, " 1 u%d") + "\n")
		},
		"Go of many parameters": func(n int) []byte { return []byte("BenchmarkA" + numbered(n, "/a%d=1") + " 1 1 ns/op\n") },
		"Go of many configurations": func(n int) []byte {
			return []byte(numbered(n, "a%d: 1\n") + strings.Repeat("BenchmarkA 1 1 ns/op\n", n))
		},
		"CSV of means": func(n int) []byte {
			return []byte("machine,workload,load,replicate,metric,value,unit\n" + numbered(n, "m,w,1,%d,x,1.5 ± 0.5 (n=5),s\n"))
		},
		"CSV of columns": func(n int) []byte {
			return []byte("machine,workload,load,replicate,metric,value,unit" + numbered(min(n, 5000), ",param.p%d") + "\n" +
				strings.Repeat("m,w,1,1,x,1,s"+strings.Repeat(",", min(n, 5000))+"\n", max(1, n/1000)))
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

// numbered returns n parts, whose %d is the number of each.
func numbered(n int, part string) string {
	var b strings.Builder
	for i := range n {
		fmt.Fprintf(&b, part, i)
	}
	return b.String()
}

// mostSeconds bounds the CPU time for a MiB, as SECURITY.md states it: 1.2 s was the most on a shared virtual CPU.
const mostSeconds = 3

// readGrown reads a grown output as the format of its name, or as each that it is recognised as.
func readGrown(t *testing.T, name string, text []byte) {
	t.Helper()
	formats := Recognise(text[:min(len(text), 1<<20)])
	for prefix, format := range map[string]string{"CSV": csvName, "fio": reader.Fio, "JMH": reader.JMH, "Go": Go,
		"hyperfine": reader.Hyperfine} {
		if strings.HasPrefix(name, prefix) {
			formats = []Format{formatNamed(t, format)}
		}
	}
	for _, f := range formats {
		o := Options{File: "f", Machine: "m", Workload: "w", Replicate: Unnumbered, Params: record.Params{}}
		if f.Name == csvName || f.Name == Go {
			o.Workload = "" // the file states it
		}
		if f.Name == csvName {
			o.Machine = ""
		}
		var im Import
		_, _ = im.Read(f, bytes.NewReader(text), o)
	}
}

// TestSecondsOfHostileOutputs: a MiB takes a bounded time, whatever is in it, also if it is refused in the end.
// TestReadingGrowsLinearly grows it. Days read a hundredth and measure nothing.
func TestSecondsOfHostileOutputs(t *testing.T) {
	simtest.Long(t)
	for name, of := range grown(t) {
		if !simtest.Night() {
			readGrown(t, name, of(simtest.Parts(1<<10, func(n int) int { return len(of(n)) })))
			continue
		}
		const refused = .1 // seconds of CPU: so soon, since 1 MiB of short lines is over a limit
		for _, size := range []int{1 << 20, 1 << 18} {
			text := of(simtest.Parts(size, func(n int) int { return len(of(n)) }))
			if simtest.Seconds(t, name, mostSeconds, len(text), func() { readGrown(t, name, text) }) > refused {
				break
			}
		}
	}
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
				return simtest.CPU(func() { readGrown(t, name, text) })
			})
		})
	}
}
