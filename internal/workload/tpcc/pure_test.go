package tpcc

import (
	"bytes"
	"fmt"
	"math"
	"slices"
	"testing"

	"gonum.org/v1/gonum/stat/distuv"

	"plimsoll/internal/record"
	"plimsoll/internal/workload/database"
)

// fits returns the probability of counts like these, or more extreme ones, for the expected shares: the p of
// Pearson's chi-square, over classes of which at least five are expected.
func fits(counts []int, expected func(i int) float64) float64 {
	n, chi, classes := 0, 0.0, 0
	for _, c := range counts {
		n += c
	}
	want, got := 0.0, 0.0
	for i, c := range counts {
		want, got = want+expected(i)*float64(n), got+float64(c)
		if want >= 5 {
			chi += (got - want) * (got - want) / want
			classes, want, got = classes+1, 0, 0
		}
	}
	return distuv.ChiSquared{K: float64(classes - 1)}.Survival(chi)
}

func even(n int) func(int) float64 { return func(int) float64 { return 1 / float64(n) } }

// unlikely is below the p of a right distribution for the fixed seeds of these tests.
const unlikely = 1e-3

func TestRandomIsEven(t *testing.T) {
	r := stream(1, 2)
	counts := make([]int, 7)
	for range 70_000 {
		counts[r.between(-3, 3)+3]++
	}
	if p := fits(counts, even(7)); p < unlikely {
		t.Errorf("p = %g: %v", p, counts)
	}
	counts = make([]int, 5)
	for range 50_000 {
		counts[r.other(3, 5)-1]++
	}
	if counts[2] != 0 {
		t.Errorf("the one that was excluded came %d times", counts[2])
	}
	if p := fits(slices.Delete(counts, 2, 3), even(4)); p < unlikely {
		t.Errorf("p = %g: %v", p, counts)
	}
	if r.other(1, 1) != 1 {
		t.Error("there is no other than the only one")
	}
}

// TestNURand: draws are distributed as all pairs of the definition's two numbers are, and not evenly.
func TestNURand(t *testing.T) {
	for _, c := range []struct{ a, c, lo, hi int }{
		{unevenName, 173, 0, 999}, {unevenCustomer, 259, 1, 3000}, {unevenItem, 7911, 1, 1000}} {
		n := c.hi - c.lo + 1
		exact := make([]float64, n)
		for x := range c.a + 1 {
			for y := c.lo; y <= c.hi; y++ {
				exact[((x|y)+c.c)%n] += 1 / float64(n*(c.a+1))
			}
		}
		r, counts := stream(5, uint64(c.a)), make([]int, n)
		for range 300_000 {
			counts[r.nurand(c.a, c.c, c.lo, c.hi)-c.lo]++
		}
		if p := fits(counts, func(i int) float64 { return exact[i] }); p < unlikely {
			t.Errorf("NURand(%d, %d, %d): p = %g", c.a, c.lo, c.hi, p)
		}
		if p := fits(counts, even(n)); p > 1e-9 {
			t.Errorf("NURand(%d, %d, %d) is even: p = %g", c.a, c.lo, c.hi, p)
		}
	}
}

// TestConstants: clause 2.1.6.1, and that trials differ.
func TestConstants(t *testing.T) {
	seen := map[int]bool{}
	for seed := range uint64(2000) {
		loaded := loadConstants(seed % 50)
		run := runConstants(fmt.Sprint(seed), loaded)
		delta := run.name - loaded.name
		if delta < 0 {
			delta = -delta
		}
		if delta < 65 || delta > 119 || delta == 96 || delta == 112 || run.name < 0 || run.name > 255 ||
			run.customer > 1023 || run.item > 8191 {
			t.Fatalf("seed %d: loaded %+v, run %+v", seed, loaded, run)
		}
		seen[run.name] = true
	}
	if len(seen) < 50 {
		t.Errorf("only %d constants", len(seen))
	}
}

func TestLastName(t *testing.T) {
	for n, want := range map[int]string{371: "PRICALLYOUGHT", 0: "BARBARBAR", 999: "EINGEINGEING", 40: "BARPRESBAR"} {
		if got := string(lastName(nil, n)); got != want {
			t.Errorf("%d: %s, want %s", n, got, want)
		}
	}
}

func TestMiddle(t *testing.T) {
	for n, want := range map[int]int{1: 0, 2: 0, 3: 1, 4: 1, 5: 2} {
		if middle(n) != want {
			t.Errorf("of %d: %d", n, middle(n))
		}
	}
}

// TestDeck: every hundred cards have the mix, each time in another order.
func TestDeck(t *testing.T) {
	r, d := stream(3), newDeck()
	var before []kind
	for range 20 {
		var n [kinds]int
		var cards []kind
		for range 100 {
			k := d.deal(&r)
			n[k]++
			cards = append(cards, k)
		}
		if n != [kinds]int{45, 43, 4, 4, 4} {
			t.Fatalf("dealt %v", n)
		}
		if slices.Equal(cards, before) {
			t.Error("dealt in the order of before")
		}
		before = cards
	}
}

