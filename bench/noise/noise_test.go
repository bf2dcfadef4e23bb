package main

import (
	"fmt"
	"math"
	"math/rand/v2"
	"os"
	"path/filepath"
	"strings"
	"testing"
)

// written is a recording of pairs whose log ratios have these standard deviations by arrangement, of time and CPU time.
func written(t *testing.T, seed uint64, pairs int, scatter map[string][2]float64) string {
	t.Helper()
	t.Logf("seed %d", seed)
	r := rand.New(rand.NewPCG(seed, 0))
	var b strings.Builder
	for i := range pairs {
		for _, arrangement := range []string{interleaved, atOnce} {
			fmt.Fprintf(&b, "%d\t%s", i, arrangement)
			for range 2 {
				for _, sd := range scatter[arrangement] {
					fmt.Fprintf(&b, "\t%.6f", .05*math.Exp(sd/math.Sqrt2*r.NormFloat64()))
				}
			}
			b.WriteByte('\n')
		}
	}
	file := filepath.Join(t.TempDir(), "made.tsv")
	if err := os.WriteFile(file, []byte(b.String()), 0o600); err != nil {
		t.Fatal(err)
	}
	return file
}

// TestJudge: normal noise of 3% a pair is decided rightly by the sequential rule, and the pilot takes the arrangement
// and the signal that are steadiest for their time.
func TestJudge(t *testing.T) {
	file := written(t, 5, 400, map[string][2]float64{interleaved: {.03, .03}, atOnce: {.2, .002}})
	r, err := readRecording(file)
	if err != nil {
		t.Fatal(err)
	}
	try := &try{r: r, random: rand.New(rand.NewPCG(6, 0))}
	if arrangement, s := try.pilot(); arrangement != atOnce || s.name != "CPU time" {
		t.Errorf("the pilot took %s, %s", arrangement, s.name)
	}
	if want := 10*(.1+overhead) + 10*(.05+overhead); math.Abs(try.used-want) > .1 {
		t.Errorf("the pilot took %g s, want about %g", try.used, want)
	}
	j := judging{tries: 40, seed: 7, budget: 300e9, planted: .05, gate: .02}
	for _, planted := range []float64{.05, 0} {
		for _, line := range j.tried(r, planted) {
			name, figures, _ := strings.Cut(line, ": ")
			var right, wrong, undecided, median float64
			if _, err := fmt.Sscanf(figures, "right %f%%, wrong %f%%, undecided %f%%; median %f s", &right, &wrong, &undecided,
				&median); err != nil {
				t.Fatalf("%q: %v", line, err)
			}
			if strings.HasPrefix(name, "plimsoll, interleaved") && (right < 95 || wrong > 2.5) {
				t.Errorf("%g planted: %s", planted, line)
			}
			if math.Abs(right+wrong+undecided-100) > .2 {
				t.Errorf("%s: the shares don't add up", line)
			}
		}
	}
}

func TestRecordingsAreChecked(t *testing.T) {
	for text, want := range map[string]string{
		"":                             "0 pairs interleaved, and 60 are needed",
		"0\tinterleaved\t1\t1\t1":      "5 fields instead of 6",
		"0\tinterleaved\t1\t1\t1\tx":   `invalid time "x"`,
		"0\tinterleaved\t1\t1\t1\t-1":  `invalid time "-1"`,
		"0\tinterleaved\t1\t1\t1\tNaN": `invalid time "NaN"`,
	} {
		file := filepath.Join(t.TempDir(), "bad.tsv")
		if err := os.WriteFile(file, []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
		if _, err := readRecording(file); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%q: %v, want %q", text, err, want)
		}
	}
	if err := run([]string{"judge", "-tries", "0", "x"}, nil); err == nil {
		t.Error("no tries were accepted")
	}
	if err := run([]string{"guess"}, nil); err == nil {
		t.Error("an unknown verb was accepted")
	}
}
