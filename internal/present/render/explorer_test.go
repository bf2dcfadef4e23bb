package render

import (
	"bufio"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"maps"
	"math/rand/v2"
	"net/url"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"plimsoll/internal/record"
	"plimsoll/internal/record/figure"
	"plimsoll/internal/record/session"
)

// hostileName stands in every field of one session.
const hostileName = `"><script>window.hacked=1</script><img src=x onerror=window.hacked=1>` + "\u202e"

// explored is a directory of sessions that a plimsoll of this tree serves.
type explored struct {
	t    *testing.T
	dir  string
	url  string // with the token
	host string

	cache, program string // where summaries are kept, and the server's; "" until it starts
}

// explore serves two published machines, 24 nights of one whose kernel and throughput change at the half, hostile
// names, and a file that is none.
func explore(t *testing.T) *explored {
	t.Helper()
	e := &explored{t: t, dir: t.TempDir()}
	for _, name := range []string{"rates", "factors", "profiled"} {
		text, err := os.ReadFile(filepath.Join("../../../cmd/plimsoll/testdata/corpus", name, "session"+session.Suffix))
		if err != nil {
			t.Fatal(err)
		}
		e.write(name, string(text))
	}
	r := rand.New(rand.NewPCG(1, 22))
	for n := range 24 {
		level, kernel := 10000., "6.1"
		if n >= 12 {
			level, kernel = 9300, "6.12"
		}
		var values []float64
		for range 4 {
			values = append(values, level*(1+.005*r.NormFloat64()))
		}
		e.close(e.begin(fmt.Sprintf("night-%02d", n), "vm-nightly", kernel, n, values...), fmt.Sprintf("night-%02d", n))
	}
	e.close(e.begin("hostile", hostileName, hostileName, 30, 5, 6, 7), "hostile")
	e.write("broken", hostileName)
	e.serve()
	return e
}

func (e *explored) write(name, text string) {
	e.t.Helper()
	if err := os.WriteFile(filepath.Join(e.dir, name+session.Suffix), []byte(text), 0o600); err != nil {
		e.t.Fatal(err)
	}
}

func (e *explored) begin(name, machine, kernel string, night int, values ...float64) *session.Writer {
	e.t.Helper()
	w, err := session.Create(filepath.Join(e.dir, name+session.Suffix))
	if err != nil {
		e.t.Fatal(err)
	}
	plan := record.Plan{Name: "nightly", Session: name, Margin: .02, Alpha: .05}
	if machine == hostileName {
		plan.Name, plan.Labels = hostileName, map[string]string{hostileName: hostileName}
	}
	m := record.Machine{Format: record.Format, Name: machine, ID: machine + "-id", Kernel: kernel, OS: kernel,
		CPU: record.CPU{Model: kernel, Threads: 2}}
	if err := errors.Join(w.Machine(m), w.Plan(record.PlanLine{Hash: name, Plan: plan})); err != nil {
		e.t.Fatal(err)
	}
	for i, v := range values {
		e.run(w, name, machine, night, i, v)
	}
	return w
}

func (e *explored) run(w *session.Writer, name, machine string, night, i int, v float64) {
	e.t.Helper()
	load, workload, void := record.LoadPoint{Kind: record.Closed, Level: 8, Unit: record.ParamClients}, "http", ""
	if machine == hostileName {
		workload = hostileName
		if i == 0 {
			void = hostileName
		}
	}
	err := w.Trial(record.Trial{
		ID: fmt.Sprintf("%s-%d", name, i), Slot: record.Slot{Plan: name, Replicate: i + 1},
		Load: load, Void: void, Start: record.FormatTime(time.Date(2026, 3, 1+night, 2, i, 0, 0, time.UTC)),
		Keys: map[string]string{record.KeyMachine: machine, record.KeyMachineID: machine + "-id",
			record.KeyWorkload: workload, record.KeyLoad: load.Key(), workload + ".path": "/hello"},
		Values: []record.Value{
			{Metric: record.Metric{Name: record.Throughput, Unit: "op/s", Better: record.Higher}, Value: v}},
	})
	if err != nil {
		e.t.Fatal(err)
	}
}

func (e *explored) close(w *session.Writer, plan string) {
	e.t.Helper()
	if err := errors.Join(w.End(record.End{Plan: plan, Reason: "done"}), w.Close()); err != nil {
		e.t.Fatal(err)
	}
}

