package judge

import (
	"errors"
	"fmt"
	"math"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"

	"plimsoll/internal/analysis/category"
	"plimsoll/internal/analysis/finding"
	"plimsoll/internal/analysis/finding/axis"
	"plimsoll/internal/analysis/finding/compare"
	"plimsoll/internal/analysis/finding/explain"
	"plimsoll/internal/base/simtest"
	"plimsoll/internal/machine/catalog"
	"plimsoll/internal/record"
)

// simulation is a session of profiled pairs, of which it is known what an operation takes on either side.
type simulation struct {
	seed     uint64
	pairs    int
	samples  int     // of a profile
	noise    float64 // standard deviation of the log of what a category takes in a run
	together float64 // likewise of what both sides of a pair share
	unrest   float64 // likewise of what disturbs a whole trial
	a, b     map[category.Name]float64
	waitsA   map[category.Name]float64 // seconds of threads for an operation
	waitsB   map[category.Name]float64
	keysA    map[string]string
	keysB    map[string]string
	with     map[category.Name]float64 // a third cell that is b but for broker.provider
}

// stackOf is a stack as profilers give it, of each category.
func stackOf(c category.Name) record.Stack {
	kernel := func(names ...string) record.Stack {
		s := record.Stack{Thread: "worker"}
		for _, n := range names {
			s.Frames = append(s.Frames, record.Frame{Function: n, Module: record.ModuleKernel})
		}
		s.Frames = append(s.Frames, record.Frame{Function: "sun.nio.ch.SocketDispatcher.write0", Module: record.ModuleJava})
		return s
	}
	java := func(name string) record.Stack {
		return record.Stack{Thread: "worker", Frames: []record.Frame{
			{Function: name, Module: record.ModuleJava}, {Function: "kafka.server.KafkaApis.handle", Module: record.ModuleJava}}}
	}
	switch c {
	case category.Crypto:
		return java("com.sun.crypto.provider.GHASH.processBlock")
	case category.Compression:
		return record.Stack{Frames: []record.Frame{
			{Function: "longest_match", Module: "libz.so.1"},
			{Function: "java.util.zip.Deflater.deflateBytesBytes", Module: record.ModuleJava}}}
	case category.KernelNetwork:
		return kernel("__local_bh_enable_ip", "tcp_sendmsg_locked", "tcp_sendmsg", "ksys_write", "do_syscall_64",
			"entry_SYSCALL_64_after_hwframe")
	case category.KernelDisk:
		return kernel("ext4_da_write_begin", "generic_perform_write", "do_syscall_64")
	case category.Collection:
		return record.Stack{Thread: "GC Thread#0", Frames: []record.Frame{
			{Function: "G1ParScanThreadState::copy_to_survivor_space", Module: "libjvm.so"}}}
	case category.Locks:
		return kernel("_raw_spin_lock", "futex_wake", "do_futex", "do_syscall_64")
	case category.Copying:
		return record.Stack{Frames: []record.Frame{
			{Function: "__memmove_avx_unaligned_erms", Module: "libc.so.6"},
			{Function: "com.sun.crypto.provider.GHASH.processBlock", Module: record.ModuleJava}}}
	case category.WaitingDisk:
		return kernel("io_schedule", "folio_wait_bit_common", "do_fsync", "do_syscall_64")
	case category.WaitingNetwork:
		return kernel("sk_stream_wait_memory", "tcp_sendmsg_locked", "do_syscall_64")
	case category.WaitingIdle:
		return kernel("ep_poll", "do_epoll_wait", "do_syscall_64")
	case category.WaitingParked:
		return kernel("futex_wait_queue", "futex_wait", "do_syscall_64")
	}
	return java("kafka.log.UnifiedLog.append")
}

// profilesHeld are the profiles of simulated trials.
type profilesHeld map[string]record.Profile

func (h profilesHeld) read(t record.Trial, series string) (record.Profile, bool, error) {
	p, ok := h[t.ID+" "+series]
	return p, ok, nil
}

