package render

import (
	"bytes"
	"errors"
	"strings"
	"testing"

	"plimsoll/internal/analysis/sequential"
	"plimsoll/internal/present/media/term"
	"plimsoll/internal/record"
	"plimsoll/internal/record/figure"
)

func decidables() []sequential.Decidable {
	row := func(what string, cpus int, sliced bool, sd float64) sequential.Decidable {
		d := sequential.Decidable{What: what, CPUs: cpus, Sliced: sliced, TrialS: .1, WarmupS: .03, PairS: .3, Pairs: 7,
			SD: ptr(sd), SDLo: ptr(.6 * sd), SDHi: ptr(2.2 * sd)}
		for i, m := range []int{1, 5, 15} {
			size := []float64{.2, .09, .051}[i] * sd
			d.In = append(d.In, sequential.Projection{Minutes: m, Pairs: 200 * m, Difference: ptr(size),
				Bounds: figure.Between(.6*size, 2.2*size)})
		}
		return d
	}
	short := row("memory", 2, false, .2)
	short.In[0] = sequential.Projection{Minutes: 1, Pairs: 2}
	short.Doubts = told("the same work differed from itself by +3.1%: the sides are not alike, or this is a false " +
		"positive (1 in 20)")
	none := sequential.Decidable{What: "aes-gcm", CPUs: 2, Sliced: true, TrialS: .1,
		Doubts: told("the time ended before one pair was measured")}
	return []sequential.Decidable{row("aes-gcm", 1, true, .031), row("aes-gcm", 1, false, .15), none, short}
}

func TestDecidable(t *testing.T) {
	for look, style := range map[string]term.Style{"plain": {Width: 100}, "narrow": {Width: 50}} {
		var b bytes.Buffer
		if err := Decidable(&b, style, decidables()); err != nil {
			t.Fatal(err)
		}
		golden(t, "decidable."+look+".txt", b.Bytes())
	}
}

func TestDecidableOfNothing(t *testing.T) {
	var b bytes.Buffer
	none := decidables()[2:3]
	if err := Decidable(&b, term.Style{Width: 100}, none); err != nil ||
		!strings.Contains(b.String(), "before one pair was measured") {
		t.Errorf("%v, %s", err, &b)
	}
	if err := Decidable(&fullDisk{left: 30}, term.Style{}, none); !errors.Is(err, errFull) {
		t.Errorf("error %v, want %v", err, errFull)
	}
}

// A trial of which there is nothing to say takes no line.
func TestProgressWithoutFigures(t *testing.T) {
	for _, tty := range []bool{false, true} {
		var b bytes.Buffer
		p := term.NewProgress(&b, tty, term.Style{Width: 80})
		p.Start(0, 0)
		p.TrialStarted("quiet", 0)
		p.TrialDone("quiet", "", "")
		p.TrialDone("broken", "", "no memory")
		p.Stop()
		if text := b.String(); strings.Contains(text, "quiet: ") || !strings.Contains(text, "broken: failed, no memory") {
			t.Errorf("terminal %v: %q", tty, text)
		}
	}
}

// TestFitness: the noisiest work decides, and the machine's heaviest warning stands below it.
func TestFitness(t *testing.T) {
	warned := record.Machine{Warnings: []string{"the load average is 12.5 on 2 CPUs: something else is " +
		"running\nhint: wait", "no time source"}}
	for name, c := range map[string]struct {
		m     record.Machine
		found []sequential.Decidable
		want  []string
	}{
		"measured": {warned, decidables(),
			[]string{"sensitivity  in 5 minutes this machine can detect a change of 0.28% with --vary, and of 1.8% " +
				"between separate runs",
				"machine      the load average is 12.5 on 2 CPUs: something else is running; 1 more warning: plimsoll " +
					"machine --facts"}},
		"nothing": {record.Machine{}, decidables()[2:3], []string{"nothing was measured often enough"}},
	} {
		var b bytes.Buffer
		if err := Fitness(&b, term.Style{Width: 200}, c.m, c.found); err != nil {
			t.Fatal(err)
		}
		for _, want := range c.want {
			if !strings.Contains(b.String(), want) {
				t.Errorf("%s: no %q in\n%s", name, want, &b)
			}
		}
		if len(c.m.Warnings) == 0 && strings.Contains(b.String(), "but") {
			t.Errorf("%s: %s", name, &b)
		}
	}
	if err := Fitness(&fullDisk{left: 5}, term.Style{}, warned, decidables()); !errors.Is(err, errFull) {
		t.Errorf("error %v, want %v", err, errFull)
	}
}
