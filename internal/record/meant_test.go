package record

import "testing"

func TestMeant(t *testing.T) {
	for _, c := range []struct {
		p          Param
		text, want string
	}{
		{Param{Kind: Int, Max: 1e6}, "1k", "1000"},
		{Param{Kind: Int, Max: 1e6}, "100/s", "100"},
		{Param{Kind: Int, Max: 100000}, "1,000", "1000"},
		{Param{Kind: Int, Min: 1, Max: 64}, "0", "1"},
		{Param{Kind: Int, Min: 1, Max: 64}, "100", "64"},
		{Param{Kind: Int}, "abc", ""},
		{Param{Kind: Float}, "5%", "0.05"},
		{Param{Kind: Float}, "1.5k/s", "1500"},
		{Param{Kind: Duration}, "10", "10s"},
		{Param{Kind: Duration}, "10sec", "10s"},
		{Param{Kind: Duration}, "soon", ""},
		{Param{Kind: Size}, "1Gb", "1GB"},
		{Param{Kind: Size}, "64kb", "64kB"},
		{Param{Kind: Size, Min: 1 << 10, Max: 100e6}, "2TB", "100MB"},
		{Param{Kind: Size}, "4kk", ""},
		{Param{Kind: Text}, "any", ""},
	} {
		got, ok := c.p.Meant(c.text)
		if got != c.want || ok != (c.want != "") {
			t.Errorf("%s %q means %q, %v, want %q", c.p.Kind, c.text, got, ok, c.want)
		}
		if _, err := c.p.Canonical(got); ok && err != nil {
			t.Errorf("%s %q means %q, which is refused: %v", c.p.Kind, c.text, got, err)
		}
	}
}

// TestExample: every example is accepted.
func TestExample(t *testing.T) {
	for _, p := range []Param{
		{Kind: Int, Default: "32", Max: 100}, {Kind: Int, Default: "0", Max: 100}, {Kind: Int, Min: 1, Max: 4, Default: "0"},
		{Kind: CPUs, Min: 1, Max: 4, Default: "all"}, {Kind: Float, Default: "0"}, {Kind: Float, Max: .5, Default: "0"},
		{Kind: Size, Default: "16KiB", Max: 1 << 20}, {Kind: Size, Default: "0B", Max: 1 << 20},
		{Kind: Duration, Default: "0s", Max: 60}, {Kind: Duration, Default: "10s"}, {Kind: Duration, Min: 5, Max: 10},
		{Kind: Bool}, {Kind: Enum, Choices: []string{"a", "b"}},
	} {
		if _, err := p.Canonical(p.Example()); err != nil {
			t.Errorf("%+v: %q: %v", p, p.Example(), err)
		}
	}
	if got := (Param{Kind: Text}).Example(); got != "" {
		t.Errorf("an example of any text: %q", got)
	}
}