// make is the session: each pair measured and profiled.
func (s simulation) make() ([]record.Trial, []record.PlanLine, profilesHeld) {
	r := rand.New(rand.NewPCG(s.seed, 7))
	profiles := profilesHeld{}
	var trials []record.Trial
	for i := range s.pairs {
		shared := math.Exp(s.together * r.NormFloat64())
		sides := []map[category.Name]float64{s.a, s.b}
		if s.with != nil {
			sides = append(sides, s.with)
		}
		for cell, costs := range sides {
			for _, withProfile := range []bool{false, true} {
				shared := shared * math.Exp(s.unrest*r.NormFloat64())
				took, total := drawn(r, costs, s.noise, shared)
				keys := []change{key(record.KeyWorkload, "kafka"), key(record.KeyLoad, "8 clients"),
					key("factor.side", []string{"a", "b", "b"}[cell]), cellNo(cell)}
				for k, v := range []map[string]string{s.keysA, s.keysB, s.keysB}[cell] {
					keys = append(keys, key(k, v))
				}
				if cell == 2 {
					keys = append(keys, key("kafka.broker.provider", "corretto"))
				}
				rate := 1 / (total + shared*sum([]map[category.Name]float64{s.waitsA, s.waitsB, s.waitsB}[cell]))
				t := trial("m1", i, 0, keys...)
				t.Values = nil
				measured(record.Throughput, "op/s", record.Higher, rate)(&t)
				measured(record.CPUPerOp, "s", record.Lower, total)(&t)
				t.DurationS, t.Load, t.Profiled = 10, record.LoadPoint{Kind: record.Closed, Level: 8, Unit: "clients"}, withProfile
				t.ID = fmt.Sprintf("c%d-r%d-%t", cell, i, withProfile)
				if withProfile {
					profiles[t.ID+" "+record.ProfileCPU] = sampled(r, took, s.samples, 1e7)
					waits, _ := drawn(r, []map[category.Name]float64{s.waitsA, s.waitsB, s.waitsB}[cell], s.noise, shared)
					if len(waits) > 0 {
						n := sum(waits) * rate * t.DurationS * 100 // samples of 10 ms
						profiles[t.ID+" "+record.ProfileWait] = sampled(r, waits, int(n), 1e7)
					}
				}
				trials = append(trials, t)
			}
		}
	}
	return trials, plans(func(p *record.Plan) { p.Factors = []record.Factor{{Name: "side", Levels: []string{"a", "b"}}} }),
		profiles
}

func sum(of map[category.Name]float64) float64 {
	total := 0.0
	for _, c := range category.All() {
		total += of[c]
	}
	return total
}

// drawn is what a run takes.
func drawn(r *rand.Rand, costs map[category.Name]float64, noise, shared float64) (map[category.Name]float64, float64) {
	out := map[category.Name]float64{}
	for _, c := range category.All() {
		if v, ok := costs[c]; ok {
			out[c] = v * shared * math.Exp(noise*r.NormFloat64())
		}
	}
	return out, sum(out)
}

// sampled draws so many samples, each by itself.
func sampled(r *rand.Rand, costs map[category.Name]float64, n int, period int64) record.Profile {
	p := record.Profile{Clock: record.ClockCPU, PeriodNs: period}
	counts := map[category.Name]int64{}
	var categories []category.Name
	var upTo []float64
	for _, c := range category.All() {
		if costs[c] > 0 {
			categories = append(categories, c)
			upTo = append(upTo, costs[c])
		}
	}
	for i := 1; i < len(upTo); i++ {
		upTo[i] += upTo[i-1]
	}
	for range n {
		u := r.Float64() * upTo[len(upTo)-1]
		counts[categories[slices.IndexFunc(upTo, func(v float64) bool { return u <= v })]]++
	}
	for _, c := range category.All() {
		if counts[c] > 0 {
			s := stackOf(c)
			s.N = counts[c]
			p.Stacks = append(p.Stacks, s)
		}
	}
	return p
}

func (s simulation) explain(t *testing.T, o ExplainOptions) explain.Explanation {
	t.Helper()
	trials, plans, profiles := s.make()
	o.Profile = profiles.read
	got, err := Compare(trials, nil, plans, Options{By: "side", Explain: &o})
	if err != nil {
		t.Fatal(err)
	}
	if s.with == nil && len(explain.KindExplain.All(got.Pairs[0])) != 1 {
		t.Fatalf("seed %d: want one explanation, got %+v", s.seed, explain.KindExplain.All(got.Pairs[0]))
	}
	return explain.KindExplain.All(got.Pairs[0])[0]
}

