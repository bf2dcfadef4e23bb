package render

import (
	"fmt"
	"net/url"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"testing"
	"time"

	"plimsoll/internal/record/session"
)

// bench prints how long what was asked of the explorer takes, beside what a busy machine hides: the load average, and
// the CPU time of the server and the browser.
type bench struct {
	t      *testing.T
	server *os.Process
	p      *tab
	missed int
}

// used is CPU time in seconds.
type used struct{ server, browser float64 }

func (b *bench) used() used {
	b.t.Helper()
	const tick = .01 // s; USER_HZ is 100 on every architecture of Linux that Go knows
	stat := b.read(fmt.Sprintf("/proc/%d/stat", b.server.Pid))
	fields := strings.Fields(stat[strings.LastIndex(stat, ")")+1:])
	out := used{}
	for _, f := range fields[11:13] {
		n, err := strconv.ParseFloat(f, 64)
		if err != nil {
			b.t.Fatal(err)
		}
		out.server += n * tick
	}
	var all struct{ ProcessInfo []struct{ CPUTime float64 } }
	whole := &tab{browser: b.p.browser, t: b.t}
	whole.call("SystemInfo.getProcessInfo", nil, &all)
	for _, p := range all.ProcessInfo {
		out.browser += p.CPUTime
	}
	return out
}

func (b *bench) read(path string) string {
	b.t.Helper()
	text, err := os.ReadFile(path)
	if err != nil {
		b.t.Fatal(err)
	}
	return string(text)
}

// figure prints one: a value in its unit and the bound that was asked, 0 if none was.
func (b *bench) figure(what string, v, bound float64, unit, beside string) {
	verdict := ""
	switch {
	case bound > 0 && v > bound:
		verdict = fmt.Sprintf("missed (%g %s)", bound, unit)
		b.missed++
	case bound > 0:
		verdict = fmt.Sprintf("met (%g %s)", bound, unit)
	}
	load, _, _ := strings.Cut(b.read("/proc/loadavg"), " ")
	b.t.Logf("%-62s %7.3f %-2s %-15s load %s%s", what, v, unit, verdict, load, beside)
}

// timed prints the median of what several tries took, which try returns in seconds.
func (b *bench) timed(what string, bound float64, tries int, try func(i int) float64) {
	b.t.Helper()
	before, all := b.used(), []float64{}
	for i := range tries {
		all = append(all, try(i))
	}
	after := b.used()
	slices.Sort(all)
	beside := fmt.Sprintf(", CPU %.3f s server + %.3f s browser", (after.server-before.server)/float64(tries),
		(after.browser-before.browser)/float64(tries))
	if tries > 1 {
		beside += fmt.Sprintf(" each; %d tries, the longest %.3f s", tries, all[tries-1])
	}
	b.figure(what, all[tries/2], bound, "s", beside)
}

// TestExplorerOfMany says how long the explorer takes with the sessions of the directory that PLIMSOLL_MANY names:
// scripts/bench-serve makes one.
func TestExplorerOfMany(t *testing.T) {
	dir := os.Getenv("PLIMSOLL_MANY")
	if dir == "" {
		t.Skip("PLIMSOLL_MANY names no directory")
	}
	small, err := filepath.Glob(filepath.Join(dir, "night-*"+session.Suffix))
	if err != nil || len(small) < 2 {
		t.Fatalf("%d sessions in %s: %v", len(small), dir, err)
	}
	e := &explored{t: t, dir: dir}
	browser := startBrowser(t)
	server := e.serve()
	b := &bench{t: t, server: server, p: browser.tab(t, "<!doctype html>", look{width: 1400, script: true})}
	n := len(small) + 2 // the large one has two machines
	b.listing(e, n, "nothing read before")
	b.filter(n)
	b.price(e)
	b.page(e)
	peak := b.peak()
	again := &explored{t: t, dir: dir, cache: e.cache, program: e.program}
	b.server = again.serve()
	b.listing(again, n, "after a restart")
	b.figure("the server's memory at its peak", max(peak, b.peak()), 300, "MB", "")
	t.Logf("%d figures missed", b.missed)
}

