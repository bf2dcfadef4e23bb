package convert

import (
	"fmt"
	"io"
	"runtime"
	"strings"
	"testing"

	"plimsoll/internal/base/simtest"
)

// A trial has as many metrics as its line holds; one more is refused before
// anything is written.
func TestMetricsOfATrial(t *testing.T) {
	text := csvHead
	for n := range 100 {
		text += fmt.Sprintf("a,w,1,8,metric%d,1.2345678901234567e+100,\U0001F600,,\n", n)
	}
	var im Import
	_, err := im.Read(csvFormat(), strings.NewReader(text), given())
	if err == nil || !strings.Contains(err.Error(), "over the limit of 4096") {
		t.Errorf("got %v", err)
	}
}

// rows is a file of CSV that is made as it is read.
type rows struct {
	n    int // still to come
	make func(n int) string
	rest string
}

func (r *rows) Read(p []byte) (int, error) {
	if r.rest == "" {
		if r.n == 0 {
			return 0, io.EOF
		}
		r.n--
		r.rest = r.make(r.n)
	}
	n := copy(p, r.rest)
	r.rest = r.rest[n:]
	return n, nil
}

// Memory grows with trials and values, not with text.
func TestMemoryOfAnImport(t *testing.T) {
	simtest.Long(t)
	const note = 2000
	n := 2_000
	if simtest.Night() {
		n = 20_000
	}
	text := strings.Repeat("x", note)
	in := &rows{n: n, rest: csvHead, make: func(n int) string {
		return fmt.Sprintf("a,w,%d,8,throughput,1,MB/s,,%s\n", n, text)
	}}
	before := heap()
	var im Import
	b, err := im.Read(csvFormat(), in, given())
	if err != nil {
		t.Fatal(err)
	}
	used := heap() - before
	t.Logf("%d trials of %d bytes of text keep %d bytes", b.Len(), note, used)
	if b.Len() != n || used > n*200 {
		t.Errorf("%d trials keep %d bytes, of %d bytes read", b.Len(), used, n*note)
	}
	runtime.KeepAlive(b)
}

func heap() int {
	runtime.GC()
	var m runtime.MemStats
	runtime.ReadMemStats(&m)
	return int(m.HeapAlloc)
}