// base is what an operation takes where nothing is amiss, in seconds.
func base() map[category.Name]float64 {
	return map[category.Name]float64{category.Crypto: 8e-6, category.Compression: 1e-6, category.Copying: 3e-6,
		category.KernelNetwork: 6e-6, category.KernelDisk: 2e-6, category.Collection: .5e-6, category.Locks: 1e-6,
		category.Application: 10e-6}
}

func but(costs map[category.Name]float64, of map[category.Name]float64) map[category.Name]float64 {
	out := map[category.Name]float64{}
	for c, v := range costs {
		out[c] = v
	}
	for c, v := range of {
		out[c] = v
	}
	return out
}

func simulated(seed uint64, a, b map[category.Name]float64) simulation {
	idle := map[category.Name]float64{category.WaitingIdle: 400e-6, category.WaitingParked: 300e-6,
		category.WaitingDisk: 2e-6}
	return simulation{seed: seed, pairs: 5, samples: 900, noise: .06, together: .1, a: a, b: b, waitsA: idle, waitsB: idle}
}

// TestPlantedCausesAreNamed: the six causes of the issue, as profiles show them, in 10 sessions each, by the categories
// alone and with the rules of known issues.
func TestPlantedCausesAreNamed(t *testing.T) {
	idle := map[category.Name]float64{category.WaitingIdle: 400e-6, category.WaitingParked: 300e-6,
		category.WaitingDisk: 2e-6}
	for name, planted := range map[string]struct {
		costs, waits map[category.Name]float64
		first        category.Name
	}{
		"AES intrinsics off": {costs: map[category.Name]float64{category.Crypto: 24e-6}, first: category.Crypto},
		"tiny heap":          {costs: map[category.Name]float64{category.Collection: 6e-6}, first: category.Collection},
		"expensive codec":    {costs: map[category.Name]float64{category.Compression: 9e-6}, first: category.Compression},
		"fsync per batch": {costs: map[category.Name]float64{category.KernelDisk: 5e-6},
			waits: map[category.Name]float64{category.WaitingDisk: 150e-6}, first: category.WaitingDisk},
		"lock contention": {costs: map[category.Name]float64{category.Locks: 6e-6},
			waits: map[category.Name]float64{category.WaitingParked: 500e-6}, first: category.Locks},
		"tiny socket buffer": {costs: map[category.Name]float64{category.KernelNetwork: 18e-6},
			first: category.KernelNetwork},
	} {
		for _, off := range []bool{false, true} {
			hits := 0
			for seed := range uint64(10) {
				s := simulated(seed, base(), but(base(), planted.costs))
				s.waitsB = but(idle, planted.waits)
				x := s.explain(t, ExplainOptions{NoKnownIssues: off})
				if len(x.Causes) > 0 && x.Causes[0] == string(planted.first) {
					hits++
				} else {
					t.Logf("seed %d: %s", seed, x.Says)
				}
			}
			if hits < 10 {
				t.Errorf("%s, known issues off %t: named in %d of 10", name, off, hits)
			}
		}
	}
}

// TestWholeTrialsThatAreDisturbed: where everything in a trial takes half as much or twice as much, what stands out is
// still named, and nothing is where nothing does.
func TestWholeTrialsThatAreDisturbed(t *testing.T) {
	hits, wrong := 0, 0
	for seed := range uint64(40) {
		s := simulated(seed, base(), but(base(), map[category.Name]float64{category.Crypto: 24e-6}))
		s.unrest = .7
		if x := s.explain(t, ExplainOptions{}); slices.Contains(x.Causes, string(category.Crypto)) {
			hits++
		}
		s.b = base()
		if x := s.explain(t, ExplainOptions{}); len(x.Causes) > 0 {
			wrong++
			t.Logf("seed %d: %s", seed, x.Says)
		}
	}
	if hits < 38 || wrong > 2 {
		t.Errorf("named in %d of 40, a cause in %d of 40 that are alike", hits, wrong)
	}
}

