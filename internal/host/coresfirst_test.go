package host

import (
	"fmt"
	"slices"
	"testing"
)

func TestCoresFirst(t *testing.T) {
	siblings := func(of ...string) Root {
		files := map[string]string{}
		for cpu, s := range of {
			files[fmt.Sprintf("cpu/cpu%d/topology/thread_siblings_list", cpu)] = s + "\n"
		}
		return placed(t, files)
	}
	adjacent := siblings("0-1", "0-1", "2-3", "2-3", "4-5", "4-5")
	apart := siblings("0,3", "1,4", "2,5", "0,3", "1,4", "2,5")
	for _, c := range []struct {
		name string
		root Root
		cpus []int
		want []int
	}{
		{"siblings side by side", adjacent, []int{0, 1, 2, 3, 4, 5}, []int{0, 2, 4, 1, 3, 5}},
		{"siblings apart", apart, []int{0, 1, 2, 3, 4, 5}, []int{0, 1, 2, 3, 4, 5}},
		{"one thread a core", siblings("0", "1", "2"), []int{0, 1, 2}, []int{0, 1, 2}},
		{"only what may be used", adjacent, []int{1, 2, 3}, []int{1, 2, 3}},
		{"a core with one thread to use", adjacent, []int{0, 1, 3, 4}, []int{0, 3, 4, 1}},
		{"four threads a core", siblings("0-3", "0-3", "0-3", "0-3", "4-7", "4-7", "4-7", "4-7"), []int{0, 1, 2, 3, 4, 5, 6, 7}, []int{0, 4, 1, 5, 2, 6, 3, 7}},
		{"not readable", Root{Sys: t.TempDir()}, []int{0, 1, 2}, []int{0, 1, 2}},
		{"none", adjacent, nil, nil},
	} {
		given := slices.Clone(c.cpus)
		if got := CoresFirst(c.root, c.cpus); !slices.Equal(got, c.want) {
			t.Errorf("%s: %v, want %v", c.name, got, c.want)
		}
		if !slices.Equal(c.cpus, given) {
			t.Errorf("%s: the CPUs given became %v", c.name, c.cpus)
		}
	}
}
