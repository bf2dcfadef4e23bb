package render

import (
	"context"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"testing"
	"time"
)

// browser finds a Chromium, without which the page is checked as text alone.
func browser(t *testing.T) string {
	t.Helper()
	if testing.Short() {
		t.Skip("a browser takes seconds to start; left out by -short")
	}
	for _, name := range []string{"chromium", "chromium-browser", "google-chrome"} {
		if path, err := exec.LookPath(name); err == nil {
			return path
		}
	}
	t.Skip("no chromium, chromium-browser or google-chrome in PATH: the page is not tried in a browser")
	return ""
}

// dumpDOM is the page as a real browser parsed it, which closes, moves and
// drops what is not HTML.
func dumpDOM(t *testing.T, file string) string {
	t.Helper()
	ctx, cancel := context.WithTimeout(t.Context(), 2*time.Minute)
	defer cancel()
	cmd := exec.CommandContext(ctx, browser(t), "--headless", "--no-sandbox", "--disable-gpu", "--disable-quic",
		"--no-first-run", "--disable-background-networking", "--disable-component-update", "--disable-sync",
		"--user-data-dir="+t.TempDir(), "--dump-dom", "file://"+file)
	cmd.WaitDelay = time.Second
	out, err := cmd.Output()
	if err != nil {
		t.Fatalf("the browser: %v\n%s", err, stderrOf(err))
	}
	return string(out)
}

func stderrOf(err error) []byte {
	if e, ok := err.(*exec.ExitError); ok {
		return e.Stderr
	}
	return nil
}

func TestReportInBrowser(t *testing.T) {
	file := filepath.Join(t.TempDir(), "report.html")
	text := reportText(t, page())
	if err := os.WriteFile(file, []byte(text), 0o644); err != nil {
		t.Fatal(err)
	}
	dom := dumpDOM(t, file)
	all := elements(t, text)
	for _, name := range []string{"tr", "td", "svg", "circle", "rect", "line", "text", "polyline", "dl", "article"} {
		want := countElements(all, name, "")
		got := len(regexp.MustCompile(`<`+name+`[ >]`).FindAllString(dom, -1))
		if want == 0 || got != want {
			t.Errorf("the browser has %d <%s>, the page %d", got, name, want)
		}
	}
	if !regexp.MustCompile(`(?s)<svg[^>]*>.*<circle class="trial"`).MatchString(dom) {
		t.Error("no trial is drawn inside an svg")
	}
	if !regexp.MustCompile(`<td class="num strong">5\.79 to 5\.84 GB/s</td>`).MatchString(dom) {
		t.Error("the interval of a known cell is not in the table")
	}
}
