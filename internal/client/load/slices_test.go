package load

import (
	"fmt"
	"math/rand/v2"
	"slices"
	"sync/atomic"
	"testing"
	"time"

	"plimsoll/internal/base/simtest"
)

func mustSliced(t *testing.T, slice time.Duration, seed uint64, cfgs ...Config) []*Generator {
	t.Helper()
	gens, err := NewSliced(cfgs, slice, seed)
	if err != nil {
		t.Fatal(err)
	}
	return gens
}

// referee knows which sides are at work, and fails the test when two are.
type referee struct {
	t      *testing.T
	atWork [4]atomic.Int32
}

func (r *referee) work(side int, do func()) {
	r.atWork[side].Add(1)
	for other := range r.atWork {
		if other != side && r.atWork[other].Load() != 0 {
			r.t.Errorf("sides %d and %d ran at once", side, other)
		}
	}
	do()
	r.atWork[side].Add(-1)
}

func TestBlocksAreBalanced(t *testing.T) {
	for sides := 2; sides <= 4; sides++ {
		first := make([]int, sides)
		for block := range 600 {
			order := blockOrder(nil, 99, block, sides)
			turns := make([]int, sides)
			for i, side := range order {
				turns[side]++
				if side != order[len(order)-1-i] {
					t.Fatalf("block %d of %d sides is %v: its second half is not the mirror of its first", block, sides, order)
				}
			}
			if slices.Min(turns) != 2 || slices.Max(turns) != 2 {
				t.Fatalf("block %d of %d sides is %v", block, sides, order)
			}
			first[order[0]]++
		}
		for side, n := range first {
			if sides == 2 && n != 300 || n < 600/sides/2 {
				t.Errorf("side %d of %d begins %d of 600 blocks", side, sides, n)
			}
		}
	}
}

// Operations far shorter than a slice, about as long, and longer, beside each
// other: all sides get the same time, one at a time.
func TestSidesShareTheTime(t *testing.T) {
	for name, ops := range map[string][]time.Duration{
		"short":      {50 * time.Microsecond, 70 * time.Microsecond},
		"like slice": {1200 * time.Microsecond, 130 * time.Microsecond},
		"long":       {100 * time.Microsecond, 8 * time.Millisecond, 300 * time.Microsecond},
		"all long":   {19 * time.Millisecond, 23 * time.Millisecond},
	} {
		c := Config{Load: closedLoad(2), Lanes: 2, Warmup: 300 * time.Millisecond, Duration: 2 * time.Second,
			Step: 100 * time.Millisecond}
		gens := mustSliced(t, 5*time.Millisecond, 1, slices.Repeat([]Config{c}, len(ops))...)
		sim := &simulation{t: t, gens: gens, ops: ops}
		sim.run()
		if n := gens[0].turns.slice; n < max(5e6, minOps*int64(slices.Max(ops))) {
			t.Errorf("%s: slices of %d ns for operations of %v", name, n, ops)
		}
		for side, g := range gens {
			r := g.Result()
			near(t, name+": seconds", r.Seconds, 2, 0.2)
			near(t, name+": operations/s", r.OpsPerSecond, 2/ops[side].Seconds(), 1e-9)
			near(t, name+": ends", seconds(r.End-testZero), 2.3*float64(len(ops)), 0.15)
			if len(sim.turns[side]) != len(sim.turns[0]) {
				t.Errorf("%s: side %d had %d turns, side 0 %d", name, side, len(sim.turns[side]), len(sim.turns[0]))
			}
			if n := len(r.Windows.Ops); n < 15 || n > 20 || slices.Contains(r.Windows.Ops, 0) {
				t.Errorf("%s: windows of side %d are %v, want about 19 that each hold operations", name, side, r.Windows.Ops)
			}
		}
	}
}

// Whoever meters turns hears of each measured one before its first operation, and of the end.
func TestTurnsAreTold(t *testing.T) {
	c := Config{Load: closedLoad(2), Lanes: 2, Warmup: 10 * time.Millisecond, Duration: 60 * time.Millisecond}
	gens := mustSliced(t, 2*time.Millisecond, 1, c, c)
	var at atomic.Int32
	var turns [2]atomic.Int32
	at.Store(-2)
	gens[0].OnTurn(func(side int) {
		at.Store(int32(side))
		if side >= 0 {
			turns[side].Add(1)
		}
	})
	var wrong atomic.Int32
	run(t, gens, func(side, _ int, l *Lane) {
		for from, ok := l.Take(); ok; from, ok = l.Take() {
			warmUp := turns[0].Load()+turns[1].Load() == 0
			if now := at.Load(); now != int32(side) && !(now == -1 && warmUp) {
				wrong.Add(1)
			}
			spin(l, 50*time.Microsecond)
			l.Done(from, from, 1, 1)
		}
	})
	a, b := turns[0].Load(), turns[1].Load()
	if at.Load() != -1 || a != b || a < 2 || wrong.Load() > 0 { // a busy machine may have one block, and no warm-up
		t.Errorf("at last %d; %d and %d measured turns; %d operations in another's turn", at.Load(), a, b, wrong.Load())
	}
}

