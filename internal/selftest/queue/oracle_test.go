package queue

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"math"
	"math/rand/v2"
	"os"
	"slices"
	"strconv"
	"strings"
	"testing"

	"plimsoll/internal/record/session"
)

// oracleVariable makes this package's test binary the other side of scripts/bench-loadline: it holds a seed, the number
// of a search, and for each rate at which it was measured what a request takes beside the queue, as RATE:SESSION (see
// overheads); the server that these draw is printed with its truth. The script starts such servers and never tells the
// search what stands here.
const oracleVariable = "PLIMSOLL_ORACLE"

func TestMain(m *testing.M) {
	asked := os.Getenv(oracleVariable)
	if asked == "" {
		os.Exit(m.Run())
	}
	line, err := answer(strings.Fields(asked))
	if err != nil {
		fmt.Fprintf(os.Stderr, "%s=%q: %v\n", oracleVariable, asked, err)
		os.Exit(2)
	}
	fmt.Println(line)
	os.Exit(0)
}

func answer(words []string) (string, error) {
	var seed uint64
	var search int
	if _, err := fmt.Sscan(strings.Join(words[:min(2, len(words))], " "), &seed, &search); err != nil || search < 1 {
		return "", errors.New("want a seed, which search, and RATE:SESSION for each measurement of the overhead")
	}
	var beside overheads
	for _, word := range words[2:] {
		text, path, _ := strings.Cut(word, ":")
		rate, err := strconv.ParseFloat(text, 64)
		if err != nil {
			return "", err
		}
		o, err := overheadIn(path, rate)
		if err != nil {
			return "", err
		}
		beside = append(beside, o)
	}
	return drawn(seed, search-1).line(beside.merged()), nil
}

// overheadIn is what the last trial of a session has measured.
func overheadIn(path string, rate float64) (overhead, error) {
	log, err := session.ReadContext(context.Background(), path)
	if err != nil {
		return overhead{}, err
	}
	for _, t := range slices.Backward(log.Trials) {
		series, err := log.Series(t.ID)
		if err != nil {
			return overhead{}, err
		}
		for _, s := range series {
			if s.Name != "latency" || t.Void != "" {
				continue
			}
			h, err := session.DecodeHistogram(s.Data)
			if err != nil {
				return overhead{}, err
			}
			return measured(rate, func(q float64) float64 { return float64(h.ValueAtQuantile(100*q)) * 1e-9 }), nil
		}
	}
	return overhead{}, fmt.Errorf("%s holds no latencies", path)
}

// trueServer is one that a real search is tried on.
type trueServer struct {
	name    string
	servers int
	service float64 // seconds, to the microsecond
	yield   float64 // to the hundredth
	truth   Server
}

