package claims

import (
	"fmt"
	"math"
	"testing"
)

func TestJudge(t *testing.T) {
	for _, tc := range []struct {
		stated   string
		computed float64
		unit     string
		want     Verdict
		why      string
	}{
		{"", 12, "%", Info, ""},
		{"17", 17, "%", Exact, ""},
		{"26.5", 26.5025, "%", Exact, ""},
		{"644506", 644507, "1/s", Loose, ""}, // within 1/10000, but not what is stated
		{"17", 17.4999, "%", Rounded, ""},
		{"17", 17.5, "%", Rounded, ""},
		{"28", 27.499999999999996, "%", Rounded, ""},
		{"17", 17.51, "%", Loose, ""},
		{"17.0", 17.4, "%", Loose, ""},
		{"2e1", 17.6, "%", Rounded, ""},
		{"20", 17.6, "%", Loose, ""},
		{"3e-10", 3.2e-10, "USD", Rounded, ""},
		{"-3", -3.2, "%", Rounded, ""},
		{"-3", -4, "%", Loose, ""},
		{"-3", 3, "%", Wrong, "its sign is opposite"},
		{"3", -0.001, "s", Wrong, "its sign is opposite"},
		{"3", 0, "s", Wrong, "it is 0"},
		{"0", 0, "%", Exact, ""},
		{"0", 0.4, "%", Rounded, ""},
		{"0", -3.2, "%", Loose, ""},
		{"0", 100, "%", Wrong, "the stated figure is 0"},
		{"0.0", -1.5, "%", Wrong, "the stated figure is 0.0"},
		{"100", 198.9, "s", Loose, ""},
		{"100", 199.1, "s", Wrong, "it is 1.99 times the stated figure"}, // 99.55 rounds to 100: it is twice as much
		{"100", 200, "s", Wrong, "it is 2 times the stated figure"},
		// One mistake: the watts of one socket over the CPUs of two.
		{"3.3", 240. * 2 / 72, "W", Wrong, "it is 2.02 times the stated figure"},
		{"6.6", 240. * 2 / 36, "W", Wrong, "it is 2.02 times the stated figure"},
		{"2.5", 240. * 2 / 96, "W", Wrong, "it is 2 times the stated figure"},
		{"100", 50.2, "s", Wrong, "the stated figure is 1.99 times it"},
		{"100", 50.4, "s", Loose, ""},
		{"1", 2, "s", Loose, ""}, // so few digits cannot tell
		{"1", 3.1, "s", Wrong, "it is 3.1 times the stated figure"},
		{"100", 202, "s", Wrong, "it is 2.02 times the stated figure"},
		{"100", 49, "s", Wrong, "the stated figure is 2.04 times it"},
		{"1.7", 0.8486, "%", Wrong, "the stated figure is 2 times it"},
		{"1.7", 0.88, "%", Loose, ""},
		{"25", 20, "%", Wrong, "25% is the same change relative to the other side"},
		{"25", 20, "ratio", Loose, ""},
		{"594", 566.244, "MiB/s", Wrong, "594 is the figure in MB/s"},
		{"566", 593.75, "MB/s", Wrong, "566 is the figure in MiB/s"},
		{"6", 5.4, "MiB/s", Loose, ""}, // 5.66 MB/s rounds to 6, but so few digits cannot tell units apart
		{"1.9", 1.728, "TiB", Wrong, "1.9 is the figure in TB"},
		{"1.02", 1, "kB", Loose, ""},
		{"16384", 16000, "KiB", Wrong, "16384 is the figure in kB"},
		{"100", 100e9, "s", Wrong, "it is 1e+09 times the stated figure"},
	} {
		var s *Stated
		if tc.stated != "" {
			parsed, err := parseStated(tc.stated)
			if err != nil {
				t.Fatal(err)
			}
			s = &parsed
		}
		if got, why := judge(s, tc.computed, tc.unit, "(1-{a}/{b})*100"); got != tc.want || why != tc.why {
			t.Errorf("stated %q, computed %v %s: %s %q, want %s %q", tc.stated, tc.computed, tc.unit, got, why, tc.want, tc.why)
		}
	}
}

