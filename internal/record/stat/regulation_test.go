package stat

import (
	"bufio"
	"fmt"
	"math"
	"math/rand/v2"
	"os"
	"strings"
	"testing"
)

// bursting carries per bytes in each of the first on of period steps, by I/Os of one byte.
func bursting(n, period, on int, per float64) Timeline {
	t := Timeline{StepS: 1e-3, Bytes: make([]float64, n), IOs: make([]float64, n)}
	for i := range n {
		if i%period < on {
			t.Bytes[i], t.IOs[i] = per, per
		}
	}
	return t
}

func TestRegulationOfExactBursts(t *testing.T) {
	r, ok := RegulationOf(bursting(3000, 100, 20, 50))
	if !ok || r.Class != Quantum || r.Cycles != 28 || r.AtLeast {
		t.Fatalf("%v %+v", ok, r)
	}
	want := map[string][2]float64{
		"period": {r.PeriodS, .1}, "quantum": {r.QuantumBytes, 1000}, "rate": {r.Rate, 10e3},
		"burst rate": {r.BurstRate, 50e3},
		"duty":       {r.Duty, .2}, "zero": {r.ZeroFraction, .8}, "safe rate": {r.SafeRate, 10e3},
		"safe burst":     {r.SafeBurst, 1000},
		"median silence": {r.SilenceP50S, .08}, "silence": {r.SilenceS, .08}, "longest silence": {r.SilenceMaxS, .08},
	}
	for name, v := range want {
		if math.Abs(v[0]/v[1]-1) > 1e-9 {
			t.Errorf("%s %v, want %v", name, v[0], v[1])
		}
	}
	if math.Abs(r.AutoPeriodS/.1-1) > 1e-3 {
		t.Errorf("by autocorrelation %v, want .1", r.AutoPeriodS)
	}
	if !math.IsNaN(r.BucketBytes) {
		t.Errorf("a bucket of %v", r.BucketBytes)
	}
}

func TestShortBurstsGiveALowerBound(t *testing.T) {
	r, _ := RegulationOf(bursting(3000, 100, 2, 50))
	if r.Class != Quantum || !r.AtLeast || r.BurstRate > 50e3+1e-6 {
		t.Errorf("%+v", r)
	}
}

// TestShortBurstsOfWhichSomeAreCut: bursts of two steps, of which a host saw every third in two parts with nothing
// between, are no slower than the disk.
func TestShortBurstsOfWhichSomeAreCut(t *testing.T) {
	l := bursting(3000, 100, 2, 50)
	for i := 1; i < 3000; i += 300 {
		l.Bytes[i], l.IOs[i], l.Bytes[i+9], l.IOs[i+9] = 0, 0, 50, 50
	}
	if r, _ := RegulationOf(l); r.Class != Quantum || !r.AtLeast || r.BurstRate < 20e3 || r.BurstRate > 50e3+1e-6 {
		t.Errorf("%+v", r)
	}
}

// TestABurstCutInTwo: a host that had no CPU for 3 ms in one burst of five changes nothing.
func TestABurstCutInTwo(t *testing.T) {
	l := bursting(3000, 100, 20, 50)
	for i := 0; i < 3000; i += 500 {
		for j := 5; j < 8; j++ {
			l.Bytes[i+j], l.IOs[i+j] = 0, 0
			l.Bytes[i+20+j-5], l.IOs[i+20+j-5] = 50, 50
		}
	}
	r, _ := RegulationOf(l)
	if r.Class != Quantum || math.Abs(r.PeriodS-.1) > 1e-9 || r.QuantumBytes != 1000 {
		t.Errorf("%+v", r)
	}
}

// TestBurstsThatAreMostlyCut: in every other burst the host loses its CPU for a third of the pause, somewhere, and the
// burst ends as much later; autocorrelation still knows the period.
func TestBurstsThatAreMostlyCut(t *testing.T) {
	rng := seeded(t, 8)
	l := bursting(4000, 100, 30, 50)
	for i := 0; i < 4000; i += 100 {
		if rng.Float64() < .5 {
			continue
		}
		from := 3 + rng.IntN(24)
		for j := range 20 {
			l.Bytes[i+from+j], l.IOs[i+from+j] = 0, 0
		}
		for j := from + 20; j < 50; j++ {
			l.Bytes[i+j], l.IOs[i+j] = 50, 50
		}
	}
	r, _ := RegulationOf(l)
	if r.Class != Quantum || math.Abs(r.PeriodS-.1) > 1e-3 || math.Abs(r.QuantumBytes/1500-1) > .01 {
		t.Errorf("%+v", r)
	}
}