// TestIdenticalPairsHaveNoCause: in at least 19 of 20 sessions of sides that are alike.
func TestIdenticalPairsHaveNoCause(t *testing.T) {
	simtest.Long(t)
	sessions := simtest.Times(200, 60)
	for _, pairs := range []int{3, 5, 10} {
		wrong := 0
		for seed := range uint64(sessions) {
			s := simulated(1000+seed, base(), base())
			s.pairs, s.samples = pairs, 300
			if x := s.explain(t, ExplainOptions{}); len(x.Causes) > 0 {
				wrong++
				t.Logf("seed %d: %s", s.seed, x.Says)
			} else if !strings.HasPrefix(x.Says, "no cause found") {
				t.Errorf("seed %d: %s", s.seed, x.Says)
			}
		}
		if wrong > sessions/20 {
			t.Errorf("%d pairs: a cause in %d of %d sessions of sides that are alike", pairs, wrong, sessions)
		}
	}
}

// TestCoverageOfDifferences: the intervals of categories hold the true differences in 95% of sessions, and those of
// shares too.
func TestCoverageOfDifferences(t *testing.T) {
	simtest.Long(t)
	sessions := simtest.Times(300, 100)
	a, b := base(), but(base(), map[category.Name]float64{category.Crypto: 16e-6})
	var in, shares, all float64
	for seed := range uint64(sessions) {
		s := simulated(5000+seed, a, b)
		x := s.explain(t, ExplainOptions{})
		// What a run takes is log-normal: its mean lies above its median.
		grow := math.Exp((s.noise*s.noise + s.together*s.together) / 2)
		for _, c := range x.Categories {
			truth := (b[c.Category] - a[c.Category]) * grow
			all++
			if *c.Lo <= truth && truth <= *c.Hi {
				in++
			}
			if c.Category == category.Crypto && c.ShareLo != nil && *c.ShareLo <= 1 && 1 <= *c.ShareHi {
				shares++
			}
		}
	}
	if share := in / all; share < .93 || share > .995 {
		t.Errorf("intervals of differences hold the truth in %.1f%%", 100*share)
	}
	if share := shares / float64(sessions); share < .92 {
		t.Errorf("intervals of shares hold the truth in %.1f%%", 100*share)
	}
}

func TestAChangeThatWasMeasuredRemovesIt(t *testing.T) {
	s := simulated(1, base(), but(base(), map[category.Name]float64{category.Crypto: 24e-6}))
	s.keysA, s.keysB = map[string]string{"kafka.broker.provider": "jdk"}, map[string]string{"kafka.broker.provider": "jdk"}
	s.with = base()
	x := s.explain(t, ExplainOptions{})
	if !strings.Contains(x.Says, "of the gap is crypto") ||
		!strings.HasSuffix(x.Says, "broker.provider=corretto removes it") {
		t.Errorf("got %q, %+v", x.Says, x.Removes)
	}
	s.with = but(base(), map[category.Name]float64{category.Crypto: 16e-6})
	x = s.explain(t, ExplainOptions{})
	if len(x.Removes) == 0 || x.Removes[0].Removes || !strings.Contains(x.Says, "broker.provider=corretto removes ") {
		t.Errorf("half of it is taken away: got %q, %+v", x.Says, x.Removes)
	}
	s.with = s.b
	if x = s.explain(t, ExplainOptions{}); len(x.Removes) > 0 {
		t.Errorf("nothing is taken away: got %q, %+v", x.Says, x.Removes)
	}
}

// TestUnreadProfilesDoubtTheirOwnCell: what cannot be read of one cell says nothing of another.
func TestUnreadProfilesDoubtTheirOwnCell(t *testing.T) {
	s := simulated(1, base(), base())
	s.with = base()
	for cell, want := range map[int]bool{1: true, 2: false} {
		trials, plans, profiles := s.make()
		o := ExplainOptions{Profile: func(tr record.Trial, series string) (record.Profile, bool, error) {
			if tr.Cell == cell && tr.Replicate == 0 {
				return record.Profile{}, false, errors.New("it is torn")
			}
			return profiles.read(tr, series)
		}}
		got, err := Compare(trials, nil, plans, Options{By: "side", Explain: &o})
		if err != nil {
			t.Fatal(err)
		}
		if x := explain.KindExplain.All(got.Pairs[0])[0]; flagged(x.Doubts, "it is torn") != want {
			t.Errorf("cell %d: doubts %q", cell, x.Doubts)
		}
	}
}

