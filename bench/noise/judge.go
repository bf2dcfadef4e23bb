package main

import (
	"bufio"
	"errors"
	"fmt"
	"io"
	"math"
	"math/rand/v2"
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"time"

	"plimsoll/internal/record/stat"
)

// judging is tries of each protocol on recordings, with a difference planted and with none.
type judging struct {
	tries   int
	seed    uint64
	budget  time.Duration // of a try
	planted float64
	gate    float64
}

// pair is a line of a recording.
type pair struct{ a, b took }

// recorded is the pairs of a recording by their arrangement, in the order measured.
type recorded map[string][]pair

// lasted returns the seconds that a pair takes.
func lasted(arrangement string, p pair) float64 {
	if arrangement == atOnce {
		return max(p.a.time, p.b.time)
	}
	return p.a.time + p.b.time
}

// signal is a figure of a run.
type signal struct {
	name string
	of   func(took) float64
}

func signals() []signal {
	return []signal{
		{"time", func(t took) float64 { return t.time }}, {"CPU time", func(t took) float64 { return t.cpu }},
	}
}

// files prints the noise of recordings, and how often each protocol is right.
func (j judging) files(files []string, out io.Writer) error {
	if len(files) == 0 || j.tries < 1 || j.budget <= 0 || !(j.planted > 0) || !(j.gate > 0) {
		return errors.New("give the files of recordings, and -tries, -within, -planted and -gate over 0")
	}
	for _, file := range files {
		r, err := readRecording(file)
		if err != nil {
			return err
		}
		name := strings.TrimSuffix(filepath.Base(file), filepath.Ext(file))
		for _, line := range r.noise() {
			fmt.Fprintf(out, "%s  %s\n", name, line)
		}
		for _, planted := range []float64{j.planted, 0} {
			for _, line := range j.tried(r, planted) {
				fmt.Fprintf(out, "%s  %g%% planted  %s\n", name, 100*planted, line)
			}
		}
	}
	return nil
}

// leastPairs is how many pairs of each arrangement a recording needs: few blocks to choose from show nothing.
const leastPairs = 3 * blockPairs

func readRecording(file string) (recorded, error) {
	f, err := os.Open(file)
	if err != nil {
		return nil, err
	}
	defer f.Close()
	out := recorded{}
	lines := bufio.NewScanner(f)
	for n := 1; lines.Scan(); n++ {
		fields := strings.Split(lines.Text(), "\t")
		if len(fields) != 6 {
			return nil, fmt.Errorf("%s:%d: %d fields instead of 6", file, n, len(fields))
		}
		var v [4]float64
		for i := range v {
			if v[i], err = strconv.ParseFloat(fields[2+i], 64); err != nil || !(v[i] > 0) {
				return nil, fmt.Errorf("%s:%d: invalid time %q", file, n, fields[2+i])
			}
		}
		out[fields[1]] = append(out[fields[1]], pair{took{v[0], v[1]}, took{v[2], v[3]}})
	}
	for _, arrangement := range []string{interleaved, atOnce} {
		if len(out[arrangement]) < leastPairs {
			return nil, fmt.Errorf("%s: %d pairs %s, and %d are needed", file, len(out[arrangement]), arrangement, leastPairs)
		}
	}
	return out, lines.Err()
}

// noise describes the scatter of runs, and of pairs by arrangement and signal.
func (r recorded) noise() []string {
	var out []string
	for _, s := range signals() {
		var runs []float64
		for _, p := range r[interleaved] {
			runs = append(runs, math.Log(s.of(p.a)), math.Log(s.of(p.b)))
		}
		out = append(out, fmt.Sprintf("one run, %s: median %.1f ms, scatter %.2f%%", s.name,
			1000*math.Exp(stat.Median(runs)), 100*spread(runs)))
	}
	for _, arrangement := range []string{interleaved, atOnce} {
		for _, s := range signals() {
			var d []float64
			var seconds float64
			for _, p := range r[arrangement] {
				d = append(d, math.Log(s.of(p.b)/s.of(p.a)))
				seconds += lasted(arrangement, p)
			}
			each := seconds / float64(len(d))
			out = append(out, fmt.Sprintf("%d pairs %s, %s: scatter %.2f%%, %.0f ms each, %.2f%% in a second",
				len(d), arrangement, s.name, 100*spread(d), 1000*each, 100*spread(d)*math.Sqrt(each)))
		}
	}
	return out
}

// spread returns the standard deviation of x, robust against outliers.
func spread(x []float64) float64 {
	_, sd := stat.MedianSpread(x)
	return sd
}

// tried returns a line for each protocol: how often it was right, and how long it took.
func (j judging) tried(r recorded, planted float64) []string {
	protocols := protocolsOf(j.gate, j.budget.Seconds())
	type tally struct {
		right, wrong, undecided int
		seconds                 []float64
	}
	tallies := make([]tally, len(protocols))
	for n := range j.tries {
		equal := 0.0 // the time of the first protocol: what the others have, too
		for i, p := range protocols {
			t := &try{r: r, planted: planted, random: rand.New(rand.NewPCG(j.seed, uint64(n))), seconds: equal}
			answer := p.decide(t)
			if i == 0 {
				equal = t.used
			}
			of := &tallies[i]
			of.seconds = append(of.seconds, t.used)
			switch {
			case answer == undecided:
				of.undecided++
			case answer == slower && planted > 0, answer == same && planted == 0:
				of.right++
			default:
				of.wrong++
			}
		}
	}
	var out []string
	for i, p := range protocols {
		t := tallies[i]
		share := func(n int) float64 { return 100 * float64(n) / float64(j.tries) }
		out = append(out, fmt.Sprintf("%s: right %.1f%%, wrong %.1f%%, undecided %.1f%%; median %.1f s", p.name,
			share(t.right), share(t.wrong), share(t.undecided), stat.Median(t.seconds)))
	}
	return out
}