func TestNineCyclesAreNoPeriod(t *testing.T) {
	r, ok := RegulationOf(bursting(1050, 100, 20, 50))
	if !ok || r.Class != Stalls || r.Cycles != 9 || !math.IsNaN(r.PeriodS) || !math.IsNaN(r.SafeRate) {
		t.Errorf("%v %+v", ok, r)
	}
}

func TestRegulationOfACredit(t *testing.T) {
	l := bursting(10000, 1, 1, 40)
	for i := range 2500 {
		l.Bytes[i], l.IOs[i] = 100, 100
	}
	r, ok := RegulationOf(l)
	if !ok || r.Class != Credit || math.Abs(r.ExhaustedS-2.5) > 1e-9 || math.Abs(r.BucketBytes-150e3) > 1e-3 ||
		math.Abs(r.SafeRate-40e3) > 1e-6 || math.Abs(r.SafeBurst-250e3) > 1e-3 {
		t.Errorf("%v %+v", ok, r)
	}
}

// TestARampIsNoCredit: half of a ramp is more than 1.3 times the other, and a level explains most of it.
func TestARampIsNoCredit(t *testing.T) {
	l := bursting(10000, 1, 1, 40)
	for i := range l.Bytes {
		l.Bytes[i] = 100 - float64(i)/200
	}
	if r, _ := RegulationOf(l); r.Class != Smooth {
		t.Errorf("%+v", r)
	}
}

func TestFewIOsAreNoStalls(t *testing.T) {
	rng := seeded(t, 5)
	l := Timeline{StepS: 1e-3, Bytes: make([]float64, 20000), IOs: make([]float64, 20000)}
	for i := range l.IOs {
		if rng.Float64() < .6 {
			l.IOs[i], l.Bytes[i] = 1, 4096
		}
	}
	r, ok := RegulationOf(l)
	if !ok || r.Class != Smooth || r.BinS < 8e-3 || !math.IsNaN(r.SafeRate) {
		t.Errorf("%v %+v", ok, r)
	}
}

func TestTooLittleToSay(t *testing.T) {
	for name, l := range map[string]Timeline{
		"nothing": {StepS: 1e-3}, "no I/O": bursting(3000, 1, 0, 0), "30 steps": bursting(30, 1, 1, 50),
		"an I/O a second": bursting(30000, 1000, 1, 1),
	} {
		if r, ok := RegulationOf(l); ok {
			t.Errorf("%s: %+v", name, r)
		}
	}
}

// TestAutoPeriodOfNoise: noise has no credible period, and the search ends.
func TestAutoPeriodOfNoise(t *testing.T) {
	rng := seeded(t, 6)
	if p := autoPeriod(autoregressive(rng, 300, 0, 1)); !(p > 0 && p < 100) {
		t.Errorf("a period of %v of 300 values", p)
	}
	if p := autoPeriod(make([]float64, 90)); !math.IsNaN(p) {
		t.Errorf("a period of %v where all are the same", p)
	}
}

func BenchmarkRegulationOf(b *testing.B) {
	rng := rand.New(rand.NewPCG(1, 0))
	l := bursting(30000, 100, 20, 50)
	for i := range l.Bytes {
		l.Bytes[i] *= .9 + .2*rng.Float64()
	}
	for b.Loop() {
		RegulationOf(l)
	}
}