func TestFewPairsTellNoCause(t *testing.T) {
	s := simulated(1, base(), but(base(), map[category.Name]float64{category.Crypto: 24e-6}))
	s.pairs = 2
	x := s.explain(t, ExplainOptions{})
	if len(x.Causes) > 0 || !strings.HasPrefix(x.Says, "no cause found: 2 pairs; by estimate") || len(x.Doubts) == 0 {
		t.Errorf("got %q, %v, %v", x.Says, x.Causes, x.Doubts)
	}
	for _, c := range x.Categories {
		if c.Lo != nil || c.P != nil {
			t.Errorf("%s has an interval of two pairs: %+v", c.Category, c)
		}
	}
}

// TestIdleThreadsAreNoCause: where everything else is alike and operations are fewer, threads without work wait longer
// for each.
func TestIdleThreadsAreNoCause(t *testing.T) {
	s := simulated(3, base(), base())
	s.waitsB = map[category.Name]float64{category.WaitingIdle: 900e-6, category.WaitingParked: 900e-6,
		category.WaitingDisk: 2e-6}
	if x := s.explain(t, ExplainOptions{}); len(x.Causes) > 0 {
		t.Errorf("got %v: %s", x.Causes, x.Says)
	}
}

// TestWithoutProfiles: what trials hold besides still speaks, and a difference in CPU time alone has no named cause.
func TestWithoutProfiles(t *testing.T) {
	s := simulated(1, base(), but(base(), map[category.Name]float64{category.Crypto: 24e-6}))
	trials, plans, _ := s.make()
	trials = slices.DeleteFunc(trials, func(t record.Trial) bool { return t.Profiled })
	got, err := Compare(trials, nil, plans, Options{By: "side", Explain: &ExplainOptions{}})
	if err != nil {
		t.Fatal(err)
	}
	x := explain.KindExplain.All(got.Pairs[0])[0]
	if x.Profiled || len(x.Causes) > 0 || !strings.Contains(x.Says, "the reason is unknown without profiles") {
		t.Errorf("got %q", x.Says)
	}
	for i := range trials {
		n := int64(50)
		if trials[i].Cell == 1 {
			n = 4000 + int64(i)
		}
		trials[i].Disk = &record.DiskUse{Device: "vda", Writes: n + int64(i%3), WriteBytes: n << 12, BusyPct: 30}
	}
	got, err = Compare(trials, nil, plans, Options{By: "side", Explain: &ExplainOptions{}})
	if err != nil {
		t.Fatal(err)
	}
	if x = explain.KindExplain.All(got.Pairs[0])[0]; !slices.Equal(x.Causes, []string{string(category.WaitingDisk)}) ||
		!strings.Contains(x.Says, "times as many disk I/Os per operation") {
		t.Errorf("got %v, %q", x.Causes, x.Says)
	}
}

