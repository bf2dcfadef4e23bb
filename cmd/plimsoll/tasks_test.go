package main

import (
	"io"
	"net/http"
	"net/http/httptest"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"syscall"
	"testing"
	"time"

	"github.com/twmb/franz-go/pkg/kfake"

	"plimsoll/internal/engine"
)

// world is what the page of a task takes for granted: files, and a server at an address.
type world struct {
	named   string // in the page
	serve   func(t *testing.T, dir string) (address string)
	missing func(dir string) string // why it cannot be here; "" if it can
}

// worlds returns those of pages that name a server or a device.
func worlds() map[string]world {
	return map[string]world{
		"my-service.md":  {named: "127.0.0.1:8080", serve: serveItems},
		"my-cluster.md":  {named: "127.0.0.1:9092", serve: serveBroker},
		"my-database.md": {named: "127.0.0.1/shop", serve: serveShop, missing: noPostgres},
		"my-disk.md":     {missing: noDirect},
		"disk.md":        {missing: noDirect},
	}
}

// enter makes a page's world in its directory, and returns its command lines as they are there.
func enter(t *testing.T, name, dir string) func(line string) string {
	t.Helper()
	w := worlds()[name]
	if w.missing != nil {
		if why := w.missing(dir); why != "" {
			t.Skip(why)
		}
	}
	bring(t, strings.TrimSuffix(name, ".md"), dir)
	if w.serve == nil {
		return func(line string) string { return line }
	}
	address := w.serve(t, dir)
	return func(line string) string { return strings.ReplaceAll(line, w.named, address) }
}

// bring copies the files of a task into a directory, and runs its prepare.sh.
func bring(t *testing.T, task, dir string) {
	t.Helper()
	from := filepath.Join("testdata/tasks", task)
	if _, err := os.Stat(from); err != nil {
		return
	}
	if err := os.CopyFS(dir, os.DirFS(from)); err != nil {
		t.Fatal(err)
	}
	if _, err := os.Stat(filepath.Join(dir, "prepare.sh")); err == nil {
		runDocumented(t, dir, documented{line: "sh prepare.sh"})
	}
}

func noDirect(dir string) string {
	if takesDirect(dir) {
		return ""
	}
	return "TMPDIR takes no direct reads and writes"
}

func noPostgres(string) string {
	if found, _ := filepath.Glob("/usr/lib/postgresql/*/bin/postgres"); found == nil || !has("psql") {
		return "no PostgreSQL"
	}
	return ""
}

// serveItems is a web service that answers at /items.
func serveItems(t *testing.T, _ string) string {
	s := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		if r.URL.Path != "/items" {
			w.WriteHeader(http.StatusNotFound)
		}
		_, _ = io.WriteString(w, `[{"id":1}]`)
	}))
	t.Cleanup(s.Close)
	return strings.TrimPrefix(s.URL, "http://")
}

// serveBroker is a broker that lives in this process and speaks the protocol.
func serveBroker(t *testing.T, _ string) string {
	c, err := kfake.NewCluster(kfake.NumBrokers(1))
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(c.Close)
	return c.ListenAddrs()[0]
}

// serveShop is a PostgreSQL server with the database shop, started by serve.sh.
func serveShop(t *testing.T, dir string) string {
	ports, err := engine.FreePorts(1)
	if err != nil {
		t.Fatal(err)
	}
	port := strconv.Itoa(int(ports[0]))
	cmd := exec.Command("sh", "serve.sh", port)
	cmd.Dir = dir
	out, err := os.Create(filepath.Join(dir, "serve.txt"))
	if err != nil {
		t.Fatal(err)
	}
	cmd.Stdout, cmd.Stderr = out, out
	if err := cmd.Start(); err != nil {
		t.Fatal(err)
	}
	ended := make(chan error, 1)
	go func() { ended <- cmd.Wait() }()
	t.Cleanup(func() {
		_ = cmd.Process.Signal(syscall.SIGTERM)
		<-ended
		_ = out.Close()
	})
	for start := time.Now(); time.Since(start) < patience; time.Sleep(20 * time.Millisecond) {
		if _, err := os.Stat(filepath.Join(dir, "ready")); err == nil {
			return "127.0.0.1:" + port + "/shop"
		}
		select {
		case err := <-ended:
			ended <- err
			text, _ := os.ReadFile(out.Name())
			t.Fatalf("serve.sh: %v: %s", err, text)
		default:
		}
	}
	t.Fatal("serve.sh is not ready")
	return ""
}

