package render

import (
	"bufio"
	"encoding/json"
	"os"
	"os/exec"
	"path/filepath"
	"sync"
	"testing"
	"time"
)

// browserPath finds a Chromium, without which the page is checked as text alone.
func browserPath(t *testing.T) string {
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

// browser is a Chromium that is told what to do through a pipe, in the DevTools
// protocol: JSON messages that end with a zero byte.
type browser struct {
	to   *os.File
	mu   sync.Mutex
	last int
	open map[int]chan reply
	said map[string][]event // by session
}

type reply struct {
	ID     int             `json:"id"`
	Result json.RawMessage `json:"result"`
	Error  *struct {
		Message string `json:"message"`
	} `json:"error"`
	event
}

type event struct {
	Session string          `json:"sessionId"`
	Method  string          `json:"method"`
	Params  json.RawMessage `json:"params"`
}

// browserWait is how long an answer may take on a machine that is busy.
const browserWait = time.Minute

// shared is what the tests of this binary have in common: each of its parts is made by the first that needs it.
type shared struct {
	mu      sync.Mutex
	browser *browser
	program string
	stop    []func()
}

//nolint:gochecknoglobals // a browser takes seconds to start, and TestMain has no other way to hand one to tests
var common shared

func TestMain(m *testing.M) {
	code := m.Run()
	for _, stop := range common.stop {
		stop()
	}
	os.Exit(code)
}

// folder returns a directory that is removed with what the tests have in common.
func (s *shared) folder(t *testing.T) string {
	t.Helper()
	dir, err := os.MkdirTemp("", "render")
	if err != nil {
		t.Fatal(err)
	}
	s.stop = append(s.stop, func() { os.RemoveAll(dir) })
	return dir
}

// startBrowser returns the browser, in which each test opens tabs of its own.
func startBrowser(t *testing.T) *browser {
	t.Helper()
	path := browserPath(t)
	common.mu.Lock()
	defer common.mu.Unlock()
	if common.browser == nil {
		common.browser = common.launch(t, path)
	}
	return common.browser
}

// built returns a program of this tree.
func built(t *testing.T) string {
	t.Helper()
	common.mu.Lock()
	defer common.mu.Unlock()
	if common.program == "" {
		program := filepath.Join(common.folder(t), "plimsoll")
		if out, err := exec.Command("go", "build", "-ldflags=-s -w", "-o", program,
			"plimsoll/cmd/plimsoll").CombinedOutput(); err != nil {
			t.Fatalf("%v: %s", err, out)
		}
		common.program = program
	}
	return common.program
}

func (s *shared) launch(t *testing.T, path string) *browser {
	t.Helper()
	profile := s.folder(t)
	in, to, err := os.Pipe()
	if err != nil {
		t.Fatal(err)
	}
	from, out, err := os.Pipe()
	if err != nil {
		t.Fatal(err)
	}
	cmd := exec.Command(path, "--headless", "--no-sandbox", "--disable-gpu", "--disable-quic", "--hide-scrollbars",
		"--no-first-run", "--disable-background-networking", "--disable-component-update", "--disable-sync",
		"--user-data-dir="+profile, "--remote-debugging-pipe", "about:blank")
	cmd.ExtraFiles = []*os.File{in, out}
	if err := cmd.Start(); err != nil {
		t.Fatalf("starting the browser: %v", err)
	}
	in.Close()
	out.Close()
	b := &browser{to: to, open: map[int]chan reply{}, said: map[string][]event{}}
	go b.listen(bufio.NewReader(from))
	s.stop = append([]func(){func() { // before its folder is removed
		b.send("", "Browser.close", struct{}{})
		end := time.AfterFunc(10*time.Second, func() { cmd.Process.Kill() })
		cmd.Wait()
		end.Stop()
		to.Close()
		from.Close()
	}}, s.stop...)
	return b
}

// listen ends when the browser does.
func (b *browser) listen(from *bufio.Reader) {
	for {
		text, err := from.ReadBytes(0)
		if err != nil {
			return
		}
		var r reply
		if json.Unmarshal(text[:len(text)-1], &r) != nil {
			continue
		}
		b.mu.Lock()
		if r.ID > 0 {
			b.open[r.ID] <- r
			delete(b.open, r.ID)
		} else {
			b.said[r.Session] = append(b.said[r.Session], r.event)
		}
		b.mu.Unlock()
	}
}

func (b *browser) send(session, method string, params any) chan reply {
	b.mu.Lock()
	defer b.mu.Unlock()
	b.last++
	answer := make(chan reply, 1)
	b.open[b.last] = answer
	command := map[string]any{"id": b.last, "method": method, "params": params}
	if session != "" {
		command["sessionId"] = session
	}
	text, err := json.Marshal(command)
	if err != nil {
		panic(err) // a test's parameters are none of JSON
	}
	b.to.Write(append(text, 0))
	return answer
}
