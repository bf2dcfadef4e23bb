package queue

import (
	"fmt"
	"math"
	"math/rand/v2"
	"os"
	"slices"
	"strconv"
	"testing"
)

// oracleVariable makes this package's test binary the other side of scripts/oracle: it holds a seed, the number of a search, and what a
// request takes beside the queue at two rates (see overheads); the server that these draw is printed with its truth. The script starts such servers
// and never tells the search what stands here.
const oracleVariable = "PLIMSOLL_ORACLE"

func TestMain(m *testing.M) {
	asked := os.Getenv(oracleVariable)
	if asked == "" {
		os.Exit(m.Run())
	}
	var seed uint64
	var search int
	var beside overheads
	_, err := fmt.Sscan(asked, &seed, &search, &beside.low.rate, &beside.low.p50, &beside.low.p99, &beside.high.rate, &beside.high.p50, &beside.high.p99)
	if err != nil || search < 1 {
		fmt.Fprintf(os.Stderr, "%s=%q: want a seed, which search, and twice a rate with the median and the p99 of the overhead in seconds\n", oracleVariable, asked)
		os.Exit(2)
	}
	fmt.Println(drawn(seed, search-1).line(beside))
	os.Exit(0)
}

// trueServer is one that a real search is tried on.
type trueServer struct {
	name    string
	servers int
	service float64 // seconds, to the microsecond
	yield   float64 // to the hundredth
	truth   Server
}

// drawn is the server of search i: the three kinds in turn. Capacities, requests a second, leave the generator room
// and give base probes of some seconds enough requests; one server alone, whose latency rises slowest, needs most of them.
func drawn(seed uint64, i int) trueServer {
	r := rand.New(rand.NewPCG(seed, uint64(i)))
	s := trueServer{servers: 1}
	capacity := between(r, 600, 2000)
	switch i % 3 {
	case 0:
		s.name, capacity = "M/M/1", between(r, 900, 1600)
	case 1:
		s.servers = 2 + r.IntN(7)
		s.name = fmt.Sprintf("M/M/%d", s.servers)
	case 2:
		s.servers = 2 + r.IntN(3)
		s.yield = math.Round(100*(.2+.5*r.Float64())) / 100
		s.name = fmt.Sprintf("%dx2 threads, yield %.2f", s.servers, s.yield)
	}
	s.service = math.Round(1e6*float64(s.servers)*(1+s.yield)/capacity) / 1e6
	s.truth = Several{Rate: 1 / s.service, Servers: s.servers}
	if s.yield > 0 {
		s.truth = Threaded{Rate: 1 / s.service, Cores: s.servers, Yield: s.yield}
	}
	return s
}

// between is log-uniform.
func between(r *rand.Rand, lo, hi float64) float64 { return lo * math.Pow(hi/lo, r.Float64()) }

// overhead is what a request takes beside its queue, in seconds, at a rate of requests a second; all zero: nothing.
type overhead struct{ rate, p50, p99 float64 }

// overheads are those at a low and at a high rate: a machine that is seldom asked sleeps, and wakes late.
type overheads struct{ low, high overhead }

// at is linear in the rate between the two, and constant beyond.
func (o overheads) at(load float64) overhead {
	share := 0.0
	if o.high.rate > o.low.rate {
		share = min(max((load-o.low.rate)/(o.high.rate-o.low.rate), 0), 1)
	}
	mix := func(a, b float64) float64 { return a + share*(b-a) }
	return overhead{load, mix(o.low.p50, o.high.p50), mix(o.low.p99, o.high.p99)}
}

// slowed is a server whose requests take an overhead besides, log-normal and independent of the queue.
type slowed struct {
	Server
	by overheads
}

// overheadPoints is into how many equal parts the overhead's distribution is cut.
const overheadPoints = 200

func (s slowed) Beyond(load, t float64) float64 {
	o := s.by.at(load)
	if o.p50 <= 0 {
		return s.Server.Beyond(load, t)
	}
	spread := math.Log(max(o.p99/o.p50, 1)) / normal(.99)
	sum := 0.0
	for i := range overheadPoints {
		took := o.p50 * math.Exp(spread*normal((float64(i)+.5)/overheadPoints))
		if took >= t {
			sum++
		} else {
			sum += s.Server.Beyond(load, t-took)
		}
	}
	return sum / overheadPoints
}

