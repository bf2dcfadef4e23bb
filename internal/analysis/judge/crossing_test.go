package judge

import (
	"fmt"
	"math"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"

	"plimsoll/internal/analysis/finding"
	"plimsoll/internal/analysis/finding/crossover"
	"plimsoll/internal/analysis/finding/sweep"
	"plimsoll/internal/record"
	"plimsoll/internal/record/stat"
)

// against is pairs of m1 and m2 at several places; effect is ln of the ratio at
// each of them.
func against(places []string, at func(string) change, effect func(i int) float64, sd float64) []record.Trial {
	r := rand.New(rand.NewPCG(17, uint64(len(places))))
	var out []record.Trial
	for i, p := range places {
		for n := range 8 {
			noise := 1e9 * math.Exp(.1*r.NormFloat64())
			a, b := noise, noise*math.Exp(effect(i)+sd*r.NormFloat64())
			group := func(t *record.Trial) { t.Group = i }
			out = append(out, trial("m1", n, a, at(p), group, cellNo(2*i)), trial("m2", n, b, at(p), group, cellNo(2*i+1)))
		}
	}
	return out
}

func atSize(s string) change { return key("aes.size", s) }

func atCPUs(s string) change {
	return func(t *record.Trial) {
		var n int
		fmt.Sscan(s, &n)
		onCPUs(n)(t)
	}
}

func values(vs ...float64) func(int) float64 { return func(i int) float64 { return vs[i] } }

func crossingsIn(t *testing.T, trials []record.Trial, o Options) []crossover.Crossing {
	t.Helper()
	got, err := Compare(trials, nil, plans(nil), o)
	if err != nil || len(got.Pairs) != 1 {
		t.Fatalf("%+v, %v", got, err)
	}
	return crossover.KindCrossing.All(got.Pairs[0])
}

func TestCrossings(t *testing.T) {
	sizes := []string{"1KiB", "4KiB", "16KiB", "64KiB"}
	for _, c := range []struct {
		name   string
		places []string
		at     func(string) change
		effect func(int) float64
		want   string // axis, from and to of each
		where  [][2]float64
	}{
		{"none", sizes, atSize, values(.2, .1, .3, .2), "", nil},
		{"none, on par at one end", sizes, atSize, values(.2, .1, 0, 0), "", nil},
		{"none, dips to par", sizes, atSize, values(.2, 0, 0, .2), "", nil},
		{"one along the size", sizes, atSize, values(-.2, -.1, .1, .2), "size B a>b", [][2]float64{{4096, 16384}}},
		{"one the other way", sizes, atSize, values(.2, .1, -.1, -.2), "size B b>a", [][2]float64{{4096, 16384}}},
		{"one across a point on par", sizes, atSize, values(.2, .2, 0, -.2), "size B b>a", [][2]float64{{4096, 65536}}},
		{"two", sizes, atSize, values(.1, -.1, -.1, .1), "size B b>a, size B a>b",
			[][2]float64{{1024, 4096}, {16384, 65536}}},
		{"one along the CPUs", []string{"1", "2", "4", "8"}, atCPUs, values(-.1, -.05, .05, .1), "cpus  a>b",
			[][2]float64{{2, 4}}},
		{"a parameter that is a number", []string{"128", "256"}, func(s string) change { return key("aes.bits", s) },
			values(.1, -.1), "bits  b>a", [][2]float64{{128, 256}}},
		{"a time", []string{"1ms", "1s"}, func(s string) change { return key("aes.linger", s) }, values(.1, -.1),
			"linger s b>a", [][2]float64{{1e-3, 1}}},
		{"words are no axis", []string{"std", "own"}, func(s string) change { return key("aes.impl", s) }, values(.1, -.1),
			"", nil},
	} {
		t.Run(c.name, func(t *testing.T) {
			got := crossingsIn(t, against(c.places, c.at, c.effect, .002), Options{})
			var said []string
			for i, x := range got {
				said = append(said, fmt.Sprintf("%s %s %s>%s", x.Axis, x.Unit, x.FromBetter, x.ToBetter))
				if got := [2]float64{x.Lo, x.Hi}; i < len(c.where) && got != c.where[i] {
					t.Errorf("between %v, want %v", got, c.where[i])
				}
				if _, ok := x.Params[x.Axis]; ok || x.Workload != "aes" || x.Metric != record.Throughput ||
					x.Per != finding.PerMachine {
					t.Errorf("%+v", x)
				}
			}
			if strings.Join(said, ", ") != c.want {
				t.Errorf("crossings %q, want %q", strings.Join(said, ", "), c.want)
			}
		})
	}
}

// TestAllCPUsOfUnlikeMachines: all CPUs of 4 and of 8 are no one place along the CPUs.
func TestAllCPUsOfUnlikeMachines(t *testing.T) {
	trials := against([]string{"1", "2", "4", "8"}, atCPUs, values(-.2, -.1, .1, .2), .002)
	last := func(t record.Trial) bool { return t.Group >= 2 }
	alter(trials, last, key(record.KeyLoad, "all cpus"), key("aes.cpus", "all"))
	trials = slices.DeleteFunc(trials, func(t record.Trial) bool { return t.Group == 2 })
	if got := crossingsIn(t, trials, Options{}); len(got) != 1 {
		t.Fatalf("like machines: %+v", got)
	}
	alter(trials, func(t record.Trial) bool { return last(t) && on("m2")(t) }, func(t *record.Trial) { t.Load.Level = 16 })
	if got := crossingsIn(t, trials, Options{}); len(got) != 0 {
		t.Errorf("unlike machines: %+v", got)
	}
}