// serve starts the program, which a signal ends with the test. It returns its process.
func (e *explored) serve() *os.Process {
	e.t.Helper()
	if e.program == "" {
		e.cache, e.program = e.t.TempDir(), built(e.t)
	}
	cmd := exec.Command(e.program, "serve", e.dir, "--addr", "127.0.0.1:0")
	cmd.Env = append(os.Environ(), "XDG_CACHE_HOME="+e.cache)
	out, err := cmd.StdoutPipe()
	if err != nil {
		e.t.Fatal(err)
	}
	if err := cmd.Start(); err != nil {
		e.t.Fatal(err)
	}
	e.t.Cleanup(func() {
		if err := errors.Join(cmd.Process.Signal(os.Interrupt), cmd.Wait()); err != nil {
			e.t.Error(err)
		}
	})
	lines := bufio.NewReader(out)
	line, err := lines.ReadString('\n')
	if err != nil {
		e.t.Fatal(err)
	}
	go io.Copy(io.Discard, lines)
	_, e.url, _ = strings.Cut(strings.TrimSpace(line), " at ")
	at, err := url.Parse(e.url)
	if err != nil {
		e.t.Fatal(err)
	}
	e.host = at.Host
	return cmd.Process
}

// open opens the printed URL.
func (e *explored) open(b *browser, l look) *tab {
	e.t.Helper()
	p := b.tab(e.t, "<!doctype html>", l)
	p.call("Page.navigate", map[string]any{"url": e.url}, nil)
	rows(p, 30)
	return p
}

// goTo follows an address within the explorer.
func (e *explored) goTo(p *tab, path string) {
	p.call("Page.navigate", map[string]any{"url": "http://" + e.host + path}, nil)
}

// rows waits for the table to say how many rows it has.
func rows(p *tab, n int) {
	p.t.Helper()
	has(p, fmt.Sprint(n, " rows"), `document.getElementById("count")?.textContent ?? ""`)
}

// has waits for a text in what an expression evaluates to.
func has(p *tab, text, expression string) {
	p.t.Helper()
	got := ""
	for end := time.Now().Add(20 * time.Second); time.Now().Before(end); time.Sleep(20 * time.Millisecond) {
		if got = eval[string](p, "(() => { try { return String(%s); } catch { return ''; } })()",
			expression); strings.Contains(got, text) {
			return
		}
	}
	p.t.Fatalf("waited in vain for %q in %s: %.600s", text, expression, got)
}

// whole returns an expression for the text of what a selector finds.
func whole(selector string) string {
	return fmt.Sprintf(`[...document.querySelectorAll(%q)].map((e) => e.innerText).join("\n")`, selector)
}

// calm holds that nothing went wrong, no policy was violated, no other host was asked, and no name became code.
func (e *explored) calm(p *tab) {
	e.t.Helper()
	for _, c := range p.complaints() {
		if at, ok := strings.CutPrefix(c, "request "); !ok || !strings.HasPrefix(at, "http://"+e.host+"/") &&
			!strings.HasPrefix(at, "file:") {
			e.t.Error(c)
		}
	}
	if eval[bool](p, `window.hacked === 1 || document.querySelectorAll("body script, img[src='x']").length > 0`) {
		e.t.Error("a name became code")
	}
	if empty := eval[[]string](p, `[...document.querySelectorAll("body *")].filter((e) => [...e.childNodes].some((n) => `+
		`n.nodeType === 3 && /^\s*(null|undefined|NaN)\s*$/.test(n.data))).map((e) => e.tagName + ": " + `+
		`e.innerText.slice(0, 80))`); len(empty) > 0 {
		e.t.Errorf("values that are none stand in the page at %s: %q", eval[string](p, "location.pathname"), empty)
	}
	if wide := eval[int](p, `document.documentElement.scrollWidth - innerWidth`); wide > 0 {
		e.t.Errorf("the page is %d pixels wider than its window at %s", wide, eval[string](p, "location.pathname"))
	}
}

// pick ticks the sessions of some names.
func pick(p *tab, names ...string) {
	p.t.Helper()
	for _, name := range names {
		eval[bool](p, `(document.querySelector('input[aria-label="pick %s.plimsoll.jsonl"]').click(), true)`, name)
	}
}

// enter types into a field.
func enter(p *tab, selector, text string) {
	p.t.Helper()
	quoted, _ := json.Marshal(text)
	eval[bool](p, `(() => { const box = document.querySelector(%q); box.value = %s; box.dispatchEvent(new `+
		`Event(box.tagName === "SELECT" ? "change" : "input", {bubbles: true})); return true; })()`, selector, quoted)
}

