package plan

import (
	"fmt"
	"strings"
	"testing"
)

// TestBombsAreRefused: input that takes gigabytes or minutes to parse never reaches the parser.
func TestBombsAreRefused(t *testing.T) {
	laughs := "a: &a [x,x,x,x,x,x,x,x,x]\n"
	for c := 'b'; c < 'k'; c++ {
		laughs += fmt.Sprintf("%c: &%c [%s]\n", c, c, strings.TrimSuffix(strings.Repeat(fmt.Sprintf("*%c,", c-1), 9), ","))
	}
	steps := ""
	for i := range 400 {
		steps += strings.Repeat(" ", i) + "a:\n"
	}
	for name, c := range map[string]struct{ text, want string }{
		"brackets":  {strings.Repeat("[", 200_000), "nesting"},
		"braces":    {strings.Repeat("{", 200_000), "nesting"},
		"lines":     {strings.Repeat("[\n", 1000), "nesting"},
		"items":     {strings.Repeat("- ", 100_000) + "a\n", "nesting"},
		"keys":      {strings.Repeat("? ", 1000) + "a\n", "nesting"},
		"tags":      {strings.Repeat("!t ", 1000) + "a\n", "nesting"},
		"steps":     {steps, "nesting"},
		"laughs":    {laughs, "anchors"},
		"long":      {strings.Repeat("#", MaxSuite+1), "longer than 256 KiB"},
		"long list": {"a: [" + strings.Repeat("[],", 80_000) + "]", "lists have"},
	} {
		if _, err := ParseSuite(name, []byte(c.text)); err == nil || !strings.Contains(err.Error(), c.want) {
			t.Errorf("%s: %v", name, err)
		}
	}
	for _, text := range []string{
		"measure:\n- workload: exec\n  set:\n    command: sh -c 'a & b; c 2>&1 &'\n    shell: true\n  sweep: {clients: " +
			"[1, 2, 4]}\n",
		"# [[[[\nmeasure:\n- workload: disk # a list\n",
	} {
		if _, err := ParseSuite("good", []byte(text)); err != nil {
			t.Errorf("%q: %v", text, err)
		}
	}
}
