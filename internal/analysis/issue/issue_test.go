package issue

import "testing"

// TestOf: a version has the issues that hold for it, and one that is not exact enough has none.
func TestOf(t *testing.T) {
	for _, c := range []struct {
		name, version string
		want          int
	}{
		{"openjdk", "11.0.18", 1}, {"openjdk", "11.0.19", 0}, {"eclipse-temurin", "17.0.6_10-jdk", 1},
		{"openjdk", "17.0.7", 0}, {"openjdk", "8u312", 1}, {"openjdk", "14", 1}, {"openjdk", "21", 0},
		{"openjdk", "11", 0}, {"openjdk", "11-jre", 0}, {"golang", "1.17.3", 1}, {"golang", "1.18", 0}, {"golang", "1", 0},
		{"golang", "1.22-alpine", 0}, {"ruby", "2.7", 1}, {"ruby", "3", 0},
		{"pypi/numpy", "1.18.5", 1}, {"pypi/numpy", "1.19.0", 0}, {"pypi/numpy", "", 0},
		{"maven/io.netty/netty-tcnative", "2.0.30.Final", 1}, {"maven/io.netty/netty-tcnative", "2.0.31.Final", 0},
		{"maven/org.xerial.snappy/snappy-java", "1.1.10.5", 0}, {"nobody", "1.0", 0}, {"golang", "latest", 0},
	} {
		if got := len(All().Of(c.name, c.version)); got != c.want {
			t.Errorf("%s %s: %d issues, want %d", c.name, c.version, got, c.want)
		}
	}
	for _, i := range All() {
		if i.Says == "" || i.Remedy == "" || i.Source == "" || len(i.Fixed) == 0 {
			t.Errorf("%+v lacks something", i)
		}
	}
}

// TestVersions: a range says what it holds, and a version outside of it is not affected.
func TestVersions(t *testing.T) {
	for _, c := range []struct {
		of           Versions
		text         string
		in, notThere []string
	}{
		{JDKAES().Versions, "java to 17, before 11.0.19 and 17.0.7",
			[]string{"1.8.0_402-b06", "11.0.13+8", "17.0.6+10-LTS", "15.0.2"}, []string{"11.0.19+7", "17.0.7+7", "21.0.1", ""}},
		{Versions{Of: "java", From: "8", Fixed: []string{"22"}}, "java from 8 before 22",
			[]string{"1.8.0_402", "17.0.15+6-Debian-1deb12u1", "21"}, []string{"22.0.1+8", "25", "7"}},
		{Versions{Of: "java", From: "17"}, "java from 17", []string{"17", "17.0.15+6", "25.0.1+8-LTS"},
			[]string{"11.0.13+8", ""}},
		{Versions{}, "", nil, []string{"1.2.3"}},
	} {
		if got := c.of.String(); got != c.text {
			t.Errorf("%+v: %q, want %q", c.of, got, c.text)
		}
		for _, v := range c.in {
			if !c.of.Affects(v) {
				t.Errorf("%v does not hold %q", c.of, v)
			}
		}
		for _, v := range c.notThere {
			if c.of.Affects(v) {
				t.Errorf("%v holds %q", c.of, v)
			}
		}
	}
}