func TestStated(t *testing.T) {
	for _, tc := range []struct {
		text  string
		value float64
		step  float64
		v     float64
		like  string
	}{
		{"57", 57, 1, 56.8627, "56.9"},
		{"1.70", 1.7, 0.01, 1.81453, "1.815"},
		{"314e3", 314000, 1000, 322253, "322.3e3"},
		{"3E-10", 3e-10, 1e-10, 3.20167e-10, "3.2e-10"},
		{"+2.", 2, 1, -0.01, "0.0"},
		{".5", 0.5, 0.1, math.Pi, "3.14"},
		{"1", 1, 1, 1e20, "1e+20"},
	} {
		s, err := parseStated(tc.text)
		if err != nil {
			t.Errorf("%q: %v", tc.text, err)
			continue
		}
		if s.Value != tc.value || math.Abs(s.step/tc.step-1) > 1e-12 || s.Like(tc.v) != tc.like {
			t.Errorf("%q: %v in steps of %v, %v like it is %s; want %+v", tc.text, s.Value, s.step, tc.v, s.Like(tc.v), tc)
		}
	}
	for _, text := range []string{"NaN", "Inf", "-inf", "0x10", "1_000", "1,000", "25%", "~25", "1e", "e3", ".", "--1",
		"1e999", "1e-99999999999999999999", "5.10.118", "٣"} {
		if s, err := parseStated(text); err == nil {
			t.Errorf("%q was read as %v", text, s.Value)
		}
	}
}

// TestOtherSide: the other side of +20% is -16.7%, that of 20% less is 25% more; of another formula nothing is
// known.
func TestOtherSide(t *testing.T) {
	const other = "%s%% is the same change relative to the other side"
	for _, tc := range []struct {
		stated   string
		computed float64
		formula  string
		want     Verdict
	}{
		{"25", 20, "(1-{a}/{b})*100", Wrong},
		{"25", 20, "({a}/{b}-1)*100", Loose},
		{"16.7", 20, "({a}/{b}-1)*100", Wrong},
		{"16.7", 20, "(1 - {a}/{b})*100", Loose},
		{"20", 25, "({a}/{b} - 1)*100", Wrong},
		{"25", -20, "({a}/{b}-1)*100", Wrong},
		{"25", 20, "{a}/{b}*100", Loose},
		{"25", 20, "({a}-1)*100+({b}-1)*100", Loose},
	} {
		s, err := parseStated(tc.stated)
		if err != nil {
			t.Fatal(err)
		}
		got, why := judge(&s, tc.computed, "%", tc.formula)
		if got != tc.want || (got == Wrong) != (why == fmt.Sprintf(other, tc.stated)) {
			t.Errorf("%s for %g by %s: %s, %q", tc.stated, tc.computed, tc.formula, got, why)
		}
	}
}

func TestBounds(t *testing.T) {
	for _, tc := range []struct {
		stated   string
		computed float64
		want     Verdict
		why      string
	}{
		{"holds >= 2", 2.57, Holds, ""},
		{">= 2", 2, Holds, ""},
		{"> 2", 2, Loose, ""},
		{"> 2", 1.95, Loose, ""},
		{"> 2", 1.77, Wrong, "not over 2"},
		{"> 2.0", 1.77, Wrong, "not over 2.0"},
		{"holds <= 5", 7, Wrong, "above 5"},
		{"< 5", 4.9, Holds, ""},
		{"< 5", 5.6, Wrong, "not under 5"},
		{">= -3", -8, Wrong, "below -3"},
		{"between 15 20", 17, Holds, ""},
		{"between 15 and 20", 20.4, Loose, ""},
		{"15 to 20", 26.5, Wrong, "not in 15 to 20"},
		// Binary floating point is no part of a figure.
		{">= 15", 14.999999999999991, Holds, ""},
		{"15 to 20", 14.999999999999991, Holds, ""},
		{"5 to 10", 10.000000000000009, Holds, ""},
		{"<= 10", 10.000000000000009, Holds, ""},
		{"> 30", 30.000000000000004, Loose, ""},
		{"< 20", 19.999999999999996, Loose, ""},
		{"<= 0", 2.220446049250313e-14, Holds, ""},
		{"> 0", 2.220446049250313e-14, Loose, ""},
		{"> 3e-10", 3.01e-10, Holds, ""},
	} {
		s, err := parseStated(tc.stated)
		if err != nil {
			t.Fatal(err)
		}
		if got, why := judge(&s, tc.computed, "%", ""); got != tc.want || why != tc.why {
			t.Errorf("%s of %g: %s, %q, want %s, %q", tc.stated, tc.computed, got, why, tc.want, tc.why)
		}
	}
	for _, wrong := range []string{"> two", "=> 2", "20 to 15", "15 20 25", ">", "between 15", ">= 1e400"} {
		if s, err := parseStated(wrong); err == nil {
			t.Errorf("%s is taken as %+v", wrong, s)
		}
	}
}
