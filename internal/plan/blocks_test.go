package plan

import (
	"fmt"
	"maps"
	"slices"
	"strings"
	"testing"
)

// fleet is a plan of machines of types "a" and "b": so many of each.
func fleet(t *testing.T, seed uint64, together bool, a, b int) (hosts []string, targets map[string]Target,
	req Request) {
	t.Helper()
	targets = map[string]Target{}
	for of, n := range map[string]int{"a": a, "b": b} {
		for i := range n {
			h := fmt.Sprint(of, i)
			hosts = append(hosts, h)
			targets[h] = Target{CPUs: 4, Type: of}
			if together {
				targets[h] = Target{CPUs: 4, Type: of, Machine: h}
			}
		}
	}
	slices.Sort(hosts)
	return hosts, targets, Request{Seed: seed, Replicates: 4, Hosts: hosts,
		Measure: []Ask{{Workload: "command", Set: map[string]string{"line": "x", "clients": "4"}}}, DurationS: 1}
}

// TestBlocks: each has one machine of each type as far as there are any, and which ones is random.
func TestBlocks(t *testing.T) {
	partners := map[string]bool{}
	for seed := range uint64(20) {
		_, targets, req := fleet(t, seed, true, 3, 4)
		p, err := Resolve(req, declared(), targets)
		if err != nil {
			t.Fatal(err)
		}
		byBlock := map[int][]string{}
		for h, n := range p.Blocks {
			byBlock[n] = append(byBlock[n], h)
		}
		if len(p.Blocks) != 7 || len(byBlock) != 4 || len(byBlock[4]) != 1 {
			t.Fatalf("seed %d: %v", seed, byBlock)
		}
		for n := range 3 {
			pair := slices.Sorted(slices.Values(byBlock[n+1]))
			if len(pair) != 2 || pair[0][0] != 'a' || pair[1][0] != 'b' {
				t.Errorf("seed %d: block %d is %v", seed, n+1, pair)
			}
			partners[strings.Join(pair, " ")] = true
		}
		again, err := Resolve(req, declared(), targets)
		if err != nil || !maps.Equal(again.Blocks, p.Blocks) {
			t.Errorf("seed %d: %v is no function of the seed: %v, %v", seed, p.Blocks, again.Blocks, err)
		}
	}
	if len(partners) != 12 {
		t.Errorf("of 12 pairs %d came up in 20 draws: %v", len(partners), partners)
	}
}

// TestNoBlocks: of one type, of one machine of each, and of types that nobody knows.
func TestNoBlocks(t *testing.T) {
	for name, c := range map[string]struct{ a, b int }{"one type": {4, 0}, "one each": {1, 1}, "one of one": {1, 4}} {
		_, targets, req := fleet(t, 1, true, c.a, c.b)
		if p, err := Resolve(req, declared(), targets); err != nil || p.Blocks != nil {
			t.Errorf("%s: %v, %v", name, p.Blocks, err)
		}
	}
	_, targets, req := fleet(t, 1, true, 3, 3)
	for h, target := range targets {
		target.Type = ""
		targets[h] = target
	}
	if p, err := Resolve(req, declared(), targets); err != nil || p.Blocks != nil {
		t.Errorf("unknown types: %v, %v", p.Blocks, err)
	}
}

// TestBlocksRunOneByOne: where machines cannot run at once those of a block run one after the other, and the blocks in
// random order.
func TestBlocksRunOneByOne(t *testing.T) {
	_, targets, req := fleet(t, 3, false, 3, 3)
	req.Replicates = 8
	p, err := Resolve(req, declared(), targets)
	if err != nil || p.Together {
		t.Fatal(p.Together, err)
	}
	orders := map[string]bool{}
	for r := range p.Replicates {
		var blocks []int
		for _, turn := range groupsOf(p)[0].turns(p, r) {
			blocks = append(blocks, p.Blocks[p.Cells[turn[0]].Host])
		}
		order := fmt.Sprint(slices.Compact(slices.Clone(blocks)))
		if len(slices.Compact(blocks)) != 3 {
			t.Errorf("replicate %d: %v", r, blocks)
		}
		orders[order] = true
	}
	if len(orders) < 3 {
		t.Errorf("the blocks came in the orders %v", orders)
	}
}