// TestCrossingsNeedVerdicts: noise around par is no crossing, whatever its sign; of too few runs for verdicts one is
// told by estimate, and says of how many.
func TestCrossingsNeedVerdicts(t *testing.T) {
	sizes := []string{"1KiB", "4KiB", "16KiB", "64KiB"}
	if got := crossingsIn(t, against(sizes, atSize, values(.002, -.002, .002, -.002), .02), Options{}); len(got) != 0 {
		t.Errorf("crossings of noise: %+v", got)
	}
	pair := func(t record.Trial) bool { return t.Replicate < 2 }
	few := slices.DeleteFunc(against(sizes, atSize, values(.2, .2, -.2, -.2), .002),
		func(t record.Trial) bool { return !pair(t) })
	if got := crossingsIn(t, few, Options{}); len(got) != 1 || got[0].Runs != 2 || got[0].Lo != 4096 ||
		got[0].Hi != 16384 {
		t.Errorf("crossings of two pairs: %+v", got)
	}
	level := slices.DeleteFunc(against(sizes, atSize, values(.01, .01, -.01, -.01), .002),
		func(t record.Trial) bool { return t.Replicate > 0 })
	if got := crossingsIn(t, level, Options{}); len(got) != 0 {
		t.Errorf("crossings within the margin: %+v", got)
	}
	emulated := alter(against(sizes, atSize, values(.2, .2, -.2, -.2), .002), func(record.Trial) bool { return true },
		key(record.KeyEmulated, "tcg"))
	if got := crossingsIn(t, emulated, Options{}); len(got) != 0 {
		t.Errorf("crossings of an emulator: %+v", got)
	}
}

// TestNoMeanOverAReversal: where the better side changes along an axis, every
// point keeps a verdict of its own and nothing stands for all of them.
func TestNoMeanOverAReversal(t *testing.T) {
	sizes := []string{"1KiB", "4KiB", "16KiB", "64KiB"}
	got, err := Compare(against(sizes, atSize, values(-.2, -.1, .1, .2), .002), nil, plans(nil), Options{})
	if err != nil || len(got.Pairs[0].Verdicts) != len(sizes) || len(crossover.KindCrossing.All(got.Pairs[0])) != 1 {
		t.Fatalf("%+v, %v", got, err)
	}
	for i, v := range got.Pairs[0].Verdicts {
		if v.Params["size"] != sizes[i] || math.Abs(math.Log(v.Ratio)) < .09 || v.N != 8 {
			t.Errorf("a verdict that is not one point's: %+v", v)
		}
	}
}

// TestCrossingsPerUnit: a shift by a price moves the crossing.
func TestCrossingsPerUnit(t *testing.T) {
	cpus := []string{"1", "2", "4", "8"}
	basis := func(m record.Machine) finding.Basis {
		if m.Name == "m1" {
			return finding.Basis{PricePerHour: 1}
		}
		return finding.Basis{PricePerHour: math.Exp(.1)}
	}
	at := map[string][2]float64{}
	for _, c := range crossingsIn(t, against(cpus, atCPUs, values(-.3, -.1, .1, .3), .002), Options{Basis: basis}) {
		at[c.Per] = [2]float64{c.Lo, c.Hi}
	}
	if len(at) != 2 || at["machine"] != [2]float64{2, 4} || at["dollar"] != [2]float64{2, 8} {
		t.Errorf("crossings between %v, want 2 and 4 per machine, 2 and 8 per dollar", at)
	}
}

// TestEfficiencyAtEachN: throughput per CPU over that of one CPU.
func TestEfficiencyAtEachN(t *testing.T) {
	s := sweep.KindScaling.Of(lastOf(t,
		Show(swept("m1", stat.Curve{Gamma: 1e9, Alpha: .05, Yield: 1}, []int{1, 2, 4, 8}, 3, 0), nil, nil)))
	if s == nil {
		t.Fatal("no scaling")
	}
	for _, p := range s.Points {
		want := 1 / (1 + .05*float64(p.CPUs-1))
		e := p.Efficiency
		if e == nil || math.Abs(e.Value/want-1) > 1e-9 || *e.Lo > e.Value || *e.Hi < e.Value ||
			(p.CPUs > 1) == (*e.Lo == *e.Hi) {
			t.Errorf("%d CPUs: %+v, want %v", p.CPUs, e, want)
		}
	}
	last := s.Points[len(s.Points)-1].Efficiency
	if last.Value != *s.EfficiencyAtMax || *last.Lo != *s.EfficiencyLo || *last.Hi != *s.EfficiencyHi {
		t.Errorf("%+v is not efficiency_at_max, %v", last, *s.EfficiencyAtMax)
	}
	trials := swept("m1", stat.Curve{Gamma: 1e9, Yield: 1}, []int{2, 4, 6, 8}, 3, 0)
	for _, p := range sweep.KindScaling.Of(lastOf(t, Show(trials, nil, nil))).Points {
		if p.Efficiency != nil {
			t.Errorf("nothing was measured at one CPU, and yet %+v", p)
		}
	}
}
