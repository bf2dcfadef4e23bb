package brokerfault

import (
	"context"
	"errors"
	"reflect"
	"strings"
	"sync/atomic"
	"testing"

	"plimsoll/internal/client/load"
	"plimsoll/internal/machine/host/cputime"
	"plimsoll/internal/record"
)

// growing is a cluster that a broker joins some looks after its start, and that moves partitions some looks later.
type growing struct {
	started, asked atomic.Bool
	looks          atomic.Int64
	refuses        error
}

func (g *growing) Start(ctx context.Context, _ int, await func(context.Context) error) error {
	err := await(ctx)
	g.started.Store(err == nil)
	return err
}
func (g *growing) Joined(context.Context, int) (bool, error) {
	return g.started.Load() && g.looks.Add(1) > 1, nil
}
func (g *growing) Reassign(context.Context, int) error { g.asked.Store(true); return g.refuses }
func (g *growing) Reassigned(context.Context) (bool, error) {
	return g.asked.Load() && g.looks.Add(1) > 3, nil
}
func (g *growing) Bytes(context.Context, int) (int64, error) { return 7, nil }

func addTo(t *testing.T, g *growing) *Addition {
	t.Helper()
	a, err := PrepareAddition(t.Context(), g, 4)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(a.Close)
	now, err := cputime.Monotonic()
	if err != nil {
		t.Fatal(err)
	}
	a.At(now)
	return a
}

func TestABrokerIsAdded(t *testing.T) {
	a := addTo(t, &growing{})
	if err := a.Wait(t.Context()); err != nil {
		t.Fatal(err)
	}
	c := a.Course()
	if !(c.Begun > 0 && c.Joined > c.Begun && c.Reassigned > c.Joined && c.Bytes == 7) {
		t.Errorf("%+v", c)
	}
	var names []string
	for _, e := range c.Events() {
		names = append(names, e.Name+" "+e.Detail)
	}
	if got := strings.Join(names, ", "); got != "broker_added broker 4, broker_joined broker 4, "+
		"broker_reassigned broker 4" {
		t.Error(got)
	}
	// It starts in the fourth second, and its partitions come in the seventh, which has half the throughput.
	c.Begun, c.Reassigned = 103*second, 107*second
	got := map[string]float64{}
	for _, v := range c.Values([]int64{100, 100, 100, 98, 100, 100, 50, 100, 100, 100}, 100*second, second) {
		got[v.Name] = v.Value
	}
	want := map[string]float64{record.AddRecovery: 4, record.AddLost: .52, record.AddOutage: 0, record.AddReassigned: 4,
		record.AddMoved: 7}
	if !reflect.DeepEqual(got, want) {
		t.Errorf("%v, want %v", got, want)
	}
	refused := errors.New("the controller refuses")
	if err := addTo(t, &growing{refuses: refused}).Wait(t.Context()); !errors.Is(err, refused) {
		t.Errorf("%v", err)
	}
	var none *Addition
	none.Close()
	if err := none.Wait(t.Context()); err != nil || none.Course() != (Added{}) {
		t.Errorf("%v", err)
	}
}

func TestShare(t *testing.T) {
	none := func(int32) string { return "" }
	before := [][]int32{{1, 2, 3}, {2, 3, 1}, {3, 1, 2}, {1, 3, 2}, {2, 1, 3}, {3, 2, 1}, {1, 2, 3}, {2, 3, 1}}
	after, err := Share(before, 4, none)
	if err != nil {
		t.Fatal(err)
	}
	total, leads := map[int32]int{}, map[int32]int{}
	for i, r := range after {
		for at, b := range r {
			total[b]++
			if at == 0 {
				leads[b]++
			}
			for _, other := range r[at+1:] {
				if b == other {
					t.Errorf("partition %d twice on broker %d", i, b)
				}
			}
		}
	}
	if total[4] != 6 || leads[4] != 2 || total[1] != 6 || total[2] != 6 || total[3] != 6 {
		t.Errorf("%v: replicas %v, leaders %v", after, total, leads)
	}
	if before[0][0] != 1 {
		t.Error("the replicas that were given have changed")
	}
	// In racks the new broker takes from those of its own, or one rack would have two replicas.
	rack := func(b int32) string { return map[int32]string{1: "a", 2: "b", 3: "c", 4: "a"}[b] }
	if after, err = Share(before, 4, rack); err != nil {
		t.Fatal(err)
	}
	for i, r := range after {
		if in := map[string]bool{rack(r[0]): true, rack(r[1]): true, rack(r[2]): true}; len(in) != 3 {
			t.Errorf("partition %d: %v in %v", i, r, in)
		}
	}
	if _, err := Share([][]int32{{1}}, 2, none); err == nil {
		t.Error("one replica was divided")
	}
}

// TestFaultsWithoutAWindow have no cost, and those that never happened have none.
func TestFaultsWithoutAWindow(t *testing.T) {
	var none Runs
	if got := none.Values(load.Result{}); len(got) != 0 || len(none.Events()) != 0 {
		t.Errorf("%v", got)
	}
	a := addTo(t, &growing{})
	if err := a.Wait(t.Context()); err != nil {
		t.Fatal(err)
	}
	if got := (Runs{added: a}).Values(load.Result{Start: a.Course().Begun}); len(got) != 2 {
		t.Errorf("%v", got)
	}
}
