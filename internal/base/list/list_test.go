package list

import (
	"slices"
	"strconv"
	"testing"
)

func TestMap(t *testing.T) {
	if got := Map([]int{3, 1, 2}, strconv.Itoa); !slices.Equal(got, []string{"3", "1", "2"}) {
		t.Errorf("got %q", got)
	}
	if got := Map([]int{}, strconv.Itoa); got != nil {
		t.Errorf("of none: %q, want nil, which JSON tells from an empty list", got)
	}
}

func TestFilter(t *testing.T) {
	all := []int{3, 1, 2, 5}
	odd := func(i int) bool { return i%2 == 1 }
	if got := Filter(all, odd); !slices.Equal(got, []int{3, 1, 5}) {
		t.Errorf("got %v", got)
	}
	if !slices.Equal(all, []int{3, 1, 2, 5}) {
		t.Errorf("it changed its input: %v", all)
	}
	if got := Filter(all[2:3], odd); got != nil {
		t.Errorf("of none: %v, want nil", got)
	}
}

func TestConcurrently(t *testing.T) {
	items := make([]int, 1000)
	for i := range items {
		items[i] = i
	}
	got := Concurrently(items, func(i int) int { return 2 * i })
	for i, v := range got {
		if v != 2*i {
			t.Fatalf("item %d: got %d, want %d: the order is lost", i, v, 2*i)
		}
	}
	if got := Concurrently(nil, strconv.Itoa); len(got) != 0 {
		t.Errorf("of none: %q", got)
	}
}