// TestNetworkAllowance: a side whose runs all exceeded an allowance of its instance type, and the other's none, has
// that as its cause; if some runs did, a sentence says so.
func TestNetworkAllowance(t *testing.T) {
	trials, plans, _ := simulated(5, base(), but(base(), map[category.Name]float64{category.Crypto: 24e-6})).make()
	trials = slices.DeleteFunc(trials, func(t record.Trial) bool { return t.Profiled })
	over := func(of func(record.Trial) bool) explain.Explanation {
		changed := slices.Clone(trials)
		for i := range changed {
			if of(changed[i]) {
				changed[i].Network = &record.NetworkUse{Interface: "eth0", SentBytes: 5e9,
					Exceeded: map[string]int64{"pps_allowance_exceeded": 30}}
			}
		}
		in := finding.NewInput(changed, nil, plans)
		in.Read.Profile = func(record.Trial, string) (p record.Profile, ok bool, err error) { return p, false, nil }
		in.Read.Type = func(record.Machine) (catalog.Type, bool) {
			return catalog.Type{Name: "c5.large", NetworkMbps: catalog.Some(750), NetworkBurstMbps: catalog.Some(10_000)}, true
		}
		got, err := CompareIn(in, compare.Question{By: "side"})
		if err != nil {
			t.Fatal(err)
		}
		return explain.KindExplain.All(got.Pairs[0])[0]
	}
	x := over(func(t record.Trial) bool { return t.Cell == 1 })
	if !slices.Contains(x.Causes, "network allowance") ||
		!strings.HasPrefix(x.Says, "side=b exceeded a network allowance of its instance type (c5.large: baseline 0.75 "+
			"Gbit/s, burst 10 Gbit/s) in ") || !strings.Contains(x.Says, "packets/s (packets queued or dropped: ") {
		t.Errorf("of one side: %v, %q", x.Causes, x.Says)
	}
	for name, of := range map[string]func(record.Trial) bool{
		"both":    func(record.Trial) bool { return true },
		"one run": func(t record.Trial) bool { return t.Cell == 1 && t.Replicate == 0 },
		"no run":  func(record.Trial) bool { return false },
	} {
		if x := over(of); slices.Contains(x.Causes, "network allowance") || (len(x.Allowances) > 0) != (name != "no run") {
			t.Errorf("%s: %v, %q", name, x.Causes, x.Allowances)
		}
	}
}

// TestWhatTheDiskIsAskedIsACause: with profiles too, where it is asked for more in a second as well by the side that
// handles less, and has something to do. What stands first is what explains most.
func TestWhatTheDiskIsAskedIsACause(t *testing.T) {
	const usual, flushed = 250, 3000 // I/Os of a trial
	for _, c := range []struct {
		name       string
		costs      map[category.Name]float64 // that are others on the side that asks for more
		iosB       int64
		busy, opsB float64
		first      category.Name // of the causes; "" none
		asked      bool          // whether the disk is one
	}{
		{"a flush for each batch", nil, flushed, 47, 250e3, category.WaitingDisk, true},
		{"categories that are a third of the gap each",
			map[category.Name]float64{category.Crypto: 13e-6, category.Copying: 8e-6, category.KernelNetwork: 11e-6}, flushed,
			47, 250e3, category.WaitingDisk, true},
		{"a category that is most of it", map[category.Name]float64{category.Application: 22e-6}, flushed, 47, 250e3,
			category.Application, true},
		{"what is written in each second whatever is carried", nil, usual, 47, 25e3, "", false},
		{"an idle disk", nil, flushed, 1, 250e3, "", false},
		{"the side that handles more", nil, flushed, 47, 500e3, "", false},
	} {
		s := simulated(3, base(), but(base(), c.costs))
		s.noise = .02
		trials, plans, profiles := s.make()
		for i := range trials {
			n, ops := int64(usual), 400e3
			if trials[i].Cell == 1 {
				n, ops = c.iosB, c.opsB
			}
			trials[i].Disk = &record.DiskUse{Device: "vda", Writes: n + int64(i%7), WriteBytes: n << 12, BusyPct: c.busy}
			measured(record.Throughput, "op/s", record.Higher, ops*(1+float64(i%3)/100))(&trials[i])
		}
		got, err := Compare(trials, nil, plans, Options{By: "side", Explain: &ExplainOptions{Profile: profiles.read}})
		if err != nil {
			t.Fatal(err)
		}
		x := explain.KindExplain.All(got.Pairs[0])[0]
		first := ""
		if len(x.Causes) > 0 {
			first = x.Causes[0]
		}
		if asked := slices.Contains(x.Causes, string(category.WaitingDisk)); asked != c.asked || first != string(c.first) ||
			asked && first == string(category.WaitingDisk) != strings.Contains(x.Says, "times as many disk I/Os") {
			t.Errorf("%s: got %v, %q", c.name, x.Causes, x.Says)
		}
	}
}

