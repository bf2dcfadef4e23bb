package queue

import (
	"fmt"
	"math"
	"math/rand/v2"
	"os"
	"strconv"
	"testing"
)

// oracleVariable makes this package's test binary the other side of scripts/oracle: it holds a seed, a number of searches and an overhead, and
// the servers that these draw are printed with their truth. The script starts such servers and never tells the
// search what stands here.
const oracleVariable = "PLIMSOLL_ORACLE"

func TestMain(m *testing.M) {
	asked := os.Getenv(oracleVariable)
	if asked == "" {
		os.Exit(m.Run())
	}
	var seed uint64
	var searches int
	var overhead float64
	if _, err := fmt.Sscan(asked, &seed, &searches, &overhead); err != nil || searches < 1 || !(overhead >= 0) {
		fmt.Fprintf(os.Stderr, "%s=%q: want a seed, how many servers, and the overhead of a request in seconds\n", oracleVariable, asked)
		os.Exit(2)
	}
	for i := range searches {
		fmt.Println(drawn(seed, i).line(overhead))
	}
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
		s.name, capacity = "M/M/1", between(r, 1400, 2000)
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

// lineOf is the load line of a quantile where each request takes an overhead in seconds besides: the base has it once,
// the limit twice, and what is at the limit once.
func (s trueServer) lineOf(q, overhead float64) float64 {
	return LineAt(s.truth, q, 2*Base(s.truth, q)+overhead)
}

// line is tab-separated: the name, what the server is told, its capacity, the lines of p50 and p99 of the queue
// alone, and with the overhead.
func (s trueServer) line(overhead float64) string {
	told := fmt.Sprintf("http.service=%sus http.servers=%d http.yield=%s", strconv.FormatFloat(1e6*s.service, 'f', 0, 64), s.servers, strconv.FormatFloat(s.yield, 'f', -1, 64))
	return fmt.Sprintf("%s\t%s\t%.1f\t%.2f\t%.2f\t%.2f\t%.2f", s.name, told, s.truth.Capacity(),
		s.lineOf(.5, 0), s.lineOf(.99, 0), s.lineOf(.5, overhead), s.lineOf(.99, overhead))
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

// TestOverheadMovesTheLine: of one server the line has a closed form. Its sojourn is exponential, so that
// the load is the rate less ln 2 over the limit.
func TestOverheadMovesTheLine(t *testing.T) {
	const rate, overhead = 1000.0, 2e-4
	s := trueServer{truth: Several{Rate: rate, Servers: 1}}
	base := (1/.95 + 1/.9 + 1/.85) / 3 * math.Ln2 / rate
	for _, o := range []float64{0, overhead} {
		want := rate - math.Ln2/(2*base+o)
		if got := s.lineOf(.5, o); math.Abs(got/want-1) > 1e-3 {
			t.Errorf("overhead %g s: line %g, want %g", o, got, want)
		}
	}
}