// listing opens the printed URL.
func (b *bench) listing(e *explored, n int, when string) {
	began := time.Now()
	b.timed(fmt.Sprintf("%d sessions listed, %s", n-1, when), 1, 1, func(int) float64 {
		b.p.call("Page.navigate", map[string]any{"url": e.url}, nil)
		has(b.p, fmt.Sprint(n-2), `(count.textContent.match(/^(\d+) rows/) ?? [])[1] >= `+fmt.Sprint(n-2)+` ? "`+fmt.Sprint(
			n-2)+`" : ""`)
		settle(b.p)
		return time.Since(began).Seconds()
	})
	b.timed("their results, "+when, 0, 1, func(int) float64 {
		has(b.p, fmt.Sprint(n, " rows."), `count.textContent + "."`)
		return time.Since(began).Seconds()
	})
}

// filter types words, each time others.
func (b *bench) filter(n int) {
	words := []string{"c6i nightly", "m6g.large", "release", "c6g night-000", "m5d"}
	b.timed("a filter, from the key to the rows", .1, 3*len(words), func(i int) float64 {
		return eval[float64](b.p, `new Promise((done) => { const before = count.textContent, began = performance.now(); `+
			`q.value = %q; q.dispatchEvent(new Event("input", {bubbles: true}));
			const look = () => count.textContent !== before ? done((performance.now() - began) / 1000) : requestAnimationFrame(look); look(); })`, words[i%len(words)])
	})
}

// price types prices into the panel of a comparison of two machines.
func (b *bench) price(e *explored) {
	e.goTo(b.p, "/compare?file=night-00000.plimsoll.jsonl&file=night-00001.plimsoll.jsonl")
	has(b.p, "against", whole("h1"))
	b.timed("a price, from the key to the verdicts", .2, 15, func(i int) float64 {
		return eval[float64](b.p, `new Promise((done) => { const box = document.querySelector("#panel .prices input"), `+
			`before = compareview.dataset.ready, began = performance.now(); box.value = %q; box.dispatchEvent(new `+
			`Event("input", {bubbles: true}));
			const look = () => compareview.dataset.ready !== before ? done((performance.now() - began) / 1000) : requestAnimationFrame(look); look(); })`, fmt.Sprintf("%.2f", .1+.01*float64(i)))
	})
}

// page opens the report with two timelines and two flame graphs until they are drawn and it answers. The server makes
// the page before its first byte, from then on the browser works alone.
func (b *bench) page(e *explored) {
	at := "/report?" + url.Values{"file": {"large" + session.Suffix}}.Encode()
	const drawn = `(() => { const f = [...document.querySelectorAll("figure.chart, figure.flame")]; return ` +
		`document.readyState === "complete" && f.length >= 4 && f.every((x) => x.dataset.marks || x.dataset.frames) ? ` +
		`"drawn" : ""; })()`
	var alone []float64
	b.timed("two timelines of 3600 windows, two flames of 5000 stacks", 1, 7, func(int) float64 {
		e.goTo(b.p, at)
		has(b.p, "drawn", drawn)
		settle(b.p)
		now := eval[[]float64](b.p, `(() => { const n = performance.getEntriesByType("navigation")[0]; return `+
			`[n.responseStart, performance.now()]; })()`)
		alone = append(alone, (now[1]-now[0])/1000)
		return now[1] / 1000
	})
	slices.Sort(alone)
	b.figure("  of it from the first byte on, in the browser", alone[len(alone)/2], 0, "s", "")
}

// peak returns the server's memory in MB.
func (b *bench) peak() float64 {
	b.t.Helper()
	for line := range strings.Lines(b.read(fmt.Sprintf("/proc/%d/status", b.server.Pid))) {
		var kB float64
		if _, err := fmt.Sscanf(line, "VmHWM: %f kB", &kB); err == nil {
			return kB * 1024 / 1e6
		}
	}
	b.t.Fatal("the kernel does not say how much memory the server has had")
	return 0
}