// A lane that leaves in the middle of a slice, even if the next turn would again be its own, blocks no other.
func TestLeavingPassesTheTurn(t *testing.T) {
	c := Config{Load: closedLoad(1), Lanes: 1, Duration: 100 * time.Millisecond}
	for lanes := 1; lanes <= 2; lanes++ {
		for quit := 1; quit <= 8; quit++ {
			a := c
			a.Lanes = lanes
			gens := mustSliced(t, time.Millisecond, 1, a, c)
			sim := &simulation{t: t, gens: gens, ops: []time.Duration{100 * time.Microsecond, 100 * time.Microsecond},
				quit: quit}
			sim.run()
			if n := len(sim.turns[1]); n < 90 {
				t.Errorf("%d lanes, one of which left in turn %d: the other side had %d turns of 1 ms in 200 ms", lanes, quit, n)
			}
		}
	}
}

// Measured time is that of the slices alone: the rates are as if the other side did
// not exist, to the cost of passing the turn.
func TestSlicedRateIsOfOwnTime(t *testing.T) {
	c := Config{Load: closedLoad(1), Lanes: 1, Duration: 120 * time.Millisecond}
	gens := mustSliced(t, 4*time.Millisecond, 1, c, c)
	var spent [2]int64
	run(t, gens, func(side, _ int, l *Lane) {
		for at, ok := l.Take(); ok; at, ok = l.Take() {
			spin(l, 200*time.Microsecond)
			l.Done(at, at, 1, 1)
			spent[side] += l.last - at
		}
	})
	for side, g := range gens {
		r := g.Result()
		near(t, "measured seconds", r.Seconds, seconds(spent[side]), 1e-9)
		near(t, "operations/s", r.OpsPerSecond, float64(r.Ops)/seconds(spent[side]), 1e-9)
	}
}

// Whatever lanes do, and whenever they give up, none waits for ever and no two sides run at once.
func TestTurnsSurvive(t *testing.T) {
	simtest.Long(t)
	seeds := make([]uint64, 24)
	for i := range seeds {
		seeds[i] = uint64(i)
	}
	for _, seed := range simtest.Tenth(t, seeds) {
		t.Run(fmt.Sprintf("seed %d", seed), func(t *testing.T) {
			plan := rand.New(rand.NewPCG(seed, 1))
			sides := 2 + plan.IntN(3)
			var cfgs []Config
			for range sides {
				n := 1 + plan.IntN(9)
				cfgs = append(cfgs, Config{Load: closedLoad(float64(n)), Lanes: n, Warmup: 5 * time.Millisecond,
					Duration: 25 * time.Millisecond})
			}
			gens := mustSliced(t, time.Millisecond, seed, cfgs...)
			if plan.IntN(3) == 0 {
				time.AfterFunc(time.Duration(plan.IntN(50))*time.Millisecond, gens[plan.IntN(sides)].Stop)
			}
			ref := &referee{t: t}
			run(t, gens, func(side, lane int, l *Lane) {
				wild(ref, rand.New(rand.NewPCG(seed, uint64(100*side+lane+2))), side, l)
			})
			for side, g := range gens {
				if r := g.Result(); r.Latency.TotalCount() != r.Ops {
					t.Errorf("side %d: %d operations, %d latencies", side, r.Ops, r.Latency.TotalCount())
				}
			}
		})
	}
}

// wild is a lane of unpredictable operations, which may fail or give up, one of
// them in the middle of an operation.
func wild(ref *referee, r *rand.Rand, side int, l *Lane) {
	leaveAt := r.IntN(100)
	for i := 0; ; i++ {
		if i == leaveAt && r.IntN(2) == 0 {
			return
		}
		at, ok := l.Take()
		if !ok {
			return
		}
		ref.work(side, func() {
			if r.IntN(4) == 0 {
				time.Sleep(time.Duration(r.IntN(1500)) * time.Microsecond)
			}
		})
		switch {
		case i == leaveAt:
			return
		case r.IntN(5) == 0:
			l.Fail(at, Class(r.IntN(classes)))
		default:
			l.Done(at, at, int64(r.IntN(3)), 1)
		}
	}
}

// Event loops with several operations in flight end their slice only when the
// last of them has been answered.
func TestSlicedEventLoops(t *testing.T) {
	const depth = 4
	c := Config{Load: closedLoad(depth), Lanes: 2, Warmup: 10 * time.Millisecond, Duration: 60 * time.Millisecond}
	gens := mustSliced(t, 2*time.Millisecond, 5, c, c)
	ref := &referee{t: t}
	run(t, gens, func(side, _ int, l *Lane) {
		var queue []int64
		for {
			at, ok := l.Due(l.Now())
			for ; ok && len(queue) < depth; at, ok = l.Due(l.Now()) {
				if queue = append(queue, at); len(queue) == depth {
					break
				}
			}
			if len(queue) == 0 {
				if at, ok = l.Take(); !ok {
					return
				}
				queue = append(queue, at)
			}
			ref.work(side, func() { spin(l, 20*time.Microsecond) })
			l.Done(queue[0], queue[0], 1, 1)
			queue = queue[1:]
		}
	})
	for side, g := range gens {
		if r := g.Result(); r.Ops == 0 || r.Latency.TotalCount() != r.Ops {
			t.Errorf("side %d: %d operations, %d latencies", side, r.Ops, r.Latency.TotalCount())
		}
	}
}