func TestNumbers(t *testing.T) {
	for text, want := range map[string]int{"0.05": 5, "-12.30": -1230, "0.1234": 1234, "7": 7, "-0.01": -1} {
		if got := number([]byte(text)); got != want {
			t.Errorf("%s: %d", text, got)
		}
	}
	for v, want := range map[int]string{0: "0.00", 5: "0.05", -5: "-0.05", 123456: "1234.56", -1230: "-12.30"} {
		if got := string(appendCents(nil, v)); got != want {
			t.Errorf("%d: %s", v, got)
		}
	}
}

// TestTake: clause 2.4.2.2 has ten and more left, or 91 more.
func TestTake(t *testing.T) {
	for _, c := range []struct{ has, takes, left int }{{15, 5, 10}, {15, 6, 100}, {10, 10, 91}, {100, 10, 90}} {
		g := good{quantity: c.has}
		g.take(c.takes, true)
		if g != (good{quantity: c.left, taken: c.takes, orders: 1, distant: 1}) {
			t.Errorf("%+v: %+v", c, g)
		}
	}
}

// TestParetoIsSysbenchs: 80% of the draws are among the first fifth, and 64% among the first fifth of that.
func TestParetoIsSysbenchs(t *testing.T) {
	s := skew{power: paretoPower()}
	s.population = populationOf(populationSpec, 1, 1, 1)
	r := stream(9)
	const n = 100_000
	for _, draw := range []struct {
		of   int
		next func(*random) int
	}{{s.items, s.itemID}, {s.customers, s.customerID}} {
		fifth, of := 0, 0
		for range n {
			v := draw.next(&r)
			if v < 1 || v > draw.of {
				t.Fatal(v)
			}
			if v <= draw.of/5 {
				fifth++
			}
			if v <= draw.of/25 {
				of++
			}
		}
		if math.Abs(float64(fifth)/n-0.8) > 0.006 || math.Abs(float64(of)/n-0.64) > 0.007 {
			t.Errorf("of %d: %d and %d of %d", draw.of, fifth, of, n)
		}
	}
}

// TestRowsAreASeeds: batches are the same however often and in whichever order they are made, and other seeds, copies
// and warehouses have others.
func TestRowsAreASeeds(t *testing.T) {
	made := func(p population) map[string][]byte {
		out := map[string][]byte{}
		batches := p.batches()
		slices.Reverse(batches)
		for i, b := range batches {
			text := read(t, b)
			out[b.table] = append(out[b.table], text...)
			if i%9 == 0 && !bytes.HasSuffix(text, []byte("\n")) {
				t.Errorf("%s does not end", b.table)
			}
		}
		return out
	}
	p := populationOf(populationSmall, 2, 2, 7)
	first, again := made(p), made(p)
	p.seed++
	other := made(p)
	for name, text := range first {
		if !bytes.Equal(text, again[name]) {
			t.Errorf("%s differs between two times", name)
		}
		if bytes.Equal(text, other[name]) && name[:3] != "new" {
			t.Errorf("%s is the same for another seed", name)
		}
	}
	if bytes.Equal(first["stock1"], first["stock2"]) || len(first) != 18 {
		t.Errorf("%d tables, or copies are alike", len(first))
	}
	half := len(first["customer1"]) / 2
	if bytes.Equal(first["customer1"][:half/2], first["customer1"][half:half+half/2]) {
		t.Error("the customers of two warehouses are alike")
	}
}

func read(t *testing.T, b batch) []byte {
	var out bytes.Buffer
	if _, err := out.ReadFrom(&reader{batch: b}); err != nil {
		t.Fatal(err)
	}
	return out.Bytes()
}

func TestDeclaredIsWhatIsStated(t *testing.T) {
	d := &driver{Server: &database.Server{},
		params:     with(record.Params{paramPopulation: populationSmall, paramWarehouses: "1", paramSkew: skewPareto}),
		population: small(1, 1)}
	if got := d.Doubts(); len(got) != 3 {
		t.Errorf("doubts %q", got)
	}
	d = &driver{Server: &database.Server{}, params: with(nil), population: populationOf(populationSpec, 10, 1, 1)}
	if got := d.Doubts(); len(got) != 0 {
		t.Errorf("doubts %q about what the specification asks", got)
	}
}

// TestFinerHistogram keeps counts, and quantiles to within the precision that there was.
func TestFinerHistogram(t *testing.T) {
	coarse := newCounts().latency[newOrder]
	for i := range int64(10_000) {
		if err := coarse.RecordValue(1 + i*i*1000); err != nil {
			t.Fatal(err)
		}
	}
	if err := coarse.RecordValue(longest); err != nil {
		t.Fatal(err)
	}
	fine := finer(coarse)
	if fine.SignificantFigures() != 3 || fine.TotalCount() != coarse.TotalCount() {
		t.Errorf("%d digits, %d of %d", fine.SignificantFigures(), fine.TotalCount(), coarse.TotalCount())
	}
	for _, q := range []float64{1, 50, 99, 100} {
		if a, b := float64(coarse.ValueAtQuantile(q)), float64(fine.ValueAtQuantile(q)); a/b < .99 || a/b > 1.01 {
			t.Errorf("p%v is %v, was %v", q, b, a)
		}
	}
}
