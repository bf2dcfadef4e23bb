package plan

import (
	"math"
	"slices"
	"strings"
	"testing"

	"plimsoll/internal/analysis/sequential"
	"plimsoll/internal/record"
)

// profiledPlan is a pair whose sides cannot be sliced, and a cell by itself.
func profiledPlan(t *testing.T, change func(*Request)) record.Plan {
	t.Helper()
	req := levels(2)
	req.Replicates, req.Profile = 2, true
	if change != nil {
		change(&req)
	}
	return resolve(t, req)
}

func profiledTrials(o record.Order, void func(record.Order) bool) []record.Trial {
	out := trialsOf(o, void)
	for i := range out {
		out[i].Profiled = o.Profiled
	}
	return out
}

func followProfiled(t *testing.T, p record.Plan, void func(record.Order) bool) (orders []record.Order,
	done []record.Trial) {
	t.Helper()
	for o, ok := Next(p, done); ok; o, ok = Next(p, done) {
		if orders = append(orders, o); len(orders) > 1000 {
			t.Fatal("the plan does not end")
		}
		done = append(done, profiledTrials(o, void)...)
	}
	return orders, done
}

func TestEachReplicateIsFollowedByItsProfiles(t *testing.T) {
	p := profiledPlan(t, nil)
	left := Follow(p).Remaining(nil).Trials
	orders, done := followProfiled(t, p, nil)
	if left != 8 || len(orders) != left {
		t.Fatalf("%d orders, %d were foretold, want 8", len(orders), left)
	}
	ids := map[string]bool{}
	for i, o := range orders {
		ids[o.ID] = true
		if want := i%4 >= 2; o.Profiled != want || o.Replicate != i/4 || strings.Contains(o.ID, "-f-") != want {
			t.Errorf("order %d: profiled %t in replicate %d: %s", i, o.Profiled, o.Replicate, o.ID)
		}
	}
	if len(ids) != len(orders) {
		t.Errorf("%d identities of %d orders", len(ids), len(orders))
	}
	for i := range 4 {
		a, b := orders[i], orders[4*(i/4)+2+i%2]
		if a.Seed != b.Seed && i < 2 {
			t.Errorf("order %d and its profile do not do the same work: seeds %d and %d", i, a.Seed, b.Seed)
		}
	}
	for cut := range done {
		if o, more := Next(p, done[:cut]); !more || o.ID != done[cut].ID {
			t.Errorf("resumed after %d: %v %s", cut, more, o.ID)
		}
	}
	c := Follow(p)
	c.Add(done[:5]...)
	if n := c.Remaining(nil).Trials; n != 3 {
		t.Errorf("after 5 of 8, %d are left", n)
	}
}

// TestAVoidProfile: it is retried once; a cell without a valid one is given up; unmeasured replicates are not profiled.
func TestAVoidProfile(t *testing.T) {
	for name, c := range map[string]struct {
		void func(record.Order) bool
		want int // profiles asked for
	}{
		"the first time":  {func(o record.Order) bool { return o.Profiled && o.Replicate == 0 && o.Attempt == 0 }, 6},
		"always":          {func(o record.Order) bool { return o.Profiled }, 4},
		"later":           {func(o record.Order) bool { return o.Profiled && o.Replicate == 1 }, 6},
		"never measured":  {func(o record.Order) bool { return !o.Profiled && o.Sides[0].Cell == 0 }, 2},
		"measured for it": {func(o record.Order) bool { return !o.Profiled && o.Sides[0].Cell == 0 && o.Replicate == 1 }, 3},
	} {
		orders, _ := followProfiled(t, profiledPlan(t, nil), c.void)
		n := 0
		for _, o := range orders {
			if o.Profiled {
				n++
			}
		}
		if n != c.want {
			t.Errorf("%s: %d profiles, want %d", name, n, c.want)
		}
	}
}

