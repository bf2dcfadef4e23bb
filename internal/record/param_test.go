package record

import (
	"strings"
	"testing"
)

func TestCanonical(t *testing.T) {
	size := Param{Kind: Size, Min: 1, Max: 1 << 30}
	for _, c := range []struct {
		p          Param
		text, want string
		number     float64
	}{
		{size, "16384", "16KiB", 16384},
		{size, "16KiB", "16KiB", 16384},
		{Param{Kind: Int}, "007", "7", 7},
		{Param{Kind: Int}, "-3", "-3", -3},
		{Param{Kind: CPUs, Min: 1, Max: 64}, "all", "all", 1},
		{Param{Kind: CPUs, Min: 1, Max: 64}, "02", "2", 2},
		{Param{Kind: Float}, "1e6", "1e+06", 1e6},
		{Param{Kind: Float}, "-0", "0", 0},
		{Param{Kind: Duration}, "1m30s", "90s", 90},
		{Param{Kind: Duration}, "0.1s", "100ms", .1},
		{Param{Kind: Duration}, "50us", "50us", 5e-5},
		{Param{Kind: Duration}, "1ns", "1ns", 1e-9},
		{Param{Kind: Duration}, "1500us", "1.5ms", 1.5e-3},
		{Param{Kind: Duration}, "-0s", "0s", 0},
		{Param{Kind: Duration}, "2000h", "7200000s", 7.2e6},
		{Param{Kind: Bool}, "1", "true", 1},
		{Param{Kind: Bool}, "False", "false", 0},
		{Param{Kind: Enum, Choices: []string{"off", "on"}}, "on", "on", 0},
		{Param{Kind: Text}, "any text", "any text", 0},
	} {
		got, err := c.p.Canonical(c.text)
		if err != nil || got != c.want || c.p.Number(got) != c.number {
			t.Errorf("%s %q = %q (%v), %v, want %q (%v)", c.p.Kind, c.text, got, c.p.Number(got), err, c.want, c.number)
		}
		if again, err := c.p.Canonical(got); err != nil || again != got {
			t.Errorf("%s %q is written %q, which is read as %q, %v", c.p.Kind, c.text, got, again, err)
		}
	}
}

func TestCanonicalRefuses(t *testing.T) {
	for _, c := range []struct {
		p         Param
		text, why string
	}{
		{Param{Kind: Int}, "1.5", `"1.5" is not a whole number`},
		{Param{Kind: CPUs, Min: 1, Max: 64}, "some", "is not a whole number"},
		{Param{Kind: CPUs, Min: 1, Max: 64}, "0", "0 is outside 1 to 64"},
		{Param{Kind: Int, Min: 1, Max: 1_000_000}, "2000000", "2000000 is outside 1 to 1000000"},
		{Param{Kind: Float}, "NaN", "is not a number"},
		{Param{Kind: Size}, "16Q", "is not a number with B"},
		{Param{Kind: Size, Min: 1 << 10, Max: 1 << 20}, "2MiB", "2MiB is outside 1KiB to 1MiB"},
		{Param{Kind: Duration, Min: 1, Max: 60}, "90s", "90s is outside 1s to 60s"},
		{Param{Kind: Duration}, "5", "is not a number with ns"},
		{Param{Kind: Bool}, "yes", "is neither true nor false"},
		{Param{Kind: Enum, Choices: []string{"off", "on"}}, "of", "is not one of off, on"},
	} {
		got, err := c.p.Canonical(c.text)
		if err == nil || got != "" || !strings.Contains(err.Error(), c.why) {
			t.Errorf("%s %q = %q, %v, want an error with %q", c.p.Kind, c.text, got, err, c.why)
		}
	}
}
