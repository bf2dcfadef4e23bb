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