// TestExplorer tries the explorer in a real browser.
func TestExplorer(t *testing.T) {
	b := startBrowser(t)
	e := explore(t)
	for name, test := range map[string]func(*explored, *testing.T, *browser){
		"table": (*explored).testTable, "compare": (*explored).testCompare, "history": (*explored).testHistory,
		"control": (*explored).testControl, "live": (*explored).testLive, "looks": (*explored).testLooks,
		"groups": (*explored).testGroups, "accessible": (*explored).testAccessible,
	} {
		t.Run(name, func(t *testing.T) { test(&explored{t, e.dir, e.url, e.host, e.cache, e.program}, t, b) })
	}
}

func (e *explored) testTable(t *testing.T, b *browser) {
	p := e.open(b, look{width: 1400, script: true})
	if at := eval[string](p, "location.href"); strings.Contains(at, "token") {
		t.Errorf("the URL keeps the token: %s", at)
	}
	has(p, "c7g.2xlarge", whole(".tabulator-row"))
	enter(p, "#q", "nightly NIGHT-2")
	has(p, "4 of 30 rows", "count.textContent")
	has(p, "q=nightly+NIGHT-2", "location.search")
	if shown := eval[string](p, "%s", whole(".tabulator-row")); strings.Contains(shown, "night-1") ||
		!strings.Contains(shown, "night-23") || !strings.Contains(shown, "±") {
		t.Errorf("%s", shown)
	}
	enter(p, "#q", "")
	enter(p, "#state", "unreadable")
	has(p, "unreadable", whole(".tabulator-row"))
	has(p, "1 of 30 rows", "count.textContent")
	eval[bool](p, "(history.back(), true)")
	rows(p, 30)
	enter(p, "#group", "plan")
	has(p, "nightly", whole(".tabulator-group"))
	enter(p, "#q", "hostile")
	has(p, hostileName[:20], whole(".tabulator-group"))
	eval[bool](p, `(document.querySelector('.tabulator-col[tabulator-field="value"] `+
		`.tabulator-col-content').click(), true)`)
	has(p, "sort=value", "location.search")
	e.goTo(p, "/?q=rates&group=type&pick=rates.plimsoll.jsonl")
	has(p, "2 of 30 rows", "count.textContent")
	has(p, "1 session picked", `picked.textContent`)
	if on := eval[int](p, `document.querySelectorAll(".tick input:checked").length`); on != 2 {
		t.Errorf("%d rows are ticked", on)
	}
	e.calm(p)
}

func (e *explored) testCompare(t *testing.T, b *browser) {
	p := e.open(b, look{width: 1400, script: true})
	enter(p, "#q", "rates")
	has(p, "2 of 30", "count.textContent")
	pick(p, "rates")
	eval[bool](p, `(document.getElementById("compare").click(), true)`)
	has(p, "c7g.2xlarge against c6i.2xlarge", whole("h1"))
	has(p, "different", whole("#verdicts .tag"))
	enter(p, "#ask-demand", "5e4")
	has(p, "11 machines", whole("#fleets .card"))
	before := eval[string](p, "%s", whole("#verdicts"))
	enter(p, `#panel [aria-label^="price of c7g.2xlarge"]`, "0.58")
	has(p, "$4,657", whole("#fleets .card"))
	if after := eval[string](p, "%s", whole("#verdicts")); after == before {
		t.Error("a price moves no verdict")
	}
	has(p, "price=c7g.2xlarge%3D0.58", "location.search")
	enter(p, "#ask-baseline", "c7g.2xlarge")
	eval[bool](p, `(document.querySelector("#panel").dispatchEvent(new Event("input", {bubbles: true})), true)`)
	has(p, "c6i.2xlarge against c7g.2xlarge", whole("h1"))
	enter(p, `#panel [aria-label^="price of c7g.2xlarge"]`, "0")
	has(p, "$0 a month", whole("#fleets .card.best"))
	has(p, "the price of c7g.2xlarge is zero", whole("#notes"))
	enter(p, `#panel [aria-label^="price of c7g.2xlarge"]`, "-1")
	has(p, "at least 0", whole("#wrong"))
	enter(p, "#ask-demand", "1e300")
	enter(p, `#panel [aria-label^="price of c7g.2xlarge"]`, "0")
	has(p, "it takes 1.84e+296 machines", whole("#fleets .card"))
	has(p, "different", whole("#verdicts .tag"))
	enter(p, "#ask-demand", "0")
	has(p, "demand", whole("#wrong"))
	if len(eval[string](p, "%s", whole("#verdicts"))) == 0 {
		t.Error("a wrong price costs the rest")
	}
	eval[bool](p, "(history.back(), true)")
	rows(p, 30)
	has(p, "1 session picked", `picked.textContent`)
	e.goTo(p, "/compare?file=hostile.plimsoll.jsonl")
	has(p, "6.48 op/s", whole("#results"))
	e.goTo(p, "/compare?file=profiled.plimsoll.jsonl")
	has(p, "Flame graphs", whole(".links"))
	// Files that the list had not are no change of what is compared, which would be read and judged twice.
	taken := eval[string](p, `import("/assets/sessions.js").then(({take}) => {
		const doc = {dir: "", pending: 0, gone: [], rows: [{file: "new", machine: "", workloads: [], notes: []}]};
		return take(doc).size + " " + take(doc).size;
	})`)
	if taken != "0 1" {
		t.Errorf("changed files of two lists: %s", taken)
	}
	// The wrong price was answered with 400, which the console names.
	p.forgive("400")
	e.calm(p)
}