// TestAHostThatLooksLate: a host sees nothing of a smooth disk for 12 ms at a time, and then all of it within some
// milliseconds, although nothing was throttled. If the missing part never comes, it was.
func TestAHostThatLooksLate(t *testing.T) {
	late, lost := bursting(5000, 1, 1, 10), bursting(5000, 1, 1, 10)
	for i := 40; i < 5000; i += 100 {
		for j := range 12 {
			late.Bytes[i+j], late.IOs[i+j], lost.Bytes[i+j], lost.IOs[i+j] = 0, 0, 0, 0
		}
		for j, extra := range []float64{15, 70, 35} {
			late.Bytes[i+12+j] += extra
			late.IOs[i+12+j] += extra
		}
	}
	if r, _ := RegulationOf(late); r.Class != Smooth || r.ZeroFraction > .01 {
		t.Errorf("late: %+v", r)
	}
	if r, _ := RegulationOf(lost); r.Class != Quantum {
		t.Errorf("lost, in step and alike: %+v", r)
	}
}

// recordedBursts returns a timeline of testdata: 512 writes of this size in flight on a disk that nothing throttles.
func recordedBursts(t *testing.T, name string, size float64, ms int) Timeline {
	t.Helper()
	f, err := os.Open("testdata/bursts-" + name + ".txt")
	if err != nil {
		t.Fatal(err)
	}
	defer f.Close()
	out := Timeline{StepS: 1e-3, Bytes: make([]float64, ms), IOs: make([]float64, ms), InFlight: 512 * size}
	for lines := bufio.NewScanner(f); lines.Scan(); {
		if strings.HasPrefix(lines.Text(), "#") {
			continue
		}
		var at int
		var n float64
		if _, err := fmt.Sscan(lines.Text(), &at, &n); err != nil {
			t.Fatal(err)
		}
		out.IOs[at], out.Bytes[at] = n, n*size
	}
	return out
}

// TestADeepQueueThatEndsInBurstsIsNoQuota: what a virtual disk completed with half a gigabyte in flight. Without
// knowing what was in flight it looks like a quota of 65 MB, or of 188 MB, and like bursts of 100 GB/s.
func TestADeepQueueThatEndsInBurstsIsNoQuota(t *testing.T) {
	for name, c := range map[string]struct {
		size  float64
		ms    int
		class string
	}{"16KiB": {16 << 10, 2000, Stalls}, "256KiB": {256 << 10, 5000, Bursts}, "1MiB": {1 << 20, 5000, Bursts}} {
		l := recordedBursts(t, name, c.size, c.ms)
		r, ok := RegulationOf(l)
		if !ok || r.Class != c.class || !math.IsNaN(r.SafeRate) {
			t.Errorf("%s: %v %+v, want %s", name, ok, r, c.class)
		}
		if c.class == Bursts && (!math.IsNaN(r.BurstRate) || !math.IsNaN(r.Duty) || r.QuantumBytes > l.InFlight ||
			math.Abs(r.Rate/3e9-1) > .1) {
			t.Errorf("%s: %+v", name, r)
		}
		l.InFlight = 0
		if was, _ := RegulationOf(l); c.class == Bursts && was.Class != Quantum {
			t.Errorf("%s is no example: %+v", name, was)
		}
	}
}

// TestAQuotaOfFewerBytesThanAreInFlight is told by a load with fewer in flight, which a device that ends its operations
// together fails.
func TestAQuotaOfFewerBytesThanAreInFlight(t *testing.T) {
	quota := bursting(3000, 100, 20, 50) // 1000 operations of a byte each 0.1 s
	quota.InFlight = 4000
	deep, _ := RegulationOf(quota)
	n, seconds, ok := deep.Shallower()
	if deep.Class != Bursts || !ok || n != 425 || math.Abs(seconds-2) > 1e-9 {
		t.Fatalf("%+v: %d in flight for %v s, %v", deep, n, seconds, ok)
	}
	quota.InFlight = float64(n)
	shallow, _ := RegulationOf(quota)
	if r := deep.Confirmed(shallow); r.Class != Quantum || math.Abs(r.SafeRate-10e3) > 1e-6 || !r.AtLeast ||
		math.Abs(r.Duty-.2) > 1e-6 || r.SafeBurst != 1000 {
		t.Errorf("%+v", r)
	}
	together := bursting(3000, 25, 5, 50)
	together.InFlight = float64(n)
	shallow, _ = RegulationOf(together)
	if r := deep.Confirmed(shallow); r.Class != Bursts || !math.IsNaN(r.SafeRate) {
		t.Errorf("as many fewer: %+v", r)
	}
	merged := bursting(3000, 85, 10, 85) // twice what is in flight at once, as often as bytes ask
	merged.InFlight = float64(n)
	shallow, _ = RegulationOf(merged)
	if r := deep.Confirmed(shallow); r.Class != Bursts {
		t.Errorf("two times what is in flight: %+v", r)
	}
	quota.InFlight = 499
	if r, _ := RegulationOf(quota); r.Class != Quantum {
		t.Errorf("a burst of twice what is in flight: %+v", r)
	}
	if n, _, ok := (Regulation{Class: Bursts, QuantumBytes: 2 << 20, IOBytes: 1 << 20, PeriodS: .1}).Shallower(); ok {
		t.Errorf("%d operations of two tell something", n)
	}
}