// TestACauseThatNeedsNoProfileIsSaid, where fewer pairs have profiles than tell a cause in CPU time.
func TestACauseThatNeedsNoProfileIsSaid(t *testing.T) {
	s := simulated(3, base(), base())
	s.noise = .02
	trials, plans, profiles := s.make()
	trials = slices.DeleteFunc(trials, func(t record.Trial) bool { return t.Profiled && t.Replicate >= 2 })
	for i := range trials {
		n, ops := int64(250), 400e3
		if trials[i].Cell == 1 {
			n, ops = 3000, 250e3
		}
		trials[i].Disk = &record.DiskUse{Device: "vda", Writes: n + int64(i%7), WriteBytes: n << 12, BusyPct: 47}
		measured(record.Throughput, "op/s", record.Higher, ops*(1+float64(i%3)/100))(&trials[i])
	}
	got, err := Compare(trials, nil, plans, Options{By: "side", Explain: &ExplainOptions{Profile: profiles.read}})
	if err != nil {
		t.Fatal(err)
	}
	x := explain.KindExplain.All(got.Pairs[0])[0]
	if x.N != 2 || !slices.Equal(x.Causes, []string{string(category.WaitingDisk)}) ||
		!strings.Contains(x.Says, "times as many disk I/Os") || !flagged(x.Doubts,
		"explaining CPU time takes at least 3 pairs with profiles") {
		t.Errorf("%d pairs, %v: %q, doubts %q", x.N, x.Causes, x.Says, x.Doubts)
	}
}

// TestAValueNamedLikeTheDisksIsNone: such as a file of somebody else's may have.
func TestAValueNamedLikeTheDisksIsNone(t *testing.T) {
	trials, plans, profiles := simulated(3, base(), base()).make()
	for i := range trials {
		measured("disk_ios_per_op", "op", record.Neutral, float64(1+9*trials[i].Cell)+float64(i%3)/100)(&trials[i])
	}
	got, err := Compare(trials, nil, plans, Options{By: "side", Explain: &ExplainOptions{Profile: profiles.read}})
	if err != nil {
		t.Fatal(err)
	}
	if x := explain.KindExplain.All(got.Pairs[0])[0]; len(x.Causes) > 0 {
		t.Errorf("got %v, %q", x.Causes, x.Says)
	}
}

// TestServersSayWhatSessionsWaitFor: a database's own classes of waits count in the place of the kernel's.
func TestServersSayWhatSessionsWaitFor(t *testing.T) {
	for class, want := range map[string]struct {
		cause category.Name
		says  string
	}{record.WaitLock: {category.Locks, "locks"}, record.WaitStandby: {category.WaitingStandby, "the standby"}} {
		s := simulated(1, base(), base())
		s.waitsA, s.waitsB = nil, nil
		trials, plans, profiles := s.make()
		for i := range trials {
			waited := 2.
			if trials[i].Cell == 1 {
				waited = 60
			}
			shares := map[string]float64{record.WaitLock: 1, record.WaitStandby: 1, record.WaitLWLock: 1, record.WaitIO: 1,
				record.WaitWAL: 2, record.WaitClient: 90 - waited}
			shares[class] = waited + float64(i%4)
			for class, share := range shares {
				measured(record.WaitShare(class), "%", record.Neutral, share)(&trials[i])
			}
		}
		got, err := Compare(trials, nil, plans, Options{By: "side", Explain: &ExplainOptions{Profile: profiles.read}})
		if err != nil {
			t.Fatal(err)
		}
		x := explain.KindExplain.All(got.Pairs[0])[0]
		if !slices.Equal(x.Causes, []string{string(want.cause)}) ||
			!strings.HasPrefix(x.Says, "sessions of side=b wait for "+want.says) {
			t.Errorf("%s: got %v, %q, %+v", class, x.Causes, x.Says, x.Waits)
		}
	}
}

