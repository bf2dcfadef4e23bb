package plan

import (
	"slices"
	"testing"

	"plimsoll/internal/base/list"
	"plimsoll/internal/record"
)

// repeating returns a plan of so many commands whose short runs may share a process.
func repeating(t *testing.T, commands, replicates int) record.Plan {
	req := levels(commands)
	req.Replicates = replicates
	if commands == 1 {
		req.Factors = nil
	}
	p := resolve(t, req)
	for i := range p.Cells {
		p.Cells[i].Repeats = true
	}
	return p
}

// batches carries out a plan whose runs take so many seconds, of which those of void fail, and returns its orders and
// the trials in their order. Of each batch the first runs are made, up to one that is long or fails.
func batches(t *testing.T, p record.Plan, seconds func(cell, replicate int) float64,
	void func(record.Order) bool) (orders []record.Order, made []record.Trial) {
	t.Helper()
	for {
		o, ok := Next(p, made)
		if !ok {
			return orders, made
		}
		orders = append(orders, o)
		for i := range o.Trials() {
			one, _ := o.Alone(i)
			tr := trialsOf(one, void)[0]
			tr.Profiled = one.Profiled
			tr.DurationS = seconds(tr.Cell, tr.Replicate)
			made = append(made, tr)
			if tr.Void != "" || tr.DurationS >= record.ShortRunS {
				break
			}
		}
		if len(made) > 10_000 {
			t.Fatal("the plan does not end")
		}
	}
}

func short(int, int) float64 { return .001 }

func ids(trials []record.Trial) []string {
	return list.Map(trials, func(t record.Trial) string { return t.ID })
}

// TestShortRunsShareAProcess: all runs of one command are one batch, and its trials are those of a plan without.
func TestShortRunsShareAProcess(t *testing.T) {
	p := repeating(t, 1, 12)
	orders, made := batches(t, p, short, nil)
	if len(orders) != 1 || len(orders[0].Turns) != 12 || len(orders[0].Sides) != 1 {
		t.Errorf("%d orders, the first %+v", len(orders), orders[0])
	}
	var apart []string
	for r := range 12 {
		apart = append(apart, record.Order{Slot: record.Slot{Plan: Hash(p), Replicate: r},
			Sides: orders[0].Sides}.SlotOf(0).ID())
	}
	if got := ids(made); !slices.Equal(got, apart) {
		t.Errorf("trials %v, want %v", got, apart)
	}
	many, _ := batches(t, repeating(t, 1, 2500), short, nil)
	if len(many) != 3 || len(many[0].Turns) != mostTurns {
		t.Errorf("2500 runs are %d orders, the first of %d", len(many), len(many[0].Turns))
	}
}

// TestLongRunsHaveAProcess: the first long run ends its batch, and those after it are by themselves.
func TestLongRunsHaveAProcess(t *testing.T) {
	orders, made := batches(t, repeating(t, 1, 5), func(int, int) float64 { return 2 }, nil)
	if len(orders) != 5 || len(made) != 5 {
		t.Fatalf("%d orders, %d trials", len(orders), len(made))
	}
	for i, o := range orders[1:] {
		if o.Turns != nil {
			t.Errorf("order %d is a batch", i+1)
		}
	}
}

// TestBatchesKeepTheOrder: a comparison's runs come in the order that they have without batches, each side's first by
// itself, and a batch ends at an interim analysis.
func TestBatchesKeepTheOrder(t *testing.T) {
	p := repeating(t, 2, 40)
	apart := p
	apart.Cells = slices.Clone(p.Cells)
	for i := range apart.Cells {
		apart.Cells[i].Repeats = false
	}
	slot := func(tr record.Trial) [2]int { return [2]int{tr.Cell, tr.Replicate} }
	orders, made := batches(t, p, short, nil)
	_, want := batches(t, apart, short, nil)
	if got, want := list.Map(made, slot), list.Map(want, slot); !slices.Equal(got, want) {
		t.Errorf("cells and replicates\n%v, want\n%v", got, want)
	}
	if len(orders) != 3 || orders[0].Turns != nil || orders[1].Turns != nil || len(orders[2].Turns) != 78 {
		t.Errorf("%d orders", len(orders))
	}
	p.Stop = &record.Stop{Looks: []int{10, 20, 40}, Alone: 40}
	p.Alpha, p.Margin = .05, .02
	c := Follow(p)
	for range 2 {
		o, _ := c.Next()
		tr := trialsOf(o, nil)[0]
		tr.DurationS = .001
		c.Add(tr)
	}
	if o, _ := c.Next(); len(o.Turns) != 18 || o.Turns[17].Replicate != 9 {
		t.Errorf("before the first analysis a batch has %d runs", len(o.Turns))
	}
	// One of a mixed pair is long: neither shares a process.
	mixed, _ := batches(t, repeating(t, 2, 6), func(cell, _ int) float64 { return float64(cell) }, nil)
	for _, o := range mixed {
		if len(o.Sides) > 1 {
			t.Errorf("a batch has a long command: %+v", o.Turns)
		}
	}
}

// TestFailedRunOfABatch: it is repeated at once, and nothing is lost or made twice.
func TestFailedRunOfABatch(t *testing.T) {
	fails := func(o record.Order) bool { return o.Replicate == 4 && o.Attempt == 0 }
	orders, made := batches(t, repeating(t, 1, 9), short, fails)
	if len(orders) != 2 || len(made) != 10 || orders[1].Replicate != 4 || orders[1].Attempt != 1 {
		t.Errorf("%d orders, trials %v", len(orders), ids(made))
	}
	never := func(record.Order) bool { return true }
	if orders, made = batches(t, repeating(t, 1, 9), short, never); len(orders) != 2 || len(made) != 2 {
		t.Errorf("a command that fails is tried %d times in %d orders", len(made), len(orders))
	}
}

func TestNoBatch(t *testing.T) {
	for name, change := range map[string]func(*record.Plan){
		"profiled":     func(p *record.Plan) { p.Profile = true },
		"cannot":       func(p *record.Plan) { p.Cells[0].Repeats = false },
		"other server": func(p *record.Plan) { p.Cells[1].Host = "ssh b" },
		"tuned": func(p *record.Plan) {
			p.Cells[1].Params = record.Params{"tune.thp": "never"}
		},
	} {
		p := repeating(t, 2, 4)
		p.Cells = slices.Clone(p.Cells)
		change(&p)
		orders, _ := batches(t, p, short, nil)
		for _, o := range orders {
			if len(o.Sides) > 1 {
				t.Errorf("%s: sides share a process", name)
			}
		}
	}
}
