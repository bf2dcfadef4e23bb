package main

import (
	"context"
	"fmt"
	"io"
	"math"
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"sync"
	"time"
)

// campaign is a run of all parts.
type campaign struct {
	options
	work string
	to   io.Writer
	sum  string           // of the program, SHA-256
	done map[string]entry // by part and seed: what the ledger has of this program

	rows    []row       // what it has found
	planted string      // the bug that is on; "": none
	enough  func() bool // whether a part needs no more trials; nil: it takes all
}

// row is a line of the ledger.
type row struct {
	part               string
	tried, hit, failed int
	took               time.Duration
}

// run runs the parts one after the other, each on all lanes.
func (c *campaign) run(ctx context.Context) (bool, error) {
	failed, begun := false, time.Now()
	want, seed, single := strings.Cut(c.only, ":")
	for _, p := range parts() {
		if c.only != "" && p.name != want {
			continue
		}
		seeds := c.seeds(p)
		if single {
			one, err := strconv.ParseUint(seed, 10, 64)
			if err != nil {
				return false, fmt.Errorf("--only %s: %w", c.only, err)
			}
			seeds = []uint64{one}
		}
		if len(seeds) == 0 && c.quick {
			continue
		}
		r := c.part(ctx, p, seeds)
		failed = failed || r.failed > 0
		if r.hit == 0 && !single && c.planted == "" {
			fmt.Fprintf(c.to, "PROVES NOTHING: %s: none of %d trials hit\n", p.name, r.tried)
			failed = failed || !c.quick
		}
		c.rows = append(c.rows, r)
	}
	if len(c.rows) == 0 {
		return false, fmt.Errorf("--only %s: there is no such part", c.only)
	}
	table(c.to, c.rows)
	fmt.Fprintf(c.to, "took %v; hit: the fault came while something was at stake; at most: upper 95 %% bound of the "+
		"failures among those\n",
		time.Since(begun).Round(time.Second))
	return failed, ctx.Err()
}

// seeds returns the seed of each trial of a part.
func (c *campaign) seeds(p part) []uint64 {
	n := p.full
	switch {
	case c.quick:
		n = p.quick
	case c.short:
		n = p.short
	}
	if own, ok := c.count[p.name]; ok {
		n = own
	}
	out := make([]uint64, n)
	for i := range out {
		out[i] = c.seed*1_000_003 + uint64(i)
	}
	return out
}

// part runs the trials of a part. A failed one is told at once, and its directory kept.
func (c *campaign) part(ctx context.Context, p part, seeds []uint64) row {
	r, begun := row{part: p.name}, time.Now()
	var mu sync.Mutex
	var wait sync.WaitGroup
	room := make(chan struct{}, max(c.lanes, 1))
	for _, seed := range seeds {
		if ctx.Err() != nil {
			break
		}
		if e, ok := c.done[entryKey(p.name, seed)]; ok {
			mu.Lock() // of trials that run already
			r.count(e)
			mu.Unlock()
			continue
		}
		room <- struct{}{}
		mu.Lock()
		enough := c.enough != nil && c.enough()
		mu.Unlock()
		if enough {
			break
		}
		wait.Go(func() {
			defer func() { <-room }()
			name := fmt.Sprintf("%s-%d", p.name, seed)
			t, err := newTrial(c.work, name, seed)
			out := outcome{broken: fmt.Sprint(err)}
			if err == nil {
				t.program, t.planted, t.size = c.program, c.planted, c.size()
				out = p.run(ctx, t)
			}
			if ctx.Err() != nil {
				_ = os.RemoveAll(filepath.Join(c.work, name))
				return
			}
			mu.Lock()
			defer mu.Unlock()
			e := entry{Program: c.sum, Part: p.name, Seed: seed, Hit: out.hit || out.broken != "", Broken: out.broken,
				Figure: out.figure}
			if out.figure != "" {
				fmt.Fprintf(c.to, "%s: %s\n", name, out.figure)
			}
			r.count(e)
			if err := e.add(c.ledger); err != nil {
				fmt.Fprintf(c.to, "FAILED: the ledger lacks a trial: %v\n", err)
				r.failed++
			}
			if out.broken == "" {
				_ = os.RemoveAll(t.dir)
				return
			}
			fmt.Fprintf(c.to, "FAILED %s: %s\n  in %s; again: scripts/reliability%s --only %s:%d\n", p.name, out.broken,
				filepath.Join(c.work, name), c.size().flag, p.name, seed)
		})
	}
	wait.Wait()
	r.took = time.Since(begun)
	return r
}

// atMost is the one-sided upper 95 % bound of a share, of failures among tries (Clopper and Pearson 1934): the
// share with which so few failures, or fewer, come once in twenty times.
func atMost(failures, tries int) float64 {
	if tries == 0 || failures >= tries {
		return 1
	}
	low, high := 0.0, 1.0
	for range 60 {
		p := (low + high) / 2
		if binomial(failures, tries, p) > .05 {
			low = p
		} else {
			high = p
		}
	}
	return high
}

// binomial returns the probability of at most k of n.
func binomial(k, n int, p float64) float64 {
	sum := 0.0
	for i := range k + 1 {
		lg := func(x int) float64 { v, _ := math.Lgamma(float64(x + 1)); return v }
		sum += math.Exp(lg(n) - lg(i) - lg(n-i) + float64(i)*math.Log(p) + float64(n-i)*math.Log1p(-p))
	}
	return sum
}
