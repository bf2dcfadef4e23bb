package judge

import (
	"slices"
	"testing"

	"plimsoll/internal/analysis/finding/crossover"
)

// TestOnParUntil: a side keeps up until the first number of CPUs at which it is behind for good or not.
func TestOnParUntil(t *testing.T) {
	cpus := []string{"1", "2", "3", "4", "5", "6", "7", "8"}
	for _, c := range []struct {
		name   string
		effect func(int) float64
		want   []crossover.OnPar
	}{
		{"as in the article", values(.1, .1, .1, .05, 0, -.1, -.2, -.3),
			[]crossover.OnPar{{Side: "b", Until: 5, From: 6, Of: 8, Ahead: []int{1, 2, 3, 4}, Even: []int{5}}}},
		{"the other side", values(-.1, 0, 0, 0, .1, .1, .1, .1),
			[]crossover.OnPar{{Side: "a", Until: 4, From: 5, Of: 8, Ahead: []int{1}, Even: []int{2, 3, 4}}}},
		{"behind everywhere", values(-.1, -.1, -.1, -.1, -.1, -.1, -.1, -.1),
			[]crossover.OnPar{{Side: "b", Until: 0, From: 1, Of: 8}}},
		{"behind, and again", values(0, -.1, 0, 0, 0, 0, 0, -.1),
			[]crossover.OnPar{{Side: "b", Until: 1, From: 2, Of: 8, Even: []int{1}}}},
		{"never behind", values(.1, 0, 0, 0, 0, 0, 0, 0), nil},
	} {
		got, err := Compare(against(cpus, atCPUs, c.effect, .002), nil, plans(nil), Options{})
		if err != nil {
			t.Fatal(err)
		}
		found := crossover.KindOnPar.All(got.Pairs[0])
		if len(found) != len(c.want) {
			t.Errorf("%s: %+v", c.name, found)
			continue
		}
		for i, w := range c.want {
			if f := found[i]; f.Side != w.Side || f.Until != w.Until || f.From != w.From || f.Of != w.Of ||
				f.Workload != "aes" || f.Params["cpus"] != "" {
				t.Errorf("%s: %+v, want %+v", c.name, f, w)
			}
			if f := found[i]; !slices.Equal(f.Ahead, w.Ahead) || !slices.Equal(f.Even, w.Even) ||
				(f.Lead != nil) != (len(w.Ahead) > 0) || f.Lead != nil && (f.Lead.CPUs > 3 || !f.Lead.Above(1)) {
				t.Errorf("%s: ahead at %v by %+v, even at %v; want %v, %v", c.name, f.Ahead, f.Lead, f.Even, w.Ahead, w.Even)
			}
		}
	}
	two, err := Compare(against([]string{"1", "8"}, atCPUs, values(.1, -.1), .002), nil, plans(nil), Options{})
	if err != nil || len(crossover.KindOnPar.All(two.Pairs[0])) != 0 {
		t.Errorf("of two numbers of CPUs: %+v, %v", crossover.KindOnPar.All(two.Pairs[0]), err)
	}
}