// normal is the quantile of the normal distribution.
func normal(p float64) float64 { return math.Sqrt2 * math.Erfinv(2*p-1) }

// lineOf is the load line of a quantile with the overhead: twice the base of both.
func (s trueServer) lineOf(q float64, by overheads) float64 {
	both := slowed{s.truth, by}
	return LineAt(both, q, 2*Base(both, q))
}

// line is tab-separated: the name, what the server is told, its capacity, the lines of p50 and p99 of the queue
// alone, and with the overhead.
func (s trueServer) line(by overheads) string {
	told := fmt.Sprintf("http.service=%sus http.servers=%d http.yield=%s", strconv.FormatFloat(1e6*s.service, 'f', 0, 64), s.servers, strconv.FormatFloat(s.yield, 'f', -1, 64))
	return fmt.Sprintf("%s\t%s\t%.1f\t%.2f\t%.2f\t%.2f\t%.2f", s.name, told, s.truth.Capacity(),
		s.lineOf(.5, overheads{}), s.lineOf(.99, overheads{}), s.lineOf(.5, by), s.lineOf(.99, by))
}

// TestDrawnServers: what is tried on a real machine is what scripts/oracle and the docs say of it.
func TestDrawnServers(t *testing.T) {
	for seed := range uint64(50) {
		for i := range 9 {
			s := drawn(seed, i)
			if c := s.truth.Capacity(); c < 595 || c > 2010 || s.service < .5e-3 || s.servers < 1 || s.servers > 8 || s.yield != 0 && (s.yield < .2 || s.yield > .7) {
				t.Errorf("seed %d, search %d: %+v of capacity %g", seed, i, s, c)
			}
			if s != drawn(seed, i) {
				t.Errorf("seed %d, search %d is drawn otherwise the second time", seed, i)
			}
		}
	}
}

// TestOverheadMovesTheLine: of one server and an overhead that is always the same, the line has a closed form. Its sojourn
// is exponential, so that the load is the rate less ln 2 over what is left of the limit.
func TestOverheadMovesTheLine(t *testing.T) {
	const rate = 1000.0
	s := trueServer{truth: Several{Rate: rate, Servers: 1}}
	base := (1/.95 + 1/.9 + 1/.85) / 3 * math.Ln2 / rate
	for _, d := range []float64{0, 2e-4} {
		want := rate - math.Ln2/(2*base+d)
		if got := s.lineOf(.5, overheads{overhead{100, d, d}, overhead{600, d, d}}); math.Abs(got/want-1) > 1e-3 {
			t.Errorf("overhead %g s: line %g, want %g", d, got, want)
		}
	}
}

// TestSlowedIsTheSum: of simulated sojourns and overheads, added up, the quantiles are those.
func TestSlowedIsTheSum(t *testing.T) {
	const seed, n, load = 4, 200_000, 500.0
	t.Logf("seed %d", seed)
	r := rand.New(rand.NewPCG(seed, 0))
	s := slowed{Single{Rate: 1000}, overheads{overhead{100, 3e-4, 3e-3}, overhead{900, 1e-4, 1e-3}}}
	o := s.by.at(load)
	if math.Abs(o.p50-2e-4) > 1e-9 || math.Abs(o.p99-2e-3) > 1e-9 {
		t.Fatalf("half way: %+v", o)
	}
	spread := math.Log(o.p99/o.p50) / normal(.99)
	var sums []float64
	for range n {
		sums = append(sums, r.ExpFloat64()/500+o.p50*math.Exp(spread*r.NormFloat64()))
	}
	slices.Sort(sums)
	for _, q := range []float64{.5, .99} {
		want, got := sums[int(q*n)], Quantile(s, load, q)
		if math.Abs(got/want-1) > .02 {
			t.Errorf("quantile %g: %g, simulated %g", q, got, want)
		}
	}
}
