package execload

import (
	"os/exec"
	"slices"
	"testing"

	"plimsoll/internal/base/process"
)

// TestShellSyntax: text that a shell does not take literally needs one; quoted text, and ordinary characters of
// paths and patterns, do not.
func TestShellSyntax(t *testing.T) {
	for _, command := range []string{
		"a | b", "a >x", "a < x", "a && b", "a; b", "a &", "a $X", "a ${X}", "a $1", `a "$X"`, "a $(b)", "a `b`", "a \"`b`\"",
		"a *.c", "a x?", "a [a-z]x",
		"a ~/x", "~/a", "a\nb", "X=1 a", "a (b)", "a # b", `a \\| b`, "a 2>&1",
	} {
		if process.ShellSyntax(command) == "" {
			t.Errorf("%q would be run without a shell", command)
		}
	}
	for _, command := range []string{
		"a b", "a 'b | c'", `a "b | c"`, `a \| b`, `a "\$X"`, "a '$X'", "a x~ --x=~", "a b#c", "[ -f x ]", "a 5$", `a "5$"`,
		"a --x=1", "a {b,c}", "a !b", "\n a b \n", "a b=c", "",
	} {
		if s := process.ShellSyntax(command); s != "" {
			t.Errorf("%q would go through a shell for %q", command, s)
		}
	}
}

// TestShellOfItself: a command that needs a shell gets one unless shell=false, even if only a value needs it.
func TestShellOfItself(t *testing.T) {
	for _, tc := range []struct {
		set  map[string]string
		want []string
	}{
		{map[string]string{"command": "a | b"}, []string{"sh", "-c", "a | b"}},
		{map[string]string{"command": "a {x}", "x": "b > c"}, []string{"sh", "-c", "a b > c"}},
		{map[string]string{"command": "a '{x}'", "x": "b > c"}, []string{"a", "b > c"}},
		{map[string]string{"command": "a | b", "shell": "false"}, []string{"a", "|", "b"}},
		{map[string]string{"command": "a ${HOME} ${x:-{x}}", "x": "y"}, []string{"sh", "-c", `a "${HOME}" ${x:-y}`}},
	} {
		got, err := words(params(t, tc.set), "", anywhere)
		if err != nil || !slices.Equal(got, tc.want) {
			t.Errorf("%v: %q, %v", tc.set, got, err)
		}
	}
}

// TestVariablesInQuotes: references in values are expanded even within the command's single quotes; the command's
// own stay there, and are refused if nothing would expand them.
func TestVariablesInQuotes(t *testing.T) {
	got, err := words(params(t, map[string]string{"command": "a '{dsn}'", "dsn": "u:${PW}@h"}), "", anywhere)
	if want := []string{"sh", "-c", `a 'u:'"${PW}"'@h'`}; err != nil || !slices.Equal(got, want) {
		t.Errorf("%q, %v", got, err)
	}
	if got, err = words(params(t, map[string]string{"command": "sh -c 'a ${PW}'"}), "", anywhere); err != nil ||
		len(got) != 3 || got[2] != "a ${PW}" {
		t.Errorf("%q, %v", got, err)
	}
	_, err = words(params(t, map[string]string{"command": "a 'x ${PW}'"}), "", anywhere)
	says(t, err, "${PW} is in single quotes", "\nhint: use double quotes")
}

func TestFirstWord(t *testing.T) {
	for text, want := range map[string]string{
		"a | b": "a", "./a;b": "./a", " a\nb": "a", "X=1 a": "", "$X a": "", "(a)": "", "'a' b": "", "f() { a; }; f": "",
		"a>b": "a",
	} {
		if got := process.FirstWord(text); got != want {
			t.Errorf("%q begins with %q, want %q", text, got, want)
		}
	}
}

// TestOneWord: the value of a variable of ours is one word, whatever it holds.
func TestOneWord(t *testing.T) {
	for text, want := range map[string]string{
		`printf '<%s>' ${PW}`: "<a  b*>", `printf '<%s>' "${PW}"`: "<a  b*>", `printf '<%s>' x${PW}y`: "<xa  b*y>",
		`printf '<%s>' $PW`: "<a><b*>", `printf '<%s>' "x ${PW} y" ${PW}`: "<x a  b* y><a  b*>",
		`A=${PW}; printf '<%s>' "$A"`: "<a  b*>", "cat <<E\n${PW}\nE": "a  b*\n",
		`for PW in 1 2; do printf '<%s>' ${PW}; done`: "<1><2>",
		`printf '<%s>' $(printf %s ${PW})`:            "<a><b*>", `printf '<%s>' $((2+${N}))`: "<5>",
	} {
		cmd := exec.Command("sh", "-c", oneWord(text))
		cmd.Env = []string{"PW=a  b*", "N=3", "PATH=/bin:/usr/bin"}
		if got, err := cmd.Output(); err != nil || string(got) != want {
			t.Errorf("%s: %q, %v, want %q", text, got, err, want)
		}
	}
}