// TestShowExplainsFactors: at the first level, every other one against it.
func TestShowExplainsFactors(t *testing.T) {
	s := simulated(1, base(), but(base(), map[category.Name]float64{category.Crypto: 24e-6}))
	trials, plans, profiles := s.make()
	in := finding.NewInput(trials, nil, plans)
	in.Read.Profile = profiles.read
	shown := Analyze(in)
	at := slices.IndexFunc(shown.Workloads, func(c finding.Cell) bool {
		return c.Primary && len(explain.KindExplain.All(c)) > 0
	})
	if at < 0 || explain.KindExplain.All(shown.Workloads[at])[0].Factor != "side" ||
		explain.KindExplain.All(shown.Workloads[at])[0].Causes[0] != string(category.Crypto) {
		t.Fatalf("got %+v", shown.Workloads)
	}
}

func TestSidesAreToldApart(t *testing.T) {
	long := strings.Repeat("num.io.threads=8\n", 10)
	for _, c := range []struct{ by, a, b, labelA, labelB string }{
		{record.KeyMachine, "m1", "m2", "m1", "m2"},
		{"tls", "false", "true", "tls=false", "tls=true"},
		{"kafka.broker.settings", "socket.receive.buffer.bytes=102400", "socket.receive.buffer.bytes=1024",
			"kafka.broker.settings=socket.receive.buffer.bytes=102400",
			"kafka.broker.settings=socket.receive.buffer.bytes=1024"},
		{"settings", long + "acks=1", long + "acks=all\nlinger=5", "settings=...acks=1", "settings=...acks=all linger=5"},
		{"settings", strings.Repeat("é", 80) + "1", strings.Repeat("é", 80), "settings=..." + strings.Repeat("é", 16) + "1",
			"settings=" + strings.Repeat("é", 40) + "..."},
	} {
		if a, b := axis.Labels(c.by, c.a, c.b); a != c.labelA || b != c.labelB {
			t.Errorf("%s of %q and %q: %q and %q", c.by, c.a, c.b, a, b)
		}
	}
}

// TestAnotherLevelIsNoRemedy: of three levels of a factor, the third does not remove what tells the first two apart.
func TestAnotherLevelIsNoRemedy(t *testing.T) {
	s := simulated(1, base(), but(base(), map[category.Name]float64{category.Crypto: 24e-6}))
	s.with = base()
	trials, plans, profiles := s.make()
	const param, factor = "kafka.broker.provider", "broker.provider"
	for i := range trials {
		delete(trials[i].Keys, record.FactorPrefix+"side")
		trials[i].Keys[param], trials[i].Keys[record.FactorPrefix+factor] = fmt.Sprint("level ", trials[i].Cell),
			fmt.Sprint("level ", trials[i].Cell)
		trials[i].Group = 0
	}
	plans[0].Plan.Factors = []record.Factor{{Name: factor, Levels: []string{"level 0", "level 1", "level 2"}}}
	for _, by := range []string{factor, param} { // both name it
		got, err := Compare(trials, nil, plans, Options{By: by, Explain: &ExplainOptions{Profile: profiles.read}})
		if err != nil {
			t.Fatal(err)
		}
		if x := explain.KindExplain.All(got.Pairs[0])[0]; len(x.Removes) > 0 || x.Causes[0] != string(category.Crypto) {
			t.Errorf("by %s: got %q, %+v", by, x.Says, x.Removes)
		}
	}
}

// TestAKnownIssueIsTheCureWhereNothingWasMeasured, and none where the rules are left out.
func TestAKnownIssueIsTheCureWhereNothingWasMeasured(t *testing.T) {
	s := simulated(2, base(), but(base(), map[category.Name]float64{category.Crypto: 24e-6}))
	s.keysA = map[string]string{"kafka.broker.java_options": ""}
	s.keysB = map[string]string{"kafka.broker.java_options": "-XX:-UseAES"}
	x := s.explain(t, ExplainOptions{})
	if !strings.Contains(x.Says, "not measured here, but known: leave out the options") || len(x.KnownIssues) != 1 ||
		x.KnownIssues[0].Side != "b" {
		t.Errorf("got %q, %+v", x.Says, x.KnownIssues)
	}
	if x = s.explain(t, ExplainOptions{NoKnownIssues: true}); len(x.KnownIssues) > 0 ||
		strings.Contains(x.Says, "known") || x.Causes[0] != string(category.Crypto) {
		t.Errorf("without rules: got %q, %+v", x.Says, x.KnownIssues)
	}
}
