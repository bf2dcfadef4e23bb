package xdg

import "testing"

func TestDir(t *testing.T) {
	for _, c := range []struct {
		base           Base
		variable, home string
		want           string
	}{
		{Cache(), "/c", "/h", "/c/plimsoll"},
		{Cache(), "c", "/h", "/h/.cache/plimsoll"},
		{Config(), "", "/h", "/h/.config/plimsoll"},
		{State(), "", "/h", "/h/.local/state/plimsoll"},
		{State(), "c", "", ""},
	} {
		env := map[string]string{c.base.Variable: c.variable, "HOME": c.home}
		if got := c.base.Dir(func(name string) string { return env[name] }); got != c.want {
			t.Errorf("%s=%q, HOME=%q: %q, want %q", c.base.Variable, c.variable, c.home, got, c.want)
		}
	}
}