// drawn is the server of search i: one server alone is every fifth, the other two kinds are in turn. Capacities,
// requests a second, leave the generator room and give base probes of some seconds enough requests; one server alone,
// whose latency rises slowest, needs most of them.
func drawn(seed uint64, i int) trueServer {
	r := rand.New(rand.NewPCG(seed, uint64(i)))
	s := trueServer{servers: 1}
	capacity := between(r, 600, 2000)
	switch i % 5 {
	case 0:
		s.name, capacity = "M/M/1", between(r, 900, 1600)
	case 1, 3:
		s.servers = 2 + r.IntN(7)
		s.name = fmt.Sprintf("M/M/%d", s.servers)
	default:
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

// overheadPoints is into how many equal parts an overhead's distribution is cut.
const overheadPoints = 200

// overhead is what a request takes beside its queue, in seconds, at a rate of requests a second: the middles of equal
// parts of its distribution, in order.
type overhead struct {
	rate float64
	took [overheadPoints]float64
}

func measured(rate float64, quantile func(float64) float64) overhead {
	o := overhead{rate: rate}
	for i := range o.took {
		o.took[i] = quantile((float64(i) + .5) / overheadPoints)
	}
	return o
}

// mixed is the distribution that lies between two, quantile by quantile.
func (o overhead) mixed(other overhead, share float64) overhead {
	for i := range o.took {
		o.took[i] += share * (other.took[i] - o.took[i])
	}
	o.rate += share * (other.rate - o.rate)
	return o
}

// overheads are those at several rates, in order: a machine that is seldom asked sleeps, and wakes late.
type overheads []overhead

// merged has one for each rate: the mean of those measured at it, such as before and after a search.
func (o overheads) merged() overheads {
	all := slices.Clone(o)
	slices.SortStableFunc(all, func(a, b overhead) int { return cmp.Compare(a.rate, b.rate) })
	var out overheads
	for i := 0; i < len(all); {
		mean, n := all[i], 1
		for ; i+n < len(all) && all[i+n].rate == mean.rate; n++ {
			mean = mean.mixed(all[i+n], 1/float64(n+1))
		}
		out, i = append(out, mean), i+n
	}
	return out
}

// at is linear in the rate between two, and constant beyond.
func (o overheads) at(load float64) overhead {
	i := slices.IndexFunc(o, func(x overhead) bool { return x.rate >= load })
	switch {
	case i < 0:
		return o[len(o)-1]
	case i == 0:
		return o[0]
	}
	return o[i-1].mixed(o[i], (load-o[i-1].rate)/(o[i].rate-o[i-1].rate))
}

// slowed is a server whose requests take an overhead besides, independent of the queue.
type slowed struct {
	Server
	by overheads
}

func (s slowed) Beyond(load, t float64) float64 {
	if len(s.by) == 0 {
		return s.Server.Beyond(load, t)
	}
	sum := 0.0
	for _, took := range s.by.at(load).took {
		if took >= t {
			sum++
		} else {
			sum += s.Server.Beyond(load, t-took)
		}
	}
	return sum / overheadPoints
}

// lineOf is the load line of a quantile with the overhead: twice the base of both.
func (s trueServer) lineOf(q float64, by overheads) float64 {
	both := slowed{s.truth, by}
	return LineAt(both, q, 2*Base(both, q))
}

// line is tab-separated: the name, what the server is told, its capacity, the lines of p50 and p99 of the queue
// alone, and with the overhead.
func (s trueServer) line(by overheads) string {
	told := fmt.Sprintf("http.service=%sus http.servers=%d http.yield=%s", strconv.FormatFloat(1e6*s.service, 'f', 0, 64),
		s.servers, strconv.FormatFloat(s.yield, 'f', -1, 64))
	return fmt.Sprintf("%s\t%s\t%.1f\t%.2f\t%.2f\t%.2f\t%.2f", s.name, told, s.truth.Capacity(),
		s.lineOf(.5, nil), s.lineOf(.99, nil), s.lineOf(.5, by), s.lineOf(.99, by))
}

// TestDrawnServers: what is tried on a real machine is what scripts/bench-loadline and the docs say of it.
func TestDrawnServers(t *testing.T) {
	for seed := range uint64(50) {
		for i := range 9 {
			s := drawn(seed, i)
			if c := s.truth.Capacity(); c < 595 || c > 2010 || s.service < .5e-3 || s.servers < 1 || s.servers > 8 ||
				s.yield != 0 && (s.yield < .2 || s.yield > .7) {
				t.Errorf("seed %d, search %d: %+v of capacity %g", seed, i, s, c)
			}
			if s != drawn(seed, i) {
				t.Errorf("seed %d, search %d is drawn otherwise the second time", seed, i)
			}
		}
	}
}

// TestOverheadMovesTheLine: of one server and an overhead that is always the same, the line has a closed form. Its
// sojourn is exponential, so that the load is the rate less ln 2 over what is left of the limit.
func TestOverheadMovesTheLine(t *testing.T) {
	const rate = 1000.0
	s := trueServer{truth: Several{Rate: rate, Servers: 1}}
	base := (1/.95 + 1/.9 + 1/.85) / 3 * math.Ln2 / rate
	for _, d := range []float64{0, 2e-4} {
		want := rate - math.Ln2/(2*base+d)
		always := func(float64) float64 { return d }
		if got := s.lineOf(.5, overheads{measured(100, always), measured(600, always)}); math.Abs(got/want-1) > 1e-3 {
			t.Errorf("overhead %g s: line %g, want %g", d, got, want)
		}
	}
}

// TestSlowedIsTheSum: of simulated sojourns and overheads, added up, the quantiles are those.
func TestSlowedIsTheSum(t *testing.T) {
	const seed, n, load = 4, 200_000, 500.0
	t.Logf("seed %d", seed)
	r := rand.New(rand.NewPCG(seed, 0))
	logNormal := func(p50, spread float64) func(float64) float64 {
		return func(q float64) float64 { return p50 * math.Exp(spread*math.Sqrt2*math.Erfinv(2*q-1)) }
	}
	s := slowed{Single{Rate: 1000}, overheads{measured(100, logNormal(4e-4, .9)), measured(100, logNormal(2e-4, .9)),
		measured(900, logNormal(1e-4, .9))}.merged()}
	if got, want := s.by.at(load).took[overheadPoints/2], 2e-4; math.Abs(got/want-1) > .01 || len(s.by) != 2 {
		t.Fatalf("half way the median is %g, want %g", got, want)
	}
	half := logNormal(2e-4, .9)
	var sums []float64
	for range n {
		sums = append(sums, r.ExpFloat64()/500+half(r.Float64()))
	}
	slices.Sort(sums)
	for _, q := range []float64{.5, .99} {
		want, got := sums[int(q*n)], Quantile(s, load, q)
		if math.Abs(got/want-1) > .02 {
			t.Errorf("quantile %g: %g, simulated %g", q, got, want)
		}
	}
}