// forgive leaves out the complaints that have a text.
func (p *tab) forgive(text string) {
	p.mu.Lock()
	defer p.mu.Unlock()
	var rest []event
	for _, e := range p.said[p.session] {
		if e.Method != "Log.entryAdded" || !strings.Contains(string(e.Params), text) {
			rest = append(rest, e)
		}
	}
	p.said[p.session] = rest
}

func (e *explored) testHistory(t *testing.T, b *browser) {
	p := e.open(b, look{width: 1400, script: true})
	eval[bool](p, `(document.querySelector('nav [data-view="history"]').click(), true)`)
	has(p, "vm-nightly", whole("#cells .tabulator-row"))
	eval[bool](p, `(document.querySelector("#cells .tabulator-row a").click(), true)`)
	has(p, "6.12", whole("#marked"))
	has(p, "2026-03-13", whole("#suspected"))
	has(p, "\u22127.", whole("#suspected"))
	if n := eval[int](p, `document.querySelectorAll("#suspected li").length`); n != 1 {
		t.Errorf("%d suspected changes", n)
	}
	if drawn := eval[int](p, `(() => { const c = document.querySelector("#chart canvas"), d = `+
		`c.getContext("2d").getImageData(0, 0, c.width, c.height).data; let n = 0; for (let i = 3; i < d.length; i += 4) n `+
		`+= d[i] > 0; return n; })()`); drawn < 2000 {
		t.Errorf("%d pixels of the chart are drawn", drawn)
	}
	if n := eval[int](p, `document.querySelectorAll("#history tbody tr").length`); n != 24 {
		t.Errorf("%d nights", n)
	}
	eval[bool](p, "(history.back(), true)")
	has(p, "vm-nightly", whole("#cells .tabulator-row"))
	e.calm(p)
}

// testControl: a cell with a control is drawn as ratios to it, which the machine does not move.
func (e *explored) testControl(t *testing.T, b *browser) {
	p := e.open(b, look{width: 1400, script: true})
	for n := range 12 {
		name := fmt.Sprintf("paired-%02d", n)
		w := e.begin(name, "vm-paired", "6.1", n)
		for i := range 3 {
			for side, v := range []float64{100, 100 - 4*float64(n/6)} {
				load := record.LoadPoint{Kind: record.Closed, Level: 8, Unit: record.ParamClients}
				err := w.Trial(record.Trial{ID: fmt.Sprint(name, i, side), Slot: record.Slot{Plan: name, Cell: side, Replicate: i},
					Load:  load,
					Start: record.FormatTime(time.Date(2026, 3, 1+n, 2, i, 0, 0, time.UTC)),
					Keys: map[string]string{record.KeyMachine: "vm-paired", record.KeyMachineID: "vm-paired-id",
						record.KeyWorkload: "http", record.KeyLoad: load.Key(), "http.path": []string{"/base", "/head"}[side]},
					Values: []record.Value{
						{Metric: record.Metric{Name: record.Throughput, Unit: "op/s", Better: record.Higher},
							Value: v * float64(1+n%3) * (1 + .001*float64(i))}}})
				if err != nil {
					t.Fatal(err)
				}
			}
		}
		e.close(w, name)
	}
	e.goTo(p, "/history?"+url.Values{"cell": {"vm-paired: http at 8 clients, path=/head"}}.Encode())
	has(p, "the ratio of each night to its own control, http \u00b7 8 clients \u00b7 path=/base", whole("#control"))
	has(p, "\u22124.0%", whole("#suspected"))
	has(p, "median 1.000 before, 0.960 after", whole("#suspected"))
	has(p, "\u22124.0%", `document.querySelector("#history tbody tr").textContent`)
	e.goTo(p, "/history?"+url.Values{"cell": {"vm-paired: http at 8 clients, path=/base"}}.Encode())
	has(p, "To earlier nights", whole("#history thead"))
	e.calm(p)
	for n := range 12 {
		if err := os.Remove(filepath.Join(e.dir, fmt.Sprintf("paired-%02d", n)+session.Suffix)); err != nil {
			t.Fatal(err)
		}
	}
}

