package render

import (
	"bufio"
	"encoding/json"
	"os"
	"os/exec"
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
	t    *testing.T
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

func startBrowser(t *testing.T) *browser {
	t.Helper()
	path := browserPath(t)
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
		"--user-data-dir="+t.TempDir(), "--remote-debugging-pipe", "about:blank")
	cmd.ExtraFiles = []*os.File{in, out}
	if err := cmd.Start(); err != nil {
		t.Fatalf("starting the browser: %v", err)
	}
	in.Close()
	out.Close()
	b := &browser{t: t, to: to, open: map[int]chan reply{}, said: map[string][]event{}}
	go b.listen(bufio.NewReader(from))
	t.Cleanup(func() {
		b.send("", "Browser.close", struct{}{})
		end := time.AfterFunc(10*time.Second, func() { cmd.Process.Kill() })
		cmd.Wait()
		end.Stop()
		to.Close()
		from.Close()
	})
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
		b.t.Error(err)
	}
	b.to.Write(append(text, 0))
	return answer
}
