package power

import (
	"errors"
	"math"
	"strings"
	"testing"
)

const second = int64(1e9)

// TestTally: joules of counters that rise, wrap, stop, jump and go back, and of watts.
func TestTally(t *testing.T) {
	const wraps = 262_143_328_850 // package-0 of Intel's servers
	for name, c := range map[string]struct {
		tally    tally
		readings []uint64 // one a second
		joules   float64
		err      string
	}{
		"rises":             {tally{wraps: wraps}, []uint64{1e6, 51e6, 101e6}, 100, ""},
		"wraps":             {tally{wraps: wraps}, []uint64{wraps - 30e6, 20e6, 70e6}, 100, ""},
		"wraps twice":       {tally{wraps: 100e6}, []uint64{60e6, 10e6, 60e6, 10e6}, 150, ""},
		"goes back":         {tally{wraps: wraps}, []uint64{100e6, 150e6, 20e6, 70e6}, 0, "from 150.000000 J to 20.000000 J"},
		"goes back by 1 µJ": {tally{wraps: wraps}, []uint64{100e6, 100e6 - 1}, 0, "from 100.000000 J to 99.999999 J"},
		"64 bits, back":     {tally{}, []uint64{100e6, 20e6}, 0, "from 100.000000 J to 20.000000 J"},
		"beyond its range":  {tally{wraps: 10e6}, []uint64{100e6, 20e6}, 0, "from 100.000000 J to 20.000000 J"},
		"jumps":             {tally{}, []uint64{1e6, 1e15}, 0, "to 1000000000.000000 J"},
		"never moves":       {tally{wraps: wraps}, []uint64{7, 7, 7}, 0, "did not move"},
		"zero":              {tally{watts: true}, []uint64{0, 0}, 0, "did not move"},
		"once":              {tally{}, []uint64{7}, 0, "less than twice"},
		"none":              {tally{}, nil, 0, "less than twice"},
		"watts":             {tally{watts: true}, []uint64{100e6, 200e6, 100e6}, 300, ""},
		"watts of a star":   {tally{watts: true}, []uint64{1e18, 1e18}, 0, "from 1000000000000.000000 W"},
	} {
		for i, v := range c.readings {
			c.tally.add(5*second+int64(i)*second, v)
		}
		joules, seconds, err := c.tally.used()
		if c.err != "" {
			if err == nil || !strings.Contains(err.Error(), c.err) || joules != 0 {
				t.Errorf("%s: %v J, %v; want %q", name, joules, err, c.err)
			}
			continue
		}
		if err != nil || math.Abs(joules-c.joules) > 1e-6 || seconds != float64(len(c.readings)-1) {
			t.Errorf("%s: %v J in %v s, %v; want %v J", name, joules, seconds, err, c.joules)
		}
	}
}

// TestTallyOfMoments: RAPL's counter moves once a millisecond, so two readings a microsecond apart can differ.
func TestTallyOfMoments(t *testing.T) {
	var c tally
	c.add(0, 0)
	c.add(1000, 300_000)
	if _, _, err := c.used(); err != nil {
		t.Error(err)
	}
}

// TestTallyAfterFailure: after a gap the sum is unknown.
func TestTallyAfterFailure(t *testing.T) {
	var c tally
	c.add(0, 0)
	c.fail(errors.New("gone"))
	c.add(second, 1e6)
	c.fail(errors.New("again"))
	if j, _, err := c.used(); j != 0 || err == nil || err.Error() != "gone" {
		t.Errorf("%v J, %v", j, err)
	}
}

func TestNumber(t *testing.T) {
	for text, want := range map[string]uint64{"1000000\n": 1000000, "0": 0, "   42\n": 42} {
		if got, ok := number([]byte(text)); !ok || got != want {
			t.Errorf("%q: %d, %v", text, got, ok)
		}
	}
	for _, text := range []string{"", "\n", "-1\n", "1.5", "12345678901234567890", "N/A"} {
		if got, ok := number([]byte(text)); ok {
			t.Errorf("%q: %d", text, got)
		}
	}
}

func TestParsePrinted(t *testing.T) {
	for text, want := range map[string]printed{
		"85.5 W\n": {85_500_000, true}, "85W": {85_000_000, true}, "0.2 kW": {200_000_000, true}, "12 J": {12_000_000, false},
		"1.5 kWh": {5_400_000_000_000, false}, "0 J\n": {0, false}, "1e3 mW": {1_000_000, true},
		// ipmitool(1), dcmi power reading
		"\n    Instantaneous power reading:                   212 Watts\n" +
			"    Minimum during sampling period:                 48 Watts\n" +
			"    Power reading state is:                   activated\n": {212_000_000, true},
	} {
		if got, err := parsePrinted(text); err != nil || got != want {
			t.Errorf("%q: %+v, %v", text, got, err)
		}
	}
	for _, text := range []string{"", "85.5", "W", "-3 W", "NaN W", "1e40 J", "12 apples", "1 W 2 W", "1 W\n2 W\n",
		"Instantaneous power reading: none"} {
		if got, err := parsePrinted(text); err == nil {
			t.Errorf("%q: %+v", text, got)
		}
	}
}

func FuzzParsePrinted(f *testing.F) {
	for _, seed := range []string{"85.5 W", "12 J", "Instantaneous power reading: 212 Watts"} {
		f.Add(seed)
	}
	f.Fuzz(func(t *testing.T, text string) {
		if got, err := parsePrinted(text); err == nil && got.value > most {
			t.Errorf("%q: %+v", text, got)
		}
	})
}
