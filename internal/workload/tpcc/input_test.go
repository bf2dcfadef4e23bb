package tpcc

import (
	"math"
	"slices"
	"testing"

	"plimsoll/internal/record"
	"plimsoll/internal/workload"
)

// drawn are the inputs of a seeded client.
func drawn(t *testing.T, n int, set record.Params, use func(in *input)) {
	t.Helper()
	p := with(set)
	d := &driver{params: p, population: populationIn(p), env: workload.Env{Seed: 11}}
	terminal := d.terminal(0, forClient)
	var in input
	for range n {
		terminal.draw(&in)
		use(&in)
	}
}

// near fails the test if a share differs from the expected one by more than four standard errors.
func near(t *testing.T, what string, got, n int, share float64) {
	t.Helper()
	if off := math.Abs(float64(got)/float64(n) - share); off > 4*math.Sqrt(share*(1-share)/float64(n)) {
		t.Errorf("%s: %d of %d, want %g", what, got, n, share)
	}
}

func evenly(t *testing.T, what string, counts []int) {
	t.Helper()
	if p := fits(counts, even(len(counts))); p < unlikely {
		t.Errorf("%s are not even: p = %g, %v", what, p, counts)
	}
}

func TestOrders(t *testing.T) {
	lengths, quantities, suppliers, homes, places := make([]int, 11), make([]int, 10), make([]int, 4), make([]int, 5),
		make([]int, 10)
	orders, lines, distant, unused := 0, 0, 0, 0
	drawn(t, 60_000, record.Params{paramWarehouses: "5"}, func(in *input) {
		if in.kind != newOrder {
			return
		}
		orders++
		lengths[len(in.lines)-5]++
		homes[in.w-1]++
		places[in.d-1]++
		if in.unused {
			unused++
			if in.lines[len(in.lines)-1].item != 100_001 {
				t.Fatal("the last line's item exists")
			}
		}
		valid := in.lines[:in.valid()]
		if !slices.IsSortedFunc(valid, func(a, b line) int { return (a.supplier-b.supplier)*1e6 + a.item - b.item }) {
			t.Fatalf("locks are not taken in one order: %v", valid)
		}
		for _, l := range in.lines {
			lines++
			quantities[l.quantity-1]++
			if l.supplier != in.w {
				distant++
				suppliers[(l.supplier-in.w+5)%5-1]++
			}
			if l.item < 1 || l.item > 100_001 || l.supplier < 1 || l.supplier > 5 {
				t.Fatalf("%+v", l)
			}
		}
	})
	evenly(t, "lengths", lengths)
	evenly(t, "quantities", quantities)
	evenly(t, "remote suppliers", suppliers)
	evenly(t, "warehouses", homes)
	evenly(t, "districts", places)
	near(t, "remote lines", distant, lines, 0.01)
	near(t, "unused items", unused, orders, 0.01)
}

func TestPeople(t *testing.T) {
	for _, k := range []kind{payment, orderStatus} {
		all, byName, distant := 0, 0, 0
		where, at := make([]int, 4), make([]int, 10)
		drawn(t, 100_000, record.Params{paramWarehouses: "5"}, func(in *input) {
			if in.kind != k {
				return
			}
			all++
			if in.customer.id == 0 {
				byName++
			} else if in.customer.id < 1 || in.customer.id > 3000 {
				t.Fatalf("%+v", in)
			}
			if in.customer.w != in.w {
				distant++
				where[(in.customer.w-in.w+5)%5-1]++
				at[in.customer.d-1]++
			} else if in.customer.d != in.d {
				t.Fatal("a customer of the own warehouse is of another district")
			}
		})
		near(t, "by name", byName, all, 0.6)
		if k == orderStatus {
			if distant > 0 {
				t.Error("an Order-Status is remote")
			}
			continue
		}
		near(t, "remote payments", distant, all, 0.15)
		evenly(t, "remote warehouses", where)
		evenly(t, "remote districts", at)
	}
}

func TestTheRest(t *testing.T) {
	carriers, least, amounts := make([]int, 10), make([]int, 11), make([]int, 10)
	drawn(t, 100_000, nil, func(in *input) {
		switch in.kind {
		case delivery:
			carriers[in.carrier-1]++
		case stockLevel:
			least[in.least-10]++
		case payment:
			amounts[(in.cents-100)*10/499_901]++
		}
	})
	evenly(t, "carriers", carriers)
	evenly(t, "thresholds", least)
	evenly(t, "amounts", amounts)
}

// TestOneWarehouse: nothing can be remote.
func TestOneWarehouse(t *testing.T) {
	drawn(t, 20_000, record.Params{paramWarehouses: "1"}, func(in *input) {
		if in.kind == payment && (in.customer.w != 1) || in.kind == newOrder && in.allLocal() != 1 {
			t.Fatalf("%+v", in)
		}
	})
}

// TestHomes: clients with a home are spread over warehouses, then over copies, then over districts, and stay.
func TestHomes(t *testing.T) {
	p := with(record.Params{paramWarehouses: "2", paramTables: "3", paramHome: homeFixed})
	d := &driver{params: p, population: populationIn(p)}
	seen := map[home]int{}
	for i := range 60 {
		seen[d.terminal(i, forClient).home]++
	}
	if len(seen) != 60 {
		t.Errorf("60 clients have %d homes", len(seen))
	}
	terminal := d.terminal(3, forClient)
	var in input
	for range 1000 {
		terminal.draw(&in)
		if in.w != 2 || in.copy != 2 || in.kind == stockLevel && in.d != 1 {
			t.Fatalf("%+v", in)
		}
	}
}
