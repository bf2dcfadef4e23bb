package render

import (
	"encoding/json"
	"fmt"
	"os"
	"path/filepath"
	"testing"
	"time"
)

// tab is one page of a browser.
type tab struct {
	*browser
	t       *testing.T
	session string
	file    string
	down    int // the mouse's left button
}

// look is how a tab shows its page.
type look struct {
	width  int
	dark   bool
	media  string // "print"; "" the screen
	script bool
}

func (b *browser) tab(t *testing.T, text string, l look) *tab {
	t.Helper()
	file := filepath.Join(t.TempDir(), "report.html")
	if err := os.WriteFile(file, []byte(text), 0o644); err != nil {
		t.Fatal(err)
	}
	p := &tab{browser: b, t: t, file: file}
	var target struct{ TargetID string }
	p.call("Target.createTarget", map[string]any{"url": "about:blank"}, &target)
	var attached struct{ SessionID string }
	t.Cleanup(func() { b.send("", "Target.closeTarget", map[string]any{"targetId": target.TargetID}) })
	p.call("Target.attachToTarget", map[string]any{"targetId": target.TargetID, "flatten": true}, &attached)
	p.session = attached.SessionID
	for _, domain := range []string{"Page", "Runtime", "Log", "Network"} {
		p.call(domain+".enable", nil, nil)
	}
	p.look(l)
	p.call("Page.navigate", map[string]any{"url": "file://" + file}, nil)
	p.await("the page", func() bool { return p.heard("Page.loadEventFired") > 0 })
	return p
}

// look changes how the page is shown.
func (p *tab) look(l look) {
	p.t.Helper()
	scheme := "light"
	if l.dark {
		scheme = "dark"
	}
	p.call("Emulation.setEmulatedMedia", map[string]any{
		"media": l.media, "features": []map[string]string{{"name": "prefers-color-scheme", "value": scheme}},
	}, nil)
	p.call("Emulation.setDeviceMetricsOverride",
		map[string]any{"width": l.width, "height": 900, "deviceScaleFactor": 1, "mobile": l.width < 600}, nil)
	p.call("Emulation.setScriptExecutionDisabled", map[string]any{"value": !l.script}, nil)
}

// call waits for the answer to a command.
func (p *tab) call(method string, params, result any) {
	p.t.Helper()
	if params == nil {
		params = struct{}{}
	}
	select {
	case r := <-p.send(p.session, method, params):
		if r.Error != nil {
			p.t.Fatalf("the browser refuses %s: %s", method, r.Error.Message)
		}
		if result != nil {
			if err := json.Unmarshal(r.Result, result); err != nil {
				p.t.Fatalf("%s: %v", method, err)
			}
		}
	case <-time.After(browserWait):
		p.t.Fatalf("the browser does not answer %s", method)
	}
}

// eval evaluates an expression in the page.
func eval[T any](p *tab, format string, args ...any) T {
	p.t.Helper()
	var r struct {
		Result           struct{ Value T }
		ExceptionDetails *struct {
			Exception struct{ Description string }
		}
	}
	p.call("Runtime.evaluate", map[string]any{"expression": fmt.Sprintf(format, args...), "returnByValue": true,
		"awaitPromise": true}, &r)
	if r.ExceptionDetails != nil {
		p.t.Fatalf("%.1000s: %s", fmt.Sprintf(format, args...), r.ExceptionDetails.Exception.Description)
	}
	return r.Result.Value
}

func (p *tab) heard(method string) int {
	p.mu.Lock()
	defer p.mu.Unlock()
	n := 0
	for _, e := range p.said[p.session] {
		if e.Method == method {
			n++
		}
	}
	return n
}

func (p *tab) await(what string, done func() bool) {
	p.t.Helper()
	for end := time.Now().Add(browserWait); !done(); time.Sleep(10 * time.Millisecond) {
		if time.Now().After(end) {
			p.t.Fatalf("waited in vain for %s", what)
		}
	}
}

// complaints are what the page should not have caused: errors, warnings, and requests
// for anything but itself.
func (p *tab) complaints() []string {
	p.mu.Lock()
	defer p.mu.Unlock()
	var out []string
	for _, e := range p.said[p.session] {
		var request struct {
			Request struct{ URL string }
		}
		switch e.Method {
		case "Runtime.exceptionThrown", "Runtime.consoleAPICalled", "Log.entryAdded", "Page.javascriptDialogOpening":
			out = append(out, e.Method+" "+string(e.Params))
		case "Network.requestWillBeSent":
			if json.Unmarshal(e.Params, &request) != nil || request.Request.URL != "file://"+p.file {
				out = append(out, "request "+request.Request.URL)
			}
		}
	}
	return out
}

// mouse moves, presses or releases at a place of the window; the button stays
// down between the two.
func (p *tab) mouse(kind string, x, y float64) {
	p.t.Helper()
	params := map[string]any{"type": kind, "x": x, "y": y}
	switch kind {
	case "mousePressed":
		p.down = 1
	case "mouseReleased":
		p.down = 0
	}
	if params["buttons"] = p.down; kind != "mouseMoved" || p.down > 0 {
		params["button"], params["clickCount"] = "left", 1
	}
	p.call("Input.dispatchMouseEvent", params, nil)
}

// shoot keeps a picture of the whole page where PLIMSOLL_PICTURES names a directory.
func (p *tab) shoot(name string) {
	p.t.Helper()
	dir := os.Getenv("PLIMSOLL_PICTURES")
	if dir == "" {
		return
	}
	var picture struct{ Data []byte }
	p.call("Page.captureScreenshot", map[string]any{"captureBeyondViewport": true}, &picture)
	if err := os.WriteFile(filepath.Join(dir, name+".png"), picture.Data, 0o644); err != nil {
		p.t.Fatal(err)
	}
}
