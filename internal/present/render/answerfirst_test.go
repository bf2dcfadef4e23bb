package render

import (
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"strings"
	"testing"
)

// answered is one of the five tasks of users: a session of the corpus, a command, and the figure that answers.
type answered struct {
	task, session string
	command, by   string   // by is "" if the command needs no factor: a page finds them by itself
	args          []string // of page and command
	figure        string   // in text, and in the page
}

func fiveTasks() []answered {
	return []answered{
		{"my service: what does it handle?", "search", "show", "", nil, `1\.53k`},
		{"my database: what does the setting cost?", "pgbench", "compare", "pgbench.checksums", nil,
			`7\.9% slower to[^\n]*14\.3`},
		{"my command: which is faster?", "command", "compare", "exec.command", nil,
			`46\.8% to \+?48\.0%`},
		{"two machines: which, how many, for what?", "rates", "compare", "", []string{"--demand", "50000"},
			`\$2,329|2329 \$`},
		{"my disk: is it throttled?", "disk", "show", "", nil, `6\.92 GB/s`},
	}
}

// TestAnswerFirst: the answers to the five tasks are in the first four lines of a terminal of 80 columns, and above
// the fold of a desk's page and a phone's. It logs where they are and how long the whole is. PLIMSOLL_PROGRAM names
// another version to look at.
func TestAnswerFirst(t *testing.T) {
	b := startBrowser(t)
	program := os.Getenv("PLIMSOLL_PROGRAM")
	other := program != ""
	if !other {
		program = built(t)
	}
	for _, a := range fiveTasks() {
		t.Run(a.session, func(t *testing.T) {
			session := filepath.Join("../../../cmd/plimsoll/testdata/corpus", a.session, "session.plimsoll.jsonl")
			args := append([]string{a.command, session}, a.args...)
			if a.by != "" {
				args = append(args, "--by", a.by)
			}
			line, lines := lineOf(t, run80(t, program, args...), a.figure)
			page := filepath.Join(t.TempDir(), "page.html")
			run80(t, program, append([]string{"report", session, "-o", page}, a.args...)...)
			text, err := os.ReadFile(page)
			if err != nil {
				t.Fatal(err)
			}
			desk, deskWhole := pixelOf(b.tab(t, string(text), look{width: 1400, script: true}), a.figure)
			small, smallWhole := pixelOf(b.tab(t, string(text), look{width: 390, script: true}), a.figure)
			t.Logf("%s: line %d of %d; pixel %d of %d at 1400, %d of %d at 390", a.task, line, lines, desk, deskWhole, small,
				smallWhole)
			const mostLines, fold = 4, 900
			if !other && (line == 0 || line > mostLines || desk == 0 || desk > fold || small == 0 || small > fold) {
				t.Errorf("not in the first %d lines, or below pixel %d", mostLines, fold)
			}
		})
	}
}

// run80 returns what a command prints to a terminal of 80 columns.
func run80(t *testing.T, program string, args ...string) string {
	t.Helper()
	cmd := exec.Command(program, args...)
	cmd.Env = append(os.Environ(), "COLUMNS=80")
	out, err := cmd.Output()
	if err != nil {
		t.Fatalf("%s: %v: %s", strings.Join(args, " "), err, err.(*exec.ExitError).Stderr)
	}
	return string(out)
}

// lineOf returns the number of the line at which a pattern ends, 0 if it is nowhere, and the number of lines.
func lineOf(t *testing.T, text, pattern string) (line, lines int) {
	t.Helper()
	flowing := regexp.MustCompile(strings.ReplaceAll(strings.ReplaceAll(pattern, `[^\n]*`, `[^(]{0,40}`), " ", `\s+`))
	if at := flowing.FindStringIndex(text); at != nil {
		line = strings.Count(text[:at[1]], "\n") + 1
	}
	return line, strings.Count(text, "\n")
}