// TestADecidedComparisonGetsItsLastProfiles, and no more pairs.
func TestADecidedComparisonGetsItsLastProfiles(t *testing.T) {
	p := sequentialPlan(t, func(r *Request) { r.Profile = true })
	if !p.Cells[0].Sliced {
		t.Fatal("the sides are not sliced")
	}
	var done []record.Trial
	var orders []record.Order
	for o, ok := Next(p, done); ok && len(orders) < 100; o, ok = Next(p, done) {
		orders = append(orders, o)
		for i, s := range o.Sides {
			v := record.Value{Metric: record.Metric{Name: record.Throughput, Unit: "B/s", Better: record.Higher},
				Value: math.Exp(20 + .1*float64(s.Cell) + .001*float64(o.Replicate))}
			done = append(done, record.Trial{ID: o.SlotOf(i).ID(), Slot: o.SlotOf(i),
				Load:   s.Load,
				Keys:   map[string]string{record.KeyMachine: "m", record.KeyWorkload: s.Workload, record.KeyLoad: s.Load.Key()},
				Values: []record.Value{v}})
		}
	}
	if len(orders) != 10 || !orders[9].Profiled || len(orders[9].Sides) != 2 {
		t.Errorf("%d orders, the last of them %+v; want 5 pairs and as many profiles", len(orders), orders[len(orders)-1])
	}
	if n, settled := sequential.Settled(p, []int{0, 1}, done); !settled || n != 5 {
		t.Errorf("settled %t with %d pairs", settled, n)
	}
}

func TestPilotsAreNotProfiled(t *testing.T) {
	p := profiledPlan(t, func(r *Request) {
		r.Replicates, r.Measure, r.Factors = 0, []Ask{
			{Workload: "command", Set: map[string]string{"clients": "4"}}}, []Factor{Vary("command.line", []string{"a", "b"})}
	})
	if p.Pilot == nil {
		t.Skip("this plan has no pilot")
	}
	orders, _ := followProfiled(t, p, nil)
	if slices.ContainsFunc(orders, func(o record.Order) bool { return o.Profiled && (o.Pilot || o.Extra) }) {
		t.Error("a pilot is profiled")
	}
}

func TestProfileOfASearchIsRefused(t *testing.T) {
	req := Request{Profile: true, WarmupS: -1, Measure: []Ask{{Workload: "web"}}}
	if err := req.Search(false, nil, []record.Workload{webDecl()}); err != nil {
		t.Fatal(err)
	}
	_, err := Resolve(req, []record.Workload{webDecl()}, map[string]Target{"": {CPUs: 4}})
	if err == nil || !strings.Contains(err.Error(), "\nhint: set the load to profile") {
		t.Errorf("%v", err)
	}
}

func TestSuiteAsksForProfiles(t *testing.T) {
	req, err := ParseSuite("x", []byte("profile: true\nmeasure: [{workload: web}]\n"))
	if err != nil || !req.Profile {
		t.Errorf("%v %+v", err, req)
	}
}

// TestProfilesKnowHowLongTheyLast: if the load ends by itself, from the previous trial, which was the same.
func TestProfilesKnowHowLongTheyLast(t *testing.T) {
	for kind, want := range map[record.LoadKind]float64{record.Once: 7, record.Closed: 0} {
		p := profiledPlan(t, nil)
		for i := range p.Cells {
			p.Cells[i].Load = record.LoadPoint{Kind: kind, Level: 1}
		}
		var done []record.Trial
		profiled := 0
		for o, ok := Next(p, done); ok; o, ok = Next(p, done) {
			if o.Profiled {
				profiled++
			}
			if o.LastedS != 0 && !o.Profiled || o.Profiled && o.LastedS != want {
				t.Errorf("%s, profiled %t: %g s", kind, o.Profiled, o.LastedS)
			}
			trials := profiledTrials(o, nil)
			for i := range trials {
				trials[i].DurationS = 7
			}
			done = append(done, trials...)
		}
		if profiled == 0 {
			t.Errorf("%s: nothing was profiled", kind)
		}
	}
}