// TestTaskPages holds that a page of a task is short, begins with a command that is run and what it prints, and is
// linked.
func TestTaskPages(t *testing.T) {
	const most = 60
	readme, err := os.ReadFile("../../README.md")
	if err != nil {
		t.Fatal(err)
	}
	pages, err := filepath.Glob("../../docs/tasks/*.md")
	if err != nil || len(pages) < 6 {
		t.Fatalf("%d pages, %v", len(pages), err)
	}
	for _, page := range pages {
		text, err := os.ReadFile(page)
		if err != nil {
			t.Fatal(err)
		}
		name := filepath.Base(page)
		d := document{name, string(text)}
		if n := strings.Count(d.text, "\n"); n > most {
			t.Errorf("%s: %d lines, at most %d", name, n, most)
		}
		if !strings.Contains(string(readme), "(docs/tasks/"+name+")") {
			t.Errorf("%s is not linked from README.md", name)
		}
		_, after, _ := strings.Cut(d.text, "```sh\n")
		if first := d.commands(t)[0].line; !strings.HasPrefix(after, first) || !strings.HasPrefix(first, "plimsoll ") {
			t.Errorf("%s does not begin with a command that is run: %q", name, first)
		}
		if _, after, _ = strings.Cut(after, "\n```\n\n"); !strings.HasPrefix(after, "```\n") {
			t.Errorf("%s: no output of the first command", name)
		}
	}
}

// TestReadmeIsShort holds that README.md is short, and that a page runs each command whose output it shows.
func TestReadmeIsShort(t *testing.T) {
	const most, tasks = 150, 5
	ran := map[string]bool{}
	for _, d := range documents(t) {
		for _, c := range d.commands(t) {
			line, _, _ := strings.Cut(c.line, "  #")
			ran[line] = true
		}
	}
	readme := documents(t)[0]
	if n := strings.Count(readme.text, "\n"); n >= most {
		t.Errorf("%d lines, under %d", n, most)
	}
	shown := readme.blocks("console")
	if len(shown) != tasks {
		t.Errorf("%d tasks, want %d", len(shown), tasks)
	}
	for _, block := range shown {
		for line := range strings.Lines(block) {
			if command, ok := strings.CutPrefix(strings.TrimSpace(line), "$ "); ok && !ran[command] {
				t.Errorf("no page runs %q", command)
			}
		}
	}
}

// TestReadmeShowsWhatIsPrinted holds the example of published figures, which measures nothing, to what its commands
// print now.
func TestReadmeShowsWhatIsPrinted(t *testing.T) {
	root, err := filepath.Abs("../..")
	if err != nil {
		t.Fatal(err)
	}
	dir, held := t.TempDir(), 0
	for _, block := range documents(t)[0].blocks("console") {
		if !strings.Contains(block, publishedFolder) {
			continue
		}
		for _, part := range strings.Split(block, "$ ")[1:] {
			line, shown, _ := strings.Cut(part, "\n")
			cmd := exec.Command("sh", "-c", strings.ReplaceAll(line, publishedFolder, filepath.Join(root, publishedFolder)))
			cmd.Dir = dir
			out, err := cmd.Output()
			if err != nil {
				t.Fatalf("%s: %v", line, err)
			}
			held += len(shown)
			checkShown(t, line, string(out), shown)
		}
	}
	if held == 0 {
		t.Error("README.md shows no published figures")
	}
}

// publishedFolder has the published figures.
const publishedFolder = "examples/published"

// checkShown holds what a page shows of a command's output to it: lines of … stand for what is left out.
func checkShown(t *testing.T, line, out, shown string) {
	t.Helper()
	rest := out
	for i, piece := range strings.Split(strings.TrimRight(shown, "\n"), "…") {
		piece = strings.TrimPrefix(piece, "\n")
		at := strings.Index(rest, piece)
		if at < 0 || i == 0 && at > 0 {
			t.Errorf("%s\nprints\n%s\nand not, in this order,\n%s", line, out, piece)
			return
		}
		rest = rest[at+len(piece):]
	}
}

// TestPublishedAnswers holds the first lines of examples/published/README.md to what its commands print, one for each
// file.
func TestPublishedAnswers(t *testing.T) {
	if testing.Short() {
		t.Skip("it imports all published data")
	}
	t.Parallel()
	root, err := filepath.Abs("../..")
	if err != nil {
		t.Fatal(err)
	}
	text, err := os.ReadFile(filepath.Join(root, publishedFolder, "README.md"))
	if err != nil {
		t.Fatal(err)
	}
	files, err := filepath.Glob(filepath.Join(root, publishedFolder, "*.csv"))
	if err != nil || len(files) == 0 {
		t.Fatalf("%v, %v", files, err)
	}
	page, dir := document{"published.md", string(text)}, t.TempDir()
	for _, file := range files {
		name := filepath.Base(file)
		first := regexp.MustCompile("(?m)^\\| `" + regexp.QuoteMeta(name) + "` \\| `(.*)` \\|$").FindStringSubmatch(page.text)
		at := slices.IndexFunc(page.commands(t), func(c documented) bool { return strings.Contains(c.line, "/"+name+" ") })
		if first == nil || at < 0 {
			t.Errorf("%s has no command, or no first line of its answer", name)
			continue
		}
		line := page.commands(t)[at].line
		cmd := exec.Command("sh", "-c", strings.ReplaceAll(line, publishedFolder, filepath.Join(root, publishedFolder)))
		cmd.Dir = dir
		out, err := cmd.Output()
		if err != nil {
			t.Fatalf("%s: %v", line, err)
		}
		if _, answer, _ := strings.Cut(string(out), "\nnext: "); !strings.Contains(answer, "\n"+first[1]+"\n") {
			t.Errorf("%s\nprints\n%.2000s\nand its first line is not\n%s", line, out, first[1])
		}
	}
}