// pixelOf returns the bottom of the first text in view that matches a pattern, 0 if there is none, and the page's
// height.
//
//nolint:lll // a raw string
func pixelOf(p *tab, pattern string) (bottom, height int) {
	p.await("the page", func() bool { return eval[bool](p, `document.readyState === "complete"`) })
	settle(p)
	bottom = eval[int](p, `(() => {
		const wanted = new RegExp(%q), found = [...document.querySelectorAll("body *")].filter((e) => e.offsetParent && wanted.test(e.innerText)),
			deepest = found.filter((e) => !found.some((o) => o !== e && e.contains(o)));
		return Math.ceil(Math.min(...deepest.map((e) => e.getBoundingClientRect().bottom))) || 0;
	})()`, pattern)
	return bottom, eval[int](p, `document.documentElement.scrollHeight`)
}

// TestFirstScreenOfMachines: the answer and the drawing that shows it stand on a desk's first screen, and the answer on
// a phone's, whether two, six or eight machines are compared.
func TestFirstScreenOfMachines(t *testing.T) {
	b := startBrowser(t)
	program := built(t)
	const fold = 900
	for _, n := range []int{2, 6, 8} {
		t.Run(fmt.Sprint(n), func(t *testing.T) {
			dir := t.TempDir()
			csv, session, page := filepath.Join(dir, "m.csv"), filepath.Join(dir, "m.plimsoll.jsonl"), filepath.Join(dir,
				"m.html")
			if err := os.WriteFile(csv, []byte(manyMachines(n)), 0o600); err != nil {
				t.Fatal(err)
			}
			run80(t, program, "import", csv, "-o", session)
			run80(t, program, "report", session, "--demand", "50000", "-o", page)
			text, err := os.ReadFile(page)
			if err != nil {
				t.Fatal(err)
			}
			p := b.tab(t, string(text), look{width: 1400, script: true})
			p.await("the drawing", func() bool { return eval[int](p, `document.querySelectorAll("main figure").length`) > 0 })
			p.shoot(fmt.Sprintf("machines-%d", n))
			said := eval[float64](p, `document.querySelector(".said").getBoundingClientRect().bottom`)
			drawn := eval[float64](p, `document.querySelector("main figure").getBoundingClientRect().bottom`)
			small := b.tab(t, string(text), look{width: 390, script: true})
			small.shoot(fmt.Sprintf("machines-%d-phone", n))
			phone := eval[float64](small, `document.querySelector(".said").getBoundingClientRect().bottom`)
			t.Logf("the answer ends at %.0f, the drawing at %.0f; on a phone the answer ends at %.0f", said, drawn, phone)
			if said > fold || drawn > fold || phone > fold {
				t.Errorf("not on the first screen of %d pixels", fold)
			}
			quiet(t, p)
			quiet(t, small)
		})
	}
}

// manyMachines returns a sweep of rates on machines whose prices are known, three times.
func manyMachines(n int) string {
	types := []string{"c6i.2xlarge", "c7g.2xlarge", "m6i.2xlarge", "m7g.2xlarge", "c5.2xlarge", "m5.2xlarge",
		"c6g.2xlarge", "m6g.2xlarge"}
	var out strings.Builder
	out.WriteString("machine,workload,replicate,load_kind,load,metric,value,unit\n")
	for i, name := range types[:n] {
		for rate := 2000; rate <= 10000; rate += 2000 {
			for r := 1; r <= 3; r++ {
				use := float64(rate) / float64(10500+300*i)
				for _, v := range []string{
					fmt.Sprintf("throughput,%d,op/s", rate+r), fmt.Sprintf("latency_p99,%.3f,ms", 2/(1-use)+.01*float64(r)),
					fmt.Sprintf("cpu,%.1f,%%", 100*use),
				} {
					fmt.Fprintf(&out, "%s,web,%d,rate,%d,%s\n", name, r, rate, v)
				}
			}
		}
	}
	return out.String()
}