func (e *explored) testLive(t *testing.T, b *browser) {
	w := e.begin("growing", "vm-live", "6.1", 40, 100, 101)
	p := b.tab(t, "<!doctype html>", look{width: 1400, script: true})
	p.call("Page.navigate", map[string]any{"url": e.url}, nil)
	has(p, "running", whole(".tabulator-row"))
	e.sameFigures(p)
	for i := range 4 {
		e.run(w, "growing", "vm-live", 40, 2+i, 102+float64(i))
	}
	has(p, "102 requests/s ±", whole(".tabulator-row"))
	e.close(w, "growing")
	has(p, "0", `[...document.querySelectorAll(".state.running")].length`)
	if err := os.Remove(filepath.Join(e.dir, "growing"+session.Suffix)); err != nil {
		t.Fatal(err)
	}
	rows(p, 30)
	e.calm(p)
}

// sameFigures holds that the explorer writes figures, changes and units as the terminal does.
func (e *explored) sameFigures(p *tab) {
	e.t.Helper()
	var calls, want []string
	call := func(wanted, format string, args ...any) {
		calls, want = append(calls, fmt.Sprintf(format, args...)), append(want, wanted)
	}
	for _, unit := range []string{"tps", "requests/s", "op/$", "B/s", "s", "W", "%", "clients", "ratio"} {
		for _, v := range []float64{0.00123, 0.5, 1, 1.5, 9.996, 12.34, 99.95, 123.4, 999.6, 1000, 16384, 123456, 9.9996e6,
			2.5e9, 3e12, 4.2e15} {
			if unit == "%" && v < .05 || v > 1e14 && !strings.Contains(unit, "/") {
				continue // no figure of a session
			}
			call(figure.Quantity(v, unit), "lib.figure(%v, %q)", v, unit)
		}
	}
	for _, ratio := range []float64{1, 1.0004, .9996, 1.0051, 1.1234, .8766, 3.5} {
		call(figure.Percent(ratio), `lib.change(%v).replaceAll("\u2212", "-")`, ratio)
	}
	for _, workload := range append(slices.Collect(maps.Keys(figure.Operations())), "aes-gcm", "toString") {
		for _, unit := range []string{"op", "op/s", "op/s/core", "op/$", "ops", "B/s", ""} {
			call(figure.UnitOf(workload, unit), "lib.unitOf(%q, %q)", workload, unit)
		}
	}
	got := eval[[]string](p, `import("/assets/lib.js").then((lib) => [%s])`, strings.Join(calls, ", "))
	if len(got) != len(want) {
		e.t.Fatalf("%d answers to %d calls", len(got), len(want))
	}
	for i, text := range got {
		if text != want[i] {
			e.t.Errorf("%s is %q in the explorer and %q in the terminal", calls[i], text, want[i])
		}
	}
}

// testLooks holds that nothing is wider than its window, and keeps pictures for who looks at them.
func (e *explored) testLooks(t *testing.T, b *browser) {
	for _, l := range looks() {
		p := e.open(b, l)
		name := fmt.Sprintf("explorer-%%s-%d-%t", l.width, l.dark)
		pick(p, "night-23")
		settle(p)
		p.shoot(fmt.Sprintf(name, "table"))
		e.calm(p)
		e.goTo(p, "/compare?file=rates.plimsoll.jsonl&demand=5e4")
		has(p, "11 machines", whole("#fleets .card"))
		p.shoot(fmt.Sprintf(name, "compare"))
		e.calm(p)
		e.goTo(p, "/history?"+url.Values{"cell": {"vm-nightly: http at 8 clients, path=/hello"}}.Encode())
		has(p, "6.12", whole("#marked"))
		settle(p)
		p.shoot(fmt.Sprintf(name, "history"))
		e.calm(p)
	}
}