// rounds carries 10 and 11 operations of 1 MiB by turns in each 100 ms: as many at a time as are in flight, and as many
// again 20 ms later.
func rounds(ms, inFlight int) Timeline {
	t := Timeline{StepS: 1e-3, Bytes: make([]float64, ms), IOs: make([]float64, ms), InFlight: float64(inFlight << 20)}
	for at := 0; at < ms; at += 100 {
		left := 10 + at/100%2
		for i := at; left > 0 && i < ms; i += 20 {
			n := min(left, inFlight)
			t.IOs[i], t.Bytes[i] = float64(n), float64(n<<20)
			left -= n
		}
	}
	return t
}

// TestAQuotaOfFewLargeOperations is 10.5 operations: with four in flight they end over 40 of 100 ms, and bins that
// hold eight of them are half as long as the period.
func TestAQuotaOfFewLargeOperations(t *testing.T) {
	deep, _ := RegulationOf(rounds(6000, 32))
	n, seconds, ok := deep.Shallower()
	if deep.Class != Bursts || !ok || n != 4 || math.Abs(seconds-2) > .01 {
		t.Fatalf("%+v: %d in flight for %v s, %v", deep, n, seconds, ok)
	}
	l := rounds(2000, n)
	if own, _ := RegulationOf(l); own.Class == Quantum {
		t.Errorf("no example: %+v", own)
	}
	l.Shallower = true
	shallow, ok := RegulationOf(l)
	if r := deep.Confirmed(shallow); !ok || r.Class != Quantum || math.Abs(r.Rate/(105<<20)-1) > .01 {
		t.Errorf("%v %+v\n%+v", ok, shallow, r)
	}
}

// TestAGeneratorWithoutCPU: a disk that nothing throttles, and a load whose threads run for 40 of 100 ms: what was in
// flight ends while nobody looks, and nothing is sent. The same silences, seen, are a quota.
func TestAGeneratorWithoutCPU(t *testing.T) {
	l := bursting(3000, 100, 40, 50)
	l.Unseen = make([]float64, 3000)
	for i := range l.Unseen {
		if i%100 >= 40 {
			l.Unseen[i] = 1
		}
		if i%100 == 0 {
			l.Bytes[i], l.IOs[i] = 32, 32
		}
	}
	r, ok := RegulationOf(l)
	if !ok || r.Class != Smooth || math.Abs(r.Unseen-.6) > 1e-9 || math.Abs(r.Rate/19.82e3-1) > 1e-3 {
		t.Errorf("%v %+v", ok, r)
	}
	l.Unseen = nil
	if r, _ := RegulationOf(l); r.Class != Quantum {
		t.Errorf("seen: %+v", r)
	}
	// A quota that is met by a generator which loses its CPU now and then remains one, with its own period.
	q := bursting(5000, 100, 20, 50)
	q.Unseen = make([]float64, 5000)
	for i := 150; i < 5000; i += 1000 {
		for j := range 10 {
			q.Unseen[i+j] = 1
		}
	}
	if r, _ := RegulationOf(q); r.Class != Quantum || math.Abs(r.PeriodS-.1) > 1e-9 {
		t.Errorf("a quota: %+v", r)
	}
	for i := range q.Unseen {
		q.Unseen[i] = 1
	}
	if r, ok := RegulationOf(q); ok {
		t.Errorf("nothing was seen: %+v", r)
	}
}
