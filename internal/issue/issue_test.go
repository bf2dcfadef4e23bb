package issue

import "testing"

// TestOf: a version has the issues that hold for it, and one that is not exact enough has none.
func TestOf(t *testing.T) {
	for _, c := range []struct {
		name, version string
		want          int
	}{
		{"openjdk", "11.0.18", 1}, {"openjdk", "11.0.19", 0}, {"eclipse-temurin", "17.0.6_10-jdk", 1}, {"openjdk", "17.0.7", 0}, {"openjdk", "8u312", 1}, {"openjdk", "14", 1}, {"openjdk", "21", 0},
		{"openjdk", "11", 0}, {"openjdk", "11-jre", 0}, {"golang", "1.17.3", 1}, {"golang", "1.18", 0}, {"golang", "1", 0}, {"golang", "1.22-alpine", 0}, {"ruby", "2.7", 1}, {"ruby", "3", 0},
		{"pypi/numpy", "1.18.5", 1}, {"pypi/numpy", "1.19.0", 0}, {"pypi/numpy", "", 0}, {"maven/io.netty/netty-tcnative", "2.0.30.Final", 1}, {"maven/io.netty/netty-tcnative", "2.0.31.Final", 0},
		{"maven/org.xerial.snappy/snappy-java", "1.1.10.5", 0}, {"nobody", "1.0", 0}, {"golang", "latest", 0},
	} {
		if got := len(Of(c.name, c.version)); got != c.want {
			t.Errorf("%s %s: %d issues, want %d", c.name, c.version, got, c.want)
		}
	}
	for _, i := range All() {
		if i.Says == "" || i.Remedy == "" || i.Source == "" || len(i.Fixed) == 0 {
			t.Errorf("%+v lacks something", i)
		}
	}
}
