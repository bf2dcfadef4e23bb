package render

import (
	"fmt"
	"net/url"
	"testing"

	"plimsoll/internal/base/simtest"
)

// testAccessible: axe-core finds nothing serious in the list, a comparison, and the histories.
func (e *explored) testAccessible(t *testing.T, b *browser) {
	for name, l := range looks() {
		p := e.open(b, l)
		pick(p, "night-23")
		if simtest.Night() { // the list in groups has more
			accessible(t, p, name+" list")
		}
		enter(p, "#group", "plan")
		has(p, "nightly", whole(".tabulator-group"))
		accessible(t, p, name+" list in groups")
		e.goTo(p, "/compare?file=rates.plimsoll.jsonl&demand=5e4")
		has(p, "11 machines", whole("#fleets .card"))
		accessible(t, p, name+" comparison")
		if !l.dark || simtest.Night() { // a table as the list is
			e.goTo(p, "/history")
			has(p, "vm-nightly", whole("#cells .tabulator-row"))
			accessible(t, p, name+" histories")
		}
		e.goTo(p, "/history?"+url.Values{"cell": {"vm-nightly: http at 8 clients, path=/hello"}}.Encode())
		has(p, "6.12", whole("#marked"))
		accessible(t, p, name+" history")
	}
}

// testGroups: a key folds a group of sessions and opens it again, and stays on its heading.
func (e *explored) testGroups(t *testing.T, b *browser) {
	p := e.open(b, look{width: 1400, script: true})
	enter(p, "#group", "plan")
	has(p, "nightly", whole(".tabulator-group"))
	rowsShown := func() int {
		return eval[int](p, `document.querySelectorAll(".tabulator-row:not(.tabulator-group)").length`)
	}
	before := rowsShown()
	eval[bool](p, `([...document.querySelectorAll(".tabulator-group .fold")].find((f) => `+
		`f.innerText.startsWith("nightly")).focus(), true)`)
	for i, key := range []string{"Enter", "Space"} {
		open := i == 1
		p.press(key)
		has(p, fmt.Sprintf("nightly24 %t", open),
			`document.activeElement.innerText.replace(/\s/g, "") + " " + document.activeElement.getAttribute("aria-expanded")`)
		settle(p)
		if n := rowsShown(); open != (n == before) {
			t.Errorf("%s: %d rows are shown of %d", key, n, before)
		}
	}
	e.calm(p)
}

// press presses and releases a key that types a character.
func (p *tab) press(name string) {
	p.t.Helper()
	text := map[string]string{"Enter": "\r", "Space": " "}[name]
	key := map[string]any{"key": name, "code": name, "text": text, "windowsVirtualKeyCode": int(text[0])}
	if name == "Space" {
		key["key"] = " "
	}
	for _, kind := range []string{"keyDown", "keyUp"} {
		key["type"] = kind
		p.call("Input.dispatchKeyEvent", key, nil)
	}
}
